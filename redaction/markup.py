"""Mask HTML and SVG texts, and pictures that stand in an address (``data:image/…``)."""

from __future__ import annotations

import base64
import binascii
import html
import re
from urllib.parse import quote, unquote_to_bytes

from . import images
from .attributes import role_of
from .sink import Sink, Slot

_TAG = re.compile(
    r"(<!--.*?-->|<\?.*?\?>|<![^>]*>|<script\b.*?</script>|<metadata\b.*?</metadata>|<style\b[^>]*>.*?</style>|<[^>]*>)",
    re.DOTALL | re.IGNORECASE,
)
_DOCTYPE = r"""<!DOCTYPE(?:[^>\["']|"[^"]*"|'[^']*')*(?:\[.*?\]\s*)?>"""
_BEFORE_ROOT = re.compile(rf"\ufeff|\s+|<\?.*?\?>|<!--.*?-->|{_DOCTYPE}", re.DOTALL | re.IGNORECASE)
_SVG_ROOT = re.compile(r"<(?:svg:)?svg[\s/>]")


def rewrite_data_url(url: str, sink: Sink, slot: Slot, *, block: bool) -> str:
    """The masked ``data:`` address: pictures without what their files say besides, SVG as markup, fonts as they are; anything
    else loses its content. ``block``: a picture becomes a grey one of its size."""
    head, _, rest = url.strip().partition(",")
    kind = head[5:].partition(";")[0].strip().lower()
    if kind.startswith(("font/", "application/font", "application/x-font")):
        return url
    if not kind.startswith("image/"):
        return head.partition(";")[0] + ","
    try:
        data = unquote_to_bytes(rest)
        if head.lower().rstrip().endswith(";base64"):
            data = base64.b64decode(data + b"=" * (-len(data) % 4))
    except binascii.Error:
        return head.partition(";")[0] + ","
    if kind == "image/svg+xml":
        if block:
            return head.partition(";")[0] + ","
        return "data:image/svg+xml," + quote(
            rewrite_markup(data.decode("utf-8", "replace"), sink, slot), safe=" =:/;,()"
        )
    clean = images.placeholder(*(images.size_of(data) or (16, 16))) if block else images.without_metadata(data)
    if not clean:
        return head.partition(";")[0] + ","
    name = "png" if block else kind.removeprefix("image/")
    return f"data:image/{name};base64,{base64.b64encode(clean).decode()}"


def begins_svg(text: str) -> bool:
    """Whether a text is an SVG file: its root, after byte order mark, prolog, comments and declarations, is ``<svg``."""
    at = 0
    while match := _BEFORE_ROOT.match(text, at):
        at = match.end()
    return bool(_SVG_ROOT.match(text, at))


def rewrite_markup(text: str, sink: Sink, slot: Slot) -> str:
    """SVG and HTML text: what a person reads is masked, scripts, comments and metadata go, addresses and styles are masked."""
    out = []
    for part in _TAG.split(text):
        low = part[:9].lower()
        if low.startswith(("<!--", "<?", "<script", "<metadata")):
            continue
        if low.startswith("<style"):
            head, _, rest = part.partition(">")
            out.append(f"{head}>{sink.css(rest.rpartition('</')[0], slot)}</style>")
        elif low.startswith("<"):
            out.append(_tag(part, sink, slot))
        elif part.strip():
            plain = html.unescape(part)
            masked = sink.text(plain, slot)
            out.append(part if masked == plain else html.escape(masked, quote=False))
        else:
            out.append(part)
    return "".join(out)


_ATTRIBUTE = re.compile(r"""([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def _tag(tag: str, sink: Sink, slot: Slot) -> str:
    name = m.group(1).lower() if (m := re.match(r"</?([\w:-]+)", tag)) else ""

    def attribute(match: re.Match[str]) -> str:
        key = match.group(1)
        value = html.unescape(match.group(2) if match.group(2) is not None else match.group(3))
        role = "keep" if key.startswith("xmlns") else role_of(name, key, value)
        if role in ("drop", "empty"):
            return ""
        masked = {"text": sink.text, "url": sink.url, "css": sink.css, "value": sink.value}.get(role, sink.keep)(
            value, slot
        )
        return f'{key}="{html.escape(masked)}"'

    return _ATTRIBUTE.sub(attribute, tag)
