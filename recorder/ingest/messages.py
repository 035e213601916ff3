"""The media types of messages of WebSockets and event streams."""

from __future__ import annotations


def kind_of_text(content: bytes) -> str:
    """Return the media type of a text message, which has no header: JSON by its first character, else plain text."""
    return "application/json" if content.lstrip()[:1] in (b"{", b"[") else "text/plain"
