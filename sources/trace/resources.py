"""Stores the files in a trace as resources of a reel, each once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Final

from pagereel.reel import Event, encode_body

from .archive import TraceArchive

TEXT_BYTES: Final = 16 << 20
_SCRIPTS: Final = re.compile(r"javascript|ecmascript", re.I)
_KEPT_TEXTS: Final = 16


class TraceResources:
    """Reads the resource files of a trace's archive when they are needed, without keeping them in memory."""

    def __init__(self, archive: TraceArchive) -> None:
        self._archive = archive
        self._hashes: dict[str, str] = {}
        self.written: set[str] = set()
        """Hashes of the resources in the reel."""
        self._texts: dict[str, str | None] = {}

    def store_file(self, file: object, mime: str, t: float) -> tuple[str | None, str | None, Iterator[Event]]:
        """Return the SHA-256 of a file, or the reason why it has none, and the events that add it to the reel."""
        if not isinstance(file, str):
            return None, "gone", iter(())
        if _SCRIPTS.search(mime):
            return None, "policy", iter(())
        known = self._hashes.get(file)
        if known is not None:
            return known, None, iter(())
        content = self._archive.read_file(file)
        if content is None:
            return None, "gone", iter(())
        sha256 = self._hashes[file] = hashlib.sha256(content).hexdigest()
        if sha256 in self.written:
            return sha256, None, iter(())
        self.written.add(sha256)
        event: Event = {
            "k": "resource",
            "t": t,
            "sha256": sha256,
            "mime": strip_mime_parameters(mime),
            "size": len(content),
        }
        return sha256, None, iter((event | encode_body(content, strip_mime_parameters(mime)),))

    def read_bytes(self, file: str) -> bytes | None:
        """Return a file's bytes without adding it to the reel; None if there is no such file."""
        return self._archive.read_file(file)

    def read_text(self, file: str) -> str | None:
        """Return a file's text without adding the file to the reel; None if there is no such file."""
        if file not in self._texts:
            content = self._archive.read_file(file, TEXT_BYTES)
            while len(self._texts) >= _KEPT_TEXTS:
                del self._texts[next(iter(self._texts))]
            self._texts[file] = None if content is None else content.decode("utf-8", "replace")
        return self._texts[file]


def strip_mime_parameters(mime: str) -> str:
    """Return a MIME type without its parameters."""
    found = mime.partition(";")[0].rstrip()[:200]
    return found if found and found != "x-unknown" else "application/octet-stream"
