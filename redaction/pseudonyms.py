"""Stand-ins: the same value always gets the same one, of the same type and a like shape, and no way back.

A stand-in follows from HMAC-SHA256(key of this redaction, type, value). Parts of a name get their own, so that
"Priya Raghunathan", "PRIYA" and "priya.raghunathan@shop.nl" stay one person. Lengths fall into classes: two values of one
class have stand-ins of one length. Reserved ranges only: example.com, 555-01xx, 192.0.2.0/24, card numbers that fail Luhn.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator

_ONSETS = "b d f g h j k l m n p r s t v w z br dr fl gr kl pl st tr".split()  # noqa: SIM905
_VOWELS = "aeiou"
_CODAS = ["", "n", "r", "l", "s", "m", "nd", "rt", "x"]
CLASSES = ((3, 3), (5, 5), (7, 7), (10, 9), (14, 12), (20, 17), (32, 24))
"""Length classes of a word: greatest length of the class, length of the stand-in. Longer words fall into 24."""

_WORD = re.compile(r"[^\W\d_]+|\d+")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = re.compile(r"[A-Za-z]{3,}")


class Pseudonyms:
    """Stand-ins under one random key, which is forgotten with this object."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key or secrets.token_bytes(32)
        self._given: dict[tuple[str, str], str] = {}
        self.avoid: set[str] = set()
        """Words, in lower case, that no stand-in may be: the known values."""
        self.allowed: frozenset[str] = frozenset()
        """Texts, folded, that stay as they are, and so do all of these types:"""
        self.allowed_entities: frozenset[str] = frozenset()

    def of(self, value: str, entity: str) -> str:
        """The stand-in for a value."""
        plain = " ".join(value.split())
        if plain.casefold() in self.allowed or entity in self.allowed_entities:
            return value
        value = plain
        key = (entity, value)
        if key not in self._given:
            self._given[key] = self._make(value, entity)
        return self._given[key]

    def given(self) -> Iterator[tuple[str, str, str]]:
        """Every stand-in that was given so far: stand-in, type, value."""
        for (entity, value), stand_in in self._given.items():
            yield stand_in, entity, value

    def _digest(self, entity: str, value: str) -> bytes:
        return hmac.new(self._key, f"{entity}|{value.casefold()}".encode("utf-8", "replace"), hashlib.sha256).digest()

    def number(self, entity: str, value: str, below: int) -> int:
        """A number from 0 that depends on the value alone."""
        return int.from_bytes(self._digest(entity, value)[:8]) % below

    def _make(self, value: str, entity: str) -> str:
        maker = getattr(self, "_" + entity.lower(), None)
        return str(maker(value)) if maker else self._shaped(value)

    # -- types that have a form of their own --------------------

    def _email_address(self, value: str) -> str:
        local = re.split(r"@|%40|&#64;", value)[0]
        return f"{self._handle(local)}@example.com"

    def _phone_number(self, value: str) -> str:
        return f"555-01{self.number('PHONE', _digits(value), 100):02d}"

    def _credit_card(self, value: str) -> str:
        digits = _digits(value)
        if len(digits) < 12:
            return "".join(str(b % 10) for b in self._digest("CARD", digits)[: max(len(digits), 1)])
        body = "4000 0000 " + f"{self.number('CARD', digits, 10**7):07d}"
        plain = body.replace(" ", "")
        check = next(
            d
            for d in "0123456789"
            if (not luhn(plain + d) and d == str(self.number("LUHN", digits, 10))) or not luhn(plain + d)
        )
        full = plain + check
        return " ".join(full[i : i + 4] for i in range(0, 16, 4)) if " " in value else full

    def _iban_code(self, value: str) -> str:
        return f"XX00 TEST {self.number('IBAN', value, 10**8):08d}"

    def _ip_address(self, value: str) -> str:
        if ":" in value:
            return f"2001:db8::{self.number('IP', value, 0xFFFF):x}"
        return f"192.0.2.{self.number('IP', value, 254) + 1}"

    def _mac_address(self, value: str) -> str:
        return f"00:00:5E:00:53:{self.number('MAC', value, 256):02X}"

    def _uuid(self, value: str) -> str:
        return f"00000000-0000-4000-8000-{self.number('UUID', value, 16**12):012x}"

    def _secret(self, value: str) -> str:
        return f"masked{self.number('SECRET', value, 16**6):06x}"

    def _cvv(self, value: str) -> str:
        return "000"

    def _age(self, value: str) -> str:
        return "40"

    def _url(self, value: str) -> str:
        return f"https://example.com/{self._word(_digits(value) + value, 5).lower()}"

    def _username(self, value: str) -> str:
        return self._handle(value)

    def _host_path(self, value: str) -> str:
        return self._handle(value)

    def _date_time(self, value: str) -> str:
        day = self.number("DATE", value, 28) + 1
        if re.match(r"\d{4}\D", value):
            return f"2000-01-{day:02d}"
        if value.casefold() in _WEEKDAYS:
            return _WEEKDAYS[day % 7].capitalize()
        if _MONTHS.search(value):
            return f"Jan {day:02d}, 2000" if any(c.isdigit() for c in value) else "some day"
        return f"{day:02d}/01/2000" if len(value) > 5 else "2000"

    def _coordinates(self, value: str) -> str:
        return "0.0000, 0.0000"

    def _title(self, value: str) -> str:
        return "Mx." if len(value) <= 5 else self._shaped(value)

    # -- words and numbers --------------------

    def _handle(self, value: str) -> str:
        words = [
            self._cased(w, self._word(w)) if not w.isdigit() else self._number(w) for w in _WORD.findall(value)[:3]
        ]
        return ".".join(w.lower() for w in words) or "user"

    def _shaped(self, value: str) -> str:
        """Word for word, number for number; what stands between them stays if it is punctuation."""
        out: list[str] = []
        at = 0
        for match in list(_WORD.finditer(value))[:40]:
            out.append(_joint(value[at : match.start()]))
            word = match.group()
            out.append(self._number(word) if word[0].isdigit() else self._cased(word, self._word(word)))
            at = match.end()
        out.append(_joint(value[at : at + 2]))
        return "".join(out) or "•••"

    def _number(self, digits: str) -> str:
        size = len(digits) if len(digits) <= 2 else (4 if len(digits) <= 5 else 8)
        raw = self._digest("NUMBER", digits)
        text = "".join(str(b % 10) for b in raw[:size])
        return ("1" + text[1:]) if text[0] == "0" and size > 1 else text

    def _word(self, word: str, size: int | None = None) -> str:
        """A word that can be spoken, of the length of the word's class."""
        size = size or class_of(len(word))
        for turn in range(64):
            raw = self._digest("WORD", f"{word}|{turn}" if turn else word)
            text = ""
            for i in range(0, len(raw) - 3, 3):
                text += _ONSETS[raw[i] % len(_ONSETS)] + _VOWELS[raw[i + 1] % 5]
                if raw[i + 2] % 3 == 0:
                    text += _CODAS[raw[i + 2] % len(_CODAS)]
                if len(text) >= size:
                    break
            text = text[:size]
            if not any(a in text for a in self.avoid if len(a) <= len(text)):
                return text
        return "x" * size

    def _cased(self, like: str, word: str) -> str:
        if like.isupper() and len(like) > 1:
            return word.upper()
        return word.capitalize() if like[:1].isupper() else word


def class_of(length: int) -> int:
    """The length of the stand-in for a word of ``length`` letters."""
    return next((size for greatest, size in CLASSES if length <= greatest), CLASSES[-1][1])


def luhn(digits: str) -> bool:
    """Whether the check digit of a card number holds."""
    total = 0
    for i, digit in enumerate(reversed(digits)):
        n = int(digit) * (1 + i % 2)
        total += n - 9 if n > 9 else n
    return total % 10 == 0


def _digits(value: str) -> str:
    return "".join(c for c in value if c.isdigit())


def _joint(text: str) -> str:
    """What stands between two words, at most three characters of it."""
    return "".join(c for c in text[:3] if not c.isalnum())
