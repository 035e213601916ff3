"""The MIME types of messages of WebSockets and event streams."""

from __future__ import annotations


def guess_message_type(content: bytes) -> str:
    """Return the MIME type of a text message of a WebSocket or event stream: JSON if it begins as JSON does, else plain
    text. Such messages have no header that tells it.
    """
    return "application/json" if content.lstrip()[:1] in (b"{", b"[") else "text/plain"
