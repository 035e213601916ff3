"""The state that all endpoints share: a library for each thread, files that are made once, and two worker processes.

One process (:mod:`.worker`) handles uploads, the other makes replays and pages, so that an upload delays no viewer.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from pagereel.errors import UsageError
from pagereel.library.catalogue import CatalogueEntry
from pagereel.library.library import CATALOGUE, SERVED, Library
from pagereel.library.recording_store import MASKED, build_pair_suffix
from pagereel.reading import RecordedRun, open_recording
from pagereel.redaction import is_masked_by_policy

from . import worker_tasks
from .roles import STRICTNESS, Caller
from .worker import RequestRefusedError, Task, TaskLimits, TaskWorker, Work, has_task_failed, wait_for_task_result

READERS: Final = {"quick": 4, "run": 6, "upload": 2}
"""Number of threads for catalogue queries, for reading one recording, and for uploads: these kinds do not wait for
each other.
"""
_OPEN: Final = 6
"""Number of opened recordings that are cached."""
_GRACE_S: Final = 5.0
"""Seconds that a shutdown waits for the threads."""


class LibraryService:
    """The library that is served, with its threads and worker processes."""

    def __init__(self, folder: Path, limits: TaskLimits | None = None) -> None:
        self.folder = folder
        with Library(folder, create=False) as library:
            self.index = library.settings.index
            self.places = library.places
            library.catalogue  # noqa: B018 - made now, and not by the first who asks
        (folder / SERVED).mkdir(mode=0o700, exist_ok=True)
        (folder / SERVED).chmod(0o700)
        for left in (folder / SERVED).glob(".*"):
            left.unlink(missing_ok=True)
        self._local = threading.local()
        self._pools = {name: ThreadPoolExecutor(count, thread_name_prefix=name) for name, count in READERS.items()}
        self._taking, self._showing = TaskWorker(limits), TaskWorker(limits)
        self._guard = threading.Lock()
        self._making: dict[str, Work] = {}
        self._readings: OrderedDict[tuple[Path, int], RecordedRun] = OrderedDict()

    def stop_processes(self) -> None:
        """End the processes. Requests that wait for them fail at once, and no task begins any more."""
        self._taking.close()
        self._showing.close()

    def close(self) -> bool:
        """End the processes and the threads. Return whether all threads have ended, after waiting a moment for them."""
        self.stop_processes()
        until = time.monotonic() + _GRACE_S
        endings = [
            threading.Thread(target=pool.shutdown, kwargs={"cancel_futures": True}, daemon=True)
            for pool in self._pools.values()
        ]
        for ending in endings:
            ending.start()
        for ending in endings:
            ending.join(max(0.0, until - time.monotonic()))
        return not any(ending.is_alive() for ending in endings)

    def get_thread_pool(self, name: str) -> ThreadPoolExecutor:
        """Return the thread pool for a kind of request, one of :data:`READERS`."""
        return self._pools[name]

    def get_library(self, caller: Caller) -> Library:
        """Return this thread's open library; a catalogue that was rebuilt meanwhile is reopened."""
        known: Library | None = getattr(self._local, "library", None)
        if known is None:
            known = self._local.library = Library(self.folder, create=False)
            self._local.inode = None
        try:
            inode = (self.folder / CATALOGUE).stat().st_ino
        except FileNotFoundError:
            inode = None
        if inode != self._local.inode:
            known.close()
            known.catalogue  # noqa: B018
            self._local.inode = (self.folder / CATALOGUE).stat().st_ino
        known.user = caller.name
        return known

    def get_index_policy(self, caller: Caller) -> str | None:
        """Return the policy under which all runs in the index are masked; None where at least one run is unmasked."""
        return None if self.index is None or self.get_library(caller).catalogue.has_unmasked_runs() else self.index

    def get_catalogue_entry(self, caller: Caller, id: str) -> CatalogueEntry:
        """Return the files of a run. Raises RequestRefusedError (404)."""
        entry = self.get_library(caller).catalogue.get_entry(id)
        if entry is None:
            raise RequestRefusedError(404, f"There is no run {id[:80]}.")
        return entry

    def get_recording(self, entry: CatalogueEntry, policy: str | None, patience: float | None = None) -> Path:
        """Return the path of a run's recording, masked under a policy; without a policy, of the raw recording.

        `patience`, here and below: the seconds to wait for a file that must be made first; None: without limit. When
        they are over, FileNotReadyError is raised. Raises RequestRefusedError where this form of the recording is not kept.
        """
        if not entry.indexed:
            raise RequestRefusedError(409, "Only the figures of this run are kept.")
        alone = entry.place == entry.indexed and entry.place.startswith(f"{MASKED}/")
        if policy is None:
            if alone:
                raise RequestRefusedError(
                    409, "Only the masked copy of this run was stored; there is no raw recording."
                )
            return self._get_local_recording_path(entry, entry.place)
        indexed = self._get_local_recording_path(entry, entry.indexed)
        lesser = STRICTNESS[: STRICTNESS.index(policy)] if policy in STRICTNESS else ()
        if is_masked_by_policy(indexed, policy) or (
            alone and not any(is_masked_by_policy(indexed, each) for each in lesser)
        ):
            return indexed
        made = self.get_served_file_path(entry, f"{policy}.reel")
        place = self._get_local_recording_path(entry, entry.place)
        self.make_file_once(
            made, patience, worker_tasks.write_masked_copy, str(place), str(made), policy, sources=[place]
        )
        return made

    def _get_local_recording_path(self, entry: CatalogueEntry, name: str) -> Path:
        """Return a recording's path on this machine; for one in a store, that of a copy. Raises RequestRefusedError where it
        is gone.
        """
        path = self.places.get_lasting_path(entry, name)
        if not path.exists():
            raise RequestRefusedError(404, "The recording of this run is no longer where it was.")
        return path

    def open_reading(self, entry: CatalogueEntry, policy: str | None, patience: float | None = None) -> RecordedRun:
        """Return a run's recording, opened for queries."""
        path = self.get_recording(entry, policy, patience)
        key = path, path.stat().st_mtime_ns
        with self._guard:
            known = self._readings.get(key)
            if known is not None:
                self._readings.move_to_end(key)
                return known
        made = open_recording(path)
        with self._guard:
            self._readings[key] = made
            while len(self._readings) > _OPEN:
                self._readings.popitem(last=False)
        return made

    def get_replay(self, entry: CatalogueEntry, policy: str | None) -> Path:
        """Return the path of a run's replay under a policy; the file is made at the first call."""
        source = self.get_recording(entry, policy)
        made = self.get_served_file_path(entry, f"{policy or 'raw'}.{worker_tasks.get_player_hash()}.html")
        self.make_file_once(made, None, worker_tasks.write_replay, str(source), str(made), sources=[source])
        return made

    def get_pair_page(
        self, a: CatalogueEntry, b: CatalogueEntry, policy: str | None, patience: float | None = None
    ) -> Path:
        """Return the path of a page that shows two runs under a policy. A JSON file of the same name has the
        comparison. Both files are made at the first call.
        """
        made = self.get_served_file_path(
            a, f"{build_pair_suffix(b.id)}.{b.sha256[:16]}.{policy or 'raw'}.{worker_tasks.get_player_hash()}.html"
        )
        for entry in (a, b):
            if not entry.place:
                raise RequestRefusedError(409, f"Only the figures of the run {entry.id} are kept.")
        paths = [self._get_local_recording_path(entry, entry.place) for entry in (a, b)]
        self.make_file_once(
            made,
            patience,
            worker_tasks.write_comparison_page,
            *map(str, paths),
            policy,
            str(made),
            (a.id[:12], b.id[:12]),
            sources=paths,
        )
        return made

    def run_upload(self, task: Task, *given: Any, upload: Path) -> dict[str, Any]:
        """Run a task on an uploaded file, and return its result. Raises RequestRefusedError for faults of the recording or of
        the client.
        """
        return wait_for_task_result(self._taking.queue_task(task, *given, size=upload.stat().st_size))

    @property
    def is_builder_running(self) -> bool:
        """Return whether the process that makes replays and pages is running."""
        return self._showing.is_started

    def warm_up_builder(self, policy: str | None) -> None:
        """Start the process that makes replays, because a run will probably be opened soon and loading the models takes
        seconds. Does nothing if `policy` is that of the index, whose recordings need no masking.
        """
        if policy is not None and policy != self.index and not self.is_builder_running:
            self._showing.queue_task(worker_tasks.load_models)

    def make_file_once(
        self, destination: Path, patience: float | None, task: Task, *given: Any, sources: Sequence[Path] = ()
    ) -> None:
        """Make the file `destination` by a task in a worker process, unless it exists; parallel requests wait for the same
        task.

        `sources`: the recordings that the task reads. If the task fails after a request has stopped waiting, the next
        request gets its error.
        """
        with self._guard:
            held = self._making.get(destination.name)
            if destination.exists():
                self._making.pop(destination.name, None)
                return
            if held is None or (held.done() and (patience is None or not has_task_failed(held))):
                size = sum(path.stat().st_size for path in sources)
                held = self._making[destination.name] = self._showing.queue_task(task, *given, size=size)
        try:
            wait_for_task_result(held, patience)
        finally:
            with self._guard:
                if held.done() and self._making.get(destination.name) is held:
                    del self._making[destination.name]
                    for left in destination.parent.glob(f".*{destination.stem}*") if has_task_failed(held) else ():
                        left.unlink(missing_ok=True)  # a partial file

    def get_served_file_path(self, entry: CatalogueEntry, name: str) -> Path:
        """Return the path for a file made of a run; it is deleted with the run."""
        return self.folder / SERVED / f"{entry.id}.{entry.sha256[:16]}.{name}"


def raise_if_not_writable(folder: Path) -> None:
    """Raise UsageError where the folder of a library cannot be written."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a library; `pagereel library add {folder} run.reel` begins one.")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{folder} cannot be written, so no access can be logged; make it writable.")
