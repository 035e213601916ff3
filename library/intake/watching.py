"""Watches folders and stores, adds recordings that have stopped growing, and applies the retention rules once a day."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import orjson

from pagereel.errors import PagereelError, ReelError, UsageError
from pagereel.reel import remote_stores
from pagereel.sources import detect_kind, open_any

if TYPE_CHECKING:
    from ..library import Library

STATE: Final = "watched.json"
ENDINGS: Final = (".reel", ".zip")
"""Endings of the files that are added from a folder; a pattern may name others."""
QUIET_S: Final = 2.0
"""Seconds without a write after which a complete file is added."""
STALE_S: Final = 600.0
"""Seconds without a write after which an unsealed recording is added, because its recorder is gone."""
_AGAIN_S: Final = 3_600.0
"""Seconds after which a failed addition is tried again."""
_SAVE_S: Final = 5.0
_DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class WatchedFileOutcome:
    """The result for one file in a watched place.

    `did` is ``added``, ``known``, ``replaced``, ``failed``, ``expired`` or ``no recording``; `said` is the run's id, or
    the error.
    """

    source: str
    did: str
    said: str = ""


class LibraryWatch:
    """Watches places for one library. The files that it has handled are listed in ``watched.json``, so that it reads
    none twice after a restart.
    """

    def __init__(
        self, library: Library, places: Iterable[str], *, jobs: int = 1, link: bool = False, masked: bool = False
    ) -> None:
        """`places`: folders, patterns, or addresses of stores. Raises UsageError for a place that holds the library."""
        self.library = library
        self.places = list(places)
        self._jobs, self._link, self._masked = jobs, link, masked
        home = library.folder.resolve()
        for place in self.places:
            if remote_stores.is_url(place):
                continue
            watched = Path(place).resolve()
            if home.is_relative_to(watched) or watched.is_relative_to(home):
                raise UsageError(
                    f"{place} {'holds' if home.is_relative_to(watched) else 'is in'} the library itself; watch another folder."
                )
        self._path = library.folder / STATE
        self._marks: dict[str, str] = {}
        self._expired = 0.0
        with suppress(OSError, ValueError, TypeError, AttributeError):
            record = orjson.loads(self._path.read_bytes())
            self._marks = {str(name): str(mark) for name, mark in record["marks"].items()}
            self._expired = float(record["expired"])
        self._waiting: dict[str, tuple[str, float]] = {}
        """File → its fingerprint, and since when it has had it, on this machine's clock."""
        self._failed: dict[str, tuple[str, float, str]] = {}
        """File → the fingerprint at which adding failed, the time of the next attempt, and the error. A restart tries
        at once, because the cause may have been on this machine.
        """
        self._saved = 0.0
        self._reached = True
        """Whether all places could be listed: only then files that are gone are forgotten."""
        self._save_handled_files()

    def scan_places_once(self, settled_seconds: float = QUIET_S) -> list[WatchedFileOutcome]:
        """Scan all places once, and add each complete file that was not written to for `settled_seconds` seconds."""
        ready = dict(self._iter_ready_files(settled_seconds))
        seen: list[WatchedFileOutcome] = []
        self.library.reload_retention_rules()
        for source, added, error in self.library.add_many(
            list(ready), link=self._link, masked=self._masked, jobs=self._jobs, again=False
        ):
            if error is not None:
                if self._failed.get(source, ("", 0.0, ""))[2] != error:
                    seen.append(WatchedFileOutcome(source, "failed", error))
                self._failed[source] = ready[source], time.monotonic() + _AGAIN_S, error
                continue
            if added is not None:
                seen.append(WatchedFileOutcome(source, added.did, added.id))
            self._failed.pop(source, None)
            self._marks[source] = ready[source]
            if time.monotonic() - self._saved > _SAVE_S:
                self._save_handled_files()
        if ready:
            self._save_handled_files()
        if time.time() - self._expired >= _DAY_S and (
            self.library.settings.retention or self.library.has_expiring_runs
        ):
            told = self.library.expire()
            self._expired = time.time()
            self._save_handled_files()
            seen += [
                WatchedFileOutcome(id, "failed", f"{id} was not thinned: {error}") for id, error in told.failed.items()
            ]
            if told.thinned or told.deleted:
                seen.append(
                    WatchedFileOutcome(
                        "",
                        "expired",
                        f"{len(told.thinned)} thinned, {len(told.deleted)} deleted, {len(told.held)} held",
                    )
                )
        return seen

    def scan_places_until(
        self, every: float, report_outcome: Callable[[WatchedFileOutcome], None], stop: Callable[[float], bool]
    ) -> None:
        """Scan all places every `every` seconds until `stop` returns True. `report_outcome` is called with the outcome for each
        file.

        `stop`: a function that waits for the given seconds, and returns whether to end.
        """
        while True:
            for seen in self.scan_places_once():
                report_outcome(seen)
            if stop(every):
                return

    def _iter_ready_files(self, settled_seconds: float) -> Iterator[tuple[str, str]]:
        now = time.monotonic()
        here = set()
        missed: list[str] = []
        found = iter_files_in_places(self.places, missed)
        self._reached = not missed
        for source in found:
            with suppress(PagereelError, OSError):
                mark = _get_file_fingerprint(source)
                here.add(source)
                if self._marks.get(source) == mark:
                    continue
                failed, later, _ = self._failed.get(source, ("", 0.0, ""))
                if failed == mark and now < later:
                    continue
                before, since = self._waiting.get(source, ("", now))
                if before != mark:
                    since = now
                self._waiting[source] = mark, since
                rested = max(now - since, _get_seconds_since_write(source))
                if rested >= (settled_seconds if _is_sealed_recording(source) else max(settled_seconds, STALE_S)):
                    self._waiting.pop(source)
                    if _is_recording(source):
                        yield source, mark
                    else:
                        self._marks[source] = mark
        for known in (self._waiting, self._failed, self._marks) if self._reached else (self._waiting,):
            for gone in known.keys() - here:
                del known[gone]

    def _save_handled_files(self) -> None:
        made = self._path.with_name(f".{STATE}")
        self._saved = time.monotonic()
        with suppress(OSError), os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            # Absolute, because the server of the library shows recordings in these places while they are made.
            places = [place if remote_stores.is_url(place) else str(Path(place).absolute()) for place in self.places]
            file.write(orjson.dumps({"marks": self._marks, "expired": self._expired, "places": places}))
            os.replace(made, self._path)


def iter_files_in_places(places: Iterable[str], unlisted: list[str] | None = None) -> Iterator[str]:
    """Yield the files in places: folders, patterns, or addresses of stores. Places that cannot be listed are added to
    `unlisted`.
    """
    found: dict[str, None] = {}
    for place in places:
        try:
            if not remote_stores.is_url(place) and Path(place).is_dir():
                for folder, folders, names in os.walk(place):
                    folders[:] = [name for name in folders if not name.startswith(".") and name != "resources"]
                    found |= {str(Path(folder, name)): None for name in sorted(names) if _has_recording_name(name)}
            elif remote_stores.is_url(place) and not any(c in place for c in "*?["):
                found |= {
                    name: None
                    for name in remote_stores.expand_pattern(f"{place.rstrip('/')}/**")
                    if _has_recording_name(name)
                }
            else:
                found |= dict.fromkeys(remote_stores.expand_pattern(place))
        except PagereelError:
            if unlisted is not None:
                unlisted.append(place)
    return iter(found)


def _has_recording_name(name: str) -> bool:
    last = name.rpartition("/")[2]
    return last.lower().endswith(ENDINGS) and not last.startswith(".")


def _get_file_fingerprint(source: str) -> str:
    if remote_stores.is_url(source):
        return remote_stores.compute_file_fingerprint(source)
    status = Path(source).stat()
    return f"{status.st_size} {status.st_mtime_ns}"


def _get_seconds_since_write(source: str) -> float:
    """Return the seconds since a file was last written to; infinity for a file in a store, which is always complete."""
    return float("inf") if remote_stores.is_url(source) else time.time() - Path(source).stat().st_mtime


def _is_sealed_recording(source: str) -> bool:
    """Return whether a recording is sealed. An unsealed one is still under way, or its recorder was killed."""
    if remote_stores.is_url(source) or not source.endswith(".reel"):
        return True
    with open_any(source) as reel:
        return reel.sealed


def _is_recording(source: str) -> bool:
    if remote_stores.is_url(source):
        return True
    path = Path(source)
    with suppress(ReelError), path.open("rb") as file:
        return bool(detect_kind(path, file))
    return False
