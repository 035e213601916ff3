"""A folder of recordings that can be searched."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import orjson

from pagereel.errors import PagereelError, UsageError
from pagereel.reading import first_failure, open_recording
from pagereel.redaction import append_line, intact, masked_already, now, redact, who
from pagereel.sources import open_any

from .catalogue import Catalogue, Entry
from .facts import facts_of
from .query import parse
from .searching import LIMIT, Answer, search
from .settings import load_settings

CATALOGUE: Final = "catalogue.sqlite"
LOG: Final = "library.log"
RECORDINGS: Final = "recordings"
MASKED: Final = "masked"
SERVED: Final = "served"
"""What was made of recordings for those who may see it; each name begins with the run's id and a dot."""
_LOCK: Final = "library.lock"
_ID: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{5,63}")
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a recording. ``known``: it was there, byte for byte; ``replaced``: one of the same id was, and is no more."""

    id: str
    did: Literal["added", "known", "replaced"]


class Library:
    """A folder of recordings, which are what counts, a log of what was done with them, and a catalogue that was derived from them.

    >>> library = Library("runs")  # doctest: +SKIP
    >>> library.add("run.reel")  # doctest: +SKIP
    >>> [run.id for run in library.search('outcome:failed seen:"card declined"').runs]  # doctest: +SKIP
    """

    def __init__(self, folder: str | os.PathLike[str], *, create: bool = True, user: str | None = None) -> None:
        """Open a library; with `create`, a folder that is not there or is empty becomes one. `user`: whom the log names; None: who runs this.

        :raises UsageError: the folder is none of a library, or cannot be used.
        """
        self.folder = Path(folder)
        self.user = user
        self._catalogue: Catalogue | None = None
        known = any((self.folder / name).exists() for name in (LOG, CATALOGUE, RECORDINGS))
        if not known and not create:
            raise UsageError(f"{self.folder} is no library; `pagereel library add {self.folder} run.reel` begins one.")
        if not known and self.folder.is_dir() and not _is_free(self.folder):
            raise UsageError(f"{self.folder} holds other files and is no library: name a folder of its own for it.")
        try:
            for name in (RECORDINGS, MASKED):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
                (self.folder / name).chmod(0o700)
        except OSError as error:
            raise UsageError(f"The library {self.folder} cannot be written: {error.strerror or error}.") from None
        self.settings = load_settings(self.folder)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the catalogue. What is asked afterwards opens it again."""
        if self._catalogue is not None:
            self._catalogue.close()
            self._catalogue = None

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue; one that is not there, or that another pagereel made, is made first."""
        if self._catalogue is None:
            opened = Catalogue(self.folder / CATALOGUE)
            if not opened.current or (opened.fresh and any(_recordings(self.folder))):
                opened.close()
                self.rebuild()
                opened = Catalogue(self.folder / CATALOGUE)
            self._catalogue = opened
        return self._catalogue

    def add(self, path: str | os.PathLike[str], *, link: bool = False, masked: bool = False) -> Added:
        """Take in a recording of any kind that opens. Adding it again does nothing; one that was cut off can be added again.

        :param link: leave it where it stands, and look through it there.
        :param masked: keep the masked copy alone.
        :raises ReelError: it is no recording, or cannot be read; LockedError: its key is not given. Nothing is added then.
        :raises UsageError: the library has no policy to mask it with, or cannot be written.
        """
        source = Path(path)
        if masked and (link or self.settings.index is None):
            raise UsageError(
                "A recording that stays where it is has no masked copy alone: leave out link."
                if link
                else 'This library masks nothing (index = "off"): there is no masked copy to keep.'
            )
        id, sha256 = identity(source)
        with self._lock():
            there = self.catalogue.entry(id)
            if there is not None and there.sha256 == sha256 and self._stands(there):
                return Added(id, "known")
            entry = self._take(source, id, sha256, link, masked)
            try:
                facts = facts_of(self.folder / entry.indexed)
            except PagereelError:
                self._remove(entry)
                raise
            self.note({"did": "add", "run": id, "sha256": sha256, "place": entry.place, "from": source.name})
            self.catalogue.put(entry, facts)
            if there is not None:
                self._remove(there, but=entry)
        return Added(id, "replaced" if there is not None else "added")

    def search(self, query: str = "", *, limit: int = LIMIT, cursor: str | None = None) -> Answer:
        """Return the runs that fit, the newest first, and the lines that say so. docs/library.md has the operators.

        :param limit: runs of a page, at most 200. :param cursor: ``next`` of the page before.
        :raises QueryError: the query cannot be read; the message says where.
        """
        answer = search(self.catalogue, parse(query), limit, cursor)
        if query:
            self.note({"did": "search", "query": query, "found": answer.total})
        return answer

    def resolve(self, id: str) -> Entry:
        """Return the run whose id is, or begins with, `id`. Raises UsageError where there is none, or more than one."""
        entry = self.catalogue.entry(id)
        if entry is not None:
            return entry
        found = self.catalogue.ids(id) if id else []
        if len(found) != 1:
            raise UsageError(f"{len(found) or 'No'} runs of {self.folder} have an id that begins with {id!r}.")
        entry = self.catalogue.entry(found[0])
        assert entry is not None
        return entry

    def show(self, id: str) -> dict[str, Any]:
        """Return a run's summary, from what the library looked through (the masked recording, as a rule)."""
        entry = self.resolve(id)
        reading = open_recording(self.folder / entry.indexed)
        failure = first_failure(reading)
        self.note({"did": "show", "run": entry.id})
        return {
            "id": entry.id,
            "path": str(self.folder / entry.place),
            "outcome": failure["outcome"],
            **reading.summary(),
            "failure": failure["chain"],
        }

    def delete(self, id: str, why: str = "") -> None:
        """Take a run out of the library: its files, its lines, and what was made of it to be shown. A linked recording stays where it is.

        :raises UsageError: there is no run of that id.
        """
        with self._lock():
            entry = self.resolve(id)
            self.note({"did": "delete", "run": entry.id, "why": why})
            self.catalogue.drop(entry.id)
            self._remove(entry)
            for made in (self.folder / SERVED).glob(f"{entry.id}.*"):
                made.unlink(missing_ok=True)

    def rebuild(self) -> int:
        """Make the catalogue again from the recordings and the log, and return how many runs it holds."""
        self.close()
        target, made = self.folder / CATALOGUE, self.folder / f".{CATALOGUE}.{secrets.token_hex(6)}"
        with self._lock():
            fresh = Catalogue(made)
            try:
                for entry in self._entries():
                    fresh.put(entry, facts_of(self.folder / entry.indexed))
                count = len(fresh.ids())
                fresh.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                fresh.db.execute("PRAGMA journal_mode = DELETE")
                fresh.close()
                for beside in ("-wal", "-shm"):
                    target.with_name(target.name + beside).unlink(missing_ok=True)
                os.replace(made, target)
            finally:
                fresh.close()
                for beside in ("", "-wal", "-shm"):
                    made.with_name(made.name + beside).unlink(missing_ok=True)
        return count

    def log(self) -> tuple[list[Mapping[str, Any]], bool]:
        """Return the log's lines, and whether each follows the one before it."""
        path = self.folder / LOG
        if not path.exists():
            return [], True
        try:
            return [orjson.loads(line) for line in path.read_bytes().splitlines()], intact(path)
        except orjson.JSONDecodeError:
            return [], False

    # -- files --------------------

    def _entries(self) -> Iterator[Entry]:
        """Yield where each run lies, as the log has it last."""
        lines, _ = self.log()
        last = {line["run"]: line for line in lines if line.get("did") in ("add", "delete")}
        for id, line in last.items():
            if not _ID.fullmatch(id) or line["did"] == "delete":
                continue
            place = str(line["place"])
            copy = f"{MASKED}/{id}.reel"
            entry = Entry(id, str(line["sha256"]), place, copy if (self.folder / copy).exists() else place)
            if self._stands(entry):
                yield entry

    def _stands(self, entry: Entry) -> bool:
        return (self.folder / entry.place).exists() and (self.folder / entry.indexed).exists()

    def _take(self, source: Path, id: str, sha256: str, link: bool, masked: bool) -> Entry:
        """Put the recording, and its masked copy, where they belong. A name there is whole: it comes at the end."""
        place = str(source.resolve()) if link else f"{RECORDINGS}/{id}{_suffix(source)}"
        indexed = place
        try:
            if self.settings.index is not None and not masked_already(source, self.settings.index):
                indexed = f"{MASKED}/{id}.reel"
                redact(source, self.folder / indexed, self.settings.index, on_leak="drop")
                (self.folder / indexed).chmod(0o600)
            if masked and indexed != place:
                place = indexed
            elif not link:
                _copy(source, self.folder / place, sha256)
        except OSError as error:
            raise UsageError(f"{source} cannot be taken in: {error.strerror or error}.") from None
        return Entry(id, sha256, place, indexed)

    def _remove(self, entry: Entry, but: Entry | None = None) -> None:
        for name in {entry.place, entry.indexed} - ({but.place, but.indexed} if but is not None else set()):
            if not os.path.isabs(name):
                (self.folder / name).unlink(missing_ok=True)

    def note(self, line: Mapping[str, Any]) -> None:
        """Append a line to the log, with the time and the user. Raises UsageError where it cannot be written."""
        try:
            append_line(self.folder / LOG, {"when": now(), "who": self.user or who(), **line})
        except OSError as error:
            raise UsageError(
                f"The log {self.folder / LOG} cannot be written ({error.strerror or error}), so nothing is done."
            ) from None

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """One writer at a time. What one that was killed left half done is cleared away by the next."""
        fd = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            with suppress(ImportError):
                import fcntl

                fcntl.flock(fd, fcntl.LOCK_EX)
            for name in (RECORDINGS, MASKED):
                for left in (self.folder / name).glob(".*"):
                    left.unlink(missing_ok=True)
            yield
        finally:
            os.close(fd)


def identity(path: Path) -> tuple[str, str]:
    """Return a recording's id, its own where it has one, and the file's hash."""
    with open_any(path) as reel:
        own = reel.header.get("id")
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return own if isinstance(own, str) and _ID.fullmatch(own) else sha256[:32], sha256


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    return suffix if re.fullmatch(r"\.(?:reel|html|zip|json)", suffix) else ".reel"


def _copy(source: Path, target: Path, sha256: str) -> None:
    """Copy a file, whole or not at all, so that nobody else can read it. Raises UsageError where it changed meanwhile."""
    made = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    fd = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(fd, "wb") as file, source.open("rb") as read:
            shutil.copyfileobj(read, file, _BLOCK)
            file.flush()
            os.fsync(file.fileno())
        with made.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
                raise UsageError(f"{source} was written to while it was read: add it when the recording has ended.")
        os.replace(made, target)
    finally:
        made.unlink(missing_ok=True)


def _is_free(folder: Path) -> bool:
    return all(path.name == "library.toml" for path in folder.iterdir())


def _recordings(folder: Path) -> Iterator[Path]:
    return (path for path in (folder / RECORDINGS).iterdir() if not path.name.startswith("."))
