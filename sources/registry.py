"""The table of the formats that are not reels, each with its reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Final

from pagereel.reel import Event

from .contract import ReadReport, SourceFormat


def _trace(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[Event]:
    from .trace import read

    return read(path, file, report)


def _rrweb(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[Event]:
    from .rrweb import read

    return read(path, file, report)


def _replay(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[Event]:
    from .replay import read

    return read(path, file, report)


SOURCES: Final = MappingProxyType(
    {
        "trace": SourceFormat("trace", _trace, "Playwright trace"),
        "rrweb": SourceFormat("rrweb", _rrweb, "rrweb recording"),
        "replay": SourceFormat("replay", _replay, "replay made by pagereel"),
    }
)
