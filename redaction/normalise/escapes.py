r"""Define the escapes that are undone: ``priya%40shop.nl``, ``&#112;riya``, ``\u0070riya``, ``pri<wbr>ya``.

These are the notations that a browser, a terminal or a common program decodes by itself. A new notation is one line
here; the detector, the search for known values and the gate then all decode it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from html.entities import html5
from typing import Final

from ..contracts.field_roles import INLINE
from .decoded_text import DecodedText, UndoableNotation, build_notation, list_decoded_texts, undo_notations_until_stable
from .letter_disguises import LETTERS, SIGNS
from .spelled_text import SPELLED

_HEX = "[0-9A-Fa-f]"


def _build_utf8_pattern(mark: str) -> str:
    """Return a pattern for one UTF-8 character of which each byte is written in hexadecimal behind a mark, such as
    ``%``.
    """
    more = f"(?:{mark}[89ABab]{_HEX})"
    return f"{mark}(?:[Cc][2-9A-Fa-f]{more}|[Dd]{_HEX}{more}|[Ee]{_HEX}{more}{{2}}|[Ff][0-4]{more}{{3}}|{_HEX}{{2}})"


def _decode_utf8_bytes(match: re.Match[str]) -> str:
    codes = bytes.fromhex("".join(re.findall(rf"({_HEX}{{2}})(?=[%=\\]|\Z)", match[0])))
    return codes.decode("utf-8", "replace") if len(codes) > 1 or match[0][0] == "%" else chr(codes[0])


def _decode_code_point(code: str, base: int = 16) -> str:
    number = int(code, base)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def _decode_utf16_units(match: re.Match[str]) -> str:
    codes = re.findall(rf"u({_HEX}{{4}})", match[0])
    return bytes.fromhex("".join(codes)).decode("utf-16-be", "replace")


def _decode_character_name(match: re.Match[str]) -> str:
    try:
        return unicodedata.lookup(match[1])
    except KeyError:
        return match[0]


def _decode_octal(match: re.Match[str]) -> str:
    data = bytes(int(code, 8) & 255 for code in re.findall(r"[0-7]{1,3}", match[0]))
    return data.decode("utf-8", "replace")


def _decode_quoted_printable(match: re.Match[str]) -> str:
    return bytes.fromhex(re.sub(r"=(?:\r?\n)?", "", match[0])).decode("utf-8", "replace")


_SINGLE = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_STYLED = rf"\\\\{{0,7}}({_HEX}{{1,6}})(?:[ \t\n]|(?=\\))?"
_PERCENT = build_notation(_build_utf8_pattern("%(?:25)*"), _decode_utf8_bytes, "%")
"""Percent-encoding, also if it was applied several times: ``%252540``."""
_ENTITY = build_notation(
    rf"&(?:amp;)*(#0{{0,16}}\d{{1,7}}|#[xX]0{{0,16}}{_HEX}{{1,6}}|[A-Za-z]{{2,31}}\d{{0,2}});",
    lambda m: html.unescape(f"&{m[1]};"),
    "&",
)
_UNIT = build_notation(
    rf"\\\\{{0,7}}u(?:[Dd][89ABab]{_HEX}{{2}}\\{{1,8}}u[Dd][C-Fc-f]{_HEX}{{2}}|{_HEX}{{4}})", _decode_utf16_units, "\\"
)
_BYTE = build_notation(_build_utf8_pattern(r"\\\\{0,7}x"), _decode_utf8_bytes, "\\")
_POINT = build_notation(
    rf"\\\\{{0,7}}(?:u\{{({_HEX}{{1,6}})\}}|U({_HEX}{{8}}))", lambda m: _decode_code_point(m[1] or m[2]), "\\"
)
_NAMED = build_notation(r"\\\\{0,7}N\{([A-Z0-9 -]{2,80})\}", _decode_character_name, "\\")
_QUOTED = build_notation(r"\\(?<=[\w.@)-]\\)([ .@+()\[\]{}^$|?*-])(?=[\w(])", lambda m: m[1], "\\")
_GAP = build_notation(
    r"\\(?<=[\w.)'’-]\\)\\{0,3}s(?:[*+?]|\{\d{0,3},?\d{0,3}\}|(?=[A-Z]))(?=[\w(])", lambda _: " ", "\\"
)
_EITHER = build_notation(r"\[([^\W\d_])(?i:\1)\]", lambda m: m[1], "[")
"""Notations of a regular expression for a sign, a space, and a letter in either case."""
_RUN_OF_PRINTABLE = build_notation(r"=[0-9A-F]{2}(?:=[0-9A-F]{2}){2,}", _decode_quoted_printable, "=")
_RUN_OF_STYLED = build_notation(rf"\\{_HEX}{{1,6}}(?:[ \t]|(?=\\))(?:\\{_HEX}{{1,6}}(?:[ \t]|(?=\\))){{2,}}", lambda m: re.sub(_STYLED, lambda c: _decode_code_point(c[1]), m[0]), "\\")  # fmt: skip
_ESCAPES = (_PERCENT, _ENTITY, _UNIT, _BYTE, _POINT, _NAMED, _QUOTED, _GAP, _EITHER, _RUN_OF_PRINTABLE, _RUN_OF_STYLED)
_CONTROLS = build_notation(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f](?:(?<=\x1b)(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)))?",
    "",
)
_NAMES = "|".join(sorted((name for name in {*INLINE, "br"} if name.isalnum()), key=len, reverse=True))
_TAG = build_notation(
    rf"<(?:!--.{{0,400}}?-->|!\[CDATA\[(.{{0,400}}?)\]\]>|/?(?:{_NAMES})(?:\s[^<>]{{0,200}})?/?>)",
    lambda m: m[1] or "",
    "<",
    re.DOTALL | re.IGNORECASE,
)
_JSON = build_notation(rf"\\(?:([\"\\/'bfnrt])|u(?:[Dd][89ABab]{_HEX}{{2}}\\u[Dd][C-Fc-f]{_HEX}{{2}}|{_HEX}{{4}}))", lambda m: _SINGLE.get(m[1], m[1]) if m[1] else _decode_utf16_units(m), "\\")  # fmt: skip
"""Escapes of JSON, one level of them; a text that is escaped twice is undone in two steps."""
_CSS = build_notation(_STYLED, lambda m: _decode_code_point(m[1]), "\\")
_OCTAL = build_notation(r"\\\\{0,7}(?:[0-3][0-7]{2}(?:\\{1,8}[0-3][0-7]{2})*|[0-7]{1,2})", _decode_octal, "\\")
_PRINTABLE = build_notation(rf"=(?:\r?\n|{_HEX}{{2}}(?:={_HEX}{{2}})*)", _decode_quoted_printable, "=")
_LOOSE = "|".join(sorted((name for name in html5 if not name.endswith(";")), key=len, reverse=True))
_LOOSE_ENTITY = build_notation(
    rf"&(?:#0{{0,16}}\d{{1,7}}|#[xX]0{{0,16}}{_HEX}{{1,6}}|{_LOOSE});?", lambda m: html.unescape(m[0]), "&"
)

_APART = build_notation(r".(?P<by>\r?\n|\t|[ ]?[·•｜|][ ]?)(?:.(?P=by)){5,400}+.", lambda m: m[0][:: 1 + len(m["by"])])
"""Text with one character a line, or with a bullet after each character."""
_TURNED = build_notation("\u202e([^\u202c\n]{2,400})\u202c?", lambda m: m[1][::-1], "\u202e")
"""Text that is shown from right to left by a control character."""
_JOINED = tuple(
    build_notation(rf"{mark}(?:\s{{0,9}}\+\s{{0,9}}|\s{{1,9}}){mark}", lambda _: "", mark) for mark in "\"'`"
)
"""Adjacent string literals that a program concatenates: with a plus, or side by side as in C, Python and style sheets.
"""

READ: Final[tuple[UndoableNotation, ...]] = (_CONTROLS, *_ESCAPES, _TURNED, *LETTERS)
"""Notations that always stand for something else."""
WAYS: Final = ((_TAG, *READ), (_JSON,), (_CSS,), (_OCTAL,), (_PRINTABLE,), (_LOOSE_ENTITY,), (_APART, *_JOINED), SIGNS, SPELLED)  # fmt: skip
"""All notations in groups, with those that may also mean something else: ``\\41`` is a letter in a style sheet, another one
in C, and a folder of Windows.
"""
IN_FILES: Final = WAYS[:-1]
"""The notations that files use: in them nobody spells words letter by letter."""


def to_plain_text(text: str) -> DecodedText:
    """Return a text as people read it: without escapes and invisible characters, with look-alike letters replaced and
    spelled words joined.
    """
    return undo_notations_until_stable(text, READ).undo_notations(*SPELLED)


@lru_cache(maxsize=4_096)
def list_value_readings(value: str) -> tuple[str, ...]:
    """Return a known value as it stands, and its other readings, with escapes undone in the same way as in the
    searched text.
    """
    return tuple(dict.fromkeys(" ".join(reading.text.split()) for reading in list_decoded_texts(value, IN_FILES)))


def list_text_readings(text: str) -> list[DecodedText]:
    """Return every reading of a text. The first one is the text itself."""
    return list_decoded_texts(text, WAYS)


WRITTEN: Final = {
    b"%": re.compile(rb"%[0-9A-Fa-f]{2}"),
    b"&": re.compile(rf"&(?:#[xX]?{_HEX}|[A-Za-z]{{2,31}}\d{{0,2}};|{_LOOSE})".encode()),
    b"\\": re.compile(rb"\\(?:[0-9A-FUNa-fux]|n[^\\]{1,4}\\n[^\\]{1,4}\\n)"),
    b"=": re.compile(rb"=(?:\r?\n|[0-9A-Fa-f]{2})"),
    b"<": re.compile(_TAG.pattern.pattern.encode(), re.DOTALL | re.IGNORECASE),
    b'"': re.compile(rb'"(?:\s{0,9}\+\s{0,9}|\s{1,9})\\{0,8}"'),
    b"'": re.compile(rb"'(?:\s{0,9}\+\s{0,9}|\s{1,9})'"),
    b"`": re.compile(rb"`(?:\s{0,9}\+\s{0,9}|\s{1,9})`"),
    b"\x1b": re.compile(rb"\x1b"),
    b"\0": re.compile(rb"\0"),
}
"""Sign → where a file has a notation to undo that needs the sign. JSON's own escapes are left out, because most files
are full of them.
"""
_BETWEEN: Final = (b"\n", b"\t", *(sign.encode() for sign in "·•｜|"))
APART: Final = {by: re.compile(rb"(?:%b ?[^\s\\]{1,4}\s?){5}" % re.escape(by)) for by in _BETWEEN}
"""The same for letters that stand apart. These signs are so common that long files are not searched for them."""
