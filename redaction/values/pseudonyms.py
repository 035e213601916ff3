"""Make stand-ins: equal values get equal ones, of the same type and a similar shape, from which nobody can compute the value.

A stand-in follows from HMAC-SHA256(key of this redaction, type, value). Each word of a name gets its own stand-in, so
"Priya Raghunathan", "PRIYA" and "priya.raghunathan@shop.nl" stay one person. Lengths fall into classes: the stand-ins
for values of one class have one length. A word keeps its script. Only reserved ranges are used: example.com,
555-01xx, 192.0.2.0/24, card numbers that fail Luhn. With ``names``, people, places and companies get names of
:mod:`.stand_in_names` instead of invented words.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ..contracts.check_digits import is_luhn_valid
from ..contracts.entities import CALLED, ENTITIES, UNDATED
from ..normalise.letter_disguises import carries_meaning
from ..words.word_lists import common_words, given_names
from ..words.writing_systems import WORD, find_script
from .dates import make_other_day, make_other_time
from .invented_words import choose_stand_in_length, invent_word
from .known_values import KnownValue, extract_digits
from .stand_in_names import LEGAL_FORMS, NAMES, STREETS

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_JOINED = frozenset({"han", "hangul"})
"""Scripts in which a name of two or three letters holds both the family name and the given name."""
_EASTERN = frozenset({"han", "hangul", "hiragana", "katakana"})
_TURNS = 32
_MEASURED = 5
"""Most digits of a number that may be a measure, a price or a year. Its stand-in has as many digits: a page that shows
120 % has no room for more.
"""
_ORDER = ("person", "place", "company", "")
"""In which order the words of values are remembered, by whose name they are."""
_LONG_PHONE = 9
"""Least digits of a telephone number with an area code."""


class Pseudonyms:
    """Makes the stand-ins of one redaction.

    They are computed from the values with a random key that only this object holds, so nobody can compute later which
    value a stand-in replaces.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key or secrets.token_bytes(32)
        self._given: dict[tuple[str, str], str] = {}
        self.names = False
        """Whether people, places and companies get names, in scripts that have a list of them."""
        self._inside: AhoCorasick | None = None
        """The automaton of known values, which no stand-in may contain."""
        self.used: frozenset[str] = frozenset()
        """Words in lower case that no stand-in may be, because the recording has them."""
        self._kinds: dict[str, str] = {}
        """Case-folded word of a name → ``given``, ``family``, ``person``, ``place`` or ``company``."""
        self._chosen: dict[str, str] = {}
        self._taken: set[str] = set()
        self.allowed: frozenset[str] = frozenset()
        """Texts, folded, that stay as they are, and so do all of these types:"""
        self.allowed_entities: frozenset[str] = frozenset()

    def set_known_values(self, values: Iterable[KnownValue]) -> None:
        """Set the known values of the recording. None of them becomes a stand-in.

        Each word of a person's name is remembered as given or family name, so that it has one stand-in with and
        without the other words.
        """
        import ahocorasick_rs

        known = list(values)
        texts = {v.text.casefold() for v in known}
        kind = ahocorasick_rs.Implementation.ContiguousNFA  # as in the matcher
        self._inside = ahocorasick_rs.AhoCorasick(sorted(texts), implementation=kind) if texts else None
        for v in sorted(known, key=lambda v: (_ORDER.index(CALLED.get(v.entity, "")), v.text)):
            if v.entity in CALLED and v.text == v.whole:
                words = [w for w in WORD.findall(v.text) if not w[0].isdecimal()]
                for nth, word in enumerate(words):
                    self._kinds.setdefault(_fold_case(word), _find_name_kind(v.entity, nth, words))
        if self.names:  # in an order that depends on the key alone
            for word in sorted(self._kinds, key=lambda w: self._hash_value("ORDER", w)):
                self._find_or_choose_name(word, self._kinds[word])

    def make_stand_in(self, value: str, entity: str) -> str:
        """Return the stand-in for a value."""
        plain = " ".join(value.split())
        if plain.casefold() in self.allowed or entity in self.allowed_entities:
            return value
        value = plain
        key = (entity, value)
        if key not in self._given:
            self._given[key] = self._make_new_stand_in(value, entity)
        return self._given[key]

    def record_stand_in(self, value: str, stand_in: str) -> None:
        """Record a stand-in that was made elsewhere, so that the vault can map it back to its value."""
        self._given.setdefault(("VALUE", value), stand_in)

    def forget_stand_ins(self) -> None:
        """Forget the stand-ins given so far. They follow from the key, so equal values get equal stand-ins again."""
        self._given.clear()

    def iter_given_stand_ins(self) -> Iterator[tuple[str, str, str]]:
        """Yield (stand-in, type, value) for each stand-in that was given so far."""
        for (entity, value), stand_in in self._given.items():
            yield stand_in, entity, value

    def _hash_value(self, entity: str, value: str) -> bytes:
        return hmac.new(self._key, f"{entity}|{value.casefold()}".encode("utf-8", "replace"), hashlib.sha256).digest()

    def derive_number(self, entity: str, value: str, below: int) -> int:
        """Return a number from 0 to `below` - 1 that is computed from the entity, the value and the key."""
        return int.from_bytes(self._hash_value(entity, value)[:8]) % below

    def _make_new_stand_in(self, value: str, entity: str) -> str:
        form = _FORMS.get(entity)
        made = ""
        for turn in range(_TURNS):
            day = make_other_day(value, self.derive_number, turn) if entity not in UNDATED else None
            if day is None:
                made = (
                    form(self, f"{value} {turn}" if turn else value)
                    if form
                    else self._make_text_of_same_shape(value, entity, turn)
                )
            else:
                made = day
            if self._contains_no_known_value(made):
                break
        return made

    def _contains_no_known_value(self, stand_in: str) -> bool:
        """Return whether a new stand-in contains no known value."""
        return self._inside is None or not self._inside.find_matches_as_indexes(stand_in.casefold())

    # -- types that have a form of their own --------------------

    def _make_email_address(self, value: str) -> str:
        local = re.split(r"@|%40|&#64;", value)[0]
        return f"{self._make_handle(local)}@example.com"

    def _make_phone_number(self, value: str) -> str:
        digits = extract_digits(value)
        made = f"555-01{self.derive_number('PHONE', digits, 100):02d}"
        if len(digits) < _LONG_PHONE:
            return made
        area = self.derive_number("AREA", digits, 700)  # 555-01xx is unused in each area, so two people get two numbers
        text = f"{2 + area // 100}{area % 100:02d} {made}"
        if value.isdigit():
            return extract_digits(text)
        return text if " " in value else text.replace(" ", "-")  # one word stays one word, and its column narrow

    def _make_credit_card(self, value: str) -> str:
        digits = extract_digits(value)
        if len(digits) < 12:
            return "".join(str(b % 10) for b in self._hash_value("CARD", digits)[: max(len(digits), 1)])
        plain = f"40000000{self.derive_number('CARD', digits, 10**7):07d}"
        full = plain + next(d for d in "0123456789" if not is_luhn_valid(plain + d))
        return " ".join(full[i : i + 4] for i in range(0, 16, 4)) if " " in value else full

    def _make_iban_code(self, value: str) -> str:
        return f"XX00 TEST {self.derive_number('IBAN', value, 10**8):08d}"

    def _make_ip_address(self, value: str) -> str:
        if ":" in value:
            return f"2001:db8::{self.derive_number('IP', value, 0xFFFF):x}"
        return f"192.0.2.{self.derive_number('IP', value, 254) + 1}"

    def _make_mac_address(self, value: str) -> str:
        return f"00:00:5E:00:53:{self.derive_number('MAC', value, 256):02X}"

    def _make_uuid(self, value: str) -> str:
        return f"00000000-0000-4000-8000-{self.derive_number('UUID', value, 16**12):012x}"

    def _make_secret(self, value: str) -> str:
        return f"masked{self.derive_number('SECRET', value, 16**6):06x}"

    def _make_cvv(self, value: str) -> str:
        return "000"

    def _make_age(self, value: str) -> str:
        return "40"

    def _make_url(self, value: str) -> str:
        return f"https://example.com/{self._make_invented_word(extract_digits(value) + value, 5)}"

    def _make_username(self, value: str) -> str:
        return self._make_handle(value)

    def _make_host_path(self, value: str) -> str:
        return self._make_handle(value)

    def _make_date_time(self, value: str) -> str:
        """Return a stand-in for a relative time or a time of day: other numbers and weekdays, the same common words."""
        made = make_other_time(value, self.derive_number, lambda word: len(word) < 4 or word in common_words())
        if made is None or made == value:
            return (
                f"Jan {self.derive_number('DATE', value, 28) + 1:02d}, 2000"
                if any(c.isdigit() for c in value)
                else "some day"
            )
        return made

    def _make_coordinates(self, value: str) -> str:
        return "0.0000, 0.0000"

    def _make_title(self, value: str) -> str:
        return "Mx." if len(value) <= 5 else self._make_text_of_same_shape(value, "TITLE")

    # -- words and numbers --------------------

    def _make_handle(self, value: str) -> str:
        words = WORD.findall(value)[:3]
        said = [
            self._make_number(w) if w[0].isdecimal() else self._make_word(w, _find_name_kind("PERSON", nth, words))
            for nth, w in enumerate(words)
        ]
        return ".".join(w.lower() for w in said) or "user"

    def _make_text_of_same_shape(self, value: str, entity: str, turn: int = 0) -> str:
        """Return a text with each word and number replaced. The punctuation between them stays.

        E-mail addresses and telephone numbers in a text that is masked because of its place get stand-ins of their
        own type.
        """
        if entity == "VALUE" and (inner := _INNER.search(value)) is not None:
            kind = "EMAIL_ADDRESS" if inner["mail"] else "PHONE_NUMBER"
            before, after = value[: inner.start()], value[inner.end() :]
            said = [
                self._make_text_of_same_shape(part, entity, turn) if WORD.search(part) else _shorten_separator(part)
                for part in (before, after)
            ]
            return f"{said[0]}{self.make_stand_in(inner[0], kind)}{said[1]}"
        out: list[str] = []
        at = nth = 0
        found = list(WORD.finditer(value))[:40]
        words = [m.group() for m in found if not m.group()[0].isdecimal()]
        for match in found:
            out.append(_shorten_separator(value[at : match.start()]))
            word = match.group()
            if word[0].isdecimal():
                out.append(self._make_number(word))
            else:
                out.append(_apply_letter_case(word, self._make_word(word, _find_name_kind(entity, nth, words), turn)))
                nth += 1
            at = match.end()
        out.append(_shorten_separator(value[at : at + 2]))
        return "".join(out) or "•••"

    def _make_number(self, digits: str) -> str:
        size = len(digits) if len(digits) <= _MEASURED else 8
        for again in range(_TURNS):
            raw = self._hash_value("NUMBER", f"{digits}|{again}" if again else digits)
            text = "".join(str(b % 10) for b in raw[:size])
            text = ("1" + text[1:]) if text[0] == "0" and size > 1 else text
            if text == digits:  # by chance, as for one in ten single digits
                text = text[:-1] + str((int(text[-1]) + 1) % 10)
            if self._contains_no_known_value(text):  # a list of orders holds many of all five-digit numbers
                break
        zero = ord(digits[0]) - unicodedata.decimal(digits[0])
        return text if zero == ord("0") else "".join(chr(zero + int(c)) for c in text)

    def _make_word(self, word: str, kind: str = "", turn: int = 0) -> str:
        """Return a stand-in for one word, in lower case: a name if the policy wants names and the word is one, else
        an invented word.
        """
        if self.names and (kind := self._kinds.get(_fold_case(word), kind)):
            return self._find_or_choose_name(word, kind)
        return self._make_invented_word(word, turn=turn)

    def _make_invented_word(self, word: str, size: int = 0, turn: int = 0) -> str:
        """Return an invented, pronounceable word of the length class of `word`."""
        script = find_script(word)
        size = size or choose_stand_in_length(len(word), script)
        for again in range(turn, turn + _TURNS):
            made = invent_word(
                self._hash_value("WORD", f"{_fold_case(word)}|{again}" if again else _fold_case(word)), size, script
            )
            is_free = made not in self.used and self._contains_no_known_value(made)
            if is_free and made not in given_names() and made not in common_words():
                return made
        return "x" * size

    def _find_or_choose_name(self, word: str, kind: str) -> str:
        key = _fold_case(word)
        if key not in self._chosen:
            self._chosen[key] = self._choose_unused_name(key, kind)
        return self._chosen[key]

    def _choose_unused_name(self, word: str, kind: str) -> str:
        """Return a name in lower case that does not occur in the recording. Two words get different names as long as
        there are enough.
        """
        script = find_script(word)
        kept = {"company": LEGAL_FORMS, "place": STREETS}.get(kind, frozenset())
        if word in kept and self._contains_no_known_value(word):
            return word
        if script not in NAMES or (kind == "place" and script == "latin" and len(word) < 4):
            return self._make_invented_word(word)
        wanted = choose_stand_in_length(len(word), script)
        for turn in range(4 * _TURNS):
            raw = self._hash_value("NAME", f"{word}|{turn}" if turn else word)
            name = _compose_name(script, kind, len(word), raw, is_long=wanted > 9 and 8 < turn < _TURNS).lower()
            if abs(len(name) - wanted) > 2 and (turn < _TURNS or script in _JOINED):
                continue  # as long as the word, so that the line does not wrap
            if name in self._taken and (kind != "given" or turn < 2 * _TURNS):
                continue
            if name != word and name not in self.used and self._contains_no_known_value(name):
                self._taken.add(name)
                return name
        return self._make_invented_word(word)


_FORMS: Final[dict[str, Callable[[Pseudonyms, str], str]]] = {
    entity: form for entity in ENTITIES if (form := getattr(Pseudonyms, f"_make_{entity.lower()}", None)) is not None
}
"""Entity → the method that makes its stand-ins. Stand-ins of all other entities have the shape of the value."""


_INNER = re.compile(
    r"(?P<mail>(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+)|(?<![\w.-])(?!\d{4}-\d\d-\d\d)\+?\(?\d(?:[ ().-]{0,2}\d){7,14}(?:x\d{1,5})?(?![\w-])"
)
"""An e-mail address or a telephone number within a text."""


def _compose_name(script: str, kind: str, length: int, random_bytes: bytes, is_long: bool = False) -> str:
    """Return a name of about `length` letters that is computed from the bytes `random_bytes`; with `is_long`, half as long again."""
    names = NAMES[script]
    given = names.given[int.from_bytes(random_bytes[:4]) % len(names.given)]
    first, last = {"place": names.places, "company": names.companies}.get(kind, names.family)
    begin, end = (
        first[int.from_bytes(random_bytes[4:8]) % len(first)],
        last[int.from_bytes(random_bytes[8:12]) % len(last)],
    )
    if is_long:
        begin += first[random_bytes[12] % len(first)].lower()
    if kind == "person":
        return begin + (end if length > 3 and script == "han" else "") + given
    if script in _JOINED and kind == "family" and (length == 1 or script == "hangul"):
        return begin
    if length == 1 and kind in ("given", "family"):
        return given[0] if kind == "given" else begin[0]
    return given if kind == "given" else begin + end


def _find_name_kind(entity: str, nth: int, words: Sequence[str]) -> str:
    """Return whether a word of a name is the given or the family name. Chinese, Japanese and Korean names begin with
    the family name.
    """
    kind = CALLED.get(entity, "")
    if kind != "person":
        return kind
    script = find_script(words[nth])
    if len(words) == 1:
        return "person" if script in _JOINED and len(words[0]) > 1 else "given"
    return "given" if (nth == 0) != (script in _EASTERN) else "family"


def _fold_case(word: str) -> str:
    return unicodedata.normalize("NFC", word).casefold()


def _apply_letter_case(cased_word: str, word: str) -> str:
    if cased_word.isupper() and len(cased_word) > 1:
        return word.upper()
    return word.capitalize() if cased_word[:1].isupper() else word


def _shorten_separator(text: str) -> str:
    """Return the characters that separate two words, at most three of them."""
    return "".join(c for c in text[:3] if not carries_meaning(c))
