"""Decode bytes by the charset that a header or the document names, as a browser does.

UTF-16 without a byte order mark is recognized by its zero bytes. Such bytes are also valid UTF-8, but with a zero byte
beside each letter, so that no value would be found in the text.
"""

from __future__ import annotations

import codecs
import re

_NAMED = re.compile(r"charset\s*+=\s*+(?:[\"']\s*+)?([\w.:-]{1,40})", re.IGNORECASE)
_IN_DOCUMENT = re.compile(
    rb"""\A\s*@charset "([\w.:-]{1,40})";|\A\s*<\?xml[^>]{0,80}encoding=["']([\w.:-]{1,40})|<meta\b[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_MARKS = (
    (b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be"), (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)  # fmt: skip
_AS_BROWSERS = {
    "ascii": "cp1252", "big5": "big5hkscs", "gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "latin1": "cp1252",
    "shift_jis": "cp932", "ucs-2": "utf-16-le", "unicode": "utf-16-le", "us-ascii": "cp1252", "utf-16": "utf-16-le",
    "utf-32": "utf-32-le", "x-euc-jp": "euc_jp", "x-gbk": "gb18030", "x-mac-cyrillic": "mac_cyrillic",
    "x-mac-roman": "mac_roman", "x-sjis": "cp932", "x-x-big5": "big5hkscs",
}  # fmt: skip
"""Charset names of the web → Python's name, where Python knows another charset by that name or none."""
_IN_ASCII = ("utf-7", "iso2022", "iso-2022", "hz", "csiso2022")
"""Charsets that write every character with ASCII bytes."""
_SWITCH = re.compile(rb"\x1b[$(]")
_NOT_OF_TEXTS = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape"})
"""Python codecs that no page uses; some are slow."""
_NO_TEXT = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f]")


def parse_charset(content_type: str) -> str:
    """Return the charset that a content type names, or the empty string."""
    match = _NAMED.search(content_type)
    return match[1].lower() if match else ""


def decode_text(data: bytes, charset: str = "") -> str | None:
    """Return the text in `data`, or None if the bytes are no text or their charset is unknown.

    :param charset: the charset that a header names.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _decode_strictly(data[len(mark) :], name)
    name = charset or _find_declared_charset(data)
    name = _AS_BROWSERS.get(name, name)
    if name.startswith(_IN_ASCII):
        return _decode_strictly(data, name)
    if b"\0" in data:
        wide = name if name.startswith(("utf-16", "utf-32", "utf_16", "utf_32", "utf16", "utf32")) else ""
        return (_decode_strictly(data, wide) if wide else None) or _decode_strictly(data, _guess_utf16_or_utf32(data))
    text = _decode_strictly(data, "utf-8")
    if text is None:
        return _decode_strictly(data, name) if name else None
    return _decode_strictly(data, "iso2022_jp_ext") if _SWITCH.search(data) else text


def decode_with_replacement(data: bytes, charset: str = "") -> str:
    """Return the text in `data`. Each undecodable byte becomes a replacement character, as in a browser."""
    text = decode_text(data, charset)
    return data.replace(b"\0", b"").decode("utf-8", "replace") if text is None else text


def _find_declared_charset(data: bytes) -> str:
    """Return the charset that a document names in its first 1024 bytes, or the empty string.

    ``utf-16`` and ``utf-32`` become ``utf-8``: in those encodings the name could not have been read as ASCII.
    """
    match = _IN_DOCUMENT.search(data[:1024])
    name = next((g for g in match.groups() if g), b"").decode("ascii", "replace").lower() if match else ""
    return "utf-8" if name.startswith(("utf-16", "utf-32")) else name


def _guess_utf16_or_utf32(data: bytes) -> str:
    """Return the encoding of bytes without a byte order mark, UTF-16 or UTF-32 with its byte order, judged by where
    their zero bytes are.
    """
    zeros = [data[i::4].count(0) for i in range(4)]
    if min(sorted(zeros)[1:3]) * 8 > len(data) and len(data) % 4 == 0:
        return "utf-32-le" if zeros[0] < zeros[3] else "utf-32-be"
    return "utf-16-le" if zeros[0] + zeros[2] < zeros[1] + zeros[3] else "utf-16-be"


def _decode_strictly(data: bytes, name: str) -> str | None:
    try:
        text = "\0" if codecs.lookup(name).name in _NOT_OF_TEXTS else data.decode(name)
    except (LookupError, UnicodeError):
        return None
    return None if _NO_TEXT.search(text) else text.removeprefix("\ufeff")
