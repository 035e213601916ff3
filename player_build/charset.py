"""Decodes the bytes of style sheets with the charset that a browser would choose."""

from __future__ import annotations

import re

_CHARSET = re.compile(rb'^@charset "([^"]{1,40})";')


def decode_css(data: bytes, mime: str, header_charset: str = "", document_charset: str = "") -> str:
    """Return the text of a style sheet, decoded as a browser does.

    The first of these charsets is used: that of the byte order mark, that in the content type `mime`, that of
    ``@charset``, that of the document (`document_charset`), UTF-8.

    `header_charset`: the charset that the response's header named, if `data` may already have been converted from it to UTF-8.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace")
    if header_charset:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            document_charset = header_charset
    declared = _CHARSET.match(data)
    name = (
        parse_charset(mime)
        or (declared[1].decode("ascii", "replace") if declared and not header_charset else document_charset)
        or "utf-8"
    )
    try:
        return data.decode(name, "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


def parse_charset(content_type: str) -> str:
    """Return the charset that a `content-type` header names; "" if it names none."""
    match = re.search(r"charset=\"?([\w\-]+)", content_type, re.IGNORECASE)
    return match[1] if match else ""
