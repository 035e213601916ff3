"""Store masked events in a temporary file: in the finished reel the report stands before them, and the report is complete only after the last event."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType

import orjson
import zstandard

from pagereel.errors import UsageError
from pagereel.reel import Event, encode_event

_LEVEL = 1
"""The level of zstd: low, because the file is read once and then deleted."""
_READ = 1 << 18


class EventSpool:
    """Events in an unnamed temporary file, in the folder of the finished recording. It is first filled, then read."""

    def __init__(self, folder: Path) -> None:
        """Open the file. Raises UsageError when nothing can be written in `folder`."""
        try:
            self._file = TemporaryFile(dir=folder)  # noqa: SIM115 (closed by __exit__)
        except OSError as error:
            raise UsageError(f"The folder {folder} cannot be written to: {error.strerror or error}.") from None
        self._packed = zstandard.ZstdCompressor(level=_LEVEL).stream_writer(self._file, closefd=False)

    def add_events(self, events: Iterable[Event]) -> None:
        """Add events.

        :raises ReelError: an event is no JSON.
        :raises UsageError: the disk is full.
        """
        try:
            for event in events:
                self._packed.write(encode_event(event) + b"\n")
        except OSError as error:
            raise UsageError(f"The masked recording cannot be written: {error.strerror or error}.") from None

    def iter_events(self) -> Iterator[Event]:
        """Yield the events in the order in which they were added. No event can be added afterwards."""
        self._packed.flush(zstandard.FLUSH_FRAME)
        self._file.seek(0)
        opened = zstandard.ZstdDecompressor().stream_reader(self._file, closefd=False)
        for line in io.BufferedReader(opened, _READ):
            yield orjson.loads(line)

    def __enter__(self) -> EventSpool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
