"""Stores the bytes of resources, each content once, under its SHA-256. Runs on the writer thread."""

from __future__ import annotations

from hashlib import sha256

from pagereel.reel import BODY_BYTES, Event, SharedResourceFolder, encode_body

from ..runtime.clock import Clock
from .writer_thread import WriterThread

_WORTH_SHARING = 2_000
"""Smallest resource that becomes a shared file; smaller ones take less room in the recording."""
_SHARED = ("text/css", "image/", "font/", "video/", "audio/", "application/font", "application/x-font")
"""MIME types that recordings of one site have in common. Documents and API answers stay in the recording and are
deleted with it.
"""


class ResourceStore:
    """Stores each content once, at most ``total`` bytes. With ``shared``, larger style sheets, pictures, fonts and
    media are stored in a folder beside the recording, which other recordings in the same folder use too.
    """

    def __init__(self, writer: WriterThread, clock: Clock, total: int, shared: bool = False) -> None:
        self._shared = SharedResourceFolder(writer.path.parent) if shared else None
        self._writer = writer
        self._clock = clock
        self._total = total
        self._known: set[str] = set()
        self.bytes = 0

    def store_content(self, content: bytes, mime: str, limit: int | None = None) -> tuple[str | None, str]:
        """Store a content unless it is stored already. Return its SHA-256, or None and the reason."""
        if len(content) > min(limit or BODY_BYTES, BODY_BYTES):
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
        self._writer.write_event(
            event
            | ({"shared": True} if self._store_in_shared_folder(digest, content, mime) else encode_body(content, mime))
        )
        self._known.add(digest)
        self.bytes += len(content)
        return digest, ""

    def _store_in_shared_folder(self, digest: str, content: bytes, mime: str) -> bool:
        """Store a content in the shared folder. Return False if the content must be stored in the recording instead."""
        if self._shared is None or len(content) < _WORTH_SHARING or not mime.startswith(_SHARED):
            return False
        try:
            self._shared.store_content(digest, content)
        except OSError:
            return False
        return True
