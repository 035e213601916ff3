"""What is kept of a library's runs, and for how long."""

from __future__ import annotations

import time

from pagereel.errors import UsageError

from .catalogue import Hold
from .figures import write_days
from .folder import LibraryFolder
from .retention import Expired, expire, finish, ghosts, leftovers, prune_shared


class LibraryRetention(LibraryFolder):
    """What holds, flags, thins and deletes runs."""

    def keep(self, id: str, why: str, until: float | None = None) -> str:
        """Keep a run whatever its age, `until` a moment (ms since 1970) or for good, and return its id. Raises UsageError: there is none, or no reason."""
        if not why.strip() or len(why) > 2_000:
            raise UsageError('Say why, in at most 2,000 characters: --why "…" stands in the log.')
        entry = self.resolve(id)
        with self.locked():
            self.note({"did": "keep", "run": entry.id, "why": why, "until": until})
            self.catalogue.hold(Hold(entry.id, why, until), entry.id)
        return entry.id

    def release(self, id: str) -> str:
        """Keep a run no longer than its age allows, and return its id. Raises UsageError."""
        entry = self.resolve(id)
        with self.locked():
            self.note({"did": "release", "run": entry.id})
            self.catalogue.hold(None, entry.id)
        return entry.id

    def flag(self, id: str, name: str, on: bool = True) -> str:
        """Put a flag on a run (found by ``flag:NAME``), or take it away, and return the run's id. Raises UsageError."""
        if not name.strip() or len(name) > 100:
            raise UsageError("A flag is a word, of at most 100 characters.")
        entry = self.resolve(id)
        with self.locked():
            self.note({"did": "flag", "run": entry.id, "flag": name.casefold(), "on": on})
            self.catalogue.flag(entry.id, name.casefold(), on)
        return entry.id

    def expire(self, now: float | None = None, *, dry_run: bool = False) -> Expired:
        """Thin and delete what ``[retention]`` of ``library.toml`` says is over at `now` (ms since 1970; None: the clock's), and return what became of each run.

        Runs that are kept (:meth:`keep`) stay as they are. With `dry_run` nothing is done. Index, cached replays, shared resources and files by day follow.
        """
        at = time.time() * 1_000 if now is None else now
        if not dry_run:
            with self.locked():
                finish(self)
        told = expire(self, at, dry_run=dry_run)
        if not dry_run:
            self._erasing()
        return told

    @property
    def expiring(self) -> bool:
        """Whether a run says by its own header when it is to be gone."""
        (found,) = self.catalogue.execute("SELECT count(*) FROM run WHERE expires IS NOT NULL").fetchone()
        return bool(found)

    def delete(self, id: str, why: str = "", *, settle: bool = True) -> None:
        """Take a run out of the library: its files, its lines, and what was made of it to be shown. A linked recording stays where it is.

        :param settle: let it go at once from what is derived of several runs (index, shared resources, files by day); else with the next :meth:`expire`.
        :raises UsageError: there is no run of that id, or it is kept.
        """
        with self.locked():
            entry = self.resolve(id)
            now = time.time() * 1_000
            for hold in self.catalogue.holds():
                if settle and hold.id == entry.id and (hold.until is None or hold.until > now):
                    raise UsageError(f"The run {entry.id} is kept ({hold.why}): release it first.")
            self.note({"did": "delete", "run": entry.id, "why": why})
            self.catalogue.drop(entry.id)
            self.remove_files(entry)
        if settle:
            self._erasing()

    def leftovers(self) -> list[str]:
        """Return what is still there of runs that the log says are gone: names of files, and ids in the catalogue. Nothing, unless somebody put it there, or was killed."""
        return leftovers(self) + ghosts(self)

    def _erasing(self) -> None:
        """Let what was thinned or deleted, now or by one that was killed then, go from all that is derived of it."""
        with self.locked():
            for name in leftovers(self):
                self.places.remove(name)
            for id in ghosts(self):
                self.catalogue.drop(id)
            prune_shared(self)
            self.catalogue.compact(deleted=True)
            if self.settings.parquet is not None:
                write_days(self.catalogue, self.settings.parquet)
