"""Reads files and pipes that a user named, within a limit of size and time."""

from __future__ import annotations

import errno
import os
import select
import stat
import time
import tomllib
from typing import Any

PATIENCE_S = 30.0
"""Seconds in which who writes into a pipe must have come to the end."""
_BLOCK = 1 << 16


def read_file_limited(path: str | os.PathLike[str], max_size: int) -> bytes:
    """Return the bytes of a file, or of a pipe (a shell's ``<(…)``), of at most `max_size` bytes.

    Raises OSError with the reason in ``strerror``, also for a larger file, for a device, and for a pipe that is not
    written to its end in time.
    """
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe that nobody writes opens
    with os.fdopen(os.open(path, flags), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISFIFO(mode):
            data = _read_pipe(file.fileno(), path, max_size)
        elif stat.S_ISREG(mode):
            data = file.read(max_size + 1)
        else:
            raise OSError(errno.EINVAL, "it is not a file", str(path))
    if len(data) > max_size:
        raise OSError(errno.EFBIG, f"it has more than {max_size:,} bytes", str(path))
    return data


def read_text_file_limited(path: str | os.PathLike[str], max_size: int) -> str:
    """Return the text of a file or pipe of at most `max_size` bytes.

    Raises OSError as :func:`read_file_limited` does, and UnicodeDecodeError if the bytes are not UTF-8.
    """
    return read_file_limited(path, max_size).decode("utf-8").replace("\r\n", "\n")


def parse_toml(text: str) -> dict[str, Any]:
    """Return a TOML text as a dictionary.

    Raises TOMLDecodeError, also for values that are nested too deeply for the standard library.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("it lies too deep in itself") from None


def _read_pipe(pipe: int, path: str | os.PathLike[str], max_size: int) -> bytes:
    """Return the bytes of a pipe, read to its end or until there are more than `max_size`.

    Raises OSError if it takes too long.
    """
    until = time.monotonic() + PATIENCE_S
    coming = select.poll()
    coming.register(pipe, select.POLLIN)
    data = bytearray()
    while len(data) <= max_size:
        if not coming.poll(max(0.0, until - time.monotonic()) * 1000):
            raise OSError(errno.ETIMEDOUT, f"nobody wrote it to its end within {PATIENCE_S:g} s", str(path))
        block = os.read(pipe, _BLOCK)
        if not block:
            break
        data += block
    return bytes(data)
