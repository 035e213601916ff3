"""Decode texts that are encoded within another text: base64, base32, hexadecimal, binary, character codes, needless escapes, invisible tags.

Base64 may be compressed as well. A single letter of an encoded text cannot be masked, so an encoded text that holds a
value is masked whole. Recognizers do not read these encodings, but a person who looks for a name can: ``4D 61 72 69
61``, ``77, 97, 114, 105, 97``, ``%4d%61%72%69%61``.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from .escapes import to_plain_text

LEAST: Final = 6
_MOST: Final = 1 << 18
"""Most bytes that compressed data is inflated to."""
LONGEST_WORD, LONGEST_FILE = 4_000, 1 << 23
"""Most characters of base64 that is read as a text, and of base64 that is read at all. Longer base64 than the first is
a file, of which only the metadata is read.
"""
_END: Final = 1 << 16
_RUN: Final = re.compile(rb"[\x21-\x7e]{8,400}")
_WIDE: Final = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_BASE64: Final = re.compile(r"(?<![\w+/-])(?:[A-Za-z0-9+/_-]{16,}={0,2})(?![\w+/=-])")


def _build_grouped_base64_pattern(size: int, min_groups: int, separator: str) -> str:
    """Return a pattern for base64 in groups of `size` letters: at least `min_groups` groups and a rest, separated by `separator`."""
    return rf"(?:[A-Za-z0-9+/_-]{{{size}}}{separator}){{{min_groups},}}[A-Za-z0-9+/_-]{{1,{size}}}"


_GROUPS: Final = "|".join(_build_grouped_base64_pattern(size, least, "[ ]") for size, least in ((4, 3), (8, 2), (60, 1), (64, 1), (72, 1), (76, 1)))  # fmt: skip
_LINES: Final = "|".join(
    _build_grouped_base64_pattern(size, -(-15 // size), r"(?:\r?\n[ \t]*|\\n)") for size in range(4, 77)
)
_IN_GROUPS: Final = re.compile(
    rf"(?<![\w+/=-])(?:{_GROUPS}|(?=[A-Za-z0-9+/_-]{{4,76}}(?:\r?\n|\\n))(?:{_LINES}))={{0,2}}(?![\w+/=-])"
)
"""Base64 in groups, or in lines of any length."""
_HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2}){8,}\Z")
_FLAG: Final = "\U0001f3f4"
"""A black flag, which tag characters behind it turn into the flag of a region."""


class EncodedPassage(NamedTuple):
    """A part of a text that is encoded: its span, its decoded content, and whether it is a row of numbers, which may
    also be data.
    """

    start: int
    end: int
    said: str
    numbers: bool = False


def iter_encoded_passages(text: str, *, only_in_lists: bool = False) -> Iterator[EncodedPassage]:
    """Yield the texts that are encoded within a text.

    :param only_in_lists: only those in lists, in groups and in several lines. The gate decodes single words and escapes by
        itself.
    """
    if len(text) < LEAST:
        return
    for form, read in _LISTS if only_in_lists else _FORMS:
        for match in form.finditer(text):
            said = read(match[0])
            if said and not said.isspace():
                yield EncodedPassage(*match.span(), said, read in (_decode_decimal_codes, _decode_indexed_array))


def decode_character_codes(codes: Sequence[int]) -> str:
    """Return the text of character codes, decoded as UTF-8 bytes or as code points, or the empty string."""
    if not 9 <= min(codes) <= max(codes) < 0x110000:
        return ""
    text = _decode_utf8(bytes(codes)) if max(codes) < 256 else ""
    return text or _keep_if_printable("".join(map(chr, codes)))


def _decode_word(word: str) -> str:
    """Return the readable text in a word of base64 or hexadecimal, or the empty string."""
    if len(word) > LONGEST_FILE or (word.isalpha() and (word.islower() or word.isupper() or word.istitle())):
        return ""
    data = bytes.fromhex(word) if _HEX.match(word) else _decode_base64(word)
    if len(word) <= LONGEST_WORD and (said := _decode_any_unicode(data)):
        return said
    data = _decompress(data)
    return (_decode_any_unicode(data) if len(word) <= LONGEST_WORD else "") or _find_metadata_words(data)


def _decode_grouped_word(row: str) -> str:
    return _decode_word(re.sub(r"\s|\\n", "", row))


def _decode_base64(word: str) -> bytes:
    plain = word.replace("-", "+").replace("_", "/").rstrip("=")
    if len(plain) % 4 == 1:
        return b""
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4))
    except binascii.Error:
        return b""


def _decompress(data: bytes) -> bytes:
    """Return decompressed data (raw deflate, gzip or zlib), up to :data:`_MOST` bytes. Other bytes are returned
    unchanged.
    """
    headed = data[:2] == b"\x1f\x8b" or data[:1] == b"\x78"
    engine = zlib.decompressobj(47 if headed else -15)
    try:
        out = engine.decompress(data, _MOST)
    except zlib.error:
        return data
    return out if headed or (engine.eof and not engine.unused_data and len(out) > len(data) // 2) else data


def _find_metadata_words(data: bytes) -> str:
    """Return words from the metadata at either end of a file (a picture, a film) that may hold an e-mail address."""
    words = _RUN.findall(data if len(data) <= 2 * _END else data[:_END] + data[-_END:])
    return "\n".join(word.decode() for word in words if b"@" in word)[:LONGEST_WORD]


def _decode_any_unicode(data: bytes) -> str:
    """Return the text of some bytes in one of Unicode's encodings, or the empty string."""
    said = _decode_if_printable(data, "utf-8")
    # Latin text in UTF-16 or UTF-32 has a zero byte for each letter; for other scripts any bytes would do.
    if said or data.count(0) * 3 < len(data):
        return said
    for encoding in _WIDE:
        said = _decode_if_printable(data, encoding)
        if sum(map(str.isascii, said)) * 2 > len(said):  # in the other byte order it would be Chinese
            return said
    return ""


def _decode_if_printable(data: bytes, encoding: str) -> str:
    try:
        return _keep_if_printable(data.decode(encoding).removeprefix("\ufeff"))
    except UnicodeDecodeError:
        return ""


def _decode_utf8(data: bytes) -> str:
    return _decode_if_printable(data, "utf-8")


def _keep_if_printable(text: str) -> str:
    """Return a text if all its characters are printable, or the empty string."""
    return text if all(c.isprintable() or c in "\r\n\t" for c in text) else ""


def _decode_decimal_codes(row: str) -> str:
    return decode_character_codes([int(code) for code in re.findall(r"\d+", row)])


def _decode_indexed_array(row: str) -> str:
    """Return the text of an array of codes that is written with its indices, as Chromium's console shows a typed
    array.
    """
    return decode_character_codes([int(code) for code in re.findall(r": (\d+)", row)])


def _decode_hexadecimal(row: str) -> str:
    return _decode_utf8(bytes.fromhex("".join(re.findall(r"(?:0x|\\x)?([0-9A-Fa-f]{2})", row))))


def _decode_octal(row: str) -> str:
    return _decode_utf8(bytes(int(code, 8) & 255 for code in re.findall(r"\\([0-3][0-7]{2})", row)))


def _decode_binary(row: str) -> str:
    return _decode_utf8(bytes(int(code, 2) for code in re.findall(r"[01]{8}", row)))


def _decode_base32(word: str) -> str:
    plain = word.rstrip("=")
    try:
        return _decode_utf8(base64.b32decode(plain + "=" * (-len(plain) % 8)))
    except binascii.Error:
        return ""


def _decode_escape_run(run: str) -> str:
    """Return the text of a run of escapes if most of the text is letters and digits that need no escape, else the
    empty string.
    """
    said = to_plain_text(run).text
    return said if sum(c.isascii() and c.isalnum() for c in said) * 2 > len(said) else ""


def _decode_code_points(row: str) -> str:
    """Return the text of code points in the notation ``U+004D U+0061``."""
    points = [int(point, 16) for point in re.findall(r"U\+([0-9A-Fa-f]+)", row)]
    return "".join(map(chr, points)) if max(points) < 0x110000 else ""


def _decode_invisible_characters(run: str) -> str:
    """Return the text that invisible tag characters or variation selectors encode, one byte each."""
    if run[0] == _FLAG:
        return ""
    codes = [ord(c) for c in run]
    if codes[0] >= 0xE0000 and codes[0] < 0xE0080:
        return "".join(chr(code - 0xE0000) for code in codes if 0xE0020 <= code < 0xE007F)
    return _decode_utf8(bytes(code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16 for code in codes))


def _join_letter_list(row: str) -> str:
    """Return the text of a list of letters: ``["o", "l"]``."""
    return "".join(re.findall(r"[\"']([^\\])\\{0,7}[\"']", row))


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str]], ...]] = (
    (_BASE64, _decode_word),
    (_IN_GROUPS, _decode_grouped_word),
    (re.compile(r"(?<![\w.+-])\d{2,3}(?:(?:,[ ]?|[ ]|,?\n[ ]*)\d{2,3}){6,4000}(?![\w.])"), _decode_decimal_codes),
    (re.compile(r"(?<![\w.])(?:\d{1,4}: \d{2,3}, ){5,4000}\d{1,4}: \d{2,3}(?![\w.])"), _decode_indexed_array),
    (
        re.compile(r"(?<![\w:-])(?:0x)?[0-9A-Fa-f]{2}(?:(?:,[ ]?|[ :-])(?:0x)?[0-9A-Fa-f]{2}){7,4000}(?![\w:-])"),
        _decode_hexadecimal,
    ),
    (re.compile(r"(?:\\[0-3][0-7]{2}){5,4000}"), _decode_octal),
    (re.compile(r"(?<!\d)[01]{8}(?:[ ,]?[01]{8}){4,4000}(?!\d)"), _decode_binary),
    (re.compile(r"(?<![\w/+-])[A-Z2-7]{16,4000}={0,6}(?![\w/+-])"), _decode_base32),
    (
        re.compile(
            r"(?:%[0-9A-Fa-f]{2}){6,4000}|(?:&#(?:\d{2,7}|[xX][0-9A-Fa-f]{2,6});){6,4000}|(?:\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]{1,6}\}|\\x[0-9A-Fa-f]{2}){6,4000}"
        ),
        _decode_escape_run,
    ),
    (re.compile(r"U\+[0-9A-Fa-f]{4,6}(?:,?[ ]?U\+[0-9A-Fa-f]{4,6}){4,4000}"), _decode_code_points),
    (
        re.compile("\U0001f3f4?[\U000e0020-\U000e007f]{6,4000}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{6,4000}"),
        _decode_invisible_characters,
    ),
    (re.compile(r"(\\{0,7}[\"'])[^\\]\1(?:\s{0,9},\s{0,9}(\\{0,7}[\"'])[^\\]\2){3,4000}"), _join_letter_list),
)
_LISTS: Final = tuple(each for each in _FORMS if each[1] not in (_decode_word, _decode_octal, _decode_escape_run))
