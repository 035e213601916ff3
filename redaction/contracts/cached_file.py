"""Cache computed data of the redaction, such as compiled patterns, in the user's cache folder.

The cache holds nothing of a recording.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

MOST: Final = 12
"""Most files in the cache; the oldest are deleted."""


def find_cache_folder() -> Path | None:
    """Return pagereel's folder in the user's cache, which may not exist yet, or None without a cache."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    with suppress(RuntimeError):
        return (Path(base) if base else Path.home() / ".cache") / "pagereel"
    return None


def is_private_folder(folder: Path) -> bool:
    """Return whether a folder exists, belongs to the user, and nobody else may write into it."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    return os.name == "nt" or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


class CachedFile:
    """One file of the cache. The file's name contains a hash of the data from which the content was computed. The file
    is read only from a private folder.
    """

    def __init__(self, name: str, made_of: str) -> None:
        """Set the file's name.

        :param made_of: everything that the content depends on.
        """
        folder = find_cache_folder()
        digest = hashlib.sha256(made_of.encode("utf-8", "surrogatepass")).hexdigest()
        self._file = None if folder is None else folder / "made" / f"{name}-{digest[:32]}"

    def read(self) -> bytes | None:
        """Return the content, or None if the file is missing or damaged."""
        if self._file is None or not is_private_folder(self._file.parent):
            return None
        try:
            data = self._file.read_bytes()
        except OSError:
            return None
        return data[32:] if hashlib.sha256(data[32:]).digest() == data[:32] else None

    def write(self, data: bytes) -> None:
        """Write the content. If that fails, the next run computes the content again."""
        if self._file is None:
            return
        new = self._file.with_name(f".{secrets.token_hex(8)}")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private_folder(self._file.parent):
                return
            new.write_bytes(hashlib.sha256(data).digest() + data)
            os.replace(new, self._file)
            for old in sorted(self._file.parent.iterdir(), key=lambda file: -file.stat().st_mtime)[MOST:]:
                old.unlink()
        except OSError:
            with suppress(OSError):
                new.unlink()
