"""Findings that are words of an interface and nobody's: the caption of a calendar, a package, a colour, a time zone, two words of every menu."""

from __future__ import annotations

import re
from functools import lru_cache

from ..contracts.types import NAMED, Finding, TextContext
from ..words import months
from ..words.choices import coins, countries, currencies, languages, of_currencies, scripts, units
from ..words.script_lists import OTHER_LETTERS
from ..words.words import NAMES_TOO, TECHNOLOGY, UI_WORDS, common_words, given_names, lists_of, products
from .around.listed_names import may_call_in_small_letters
from .around.positions import EDITORS, PANELS
from .context import NAME_LABEL, entity_of_label
from .judging.figures import of_a_program
from .judging.foreign import is_foreign, known, of_foreign_interface, of_foreign_sentence
from .judging.homographs import of_words
from .judging.prose import sentence_like
from .judging.scripts_beside import of_another_script
from .people import people
from .secret_rules import PASSWORD_WORDS
from .told.nations import of_somebody

_PLACED = NAMED | {"ADDRESS", "URL", "USERNAME"}
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MONTHS = months.ABROAD.union(months.FULL[0], months.SHORT[0], ["sept"])
_CAPTION = re.compile(
    r"(?P<word>[^\W\d_]+)\.?,?\s+(?:(?:de|del)\s+)?(?:19|20)\d\d|(?:19|20)\d\d\s+(?P<after>[^\W\d_]+)|(?:19|20)\d\d\s?[年년]\s?\d{1,2}\s?[月월]"
)
_RIGHTS = re.compile(r"(?:©|\([cC]\)|\b[Cc]opyright)[^\w%]*\Z")
_YEARS = re.compile(r"(?:19|20)\d\d(?:\s?[-–—,]\s?(?:19|20)?\d\d)*")
_FILLED_DAY = re.compile(r"(?:%(?:\(\w+\)|\d\$)?[ds]|\{\w*\}|\$\d)\.?[ \u00a0](?:de[ ]|of[ ])?\Z")
_COLOURS = frozenset(
    """
    aqua aquamarine azure beige bisque black blue bronze brown burgundy cerulean charcoal chartreuse chestnut chocolate cobalt copper coral cream
    crimson cyan emerald fuchsia gold golden gray green grey indigo ivory khaki lavender lemon lilac lime linen magenta mahogany maroon mauve
    mint mustard navy ochre olive orange orchid peach periwinkle pink plum purple red rose ruby rust salmon sand sapphire scarlet sepia sienna
    silver sky slate snow tan taupe teal terracotta thistle tomato turquoise umber vermilion violet wheat white wine yellow amber jade
    """.split()  # noqa: SIM905
)
_SHADES = frozenset(
    [
        "bright",
        "burnt",
        "dark",
        "deep",
        "dim",
        "dusty",
        "forest",
        "ghost",
        "hot",
        "light",
        "lawn",
        "matte",
        "medium",
        "metallic",
        "midnight",
        "neon",
        "old",
        "pale",
        "pastel",
        "royal",
        "sea",
        "soft",
        "spring",
        "steel",
        "warm",
    ]
)
_SHADES_ABROAD = frozenset(
    """
    hell helle heller helles helle dunkel dunkle dunkler dunkles mittel mittlere mittlerer mittleres blass blasse blasses kräftiges tiefes clair claire foncé foncée pâle vif vive
    claro clara oscuro oscura pálido chiaro chiara scuro scura pallido escuro escura licht donker lichte donkere ljus mørk
    """.split()  # noqa: SIM905
)
_COLOUR_OF_TWO = re.compile(
    r"(?:(?:hell|dunkel|tief|blass)(?:grün|blau|rot|gelb|braun|grau|violett|orange)|[^\W\d_]{3,8}(?:grün|blau|violett))(?:e[rsnm]?)?"
)
"""A German colour of two words, as menus offer it: *Meergrün*, *Hellblau*."""
_LABELS = frozenset(["author", "contributor", "creator", "editor", "maintainer", "moderator", "owner", "reporter", "reviewer"])  # fmt: skip
"""What programs write before somebody who did something there."""
_BRACKETED = re.compile(r"\([^()]*\)")
_PACKAGE = re.compile(r"[(\[\"'`]*@[a-z0-9][\w.-]*/[a-z0-9][\w./@-]*[)\]\"'`.,;:]*")
_ZONE = re.compile(
    r"\s*(?:africa|america|antarctica|arctic|asia|atlantic|australia|brazil|canada|chile|europe|indian|mexico|pacific|us|etc|posix|right"
    r"|afrika|amerika|antarktis|antarktika|arktis|asien|atlantik|australien|europa|indischer ozean|indik|pazifik"
    r"|afrique|amérique|antarctique|arctique|asie|atlantique|australie|océan indien|indien|pacifique|europe"
    r"|áfrica|américa|antártida|antártica|ártico|atlántico|océano índico|índico|pacífico|atlântico|ásia|austrália"
    r"|antartide|artico|atlantico|oceano indiano|indiano|indico|pacifico"
    r"|antarctica|azië|australië|atlantische oceaan|indische oceaan|grote oceaan|oceanië)"
    r"(?:/[^\W\d_][\w .'’()-]{1,40}){1,2}\s*",
    re.IGNORECASE,
)
"""A time zone as tz calls it, and as catalogues of programs translate it."""
_MOMENT = re.compile(r"(?=.{6})(?:([YyAaJjMDdTtHhms])\1++|'?[TZ]'?|[-/:., ])++")
"""How a program writes a moment, in the letters of its parts: ``YYYY-MM-DD'T'hh:mm:ss``, ``AAAAMMDD``."""
_STATIC = re.compile(r"(?<=\d)[ .](?:css|eot|js|map|mjs|otf|ttf|woff2?)\Z")
"""How a numbered file of a program ends, its name read as words: ``fa solid 900 woff2``."""
_TYPE_FACE = re.compile(r"[^A-Z]*[ .](?:eot|otf|ttf|woff2?)")
"""The file of a font, in small letters: type faces are called after people and places."""
_CAPITALISED = re.compile(r"[A-Z][a-z]+")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
"""A text with such letters says what somebody works as in them: one word of English with a capital in it is a program, as in ``Mailman の設定``."""
_HUMPED = re.compile(
    r"(?!Mc|Mac|De[A-Z]|O['’]|Van|Fitz|La[A-Z]|Le[A-Z]|Di[A-Z]|Du[A-Z])[^\W\d_]+[a-zß-ÿ][A-Z][^\W\d_]*(?:-[^\W\d_]+)?|[a-z][A-Z][^\W\d_]+"
)
_HUMP = re.compile(r"[A-Z]?[a-zß-ÿ]+|[A-Z]+(?![a-zß-ÿ])")
_LONGEST_CHOICE = 40
_OF_SOMEBODY = re.compile(
    r"(?:[^\W\d_]{2,}(?:,|[ ][–—-])|\b(?:am|is|was|as|are|were|be|been|become|became|i['’]m|s?he['’]s)(?:[ ](?:an?|the|our|their|now))?)[ ]\Z",
    re.IGNORECASE,
)
"""What stands before somebody's position: *Ulla Berg, text editor*, *he is a source editor*."""
_BEFORE_A_POSITION = 60
_MENU = 4
"""Lines that name languages from which on a country among them is one as well: *Indonesia*."""
_OF_PEOPLE = frozenset(
    ["born", "citizen", "citizens", "descent", "heritage", "national", "nationality", "nationals", "origin", "passport"]
)
"""What is said of people and of no language."""
_PASSWORD = re.compile(rf"(?<![^\W_])(?:{PASSWORD_WORDS})(?![^\W_])", re.IGNORECASE)
"""Nobody is called *password* in any language: *by setting a password* is not by somebody."""
_LABEL = re.compile(r"(?:\A|(?<=[\n|\t;,({]))[ \"']*(?P<s>[^\W\d_][^\n|\t;,(){}:=\"']{2,30})[\"']?[:=][ ]*[\"']?\Z")
"""A label within a text, right before a finding."""
_LATIN_BEFORE = re.compile(r"(?<![A-Za-z])(?P<s>[A-Za-z]{2,20})[ ]\Z")
_SAID_BY_LABEL = {"ORGANIZATION": "ORGANIZATION", "NRP": "VALUE"}
"""What is found, and what a label announces that says it."""
_INSTALLS = re.compile(
    r"(?:\b(?:pip3?|npm|pnpm|yarn|bun|uv|uv pip|cargo|gem|brew|apt|apt-get|poetry|conda|deno)\s+(?:install|i|add|ci|uninstall)|"
    r"\b(?:npx|uvx|pipx run)|\bgo get)\s+(?:-\w+\s+)*\Z|\b(?:require|import)\([\"'`]\Z"
)
"""What stands before the name of a package."""


def of_interface(text: str, f: Finding, context: TextContext, sure: bool = False) -> bool:
    """Return whether a finding is nobody's. Where a label says what stands there, it is believed; and where our own net is ``sure``, words of another language are no reason."""
    if context.label and entity_of_label(context.label) is not None:
        return False
    if f.entity in _SAID_BY_LABEL and _labelled(text, f):
        return False
    if f.entity == "PERSON" and (text[f.start : f.end].islower() or text.isupper()) and _named(text, f, context.label):
        return False
    if f.entity in NAMED and of_somebody(text, f):  # a model takes it for a part of the name
        return False
    if f.entity == "DATE_TIME":
        return not context.label and (is_month(text) or _of_a_program_s_day(text, f))
    if (f.entity in _PLACED and (_ZONE.fullmatch(text) or is_language(text) or is_measure(text))) or of_a_program(
        text, f
    ):
        return True
    if f.entity in ("SECRET", "USERNAME"):
        return of_foreign_sentence(text, f)
    if f.entity == "ADDRESS":
        return of_foreign_interface(text, f) or (context.kind == "slug" and _STATIC.search(text) is not None)
    if f.entity in _PLACED | {"TITLE"} and _among_languages(text, f):
        return True
    if f.entity == "TITLE":
        if PANELS.fullmatch(text.strip()) or _of_a_named_program(text, f):
            return True
        if EDITORS.fullmatch(text, f.start, f.end) and not _OF_SOMEBODY.search(text[: f.start][-_BEFORE_A_POSITION:]):
            return True
        if not context.label and text.strip().islower() and text.strip().isalpha() and text.isascii():
            return True  # *student*, a table's name: nobody is said to be one
        if text[f.end : f.end + 1] == ":" and text[: f.end].rpartition("\n")[2].strip().casefold() in _LABELS:
            return True  # *Author: …*, a label
        return _CAPITALISED.fullmatch(text, f.start, f.end) is not None and _DENSE.search(text) is not None
    if f.entity not in NAMED:
        return False
    if context.kind == "slug" and _TYPE_FACE.fullmatch(text):
        return True
    if of_another_script(text, f) or of_words(text, f):
        return True
    if _MOMENT.fullmatch(text, f.start, f.end):
        return True
    words = [w.lower() for w in _WORD.findall(text[f.start : f.end])]
    if _PASSWORD.search(text[f.start : f.end]) and not any(w in given_names() for w in words):
        return True
    return (
        (not sure and of_foreign_interface(text, f))
        or _is_product(text, f, words)
        or _is_package(text, f, words)
        or _is_colour(text, words)
        or _is_menu(f, words)
    )


def _among_languages(text: str, f: Finding) -> bool:
    """Return whether a finding is a line of a menu of languages, each in a line of its own: ``Deutsch`` between ``Čeština`` and ``Esperanto``."""
    if "\n" not in text:
        return False
    line = text[text.rfind("\n", 0, f.start) + 1 : (text + "\n").index("\n", f.end)].strip()
    if is_language(line):
        return _lines_of_languages(text) > 1
    return line.lower() in countries() and _lines_of_languages(text) >= _MENU


@lru_cache(maxsize=32)
def _lines_of_languages(text: str) -> int:
    return sum(is_language(line) for line in {line.strip() for line in text.split("\n")})


def _of_a_program_s_day(text: str, f: Finding) -> bool:
    """Return whether a date is the year of a program's rights, *© 1996*, or a month whose day a program puts there, *am %d. April*."""
    value = text[f.start : f.end]
    if _RIGHTS.search(text, max(0, f.start - 24), f.start):
        return _YEARS.fullmatch(value) is not None
    return value.lower() in _MONTHS and _FILLED_DAY.search(text, max(0, f.start - 16), f.start) is not None


def _labelled(text: str, f: Finding) -> bool:
    """Return whether a label that says what a finding is stands right before it, in the same text: *Empresa=…*, *Nationalität: bulgarisch*."""
    label = _LABEL.search(text, max(0, f.start - 40), f.start)
    return label is not None and entity_of_label(label["s"]) == _SAID_BY_LABEL[f.entity]


def _named(text: str, f: Finding, label: str) -> bool:
    """Return whether a finding in one case of letters stands under a label for names, or right behind one, and may call somebody."""
    if not label and (before := _LABEL.search(text, max(0, f.start - 40), f.start)):
        label = before["s"]
    asked = bool(label) and (entity_of_label(label) == "PERSON" or NAME_LABEL.search(label) is not None)
    return asked and may_call_in_small_letters(text[f.start : f.end])


def _of_a_named_program(text: str, f: Finding) -> bool:
    """Return whether a position in another script stands right behind a program's name in Latin letters, as the program is called: *Django 站点管理员*."""
    before = _LATIN_BEFORE.search(text, max(0, f.start - 24), f.start)
    return before is not None and before["s"].lower() in TECHNOLOGY and OTHER_LETTERS.match(text, f.start) is not None


def is_month(text: str) -> bool:
    """Return whether a text is a month and its year and nothing else: the caption of a calendar, or a heading of a list."""
    found = _CAPTION.fullmatch(text.strip())
    if found is None:
        return False
    word = found["word"] or found["after"]
    return word is None or word.lower() in _MONTHS


def is_language(text: str) -> bool:
    """Return whether a text is the name of a language, with what tells its kind: ``Schots-Gaelisch``, ``Chinois (simplifié)``. No given name is one."""
    if len(text) > _LONGEST_CHOICE:
        return False
    plain = " ".join(text.replace("(", " ").replace(")", " ").strip(" :_&").lower().split())
    words = _WORD.findall(plain)
    if not words or (len(words) == 1 and plain in given_names()) or not _OF_PEOPLE.isdisjoint(words):
        return False
    return plain in languages() or (
        any(w in languages() for w in words) and all(w in languages() or known(w) or w in common_words() for w in words)
    )


def is_measure(text: str) -> bool:
    """Return whether a text is the name of a currency, a unit or a script and no more: ``Dirham Marroquí``, ``Miglia nautiche``, ``Cyrillique (Windows-1251)``.

    Beside a word for money that names nobody, any words of other currencies may stand, for programs put them in their own order: ``Dolar jamaicano``.
    """
    if len(text) > _LONGEST_CHOICE:
        return False
    plain = " ".join(_BRACKETED.sub(" ", text).replace("’", "'").strip(" :_&").lower().split())
    words = plain.split()
    if not words or (len(words) == 1 and plain in given_names()):
        return False
    if plain in currencies() or plain in units() or plain in scripts():
        return True
    return (
        len(words) > 1
        and any(w in coins() for w in words)
        and all(w in of_currencies() or w in countries() for w in words)
    )


def _is_product(text: str, f: Finding, words: list[str]) -> bool:
    """Return whether a finding is a product by a list, or a word with a capital in it that nobody is called by: ``KWallet``, ``PyHoca-CLI``.

    In English sentences those are companies as well: there they stay found, unless a model takes one for a person.
    """
    said_in_english = sentence_like(text) and not is_foreign(text)
    if said_in_english and f.entity != "PERSON":
        return False
    if any(w in given_names() for w in words):
        return False
    foreign = is_foreign(text)
    said = [m[0] for m in _WORD.finditer(text, f.start, f.end)]
    telling = [
        w
        for w in said
        if not ((small := w.lower()) in common_words() or small in products() or (foreign and known(small)))
    ]
    if not telling:
        return not said_in_english and any(w in products() for w in words)
    return all(
        _HUMPED.fullmatch(w) is not None
        and not w[:-1].islower()  # a name backwards
        and not any(part.lower() in given_names() for part in _HUMP.findall(w))
        and not people(w)
        for w in telling
    )


def _is_package(text: str, f: Finding, words: list[str]) -> bool:
    if any(w in given_names() for w in words):
        return False
    start, end = f.start, f.end
    while start and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    if _PACKAGE.fullmatch(text, start, end):
        return True
    token = text[f.start : end]
    before = text[max(0, f.start - 40) : f.start]
    return token[:1].islower() and _INSTALLS.search(before) is not None


@lru_cache(maxsize=1)
def _colours_abroad() -> frozenset[str]:
    lists = lists_of("things.txt", ";")
    return (lists["colours"] | _SHADES_ABROAD) - lists["colours named"] - _COLOURS


def _is_colour(text: str, words: list[str]) -> bool:
    """``Rose gold``, ``Dark olive green``: a text of colours alone, which is not what somebody is called."""
    all_words = _WORD.findall(text)
    small = [w.lower() for w in all_words]
    abroad = [w in _colours_abroad() or _COLOUR_OF_TWO.fullmatch(w) is not None for w in small]
    if words and all(abroad) and not all(w in _SHADES_ABROAD for w in small):
        return True
    if not words or not all(w in _COLOURS or w in _SHADES for w in small) or not any(w in _COLOURS for w in small):
        return False
    return any(w not in NAMES_TOO for w in small) or any(w[0].islower() for w in all_words[1:])


def _is_menu(f: Finding, words: list[str]) -> bool:
    """Two words or more that every interface has: ``View site``, ``Draw Ellipse``. A company may be called so, a person not."""
    return (
        f.entity != "ORGANIZATION"
        and len(words) > 1
        and all(w in common_words() for w in words)
        and any(w in UI_WORDS for w in words)
        and not any(w in NAMES_TOO for w in words)
    )
