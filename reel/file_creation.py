"""Creates the file of a reel: private, never through a link, and never one that exists."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from ..errors import UsageError


def create_private_file(path: Path) -> int:
    """Open a new file at `path` for appending and reading, mode 0600, never through a link and never an existing file."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}; choose another path.") from None
    if stat.S_ISDIR(mode):
        raise UsageError(f"{path} is a folder; give the path of a file, for example {path / 'run.reel'}.")
    if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
        raise UsageError(f"{path} is not a regular file; choose another path.")
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        fd = open_new_private_file(temporary)
    except FileNotFoundError:
        raise UsageError(f"The folder {path.parent} does not exist; make it first, or choose another path.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}; choose another path.") from None
    try:
        os.replace(temporary, path)
    except OSError as error:
        os.close(fd)
        with suppress(OSError):
            temporary.unlink()
        raise UsageError(f"{path} cannot be written: {error.strerror}; choose another path.") from None
    return fd


def open_new_private_file(path: Path) -> int:
    """Open a file that does not exist yet for reading and writing, mode 0600. Raises OSError."""
    return os.open(
        path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0), 0o600
    )
