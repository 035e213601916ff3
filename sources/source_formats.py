"""The table of the formats that are not reels, each with its reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Final

from pagereel.reel import Event

from .reader_interface import ReadReport, SourceFormat


def _read_trace(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[Event]:
    from .trace import read_trace

    return read_trace(path, file, report)


def _read_rrweb(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[Event]:
    from .rrweb import read_rrweb

    return read_rrweb(path, file, report)


def _read_replay(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[Event]:
    from .replay import read_replay

    return read_replay(path, file, report)


SOURCES: Final = MappingProxyType(
    {
        "trace": SourceFormat("trace", _read_trace, "Playwright trace"),
        "rrweb": SourceFormat("rrweb", _read_rrweb, "rrweb recording"),
        "replay": SourceFormat("replay", _read_replay, "replay made by pagereel"),
    }
)
