"""The methods of a library that keep, flag, thin and delete runs."""

from __future__ import annotations

import time

from pagereel.errors import UsageError

from .catalogue import RetentionHold
from .figures import write_changed_days
from .library_folder import LibraryFolder
from .retention import (
    Expired,
    delete_unused_resources,
    expire_runs,
    find_deleted_in_catalogue,
    find_leftover_files,
    finish_thinning,
)


class LibraryRetention(LibraryFolder):
    """The part of a library that keeps, flags, thins and deletes runs."""

    def keep(self, id: str, why: str, until: float | None = None) -> str:
        """Keep a run regardless of its age, until a time (ms since 1970) or, with None, until it is released.

        :returns: the run's id. :raises UsageError: there is no such run, or `why` is empty or too long.
        """
        if not why.strip() or len(why) > 2_000:
            raise UsageError('Give a reason of at most 2,000 characters with --why "…"; it is written into the log.')
        entry = self.resolve(id)
        with self.writer_lock():
            self.note({"did": "keep", "run": entry.id, "why": why, "until": until})
            self.catalogue.write_hold(RetentionHold(entry.id, why, until), entry.id)
        return entry.id

    def release(self, id: str) -> str:
        """Release a run that was kept. Return its id. Raises UsageError."""
        entry = self.resolve(id)
        with self.writer_lock():
            self.note({"did": "release", "run": entry.id})
            self.catalogue.write_hold(None, entry.id)
        return entry.id

    def flag(self, id: str, name: str, on: bool = True) -> str:
        """Set a flag of a run (found by ``flag:NAME``), or remove it. Return the run's id. Raises UsageError."""
        if not name.strip() or len(name) > 100:
            raise UsageError("A flag is one word of at most 100 characters.")
        entry = self.resolve(id)
        with self.writer_lock():
            self.note({"did": "flag", "run": entry.id, "flag": name.casefold(), "on": on})
            self.catalogue.write_flag(entry.id, name.casefold(), on)
        return entry.id

    def expire(self, now: float | None = None, *, dry_run: bool = False) -> Expired:
        """Thin and delete the runs that are due at `now` by ``[retention]`` of ``library.toml``. Return the result for
        each run.

        `now` is in ms since 1970; None: the present time. Runs on hold (:meth:`keep`) are not changed. With `dry_run`
        no run is changed. The index, cached replays, shared resources and the Parquet files of each day are updated.
        """
        at = time.time() * 1_000 if now is None else now
        if not dry_run:
            with self.writer_lock():
                finish_thinning(self)
        told = expire_runs(self, at, dry_run=dry_run)
        if not dry_run:
            self._erase_derived_data()
        return told

    @property
    def has_expiring_runs(self) -> bool:
        """Return whether any run's recording has an expiry time in its header."""
        (found,) = self.catalogue.execute("SELECT count(*) FROM run WHERE expires IS NOT NULL").fetchone()
        return bool(found)

    def delete(self, id: str, why: str = "", *, settle: bool = True) -> None:
        """Delete a run: its files, its lines, and the replays and pages made of it. A linked recording is not deleted.

        :param settle: also update at once the data that is derived of several runs (index, shared resources, Parquet
            files); otherwise the next :meth:`expire` updates them.
        :raises UsageError: there is no run of that id, or it is on hold.
        """
        with self.writer_lock():
            entry = self.resolve(id)
            now = time.time() * 1_000
            for hold in self.catalogue.list_holds():
                if settle and hold.id == entry.id and (hold.until is None or hold.until > now):
                    raise UsageError(f"The run {entry.id} is on hold ({hold.why}); release it first.")
            self.note({"did": "delete", "run": entry.id, "why": why})
            self.catalogue.delete_run(entry.id)
            self.delete_run_files(entry)
        if settle:
            self._erase_derived_data()

    def find_leftovers(self) -> list[str]:
        """Return the files of runs that the log says are deleted, by their names, and such runs in the catalogue, by
        their ids.

        There are none unless a process was killed or somebody copied files there.
        """
        return find_leftover_files(self) + find_deleted_in_catalogue(self)

    def _erase_derived_data(self) -> None:
        """Remove the data of thinned and deleted runs from everything derived of several runs: the index, shared
        resources and Parquet files.
        """
        with self.writer_lock():
            for name in find_leftover_files(self):
                self.places.remove_file(name)
            for id in find_deleted_in_catalogue(self):
                self.catalogue.delete_run(id)
            delete_unused_resources(self)
            self.catalogue.compact_storage(deleted=True)
            if self.settings.parquet is not None:
                write_changed_days(self.catalogue, self.settings.parquet)
