"""The folder of resources that several recordings share: each content once, under its SHA-256, in the sub-folder ``resources``.

Such a recording names a resource (``"shared": true``) and does not contain it; readers find it in that folder
automatically. A file's name is the hash of its content, so that a recording cannot refer to any other file.
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
"""Largest resource, in bytes. By default the recorder keeps none above 10 MB."""
_NAME: Final = re.compile(r"[0-9a-f]{64}\.zst")
_LEVEL: Final = 9


_TEXTUAL: Final = ("text/", "application/json", "application/xml", "image/svg")


def encode_body(content: bytes, mime: str) -> Event:
    """Return the field of a ``resource`` event for `content`: ``text`` for text in UTF-8, else ``base64``."""
    if mime.startswith(_TEXTUAL) or "+json" in mime or "+xml" in mime:
        with suppress(UnicodeDecodeError):
            return {"text": content.decode()}
    return {"base64": base64.b64encode(content).decode("ascii")}


def build_resource_event(content: bytes, mime: str, t: float = 0) -> Event:
    """Return a ``resource`` event that contains these bytes."""
    sha256 = hashlib.sha256(content).hexdigest()
    return {
        "k": "resource", "t": t, "sha256": sha256, "mime": mime, "size": len(content), **encode_body(content, mime)
    }  # fmt: skip


def decode_body(resource: Event) -> bytes | None:
    """Return the bytes in a ``resource`` event, the inverse of :func:`encode_body`; ``None`` if it has none, or invalid
    base64.
    """
    text, packed = resource.get("text"), resource.get("base64")
    if isinstance(text, str):
        return text.encode("utf-8", "replace")
    try:
        return base64.b64decode(packed) if isinstance(packed, str) else None
    except ValueError:
        return None


class SharedResourceFolder:
    """The folder ``resources`` beside recordings. Reading never raises: lost or changed files count as missing."""

    def __init__(self, reels: Path) -> None:
        """`reels`: the folder of the recordings."""
        self.folder = reels / FOLDER

    def store_content(self, sha256: str, content: bytes) -> None:
        """Store `content` once. Raises OSError if it cannot be written."""
        path = self._get_content_path(sha256)
        with suppress(OSError):
            os.utime(path)  # in use again, so that it is not pruned as unused
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

    def read_content(self, sha256: str) -> bytes | None:
        """Return the content, or None when it is missing, unreadable, or does not match its name."""
        if not _NAME.fullmatch(f"{sha256}.zst"):
            return None
        try:
            file = os.open(
                self._get_content_path(sha256),
                os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0),
            )
            with open(file, "rb") as packed:
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    return None
                reader = zstandard.ZstdDecompressor().stream_reader(packed)
                content = reader.read(LARGEST + 1)
        except (OSError, zstandard.ZstdError):
            return None
        return content if hashlib.sha256(content).hexdigest() == sha256 else None

    def fill_in_body(self, event: Event) -> Event | None:
        """Return a ``resource`` event with the bytes from the shared folder; None if they are missing."""
        content = self.read_content(str(event.get("sha256")))
        if content is None:
            return None
        whole = {name: value for name, value in event.items() if name not in ("shared", "text", "base64")}
        return whole | encode_body(content, str(event.get("mime")))

    def list_unused_files(self, used_hashes: set[str], older_than: float) -> Iterator[Path]:
        """Yield the files whose SHA-256 is not in `used_hashes` and that are older than `older_than` seconds."""
        if not self.folder.is_dir():
            return
        before = time.time() - older_than
        for path in sorted(self.folder.glob("??/*.zst")):
            if _NAME.fullmatch(path.name) and path.stem not in used_hashes:
                with suppress(OSError):
                    status = path.lstat()
                    if stat.S_ISREG(status.st_mode) and status.st_mtime <= before:
                        yield path

    def _get_content_path(self, sha256: str) -> Path:
        return self.folder / sha256[:2] / f"{sha256}.zst"
