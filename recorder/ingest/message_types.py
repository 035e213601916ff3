"""The MIME types of messages of WebSockets and event streams."""

from __future__ import annotations


def guess_message_type(content: bytes) -> str:
    """Return the MIME type of a text message, which has no header: JSON if its first character fits, else plain text."""
    return "application/json" if content.lstrip()[:1] in (b"{", b"[") else "text/plain"
