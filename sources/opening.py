"""Opens any recording as a reel: a file of another kind is read once into a reel of its own that nobody else sees."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Final

from pagereel.errors import ReelError
from pagereel.reel import Damage, Key, Keys, Reel, ReelWriter, header_fields, open_reel

from .contract import ReadReport, SourceFormat
from .registry import SOURCES
from .sniff import kind_of

_KEPT: Final = 4
"""So many files stay read: commands open the same one several times."""
_FLUSH_MS: Final = 60_000
"""Frames of a reel that is written at once are full ones."""


class _Imported:
    """A file that was read: a reel without a name, and what was told of it."""

    def __init__(self, path: Path, source: SourceFormat) -> None:
        self.told = ReadReport()
        handle, name = tempfile.mkstemp(prefix="pagereel-", suffix=".reel")
        os.close(handle)
        temporary = Path(name)
        try:
            write(path, source, temporary, self.told, compact=False)
            self.file = os.open(temporary, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        finally:
            temporary.unlink(missing_ok=True)

    def __del__(self) -> None:
        if hasattr(self, "file"):
            os.close(self.file)


_imported: OrderedDict[tuple[int, int, int, int], _Imported] = OrderedDict()
_lock = threading.Lock()


def open_any(path: str | os.PathLike[str], key: Key | None = None) -> Reel:
    """Open a recording of any kind: a reel, a replay's HTML, Playwright's trace.zip, rrweb's JSON.

    What it is is told from its content. ``kind`` of what is returned says it; ``damage`` and ``warnings`` say what could not be read
    or taken over. A file that is no reel is read whole into a temporary one, which is gone from the disk before this returns.

    :raises ReelError: the file is no recording, or nothing of it can be read. What :func:`~pagereel.reel.open_reel` raises, for a reel.
    """
    path = Path(path)
    source = source_of(path)
    if source is None:
        return open_reel(path, key)
    status = path.stat()
    mark = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    with _lock:
        imported = _imported.pop(mark, None) or _Imported(path, source)
        _imported[mark] = imported
        while len(_imported) > _KEPT:
            _imported.popitem(last=False)
    reel = Reel(path, os.dup(imported.file))
    reel.kind = source.kind
    reel.warnings = tuple(imported.told.warnings)
    if imported.told.damage is not None:
        reel.damage = Damage(-1, -1, imported.told.damage)
        reel.sealed = False
    elif imported.told.unsealed:
        reel.sealed = False
    return reel


def source_of(path: Path) -> SourceFormat | None:
    """Return what reads a file that is no reel; None for a reel, and for what cannot be opened at all (the reel's door says why)."""
    try:
        if not stat.S_ISREG(path.stat().st_mode) or path.stat().st_size == 0:
            return None
        with path.open("rb") as file:
            return SOURCES.get(kind_of(path, file))
    except OSError:
        return None


def write(
    path: Path,
    source: SourceFormat,
    destination: Path,
    told: ReadReport,
    *,
    compact: bool = True,
    encrypt_to: Keys | None = None,
) -> int:
    """Read the file at `path` into a new reel, and give the number of its events.

    :raises ReelError: nothing of the file can be read; no reel is left then.
    """
    writer: ReelWriter | None = None
    end: float | None = None
    reason = "imported"
    try:
        with path.open("rb") as file:
            for event in source.read(path, file, told):
                if writer is None:
                    header = header_fields(event)
                    writer = ReelWriter(destination, header, flush_ms=_FLUSH_MS, compact=compact, encrypt_to=encrypt_to)
                    continue
                if event["k"] == "end":
                    end, reason = float(str(event["t"])), str(event["reason"])
                    continue
                writer.write(event)
        if writer is None:
            raise ReelError(f"{path} holds nothing that can be replayed{f' ({told.damage})' if told.damage else ''}.")
        writer.close("damaged" if told.damage else reason, at=end)
        return writer.events
    except BaseException:
        if writer is not None:
            writer.close("error")
            destination.unlink(missing_ok=True)
        raise
