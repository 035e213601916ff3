"""Mask the values of form controls so that a control can still show them: option texts, numbers in range, valid dates."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..detect.cues.label_entities import find_label_entity
from ..detect.shapes.secrets import looks_random
from ..words.english import is_english_word, is_no_name
from ..words.phrase_lists import PhraseLists
from ..words.word_lists import LANGUAGES, UI_WORDS, common_words, function_words, given_names, impersonal_words
from .attribute_roles import HEXADECIMAL

LISTS = PhraseLists("form_controls")

_SENSITIVE = re.compile(
    r"gender|\bsex\b|religio|\brace\b|ethni|orientation|marital|famil|diagnos|illness|disease|symptom|health|disab|pregnan|blood|"
    r"salary|income|account|customer|client|patient|employee|staff|owner|assign|user|contact|member|recipient|profile|person|people|"
    r"card\b|address|birth|\bage\b|national|citizen|part(?:y|ies)\b|union|salutation|pronoun|author|doctor|driver|agent|manager|company|tenant",
    re.IGNORECASE,
)
"""Labels of selects that tell something about a person, or that list people or their things."""
_PEOPLE = re.compile(
    r"customer|client|patient|employee|staff|owner|assign|\buser|contact|member|recipient|\bperson\b|people|author|doctor|driver|agent|manager|company|tenant|"
    r"part(?:y|ies)\b|teacher|student|reviewer|supplier|vendor|payee|payer|\bwho(?:m|se)?\b|\b(?:paid|sent|made|written|owned) (?:by|to)\b",
    re.IGNORECASE,
)
"""Labels of selects that list people or companies."""
_LISTED = frozenset({"PERSON", "ORGANIZATION", "USERNAME", "EMAIL_ADDRESS"})
_RIGHTS = re.compile(
    r"(?:\b|_)(?:permissions?|privileges|capabilities|scopes)(?:[-_](?:old|from|to|cache|chosen|available))?\Z",
    re.IGNORECASE,
)
"""Names of selects that list permissions, with those of both halves in Django's admin."""
_SMALL = function_words("choice")
_ORDERS = LISTS.to_word_set("ORDERS")
"""Words of sort orders and filters that the list of common words does not have."""
_COUNTED = re.compile(r"(?<=[^\W\d_]{4})\d{1,2}\Z")
"""The number behind a word that is counted: ``milestone2``."""
_THEMSELVES = """
    de afrikaans العربيّة العربية الجزائرية asturianu azərbaycanca български беларуская বাংলা brezhoneg bosanski català کوردی česky čeština cymraeg dansk
    deutsch dolnoserbski ελληνικά esperanto español argentina colombia mexico méxico nicaragua venezuela españa eesti euskara فارسی suomi français canada
    france frysk gaeilge gàidhlig galego עברית हिंदी हिन्दी hrvatski hornjoserbsce magyar հայերեն interlingua bahasa indonesia asụsụ ìgbò igbo ido íslenska italiano 日本語
    ქართული taqbaylit қазақ khmer ខ្មែរ ಕನ್ನಡ kannada 한국어 кыргызча lëtzebuergesch lietuvių lietuviškai latviešu македонски മലയാളം монгол मराठी melayu မြန်မာဘာသာ norsk bokmål
    nynorsk नेपाली nederlands ирон ਪੰਜਾਬੀ punjabi polski português brasileiro brasil portugal română русский slovenčina slovensky slovenščina shqip српски srpski
    latinica svenska kiswahili தமிழ் తెలుగు тоҷикӣ ไทย ภาษาไทย türkmençe türkçe татарча удмурт ئۇيغۇرچە українська اردو oʻzbek tili tiếng việt 简体中文 繁體中文 中文
    简体 繁體 australian british american basque mongolian filipino tagalog
    """
"""Names of languages in the language itself, and of the countries that stand beside them."""
_SITE = re.compile(r"\Ahttps?://[^/?#@]*(?=[/?#])")
_MADE = re.compile(r"([a-z]{4,}(?:e|ed))(?:r|to|by|on|at|for)")
"""A compound that programs use as the name of a column: a verb with a preposition (``assignedto``) or for who does it
(``owner``).
"""
_BEFORE = re.compile(r"(?:un|sub|non|re|pre|multi|over|auto|inter)(?=[a-z]{4})")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ARRANGED = re.compile(r"(?:sort|order|group|filter|search|arrange)(?:ed)? by (\w+)", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_MOST_DIGITS = 15
"""Digits of a number: a double is exact up to here."""
_FORMS = {"date": _DATE, "datetime-local": re.compile(_DATE.pattern + r"T\d{2}:\d{2}")}
"""Type of a control → the form in which it writes its value."""


@dataclass(slots=True)
class SelectOptions:
    """The options of one ``<select>``. Either each option shows its own text, or each shows ``Option 2 of 4``."""

    personal: bool
    total: int | None
    """How many options the select began with; None: they came later."""
    count: int = 0
    states: bool = False
    """Whether the values of its options are words of programs."""
    rights: bool = False
    """Whether it lists permissions. Then each option is masked like any text, whatever its language."""
    shown: list[tuple[list[Any], Any, int]] = field(default_factory=list)
    """Where the own texts of options were written: the list, the index in it, and the number of the option."""
    people: bool = False
    """Whether its label and values say that it lists people or their things."""
    named: bool = False
    """Whether its label says that it lists people or companies. Then an option that is a person shows the person's
    stand-in.
    """
    colours: bool = False
    """Whether it lists colours. Then one of digits alone (``#445461``) is a colour as well, and no number."""
    strange: int = 0
    """How many options have an uncommon word and no finding."""

    def is_everybodys(self, text: str) -> bool:
        """Return whether an option is a colour of a list of colours, or a language's own name: no text to search."""
        return is_language_name(text) or (self.colours and HEXADECIMAL.fullmatch(text.strip()) is not None)

    def may_show_option(self, text: str, value: str) -> bool:
        """Return whether an option without findings may show its own text.

        It may if at most a quarter of the options so far had uncommon words, and its text is the name of a column or
        an operator: in small letters, or equal to its value. A word that is in no list may be a user's name.
        """
        plain = text.strip()
        if (by := _ARRANGED.fullmatch(plain)) and by[1] == value and value.isidentifier() and _is_english_word(value):
            return True  # a column of a table: *Sort by teacher*
        words = re.findall(r"[^\W_]+", plain)
        self.strange += not (plain.isascii() and all(map(is_no_name, words)))  # *chatting* is nobody's name
        short = [word for word in words if len(word) < _NAME and not _is_english_word(word)]
        named = (
            plain.isascii()
            and len(short) < len(words)
            and all(map(_is_english_word, (word for word in words if word not in short)))
            and (plain.islower() or (plain.lower() == value and value.isidentifier()))
        )
        return named and (self.total or 0) >= 4 * self.strange

    def find_replacement_text(self, text: str, masked: str, nth: int, empty: bool) -> str | None:
        """Return the text that a hidden option shows instead of its own, or None for the neutral ``Option 2 of 4``.

        A separator line between groups, and the entry that stands for no choice, keep their own text. In a list of
        people an option shows the stand-in that the name has elsewhere on the page. In a list that is the same for
        everybody, such as countries, an option stays neutral: its position would tell which country the stand-in
        replaces.
        """
        if not any(c.isalnum() for c in text) or (empty and is_impersonal_option(text)):
            return text
        kept = set(re.findall(r"[^\W_]+", masked)) & set(re.findall(r"[^\W_]+", text))
        if self.named and nth and masked != text and all(map(is_impersonal_option, kept)):
            return masked
        return None

    def build_neutral_text(self, nth: int) -> str:
        """Return the neutral text of an option: ``Option 2 of 4``."""
        return f"Option {nth} of {self.total}" if self.total and nth <= self.total else f"Option {nth}"

    def hide_all_options(self) -> None:
        """Hide the texts of all options, because one of them is personal."""
        self.personal = True
        for out, index, nth in self.shown:
            out[index] = self.build_neutral_text(nth)
        self.shown.clear()


def is_permission_select(attributes: Mapping[str, str], values: list[str]) -> bool:
    """Return whether a select lists permissions: its name or id says so (``user_permissions``), and no value holds
    personal data.
    """
    named = any(_RIGHTS.search(attributes.get(name, "")) for name in ("name", "id"))
    return named and not any(_holds_personal_data(value) for value in values)


def offers_program_languages(options: Sequence[tuple[str, str]]) -> bool:
    """Return whether a select offers the languages of the program itself.

    It does if each text is a language's own name for itself (*Deutsch*, *日本語*). In a form that asks for somebody's
    language, the names of all languages are in one language. One other entry is allowed (*Browser default*) if its text
    or value consists of common words.

    :param options: the text and the value of each option.
    """
    named = [text for text, _ in options if is_language_name(text)]
    others = [(text, value) for text, value in options if not is_language_name(text)]
    if len(named) < 2 or len(others) > 1:
        return False
    if not all(is_impersonal_option(text) or consists_of_program_words(value) for text, value in others):
        return False
    return 2 * sum(_split_words(text) - {"english"} <= _load_native_language_names() for text in named) > len(options)


def is_select_about_person(label: str, values: list[str]) -> bool:
    """Return whether a select is about a person, judged by its label, or by values that are accounts or addresses."""
    if find_label_entity(label) is not None or _SENSITIVE.search(" ".join(re.findall(r"[A-Za-z]+", label))):
        return True
    return any(map(_holds_personal_data, _strip_common_prefix(values)))


def is_label_of_people_list(label: str) -> bool:
    """Return whether a select lists people or companies, judged by its label."""
    entity = find_label_entity(label)
    if entity is not None:
        return entity in _LISTED
    return _PEOPLE.search(" ".join(re.findall(r"[A-Za-z]+", label))) is not None


def _strip_common_prefix(values: Sequence[str]) -> list[str]:
    """Return the values without the beginning that all of them share. For example, only the size is left of
    ``/list?q=Mensah&size=10`` and ``…&size=20``.
    """
    addresses = [value for value in values if value]
    ends = zip(min(addresses), max(addresses), strict=False) if len(addresses) > 1 else ()
    shared = "".join(a for a, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], ends))
    begin = max(shared.rfind(mark) for mark in "/?&") + 1 if "?" in shared else 0
    return [value[begin:] for value in addresses]


def _holds_personal_data(value: str) -> bool:
    value = _SITE.sub("", value)  # a site's port is no personal number
    return "@" in value or looks_random(value) or re.search(r"\d{5,}", value) is not None


def is_impersonal_option(text: str) -> bool:
    """Return whether an option is a colour, or consists of common words, names of languages, and numbers of at most
    four digits.
    """
    if not any(c.isalnum() for c in text) or is_colour(text):
        return True  # a line between two groups
    words = re.findall(r"[^\W_]+", _strip_accents(text))
    return all(
        len(word) <= 4 if word.isdecimal() else len(word) == 1 or _is_common_word(word.lower()) for word in words
    )


def is_colour(text: str) -> bool:
    """Return whether a text is a colour in hexadecimal with a letter, and nothing else. Such colours are never masked."""
    plain = text.strip()
    return HEXADECIMAL.fullmatch(plain) is not None and not plain[1:].isdecimal()


def are_colours(texts: Sequence[str]) -> bool:
    """Return whether options are colours in hexadecimal: all have that form, and one has a letter."""
    return all(HEXADECIMAL.fullmatch(text.strip()) for text in texts) and any(map(is_colour, texts))


def is_user_name_like(text: str) -> bool:
    """Return whether an option is one word in small letters that is in no word list. In a list of people this is a
    user name.
    """
    plain = text.strip()
    words = re.findall(r"[^\W\d_]+", plain)
    return (
        re.fullmatch(r"[^\W\d_][\w.-]{3,40}", plain) is not None
        and plain.islower()
        and not any(_is_english_word(word) or _is_common_word(word) for word in words if len(word) > 2)
    )


def is_command_value(value: str) -> bool:
    """Return whether an option's value consists of two or more words that programs use, such as ``delete_selected``.
    The option's text then belongs to the interface, whatever its language.
    """
    return len(re.findall(r"[a-z]+", value)) > 1 and consists_of_program_words(value)


def are_program_states(values: Sequence[str]) -> bool:
    """Return whether the values of a select are different words that programs use, such as ``new``, ``active``,
    ``closed``. The texts of its options then belong to the interface, whatever their language.
    """
    said = [value for value in values if value]
    return 1 < len(said) <= _STATES and len(set(said)) == len(said) and all(map(consists_of_program_words, said))


_NAME = 4
"""Letters from which on a part of an option may be a name. Shorter ones are parts of states: ``need-eg``, ``done-cbb``.
"""
_STATES = 12
"""Most values of a select that lists states. A longer list names things."""


def consists_of_program_words(value: str) -> bool:
    """Return whether a value consists only of words in small letters that programs use."""
    words = re.findall(r"[a-z]+", value)
    return (
        len(words) > 0
        and re.fullmatch(r"[a-z]+(?:[-_ .][a-z]+)*", value) is not None
        and all(word in _SMALL or word in impersonal_words() or word in UI_WORDS for word in words)
    )


def is_language_name(text: str) -> bool:
    """Return whether an option is a language's own name for itself, with or without a country. Such an option is not
    searched for towns and people.
    """
    words = _split_words(text)
    return bool(words) and all(word in LANGUAGES or word in _load_native_language_names() for word in words)


def _split_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", _strip_accents(text).lower()))


@functools.cache
def _load_native_language_names() -> frozenset[str]:
    return frozenset(_strip_accents(_THEMSELVES).lower().split())


def _strip_accents(text: str) -> str:
    """Return the text without accents and vowel signs."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.category(c).startswith("M"))


def _is_english_word(word: str) -> bool:
    """Return whether a word, or each part of a compound such as ``assignedto``, is English or a word of programs, and
    not a given name.
    """
    made = _MADE.fullmatch(word)
    return any(
        is_english_word(each) and each.lower() not in given_names() for each in (word, *(made.groups() if made else ()))
    )


def _is_common_word(word: str) -> bool:
    known = (_SMALL, LANGUAGES, common_words(), UI_WORDS, _ORDERS, _load_native_language_names())
    word = _COUNTED.sub("", word)
    stem = _BEFORE.sub("", word, count=1)
    return any(word in words or stem in words for words in known)


def find_option_elements(tree: Any) -> list[list[Any]]:
    """Return the ``<option>`` elements in the tree of a ``<select>``."""
    found: list[list[Any]] = []
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, list) and len(node) > 1:
            if node[0] == "option":
                found.append(node)
            else:
                stack.extend(child for child in reversed(node[2:]) if isinstance(child, list))
    return found


def make_valid_control_value(kind: str, masked: str, attributes: Mapping[str, str], recorded_value: str) -> str:
    """Return a masked value that the control can show: between ``min`` and ``max`` and on a step, or a valid date.
    Empty if there is none.

    :param kind: the control's type, such as ``range`` or ``date``.
    :param masked: the stand-in of the value.
    :param recorded_value: the value as it was recorded.
    """
    if not masked or masked == recorded_value:
        return masked
    written = (form := _FORMS.get(kind)) is not None and form.fullmatch(masked)
    if written and attributes.get("min", "") <= masked and not ("" < attributes.get("max", "") < masked):
        return masked  # already a valid day, the one that the rest of the page shows
    seed = int("".join(re.findall(r"\d", masked))[:9] or sum(map(ord, masked)))
    if (made := _make_control_value(kind, seed, masked, attributes, recorded_value)) != recorded_value:
        return made
    return _make_control_value(
        kind, seed + 1, masked, attributes, recorded_value
    )  # equal to the recorded value by chance


def _make_control_value(kind: str, seed: int, masked: str, attributes: Mapping[str, str], recorded_value: str) -> str:
    if kind in ("range", "number"):
        return _make_number(kind, seed, attributes, recorded_value)
    day, month, hour, minute = 1 + seed % 28, 1 + seed % 12, seed % 24, seed % 60
    year = 2000
    for name in ("min", "max"):
        if _DATE.match(limit := attributes.get(name, "")):
            year = int(limit[:4])
            break
    made = {
        "date": f"{year}-{month:02d}-{day:02d}",
        "month": f"{year}-{month:02d}",
        "week": f"{year}-W{1 + seed % 52:02d}",
        "time": f"{hour:02d}:{minute:02d}",
        "datetime-local": f"{year}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}",
        "color": "#808080",
    }.get(kind)
    if made is None:
        return masked
    if (least := attributes.get("min")) and made < least:
        return least
    return most if (most := attributes.get("max")) and made > most else made


def _make_number(kind: str, seed: int, attributes: Mapping[str, str], recorded_value: str) -> str:
    if not _NUMBER.fullmatch(recorded_value.strip()):
        return ""
    places = len(recorded_value.strip().partition(".")[2])
    least, most = _read_limit(attributes, "min"), _read_limit(attributes, "max")
    if kind == "range":
        least, most = 0.0 if least is None else least, 100.0 if most is None else most
    if least is None or most is None or most < least:
        size = min(max(1, len(recorded_value.strip().lstrip("-").partition(".")[0])), _MOST_DIGITS)
        low = 10 ** (size - 1) if size > 1 else 1
        value = float(low + seed % (9 * low)) + (seed % 10**places / 10**places if places else 0)
        value = max(value, least) if least is not None else value
        return f"{min(value, most) if most is not None else value:.{places}f}"
    step = _read_limit(attributes, "step") or 1.0
    steps = int((most - least) / step) if step > 0 else 0
    return f"{least + (seed % (steps + 1)) * step:.{max(places, _count_decimal_places(attributes))}f}"


def _count_decimal_places(attributes: Mapping[str, str]) -> int:
    return max(len(attributes.get(name, "").partition(".")[2]) for name in ("min", "step"))


def _read_limit(attributes: Mapping[str, str], name: str) -> float | None:
    value = attributes.get(name, "").strip()
    return float(value) if _NUMBER.fullmatch(value) and len(value) < 16 else None
