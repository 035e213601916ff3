"""Opens recordings of any kind as a reel: the kind is detected from a file's content.

    with open_any("trace.zip") as reel:
        for event in reel.timeline(): ...

The kinds are reels, pagereel's own HTML (plain, ``--compact``, in a ZIP), Playwright's trace.zip, and rrweb's JSON.
This package imports ``reel``, and ``css`` for style sheets.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from pagereel.errors import UsageError
from pagereel.reel import Keys, open_reel

from .clip import write_clip
from .joining import JoinedRecordingPart, JoinResult, join_recordings
from .kind_detection import detect_kind
from .opening import convert_to_reel, detect_source_format, open_any, read_header
from .reader_interface import KINDS, ReadReport, SourceFormat, SourceKind
from .referenced_addresses import (
    iter_addresses_in_document,
    iter_resource_hashes,
    iter_wanted_responses,
    list_responses_by_address,
)
from .source_formats import SOURCES
from .suite_address import split_suite_address

__all__ = [
    "KINDS",
    "ImportResult",
    "JoinResult",
    "JoinedRecordingPart",
    "ReadReport",
    "SourceFormat",
    "SourceKind",
    "detect_kind",
    "detect_source_format",
    "import_recording",
    "iter_addresses_in_document",
    "iter_resource_hashes",
    "iter_wanted_responses",
    "join_recordings",
    "list_responses_by_address",
    "open_any",
    "read_header",
    "split_suite_address",
    "write_clip",
]  # fmt: skip


@dataclass(frozen=True)
class ImportResult:
    """The result of an import: what was written, and which parts of the file could not be read or imported."""

    kind: SourceKind
    path: Path
    events: int
    damage: str | None
    """Why the file could not be read to its end; what comes before that was imported."""
    warnings: tuple[str, ...]
    """What could not be imported, a sentence each."""
    masked: str | None = None
    """The policy with which the recording was redacted before; None: it was not redacted."""

    @property
    def format_name(self) -> str:
        """Return the common name of the imported file's kind: ``Playwright trace``."""
        return SOURCES[self.kind].about


def import_recording(
    source: str | os.PathLike[str], destination: str | os.PathLike[str], *, encrypt_to: Keys | None = None
) -> ImportResult:
    """Write a recording of another kind as a reel.

    A file at `destination` is replaced once the new reel is complete. `encrypt_to`: as in ``record()``.

    :raises ReelError: the file is no recording, or nothing of it can be read; nothing is written then. UsageError:
    it is already a reel.
    """
    path, target = Path(source), Path(destination)
    reader = detect_source_format(path)
    if reader is None:
        with open_reel(path):  # Raises the reason if the file is a damaged reel.
            raise UsageError(f"{path} is a reel already; there is nothing to import.")
    report = ReadReport()
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    try:
        events = convert_to_reel(path, reader, temporary, report, encrypt_to=encrypt_to)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return ImportResult(reader.kind, target, events, report.damage, tuple(report.warnings), report.masked)
