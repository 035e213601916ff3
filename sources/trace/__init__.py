"""Reads Playwright's ``trace.zip`` as a reel: versions 6 (1.40) to 10, and newer ones as far as they are similar.

A trace has snapshots of a page only at calls: before, during the action, after. A ``gap`` says that nothing is known
between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pagereel.reel import Event

from ..reader_interface import ReadReport
from .archive import TraceArchive
from .trace_reader import TraceReader

__all__ = ["read_trace"]


def read_trace(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[Event]:
    """Yield the events of a trace, the header first.

    :raises ReelError: it is encrypted, too large, or holds nothing that can be read.
    """
    yield from TraceReader(path, TraceArchive(path, file, report), report).iter_events()
