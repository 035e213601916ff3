"""Adds recordings to a library: prepares each, stores its files, logs it, and writes it into the catalogue."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

import orjson

from pagereel.errors import PagereelError, UsageError
from pagereel.reel import job_executors, remote_stores

from .audit_log import parse_line_time
from .catalogue import CatalogueEntry
from .intake import IntakeJob, PreparedRecording, prepare_recording, read_recording_identity
from .library_folder import FACTS, LibraryFolder
from .retention import write_expiry_time
from .run_facts import IndexedRunFacts, read_run_facts

_BEGUN: Final = "taking.json"
"""File that describes the addition under way."""


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding a recording.

    `did` is ``added``; ``known``, if the library already has the same file, or the raw recording of which this file is
    a masked copy; or ``replaced``, if it took the place of another recording with the same id.
    """

    id: str
    did: Literal["added", "known", "replaced"]


class LibraryIntake(LibraryFolder):
    """The methods of a library that add recordings."""

    def add(self, path: str | os.PathLike[str], *, link: bool = False, masked: bool = False) -> Added:
        """Add a recording of any kind that can be opened. If the library has it already, nothing is done.

        A recording that was cut off can be added again when it is complete.

        :param path: a path, or an address that fsspec knows.
        :param link: leave the file where it is, and index it there.
        :param masked: keep only the masked copy.
        :raises ReelError: it is no recording, or cannot be read; LockedError: its key is not given. Nothing is added
            then.
        :raises UsageError: the library has no policy to mask it with, or cannot be written.
        """
        self._raise_if_options_conflict(link, masked)
        with self.temporary_folder() as scratch:
            intake = self._build_intake_job(os.fspath(path), scratch, link, masked)
            return self._find_known_run(intake) or self._store_prepared_recording(prepare_recording(intake))

    def add_many(
        self,
        paths: Sequence[str | os.PathLike[str]],
        *,
        link: bool = False,
        masked: bool = False,
        jobs: int = 1,
        executor: str | job_executors.Executor = "processes",
        again: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> Iterator[tuple[str, Added | None, str | None]]:
        """Add many recordings. Yield for each, when it is done, its name, and the result or the error in one sentence.

        :param jobs: the number of recordings that are prepared at a time; each needs about 400 MB with language models.
        :param executor: what prepares them: ``processes``, ``dask``, ``ray``, or a function of your own (see
            ``build_many``). Other machines need access to the recordings, and to the library's store or folder.
        :param again: add also recordings that were deleted from the library before.
        :param progress: called after each with the number of finished recordings, and of all.
        """
        if jobs < 1:
            raise UsageError(f"jobs={jobs} adds nothing; give at least 1.")
        self._raise_if_options_conflict(link, masked)
        run = job_executors.choose_executor(executor)
        deleted = {} if again else self.book.read_state().deleted
        names = list(dict.fromkeys(os.fspath(path) for path in paths))
        done = 0
        with self.temporary_folder() as scratch:
            todo: list[IntakeJob] = []
            for name in names:
                added, error = self._find_result_or_queue(name, scratch, link, masked, deleted, todo)
                if added is not None or error is not None:
                    done += 1
                    yield name, added, error
            for taken in run(todo, jobs) if todo else ():
                done += 1
                added = error = None
                try:
                    unwanted = taken.error is None and deleted.get(taken.id) == taken.sha256
                    added = Added(taken.id, "known") if unwanted else self._store_prepared_recording(taken)
                except PagereelError as problem:
                    error = str(problem)
                if progress is not None:
                    progress(done, len(names))
                yield taken.source, added, error

    def _find_result_or_queue(
        self,
        source: str,
        temporary_folder: Path,
        link: bool,
        masked: bool,
        deleted: Mapping[str, str],
        jobs: list[IntakeJob],
    ) -> tuple[Added | None, str | None]:
        """Return the result, or the error, for a recording that need not be prepared; else append its job to `jobs`."""
        try:
            intake = self._build_intake_job(source, temporary_folder, link, masked)
            known = self._find_known_run(intake, deleted)
        except PagereelError as error:
            return None, str(error)
        if known is None:
            jobs.append(intake)
        return known, None

    def _raise_if_options_conflict(self, link: bool, masked: bool) -> None:
        """Raise UsageError if `masked` is combined with `link`, or given for a library that does not mask."""
        if masked and (link or self.settings.index is None):
            raise UsageError(
                "A linked recording keeps its raw file, so a masked copy alone is impossible; leave out link."
                if link
                else 'This library masks nothing (index = "off"): there is no masked copy to keep.'
            )

    def _build_intake_job(self, source: str, scratch: Path, link: bool, masked: bool) -> IntakeJob:
        settings = self.settings
        made = None if settings.store else str(scratch)
        return IntakeJob(source, str(self.folder), settings.index, settings.store, made, link, masked)

    def _find_known_run(self, intake: IntakeJob, deleted: Mapping[str, str] | None = None) -> Added | None:
        """Return ``Added(id, "known")`` for a file on this machine whose recording the library has, or whose hash is in
        `deleted` (run id to hash) because it was deleted before.

        Return None for any other file; it must be prepared.
        """
        if remote_stores.is_url(intake.source):
            return None
        id, sha256 = read_recording_identity(Path(intake.source))
        there = self.catalogue.get_entry(id)
        if (there is not None and self._has_same_recording(there, sha256)) or (deleted and deleted.get(id) == sha256):
            return Added(id, "known")
        return None

    def has_sealed_recording(self, id: str) -> bool:
        """Return whether the recording of a run is sealed, so that it will not grow any more."""
        row = self.catalogue.execute("SELECT sealed FROM run WHERE id = ?", (id,)).fetchone()
        return bool(row and row[0])

    def _has_same_recording(self, entry: CatalogueEntry, sha256: str) -> bool:
        """Return whether a run in the library has the recording with this hash, and its files are there."""
        return entry.sha256 == sha256 and (entry.tier != "full" or self._has_recording_files(entry))

    def _store_prepared_recording(self, prepared: PreparedRecording) -> Added:
        """Store a prepared recording: move its files, write the log's line, and write the run into the catalogue."""
        if prepared.error is not None or prepared.facts is None:
            raise UsageError(prepared.error or f"{prepared.source} was not read.")
        with self.writer_lock():
            there = self.catalogue.get_entry(prepared.id)
            if there is not None and self._has_same_recording(there, prepared.sha256):
                return Added(prepared.id, "known")
            if there is not None and self.has_sealed_recording(there.id):
                if there.tier == "full" and there.place != there.indexed and prepared.place == prepared.indexed:
                    return Added(prepared.id, "known")  # a masked copy of a recording that the library has raw
                if hold := next((hold for hold in self.catalogue.list_holds() if hold.id == there.id), None):
                    raise UsageError(
                        f"The run {there.id} is on hold ({hold.why}) and cannot be replaced by another recording; release it first."
                    )
            place, indexed, files = _choose_unused_names(prepared, there)
            entry = CatalogueEntry(prepared.id, prepared.sha256, place, indexed)
            line = {"did": "add", "run": entry.id, "sha256": entry.sha256, "place": place, "indexed": indexed,
                    "from": prepared.source.rpartition("/")[2]}  # fmt: skip
            with self._record_pending_addition(line, [name for _, name in files]):
                for made, name in files:
                    self.places.move_into_place(Path(made), name)
                if not self._has_recording_files(entry):
                    raise UsageError(f"{prepared.source} is no longer at {place}; add it again.")
                entry = replace(entry, added=parse_line_time(self.note(line)))
                self._write_into_catalogue(entry, prepared.facts, there)
        return Added(prepared.id, "replaced" if there is not None else "added")

    def _write_into_catalogue(
        self, entry: CatalogueEntry, facts: IndexedRunFacts, replaced: CatalogueEntry | None
    ) -> None:
        """Write a run that the log has into the catalogue, and delete the files of the recording `replaced` that it
        replaces.
        """
        entry = replace(entry, bytes=self.places.measure_run_size(entry))
        self.catalogue.write_run(entry, facts)
        if replaced is not None:
            for name in {replaced.place, replaced.indexed} - {entry.place, entry.indexed}:
                self.places.remove_file(name)
            (self.folder / FACTS / f"{entry.id}.json").unlink(missing_ok=True)
            self.delete_derived_files(entry.id)
        if self.settings.retention:
            write_expiry_time(self, entry)

    @contextmanager
    def _record_pending_addition(self, line: Mapping[str, Any], files: Sequence[str]) -> Iterator[None]:
        """Write the files of an addition into a record on disk, and delete the record when the block ends.

        If this process is killed in between, the next writer completes or undoes the addition by this record.
        """
        path = self.folder / _BEGUN
        made = path.with_name(f".{_BEGUN}")
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(orjson.dumps({"line": line, "files": files}))
        os.replace(made, path)
        try:
            yield
        except PagereelError:
            self._finish_pending_addition()
            raise
        path.unlink(missing_ok=True)

    def _finish_pending_addition(self) -> None:
        path = self.folder / _BEGUN
        try:
            begun = orjson.loads(path.read_bytes())
        except FileNotFoundError:
            return
        line, files = begun["line"], begun["files"]
        entry = self.book.read_state().entries.get(line["run"])
        if entry is not None and (entry.sha256, entry.place, entry.indexed) == (line["sha256"], line["place"], line["indexed"]):  # fmt: skip
            known = self.catalogue.get_entry(entry.id)
            if known is None or (known.sha256, known.place) != (entry.sha256, entry.place):
                with suppress(PagereelError), self.places.open_local_file(entry.indexed) as indexed:
                    self._write_into_catalogue(entry, read_run_facts(indexed), known)
        else:
            kept = () if entry is None else (entry.place, entry.indexed)
            for name in files:
                if name not in kept:
                    self.places.remove_file(name)
        path.unlink(missing_ok=True)


def _choose_unused_names(
    prepared: PreparedRecording, present_entry: CatalogueEntry | None
) -> tuple[str, str, list[tuple[str, str]]]:
    """Choose file names in the library for a recording and its masked copy. Return both names, and a list of (temporary
    file, name) to move.

    A name that the present recording of the same id uses is not chosen, because its files stay valid until the log
    names the new ones.
    """
    held = () if present_entry is None else (present_entry.place, present_entry.indexed)
    names = {}
    for _, name in prepared.files:
        folder, _, file = name.rpartition("/")
        own = file.replace(prepared.id, f"{prepared.id}.{prepared.sha256[:16]}", 1)
        names[name] = f"{folder}/{own}" if name in held else name
    return (
        names.get(prepared.place, prepared.place),
        names.get(prepared.indexed, prepared.indexed),
        [(made, names[name]) for made, name in prepared.files],
    )
