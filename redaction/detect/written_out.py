"""Texts that are written out in numbers: codes of letters, bytes in hexadecimal, octal or binary, base32, escapes that no letter needs, tags that nobody sees.

No recognizer reads them, and a person who looks for a name does: ``4D 61 72 69 61``, ``77, 97, 114, 105, 97``, ``%4d%61%72%69%61``.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from .secrets import find_secrets
from .structured import find_structured

_LETTERS: Final = re.compile(r"[^\W\d_][\w\s'’.,;:!?()@+-]*")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*")
_SMALL_LETTER: Final = re.compile(r"[a-zà-öø-ÿ]")
_SMALL: Final = 0.6
"""Share of small letters of a text in words: a chart's numbers are seldom all of them between 97 and 122."""
_FLAG: Final = "\U0001f3f4"
"""A black flag, which becomes a country's by tags behind it."""


def spoken_codes(codes: Sequence[int]) -> str | None:
    """Return the text whose letters have these numbers, as bytes of UTF-8 or as points of Unicode, or None: they are numbers of something else."""
    if not 9 <= min(codes) <= max(codes) < 0x110000:
        return None
    try:
        text = bytes(codes).decode("utf-8") if max(codes) < 256 else "".join(map(chr, codes))
    except UnicodeDecodeError:
        text = "".join(map(chr, codes))
    if not _readable(text):
        return None
    small = sum(c.islower() for c in text)
    if small >= _SMALL * len(text) and _in_words(text):
        return text
    return text if find_structured(text) or find_secrets(text) else None


def _in_words(text: str) -> bool:
    """Return whether a text is letters as words have them, small ones behind the first, with what stands between words."""
    return bool(_LETTERS.fullmatch(text)) and all(_SMALL_LETTER.search(word[0], 1) for word in _WORD.finditer(text))


def _readable(text: str) -> bool:
    return all(c.isprintable() or c in "\r\n\t" for c in text)


def _decimal(row: str) -> str | None:
    return spoken_codes([int(code) for code in re.findall(r"\d+", row)])


def _numbered(row: str) -> str | None:
    """Return what the values of an array say that is written with its indices, as Chromium's console shows a typed one."""
    return spoken_codes([int(code) for code in re.findall(r": (\d+)", row)])


def _hexadecimal(row: str) -> str:
    return _text(bytes.fromhex("".join(re.findall(r"(?:0x|\\x)?([0-9A-Fa-f]{2})", row))))


def _octal(row: str) -> str:
    return _text(bytes(int(code, 8) & 255 for code in re.findall(r"\\([0-3][0-7]{2})", row)))


def _binary(row: str) -> str:
    return _text(bytes(int(code, 2) for code in re.findall(r"[01]{8}", row)))


def _base32(word: str) -> str:
    plain = word.rstrip("=")
    try:
        return _text(base64.b32decode(plain + "=" * (-len(plain) % 8)))
    except binascii.Error:
        return ""


def _escaped(run: str) -> str:
    """Return what a run of escapes says, if letters and digits that need none are most of it."""
    said = re.sub(r"\\u\{?([0-9A-Fa-f]{1,6})\}?|\\x([0-9A-Fa-f]{2})", lambda m: chr(int(m[1] or m[2], 16) % 0x110000), html.unescape(unquote(run)))  # fmt: skip
    return said if sum(c.isascii() and c.isalnum() for c in said) * 2 > len(said) else ""


def _points(row: str) -> str | None:
    """Return what points of Unicode say, as people write them: ``U+004D U+0061``."""
    points = [int(point, 16) for point in re.findall(r"U\+([0-9A-Fa-f]+)", row)]
    return "".join(map(chr, points)) if max(points) < 0x110000 else None


def _tags(run: str) -> str:
    return "" if run[0] == _FLAG else "".join(chr(ord(c) - 0xE0000) for c in run if 0xE0020 <= ord(c) < 0xE007F)


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return text if _readable(text) else ""


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str | None]], ...]] = (
    (re.compile(r"(?<![\w.+-])\d{2,3}(?:(?:,[ ]?|[ ]|,?\n[ ]*)\d{2,3}){6,4000}(?![\w.])"), _decimal),
    (re.compile(r"(?<![\w.])(?:\d{1,4}: \d{2,3}, ){5,4000}\d{1,4}: \d{2,3}(?![\w.])"), _numbered),
    (
        re.compile(r"(?<![\w:-])(?:0x)?[0-9A-Fa-f]{2}(?:(?:,[ ]?|[ :-])(?:0x)?[0-9A-Fa-f]{2}){7,4000}(?![\w:-])"),
        _hexadecimal,
    ),
    (re.compile(r"(?:\\[0-3][0-7]{2}){5,4000}"), _octal),
    (re.compile(r"(?<!\d)[01]{8}(?:[ ,]?[01]{8}){4,4000}(?!\d)"), _binary),
    (re.compile(r"(?<![\w/+-])[A-Z2-7]{16,4000}={0,6}(?![\w/+-])"), _base32),
    (
        re.compile(
            r"(?:%[0-9A-Fa-f]{2}){6,4000}|(?:&#(?:\d{2,7}|[xX][0-9A-Fa-f]{2,6});){6,4000}|(?:\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]{1,6}\}|\\x[0-9A-Fa-f]{2}){6,4000}"
        ),
        _escaped,
    ),
    (re.compile(r"U\+[0-9A-Fa-f]{4,6}(?:,?[ ]?U\+[0-9A-Fa-f]{4,6}){4,4000}"), _points),
    (re.compile("\U0001f3f4?[\U000e0020-\U000e007f]{6,4000}"), _tags),
)


def written_out(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a text says another one so: start, end, and what it says."""
    if len(text) < 6:
        return
    for form, read in _FORMS:
        for match in form.finditer(text):
            said = read(match[0])
            if said and not said.isspace():
                yield match.start(), match.end(), said
