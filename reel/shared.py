"""Bytes that several recordings of one folder have in common: each content once, under its SHA-256, in ``resources`` beside them.

A recording then names a resource (``"shared": true``) and does not hold it; who reads the recording where the folder is does
not notice. The name of a file is the hash of what is in it, so nothing that a recording says can point anywhere else.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import zstandard

from .events import Event

FOLDER: Final = "resources"
LARGEST: Final = 256 << 20
"""Bytes of one resource at most. The recorder keeps none of more than 10 MB unless it is told to."""
_NAME: Final = re.compile(r"[0-9a-f]{64}\.zst")
_LEVEL: Final = 9


_TEXTUAL: Final = ("text/", "application/json", "application/xml", "image/svg")


def body_of(content: bytes, mime: str) -> Event:
    """Return the field of a ``resource`` event that holds `content`: ``text`` for text in UTF-8, else ``base64``."""
    if mime.startswith(_TEXTUAL) or "+json" in mime or "+xml" in mime:
        with suppress(UnicodeDecodeError):
            return {"text": content.decode()}
    return {"base64": base64.b64encode(content).decode("ascii")}


def content_of(resource: Event) -> bytes | None:
    """Return the bytes that a ``resource`` event holds, the other way round; ``None`` where there are none, or what is no Base64."""
    text, packed = resource.get("text"), resource.get("base64")
    if isinstance(text, str):
        return text.encode("utf-8", "replace")
    try:
        return base64.b64decode(packed) if isinstance(packed, str) else None
    except ValueError:
        return None


class SharedResources:
    """The folder ``resources`` beside a recording. Reading never raises: what is lost or changed is not there."""

    def __init__(self, reels: Path) -> None:
        """`reels`: the folder that the recordings are in."""
        self.folder = reels / FOLDER

    def put(self, sha256: str, content: bytes) -> None:
        """Keep `content`, once. Raises OSError when the disk does not take it."""
        path = self._path(sha256)
        with suppress(OSError):
            os.utime(path)  # in use again: what was not used for long may be pruned
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        aside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        file = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            with open(file, "wb") as out:
                out.write(zstandard.ZstdCompressor(level=_LEVEL).compress(content))
            os.replace(aside, path)
        except BaseException:
            with suppress(OSError):
                aside.unlink()
            raise

    def get(self, sha256: str) -> bytes | None:
        """Return the content, or None when it is not there, cannot be read, or is not what its name says."""
        if not _NAME.fullmatch(f"{sha256}.zst"):
            return None
        try:
            file = os.open(
                self._path(sha256), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            )
            with open(file, "rb") as packed:
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    return None
                reader = zstandard.ZstdDecompressor().stream_reader(packed)
                content = reader.read(LARGEST + 1)
        except (OSError, zstandard.ZstdError):
            return None
        return content if hashlib.sha256(content).hexdigest() == sha256 else None

    def filled(self, event: Event) -> Event | None:
        """Return a ``resource`` event with the bytes that it only names; None when they are lost."""
        content = self.get(str(event.get("sha256")))
        if content is None:
            return None
        whole = {name: value for name, value in event.items() if name not in ("shared", "text", "base64")}
        return whole | body_of(content, str(event.get("mime")))

    def unused(self, used: set[str], older_than: float) -> Iterator[Path]:
        """Files of what is not in `used` and was not put for `older_than` seconds."""
        if not self.folder.is_dir():
            return
        before = time.time() - older_than
        for path in sorted(self.folder.glob("??/*.zst")):
            if _NAME.fullmatch(path.name) and path.stem not in used:
                with suppress(OSError):
                    status = path.lstat()
                    if stat.S_ISREG(status.st_mode) and status.st_mtime <= before:
                        yield path

    def _path(self, sha256: str) -> Path:
        return self.folder / sha256[:2] / f"{sha256}.zst"
