"""Opens any recording as a reel: a file of another kind is first converted into a temporary reel."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Final

from pagereel.errors import ReelError
from pagereel.reel import Event, Key, Keys, Reel, ReelDamage, ReelWriter, open_reel, pick_header_fields

from .kind_detection import detect_kind
from .reader_interface import ReadReport, SourceFormat
from .source_formats import SOURCES
from .suite_address import split_suite_address

_KEPT: Final = 4
"""Number of files whose converted reel is kept: commands open the same file several times."""
_FLUSH_MS: Final = 60_000
"""Ms between flushes: long, because frames of a reel that is written at once should be full."""


class _ConvertedFile:
    """A temporary reel that was converted from another file, and the reader's report on that file."""

    def __init__(self, path: Path, source: SourceFormat) -> None:
        self.told = ReadReport()
        handle, name = tempfile.mkstemp(prefix="pagereel-", suffix=".reel")
        os.close(handle)
        temporary = Path(name)
        try:
            convert_to_reel(path, source, temporary, self.told, compact=False)
            self.file = os.open(temporary, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        finally:
            temporary.unlink(missing_ok=True)

    def __del__(self) -> None:
        if hasattr(self, "file"):
            os.close(self.file)


_imported: OrderedDict[tuple[int, int, int, int, str | None], _ConvertedFile] = OrderedDict()
_lock = threading.Lock()


def open_any(path: str | os.PathLike[str], key: Key | None = None) -> Reel:
    """Open a recording of any kind: a reel, a replay's HTML, Playwright's trace.zip, rrweb's JSON, or one test of a
    suite's file (``suite.html#test=ID``).

    The kind is detected from the content. The reel's ``kind`` names it; ``damage`` and ``warnings`` say what could
    not be read or imported. A file of another kind is converted into a temporary reel, whose file is deleted before
    this returns.

    :raises ReelError: the file is no recording, or nothing of it can be read. For a reel, the errors of
    :func:`~pagereel.reel.open_reel`.
    """
    path = Path(path)
    source = detect_source_format(path)
    if source is None:
        return open_reel(path, key)
    file, test = split_suite_address(path)
    status = file.stat()
    mark = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, test)
    with _lock:
        imported = _imported.pop(mark, None) or _ConvertedFile(path, source)
        _imported[mark] = imported
        while len(_imported) > _KEPT:
            _imported.popitem(last=False)
    reel = Reel(path, os.dup(imported.file))
    reel.kind = source.kind
    reel.warnings = tuple(imported.told.warnings)
    if imported.told.damage is not None:
        reel.damage = ReelDamage(-1, -1, imported.told.damage)
        reel.sealed = False
    elif imported.told.unsealed:
        reel.sealed = False
    return reel


def detect_source_format(path: Path) -> SourceFormat | None:
    """Return the format of a file that is no reel; None for a reel, and for a file that cannot be opened (opening it as
    a reel raises the error).
    """
    path, _ = split_suite_address(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode) or path.stat().st_size == 0:
            return None
        with path.open("rb") as file:
            return SOURCES.get(detect_kind(path, file))
    except OSError:
        return None


def read_header(path: Path) -> Event:
    """Return the header of a recording of any kind, without converting the rest of a file that is no reel.

    :raises ReelError: the file is no recording.
    """
    source = detect_source_format(path)
    if source is None:
        with open_reel(path) as reel:
            return reel.header
    with split_suite_address(path)[0].open("rb") as file:
        for event in source.read(path, file, ReadReport()):
            return event
    raise ReelError(f"{path} holds nothing that can be replayed.")


def convert_to_reel(
    path: Path,
    source: SourceFormat,
    destination: Path,
    report: ReadReport,
    *,
    compact: bool = True,
    encrypt_to: Keys | None = None,
) -> int:
    """Convert the file at `path` into a new reel. Return the number of its events.

    :raises ReelError: nothing of the file can be read; the unfinished reel is removed.
    """
    writer: ReelWriter | None = None
    end: float | None = None
    reason = "imported"
    try:
        with split_suite_address(path)[0].open("rb") as file:
            for event in source.read(path, file, report):
                if writer is None:
                    header = pick_header_fields(event)
                    writer = ReelWriter(destination, header, flush_ms=_FLUSH_MS, compact=compact, encrypt_to=encrypt_to)
                    continue
                if event["k"] == "end":
                    end, reason = float(str(event["t"])), str(event["reason"])
                    continue
                writer.write(event)
        if writer is None:
            raise ReelError(
                f"{path} holds nothing that can be replayed{f' ({report.damage})' if report.damage else ''}."
            )
        writer.close("damaged" if report.damage else reason, at=end)
        return writer.events
    except BaseException:
        if writer is not None:
            writer.close("error")
            destination.unlink(missing_ok=True)
        raise
