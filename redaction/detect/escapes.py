"""Undo escapes before detection, and map findings back to the text as it was: ``priya%40shop.nl``, ``&#112;riya``, ``\\u0070riya``.

What a text says behind its escapes is what must be masked; the span of a finding is that of the escapes it was written in.
Base64 and hexadecimal have no letters to point at: a word of them that tells something is masked as a whole.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import zlib
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from .unicode_tricks import Folded

_ESCAPE = re.compile(
    r"(?P<percent>(?:%[0-9A-Fa-f]{2})+)|(?P<entity>&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,31}\d{0,2});)"
    r"|(?P<unicode>(?:\\u[0-9A-Fa-f]{4})+)|(?P<byte>\\x[0-9A-Fa-f]{2})|(?P<point>\\u\{[0-9A-Fa-f]{1,6}\})"
    r"|(?P<quoted>(?<=[\w.@)-])\\[ .@+()\[\]{}^$|?*-](?=[\w(]))"
    r"|(?P<gap>(?<=[\w.)'’-])\\{1,4}s(?:[*+?]|\{\d{0,3},?\d{0,3}\}|(?=[A-Z]))(?=[\w(]))"
    r"|\[(?P<either>[^\W\d_])(?i:(?P=either))\]"
    r"|(?P<printable>(?:=[0-9A-F]{2}){3,})"
    r"|(?P<style>(?:\\[0-9A-Fa-f]{1,6}(?:[ \t]|(?=\\))){3,})"
)
_STYLE = re.compile(r"\\([0-9A-Fa-f]{1,6})[ \t]?")
"""One letter as style sheets write it; by itself it may be a folder of Windows."""
_WORD = re.compile(r"(?<![\w+/-])(?:[A-Za-z0-9+/_-]{16,}={0,2})(?![\w+/=-])")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}){8,}\Z")
_MOST = 1 << 18
"""Bytes of a packed text that are read."""
LONGEST_WORD, LONGEST_FILE = 4_000, 1 << 23
"""Characters of base64 that are read as a text; longer ones are files, and looked through for what they say of themselves."""
_END = 1 << 16
_RUN = re.compile(rb"[\x21-\x7e]{8,400}")


def unescape(text: str) -> Folded:
    """Return the text without escapes. One without any comes back as it is, without a map."""
    if not ("%" in text or "&" in text or "\\" in text or "=" in text or "[" in text) or not _ESCAPE.search(text):
        return Folded(text)
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []

    def put(plain: str, start: int, end: int) -> None:
        """Letters that stand for the whole of an escape."""
        out.append(plain)
        starts.extend([start] * len(plain))
        ends.extend([end] * len(plain))

    at = 0
    for match in _ESCAPE.finditer(text):
        for i in range(at, match.start()):
            put(text[i], i, i + 1)
        at = match.end()
        if match["percent"]:
            for plain, start, end in _percent(match["percent"]):
                put(plain, match.start() + start, match.start() + end)
        elif match["printable"]:
            for plain, start, end in _percent(match["printable"].replace("=", "%")):
                put(plain, match.start() + start, match.start() + end)
        elif match["unicode"]:
            for i in range(0, len(match["unicode"]), 6):
                code = int(match["unicode"][i + 2 : i + 6], 16)
                put(chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd", match.start() + i, match.start() + i + 6)
        elif match["style"]:
            for letter in _STYLE.finditer(match["style"]):
                put(_letter(letter[1]), match.start() + letter.start(), match.start() + letter.end())
        elif match["quoted"]:
            put(match["quoted"][1], match.start(), match.end())
        elif match["either"]:  # a pattern's letter in either case
            put(match["either"], match.start(), match.end())
        elif match["gap"]:  # a pattern's word for a space
            put(" ", match.start(), match.end())
        elif match["entity"]:
            put(html.unescape(match.group()), match.start(), match.end())
        else:
            put(_letter(match["byte"][2:] if match["byte"] else match["point"][3:-1]), match.start(), match.end())
    for i in range(at, len(text)):
        put(text[i], i, i + 1)
    return Folded("".join(out), starts, ends)


def _letter(code: str) -> str:
    number = int(code, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def _percent(run: str) -> Iterator[tuple[str, int, int]]:
    """Yield each letter of a run of percent escapes, with its place in the run."""
    data = unquote_to_bytes(run)
    at = 0
    while at < len(data):
        size = 1 if data[at] < 0x80 else 2 if data[at] < 0xE0 else 3 if data[at] < 0xF0 else 4
        yield data[at : at + size].decode("utf-8", "replace"), 3 * at, 3 * min(at + size, len(data))
        at += size


def hidden(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield words of base64 or hexadecimal that say a readable text: start, end, and what they say."""
    if len(text) < 16:
        return
    for match in _WORD.finditer(text):
        word = match.group()
        if len(word) > LONGEST_FILE or (word.isalpha() and (word.islower() or word.isupper() or word.istitle())):
            continue
        data = bytes.fromhex(word) if _HEX.match(word) else _inflated(_unbase64(word))
        said = (_readable(data) if len(word) <= LONGEST_WORD else "") or _written(data)
        if said:
            yield match.start(), match.end(), said


def _unbase64(word: str) -> bytes:
    plain = word.replace("-", "+").replace("_", "/").rstrip("=")
    if len(plain) % 4 == 1:
        return b""
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4))
    except binascii.Error:
        return b""


def _inflated(data: bytes) -> bytes:
    """Return what was packed with gzip or zlib, up to :data:`_MOST`; other bytes as they are."""
    if data[:2] != b"\x1f\x8b" and data[:1] != b"\x78":
        return data
    try:
        return zlib.decompressobj(47).decompress(data, _MOST)
    except zlib.error:
        return data


def _written(data: bytes) -> str:
    """Return the words in a file (of a picture, a film) that may tell somebody's address: what its metadata say, at either end."""
    words = _RUN.findall(data if len(data) <= 2 * _END else data[:_END] + data[-_END:])
    return "\n".join(word.decode() for word in words if b"@" in word)[:LONGEST_WORD]


_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


def _readable(data: bytes) -> str:
    """Return the text that bytes say, whichever of Unicode's encodings they are in; nothing where they say none."""
    said = _decoded(data, "utf-8")
    # Text in Latin letters has a zero for each in the wide ones; that of other scripts could be any bytes.
    if said or data.count(0) * 3 < len(data):
        return said
    for encoding in _WIDE:
        said = _decoded(data, encoding)
        if sum(map(str.isascii, said)) * 2 > len(said):  # with its bytes the other way round it is Chinese
            return said
    return ""


def _decoded(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError:
        return ""
    return text if all(c.isprintable() or c in "\r\n\t" for c in text) else ""
