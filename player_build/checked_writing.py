"""Writes a finished file: to a temporary path, then checked by the leak gate, then renamed to its destination."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from ..errors import BuildError


def write_checked_file(
    destination: Path,
    parts: Iterable[bytes],
    gate: Callable[[Path], object] | None = None,
    zipped: str | None = None,
    stamp: str | None = None,
) -> int:
    """Write `parts` to a temporary file, check it with `gate`, then move it to `destination`. Return its size in bytes.

    `zipped`: put it into a ZIP archive, under this name, with `stamp` as its comment.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{destination.name}.", suffix=".part", dir=destination.parent)
    except OSError as error:
        raise BuildError(f"{destination} cannot be written: {error.strerror}; give another path.") from None
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
        if gate is not None:
            gate(part)
        if zipped is not None:
            packed = part.with_suffix(".zip")
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(part, f"{zipped}.html")
                archive.comment = (stamp or "").encode()
            packed.replace(part)
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(destination)
    except OSError as error:
        raise BuildError(
            f"{destination} cannot be written: {error.strerror}; free some space or give another path."
        ) from None
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return destination.stat().st_size
