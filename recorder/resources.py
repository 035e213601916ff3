"""The desk for bytes: each content once, under its SHA-256. Runs on the writer thread."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from pagereel.reel import Event

from .clock import Clock
from .sink import Sink

_TEXTUAL = ("text/", "application/json", "application/xml", "image/svg")


class Resources:
    """Keeps each content once, up to ``total`` bytes in all."""

    def __init__(self, sink: Sink, clock: Clock, total: int) -> None:
        self._sink = sink
        self._clock = clock
        self._total = total
        self._known: set[str] = set()
        self.bytes = 0

    def keep(self, content: bytes, mime: str, limit: int | None = None) -> tuple[str | None, str]:
        """Write the resource unless it is known: its SHA-256, or None and the reason."""
        if limit is not None and len(content) > limit:
            return None, "cap"
        digest = sha256(content).hexdigest()
        if digest in self._known:
            return digest, ""
        if self.bytes + len(content) > self._total:
            return None, "cap"
        event: Event = {
            "k": "resource",
            "t": self._clock.now(),
            "sha256": digest,
            "mime": mime[:200],
            "size": len(content),
        }
        text = _text(content) if mime.startswith(_TEXTUAL) or "+json" in mime or "+xml" in mime else None
        if text is not None:
            event["text"] = text
        else:
            event["base64"] = b64encode(content).decode("ascii")
        self._sink.write(event)
        self._known.add(digest)
        self.bytes += len(content)
        return digest, ""


def _text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
