"""Finds recordings under way in the folders that a library watches: unsealed reels that were written to recently."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from pagereel.errors import PagereelError
from pagereel.reel import read_unfinished_header

from ..audit_log import ID
from .watching import STALE_S, STATE, iter_files_in_places

_KEPT_S: Final = 0.5
"""Seconds for which a result is cached, because one page asks several times."""


@dataclass(frozen=True, slots=True)
class ActiveRecording:
    """A recording under way. `started`: ms since 1970; 0 where it is unknown."""

    id: str
    path: Path
    started: float


class ActiveRecordings:
    """Finds the recordings under way in `places` (folders or patterns), and in the places that ``pagereel library
    watch`` watches for the library in `folder`.
    """

    def __init__(self, folder: Path, places: Iterable[str] = ()) -> None:
        self._folder = folder
        self._places = tuple(places)
        self._guard = threading.Lock()
        self._known: tuple[float, tuple[ActiveRecording, ...]] = (0.0, ())

    def list_active_recordings(self) -> tuple[ActiveRecording, ...]:
        """Return the recordings under way, the latest first."""
        with self._guard:
            when, found = self._known
            if when and time.monotonic() - when < _KEPT_S:
                return found
            found = tuple(sorted(self._iter_active_recordings(), key=lambda made: (-made.started, made.id)))
            self._known = time.monotonic(), found
            return found

    def get_active_recording(self, id: str, file_name: Path | None = None) -> ActiveRecording | None:
        """Return the recording with this id if it is under way, else None.

        `file_name`: the recording's file in the library, if it was added before its end.
        """
        found = next((made for made in self.list_active_recordings() if made.id == id), None)
        return found if found is not None or file_name is None else _read_active_recording(file_name)

    def _iter_active_recordings(self) -> Iterator[ActiveRecording]:
        seen: set[str] = set()
        for source in iter_files_in_places((*self._places, *self._read_watched_places())):
            made = _read_active_recording(Path(source))
            if made is not None and made.id not in seen:
                seen.add(made.id)
                yield made

    def _read_watched_places(self) -> list[str]:
        with suppress(OSError, ValueError, TypeError, KeyError):
            return [str(place) for place in orjson.loads((self._folder / STATE).read_bytes())["places"]]
        return []


def _read_active_recording(path: Path) -> ActiveRecording | None:
    """Return the recording in a file if it is under way. None where it has ended, was not written to for a while, or
    the file is no recording.
    """
    with suppress(PagereelError, OSError):
        if path.suffix != ".reel" or time.time() - path.stat().st_mtime > STALE_S:
            return None
        header = read_unfinished_header(path)
        id = header.get("id") if header else None
        if header and isinstance(id, str) and ID.fullmatch(id):
            started = header.get("started")
            return ActiveRecording(id, path.resolve(), float(started) if isinstance(started, int | float) else 0.0)
    return None
