"""Messages of WebSockets and event streams: what they are made of."""

from __future__ import annotations


def kind_of_text(content: bytes) -> str:
    """Return the media type of a message in text, which no header tells: JSON by how it begins, else plain text."""
    return "application/json" if content.lstrip()[:1] in (b"{", b"[") else "text/plain"
