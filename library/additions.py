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
from pagereel.reel import engines, stores

from .audit_log import moment_of
from .catalogue import Entry
from .facts import Facts, facts_of
from .folder import FACTS, LibraryFolder
from .intake import Intake, PreparedRecording, identity, prepare
from .retention import write_expiry

_BEGUN: Final = "taking.json"
"""File that describes the addition under way."""


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding a recording. `did`: ``added``; ``known``, if the library has the same file, or the raw
    recording of which this is a masked copy; or ``replaced``, if it took the place of another recording with its id.
    """

    id: str
    did: Literal["added", "known", "replaced"]


class LibraryIntake(LibraryFolder):
    """The methods of a library that add recordings."""

    def add(self, path: str | os.PathLike[str], *, link: bool = False, masked: bool = False) -> Added:
        """Add a recording of any kind that can be opened. Adding it again does nothing; a recording that was cut off
        can be added again.

        :param path: a path, or an address that fsspec knows. :param link: leave the file where it is, and index it
        there. :param masked: keep only the masked copy.
        :raises ReelError: it is no recording, or cannot be read; LockedError: its key is not given. Nothing is
        added then.
        :raises UsageError: the library has no policy to mask it with, or cannot be written.
        """
        self._check_options(link, masked)
        with self.scratch() as scratch:
            intake = self._intake(os.fspath(path), scratch, link, masked)
            return self._known(intake) or self._write(prepare(intake))

    def add_many(
        self,
        paths: Sequence[str | os.PathLike[str]],
        *,
        link: bool = False,
        masked: bool = False,
        jobs: int = 1,
        executor: str | engines.Executor = "processes",
        again: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> Iterator[tuple[str, Added | None, str | None]]:
        """Add many recordings. Yield for each, as it is done, its name and the result, or the error in one sentence.

        :param jobs: how many at a time; one needs about 400 MB with language models.
        :param executor: what prepares them: ``processes``, ``dask``, ``ray``, or a function of your own (see
        ``build_many``). Other machines need access to the recordings, and to the library's store or folder.
        :param again: also those that were deleted.
        """
        if jobs < 1:
            raise UsageError(f"jobs={jobs} adds nothing; give at least 1.")
        self._check_options(link, masked)
        run = engines.executor_of(executor)
        deleted = {} if again else self.book.state().deleted
        names = list(dict.fromkeys(os.fspath(path) for path in paths))
        done = 0
        with self.scratch() as scratch:
            todo: list[Intake] = []
            for name in names:
                added, error = self._known_or_queued(name, scratch, link, masked, deleted, todo)
                if added is not None or error is not None:
                    done += 1
                    yield name, added, error
            for taken in run(todo, jobs) if todo else ():
                done += 1
                added = error = None
                try:
                    unwanted = taken.error is None and deleted.get(taken.id) == taken.sha256
                    added = Added(taken.id, "known") if unwanted else self._write(taken)
                except PagereelError as problem:
                    error = str(problem)
                if progress is not None:
                    progress(done, len(names))
                yield taken.source, added, error

    def _known_or_queued(
        self, name: str, scratch: Path, link: bool, masked: bool, deleted: Mapping[str, str], todo: list[Intake]
    ) -> tuple[Added | None, str | None]:
        """Return the result for a recording that need not be prepared, or an error; else append its job to `todo`."""
        try:
            intake = self._intake(name, scratch, link, masked)
            known = self._known(intake, deleted)
        except PagereelError as error:
            return None, str(error)
        if known is None:
            todo.append(intake)
        return known, None

    def _check_options(self, link: bool, masked: bool) -> None:
        """Raise UsageError where `masked` is given together with `link`, or for a library that masks nothing."""
        if masked and (link or self.settings.index is None):
            raise UsageError(
                "A linked recording keeps its raw file, so a masked copy alone is impossible; leave out link."
                if link
                else 'This library masks nothing (index = "off"): there is no masked copy to keep.'
            )

    def _intake(self, name: str, scratch: Path, link: bool, masked: bool) -> Intake:
        settings = self.settings
        made = None if settings.store else str(scratch)
        return Intake(name, str(self.folder), settings.index, settings.store, made, link, masked)

    def _known(self, intake: Intake, deleted: Mapping[str, str] | None = None) -> Added | None:
        """Return the result ``known`` for a file on this machine that the library has, or that `deleted` names; None
        for any other file, which must be prepared.
        """
        if stores.is_url(intake.source):
            return None
        id, sha256 = identity(Path(intake.source))
        there = self.catalogue.entry(id)
        if (there is not None and self._same(there, sha256)) or (deleted and deleted.get(id) == sha256):
            return Added(id, "known")
        return None

    def is_whole(self, id: str) -> bool:
        """Return whether the recording of a run is sealed, so that it will not grow any more."""
        row = self.catalogue.execute("SELECT sealed FROM run WHERE id = ?", (id,)).fetchone()
        return bool(row and row[0])

    def _same(self, entry: Entry, sha256: str) -> bool:
        return entry.sha256 == sha256 and (entry.tier != "full" or self._exists(entry))

    def _write(self, taken: PreparedRecording) -> Added:
        """Store a prepared recording."""
        if taken.error is not None or taken.facts is None:
            raise UsageError(taken.error or f"{taken.source} was not read.")
        with self.locked():
            there = self.catalogue.entry(taken.id)
            if there is not None and self._same(there, taken.sha256):
                return Added(taken.id, "known")
            if there is not None and self.is_whole(there.id):
                if there.tier == "full" and there.place != there.indexed and taken.place == taken.indexed:
                    return Added(taken.id, "known")  # a masked copy of a recording that the library has raw
                if hold := next((hold for hold in self.catalogue.holds() if hold.id == there.id), None):
                    raise UsageError(
                        f"The run {there.id} is on hold ({hold.why}) and cannot be replaced by another recording; release it first."
                    )
            place, indexed, files = _unused_names(taken, there)
            entry = Entry(taken.id, taken.sha256, place, indexed)
            line = {"did": "add", "run": entry.id, "sha256": entry.sha256, "place": place, "indexed": indexed,
                    "from": taken.source.rpartition("/")[2]}  # fmt: skip
            with self._announced(line, [name for _, name in files]):
                for made, name in files:
                    self.places.put(Path(made), name)
                if not self._exists(entry):
                    raise UsageError(f"{taken.source} is no longer at {place}; add it again.")
                entry = replace(entry, added=moment_of(self.note(line)))
                self._index_run(entry, taken.facts, there)
        return Added(taken.id, "replaced" if there is not None else "added")

    def _index_run(self, entry: Entry, facts: Facts, before: Entry | None) -> None:
        """Write a logged run into the catalogue, and remove the files that it replaces."""
        entry = replace(entry, bytes=self.places.sizes(entry))
        self.catalogue.put(entry, facts)
        if before is not None:
            for name in {before.place, before.indexed} - {entry.place, entry.indexed}:
                self.places.remove(name)
            (self.folder / FACTS / f"{entry.id}.json").unlink(missing_ok=True)
            self.forget_made(entry.id)
        if self.settings.retention:
            write_expiry(self, entry)

    @contextmanager
    def _announced(self, line: Mapping[str, Any], files: Sequence[str]) -> Iterator[None]:
        """Record the addition on disk while it lasts, so that the next writer can complete or undo it if this process
        is killed.
        """
        path = self.folder / _BEGUN
        made = path.with_name(f".{_BEGUN}")
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(orjson.dumps({"line": line, "files": files}))
        os.replace(made, path)
        try:
            yield
        except PagereelError:
            self._finish_taking()
            raise
        path.unlink(missing_ok=True)

    def _finish_taking(self) -> None:
        path = self.folder / _BEGUN
        try:
            begun = orjson.loads(path.read_bytes())
        except FileNotFoundError:
            return
        line, files = begun["line"], begun["files"]
        entry = self.book.state().entries.get(line["run"])
        if entry is not None and (entry.sha256, entry.place, entry.indexed) == (line["sha256"], line["place"], line["indexed"]):  # fmt: skip
            known = self.catalogue.entry(entry.id)
            if known is None or (known.sha256, known.place) != (entry.sha256, entry.place):
                with suppress(PagereelError), self.places.local(entry.indexed) as indexed:
                    self._index_run(entry, facts_of(indexed), known)
        else:
            kept = () if entry is None else (entry.place, entry.indexed)
            for name in files:
                if name not in kept:
                    self.places.remove(name)
        path.unlink(missing_ok=True)


def _unused_names(taken: PreparedRecording, there: Entry | None) -> tuple[str, str, list[tuple[str, str]]]:
    """Return the stored names of a recording and of its masked copy, and pairs of each made file and its name.

    A name is changed if a file of the present recording with this id has it: those files stay valid until the log has
    the new ones.
    """
    held = () if there is None else (there.place, there.indexed)
    names = {}
    for _, name in taken.files:
        folder, _, file = name.rpartition("/")
        own = file.replace(taken.id, f"{taken.id}.{taken.sha256[:16]}", 1)
        names[name] = f"{folder}/{own}" if name in held else name
    return (
        names.get(taken.place, taken.place),
        names.get(taken.indexed, taken.indexed),
        [(made, names[name]) for made, name in taken.files],
    )
