"""The folder of a library: its files, its log, its catalogue, and one writer at a time."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pagereel.errors import PagereelError, UsageError

from .audit_log import LOG, LibraryLog
from .catalogue import FILE, Catalogue, CatalogueEntry, open_catalogue
from .intake import IntakeJob, prepare_recording
from .recording_store import INCOMING, MASKED, RECORDINGS, SERVED, RecordingStore, build_pair_suffix
from .retention import build_thinned_facts, finish_thinning
from .run_facts import IndexedRunFacts, read_run_facts
from .settings import NAME, load_settings, load_settings_for_policy

CATALOGUE: Final = FILE
FACTS: Final = "facts"
"""Folder with the figures of thinned runs, as they were before."""
_LOCK: Final = "library.lock"


class LibraryFolder:
    """A folder of recordings with a log of all actions, and a catalogue that is derived from both."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        create: bool = True,
        user: str | None = None,
        redaction: str | None = None,
    ) -> None:
        """Open a library; with `create`, a missing or empty folder becomes one. `user`: the name in the log; None: the
        user of this process. `redaction`: the policy under which a new library masks what it indexes, or ``off``; it
        stands in ``library.toml`` from then on.

        :raises UsageError: the folder is no library, or cannot be used, or masks under another policy.
        """
        self.folder = Path(folder)
        self.user = user
        self._catalogue: Catalogue | None = None
        self._held = 0
        self.unread: dict[str, str] = {}
        """Run → why the last :meth:`rebuild` left it out: its files could not be read."""
        known = any((self.folder / name).exists() for name in (LOG, CATALOGUE, RECORDINGS))
        if not known and not create:
            raise UsageError(
                f"{self.folder} is not a library; `pagereel library add {self.folder} run.reel` begins one."
            )
        if not known and self.folder.is_dir() and not _is_empty_but_for_settings(self.folder):
            raise UsageError(f"{self.folder} holds other files and is not a library; give an empty or new folder.")
        try:
            for name in (RECORDINGS, MASKED):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
                (self.folder / name).chmod(0o700)
        except OSError as error:
            raise UsageError(f"The library {self.folder} cannot be written: {error.strerror or error}.") from None
        self.settings = (
            load_settings(self.folder)
            if redaction is None
            else load_settings_for_policy(self.folder, redaction, is_new=not known)
        )
        self.places = RecordingStore(self.folder, self.settings.store)
        self.book = LibraryLog(self.folder)

    def reload_retention_rules(self) -> None:
        """Read the retention rules in ``library.toml`` again, because they may change while a watcher runs for months.
        Other settings are read only on opening.
        """
        self.settings = replace(self.settings, retention=load_settings(self.folder).retention)

    def close(self) -> None:
        """Close the catalogue. The next use opens it again."""
        if self._catalogue is not None:
            self._catalogue.close()
            self._catalogue = None

    @property
    def catalogue(self) -> Catalogue:
        """Return the catalogue. It is built first if it is missing or of another version, and opened again if another
        process has rebuilt it.
        """
        if self._catalogue is not None and not self._catalogue.is_usable:
            self.close()
        if self._catalogue is None:
            opened = self._open_catalogue()
            if not opened.has_current_version or (opened.fresh and self.book.path.exists()):
                opened.close()
                self.rebuild()
                opened = self._open_catalogue()
            self._catalogue = opened
        return self._catalogue

    def _open_catalogue(self, new: str = "") -> Catalogue:
        return open_catalogue(self.folder, self.settings.catalogue, self.settings.schema, new)

    def resolve(self, id: str) -> CatalogueEntry:
        """Return the run whose id is `id` or begins with it. Raises UsageError where there is none, or more than one."""
        entry = self.catalogue.get_entry(id)
        if entry is not None:
            return entry
        found = self.catalogue.list_ids(id) if id else []
        if len(found) != 1:
            raise UsageError(f"{len(found) or 'No'} runs of {self.folder} have an id that begins with {id!r}.")
        entry = self.catalogue.get_entry(found[0])
        assert entry is not None
        return entry

    def rebuild(self) -> int:
        """Rebuild the catalogue from the recordings and the log. Return the number of its runs."""
        self.close()
        self.unread = {}
        with self.writer_lock():
            fresh = self._open_catalogue(f"{secrets.token_hex(6)}")
            try:
                self._catalogue = fresh
                finish_thinning(self)
                told = self.book.read_state()
                for entry in list(told.entries.values()):
                    facts = None
                    try:
                        facts = self._read_run_facts(entry)
                        if facts is not None and facts.policy is None and self.settings.index and entry.tier == "full":
                            entry, facts = self._mask_added_recording(entry)
                    except PagereelError as error:
                        self.unread[entry.id] = str(error)
                    if facts is not None:
                        fresh.write_run(replace(entry, bytes=self.places.measure_run_size(entry)), facts)
                for hold in told.holds.values():
                    fresh.write_hold(hold, hold.id)
                for id, flags in told.flags.items():
                    for flag in flags:
                        fresh.write_flag(id, flag, True)
                for name, file in told.expected.items():
                    fresh.write_expected_runs(name, (self.folder / file).read_text("utf-8").splitlines())
                count = len(fresh.list_ids())
                self._catalogue = None
                fresh.replace_current_catalogue()
            finally:
                self._catalogue = None
                fresh.discard_if_unused()
        return count

    def _read_run_facts(self, entry: CatalogueEntry) -> IndexedRunFacts | None:
        """Read the facts of a run from its files; None where the files are gone."""
        if entry.tier == "facts":
            return build_thinned_facts(self.folder, entry, None)
        if not self._has_recording_files(entry):
            return None
        with self.places.open_local_file(entry.indexed) as path:
            return read_run_facts(path) if entry.tier == "full" else build_thinned_facts(self.folder, entry, path)

    def _mask_added_recording(self, entry: CatalogueEntry) -> tuple[CatalogueEntry, IndexedRunFacts]:
        """Mask a recording that was added while ``library.toml`` masked nothing."""
        with self.temporary_folder() as scratch, self.places.open_local_file(entry.place) as path:
            made = None if self.settings.store else str(scratch)
            taken = prepare_recording(IntakeJob(str(path), str(self.folder), self.settings.index, self.settings.store, made, link=True))  # fmt: skip
            for file, name in taken.files:
                self.places.move_into_place(Path(file), name)
        assert taken.facts is not None
        self.note({"did": "mask", "run": entry.id, "indexed": taken.indexed})
        return replace(entry, indexed=taken.indexed), taken.facts

    def get_logged_entry(self, id: str) -> CatalogueEntry | None:
        """Return the files of a run according to the log, which has a new run before the catalogue does; None: there is
        no such run.
        """
        return self.book.read_state().entries.get(id)

    def _has_recording_files(self, entry: CatalogueEntry) -> bool:
        return self.places.has_file(entry.place) and self.places.has_file(entry.indexed)

    def delete_derived_files(self, id: str) -> None:
        """Delete the files that were made of a run: its replays, its masked copies for viewers, and pages of two runs."""
        for pattern in (f"{id}.*", f"*.{build_pair_suffix(id)}.*"):
            for made in (self.folder / SERVED).glob(pattern):
                made.unlink(missing_ok=True)

    def delete_run_files(self, entry: CatalogueEntry) -> None:
        """Delete all files of a run. A linked recording stays."""
        for name in {entry.place, entry.indexed, self.places.get_masked_name(entry.id, entry.sha256)}:
            self.places.remove_file(name)
        (self.folder / FACTS / f"{entry.id}.json").unlink(missing_ok=True)
        self.delete_derived_files(entry.id)

    def note(self, line: Mapping[str, Any]) -> Mapping[str, Any]:
        """Append a line to the log, with the time and the user, and return it. Raises UsageError where it cannot be written."""
        return self.book.append_line(line, self.user)

    def log(self) -> tuple[list[Mapping[str, Any]], bool]:
        """Return the log's lines, and whether each contains the hash of the line before it."""
        return self.book.read_lines()

    @contextmanager
    def writer_lock(self) -> Iterator[None]:
        """Hold the library's lock for writing, which only one process can have at a time.

        At first remove the temporary files of writers that were killed, and complete or undo their additions.
        """
        if self._held:
            yield
            return
        fd = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock_file(fd)
            self._held += 1
            for name in (RECORDINGS, MASKED, FACTS):
                for left in (self.folder / name).glob(".*"):
                    left.unlink(missing_ok=True)
            for scratch in (self.folder / INCOMING).glob("*"):
                _remove_abandoned_folder(scratch)
            for left in self.folder.glob(f".{CATALOGUE}.*"):
                left.unlink(missing_ok=True)
            self._finish_pending_addition()
            yield
        finally:
            self._held = 0
            os.close(fd)

    def _finish_pending_addition(self) -> None:
        """Complete or undo the addition of a recording by a process that was killed."""

    @contextmanager
    def temporary_folder(self) -> Iterator[Path]:
        """Yield a temporary folder inside the library's folder, locked so that no other process removes it."""
        while True:
            folder = self.folder / INCOMING / secrets.token_hex(8)
            folder.mkdir(mode=0o700, parents=True)
            fd = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
            _lock_file(fd)
            if (folder / ".lock").exists():
                break
            os.close(fd)  # another writer removed the folder as an abandoned one before it was locked
        try:
            yield folder
        finally:
            os.close(fd)
            shutil.rmtree(folder, ignore_errors=True)


def _lock_file(fd: int, *, wait: bool = True) -> None:
    """Lock an open file until it is closed. Does nothing where the system has no such locks. Raises OSError if another
    process has the lock and `wait` is False.
    """
    with suppress(ImportError):
        import fcntl

        fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _remove_abandoned_folder(folder: Path) -> None:
    """Remove a temporary folder of a process that was killed."""
    with suppress(OSError):
        fd = os.open(folder / ".lock", os.O_RDWR)
        try:
            _lock_file(fd, wait=False)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(fd)


def _is_empty_but_for_settings(folder: Path) -> bool:
    return all(path.name == NAME for path in folder.iterdir())
