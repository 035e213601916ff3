"""Converts ``data:`` URLs of pictures, fonts, sound and videos to resources of the built file.

A long one is then stored once, however often it is painted, and can be left out. The page's tree keeps the URL, because
the tree's digest depends on it; only a compact file shortens it.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Final, cast
from urllib.parse import unquote_to_bytes

from pagereel.reel import Json

from .resources import CapturedBody

LEAST: Final = 2048
"""Shortest address, in characters, that is converted."""

_KINDS: Final = ("image/", "font/", "audio/", "video/")
_CHARSET: Final = re.compile(r";\s*charset=(?!\"?utf-?8\b)", re.IGNORECASE)


def decode_data_url(address: str, minimum_length: int = LEAST) -> CapturedBody | None:
    """Return the content of a ``data:`` URL of at least `minimum_length` characters; None for shorter ones, other types and
    invalid ones.
    """
    if len(address) < minimum_length or address[:5].lower() != "data:":
        return None
    head, _, tail = address[5:].partition(",")
    mime = parse_data_url_mime(address)
    # A fragment of a drawing selects a part of it, so such an address is not converted.
    if not mime.startswith(_KINDS) or _CHARSET.search(head) or "#" in tail:
        return None
    return _decode_data_url_body(mime, head, tail)


def decode_sheet_data_url(address: str) -> CapturedBody | None:
    """Return the content of a ``data:`` URL of a style sheet; its type includes the charset. None for other types."""
    head, comma, tail = address.strip()[5:].partition("#")[0].partition(",")
    return (
        _decode_data_url_body(head, head, tail)
        if comma and parse_data_url_mime(address.strip()) == "text/css"
        else None
    )


def _decode_data_url_body(mime: str, head: str, tail: str) -> CapturedBody | None:
    data = unquote_to_bytes(tail)
    if not head.lower().rstrip().endswith(";base64"):
        return CapturedBody(mime, data)
    data = b"".join(data.split()).rstrip(b"=")
    try:
        return CapturedBody(mime, base64.b64decode(data + b"=" * (-len(data) % 4), validate=True))
    except binascii.Error:
        return None


def parse_data_url_mime(address: str) -> str:
    """Return the MIME type in a ``data:`` URL, in lower case."""
    return address[5:].partition(",")[0].partition(";")[0].strip().lower()


STYLES: Final = frozenset(("style", "svg|style"))
_IN_CSS: Final = re.compile(rf"data:[\w.+/-]+(?:;[\w=.-]+)*;base64,[\w+/=%-]{{{LEAST},}}", re.IGNORECASE)


def shorten_data_urls(
    ops: list[Json], shorten_url: Callable[[str], str], is_style_text: Callable[[Json], bool]
) -> list[Json]:
    """Return `ops` with each long ``data:`` URL replaced by `short(url)`: in attributes, in the addresses that images
    chose, and in style sheets.

    ``styled(id)``: returns whether the node is a text within a ``<style>``.
    """
    return [_shorten_op(op, shorten_url, is_style_text) for op in ops]


def _shorten_op(op: Json, shorten_url: Callable[[str], str], is_style_text: Callable[[Json], bool]) -> Json:
    assert isinstance(op, list)
    if op[0] == "sheet" and len(op) > 3 and isinstance(op[3], str):
        return [*op[:3], _shorten_css(op[3], shorten_url), *op[4:]]
    if op[0] == "text" and len(op) > 2 and isinstance(op[2], str) and is_style_text(op[1]):
        return [*op[:2], _shorten_css(op[2], shorten_url), *op[3:]]
    if op[0] in ("doc", "add"):
        start = 2 if op[0] == "doc" else 3
        return [*op[:start], *(_shorten_tree(tree, shorten_url) for tree in op[start:])]
    if op[0] == "attr" and len(op) > 2 and isinstance(op[2], dict):
        return [*op[:2], _shorten_attributes(op[2], shorten_url), *op[3:]]
    if op[0] == "src" and len(op) > 2 and isinstance(op[2], str):
        return [*op[:2], shorten_url(op[2]), *op[3:]]
    return op


def _shorten_tree(tree: Json, shorten_url: Callable[[str], str]) -> Json:
    if not isinstance(tree, list):
        return tree
    root: list[Json] = []
    stack = [(tree, root)]
    while stack:  # No recursion, because trees may be deep.
        source, target = stack.pop()
        nested = not str(source[0]).startswith("#") or source[0] in ("#document", "#shadow", "#content")
        style = source[0] in STYLES
        for item in source:
            if isinstance(item, dict) and nested:
                target.append(_shorten_attributes(item, shorten_url))
            elif isinstance(item, list) and nested:
                copy: list[Json] = []
                target.append(copy)
                stack.append((item, copy))
            elif style and isinstance(item, str) and target:  # The first string is the tag.
                target.append(_shorten_css(item, shorten_url))
            else:
                target.append(item)
    return root


def _shorten_attributes(attributes: dict[str, Json], shorten_url: Callable[[str], str]) -> Json:
    return cast(
        Json, {name: shorten_url(value) if isinstance(value, str) else value for name, value in attributes.items()}
    )


def _shorten_css(text: str, shorten_url: Callable[[str], str]) -> str:
    return _IN_CSS.sub(lambda address: shorten_url(address[0]), text)
