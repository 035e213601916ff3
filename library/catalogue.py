"""The catalogue: what was derived from the recordings, in SQLite. It can be thrown away and made again.

Each distinct line of text stands in it once for the whole library; ``seen`` says in which runs, and from when to when. The words of a run are indexed as one document of
three columns (what pages showed, what was said, all else), so that a search finds runs, of which there are thousands, and not lines, of which there are millions. Between two
lines of a document stands a word that no query has: a phrase does not go from one line to the next.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pagereel.errors import UsageError

from .facts import Facts
from .words import BETWEEN, apart

VERSION: Final = 1
"""Of the tables and of what is written into them: a catalogue of another one is made again."""
KINDS: Final = ("page", "reasoning", "prompt", "answer", "note", "step", "console", "request", "error")
"""Of lines; their numbers stand in the tables."""
COLUMNS: Final = {
    "page": ("page",),
    "said": ("reasoning", "prompt", "answer", "note"),
    "rest": ("step", "console", "request", "error"),
}
_TABLES: Final = """
CREATE TABLE run (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL, place TEXT NOT NULL, indexed TEXT NOT NULL, kind TEXT NOT NULL,
    started REAL NOT NULL, duration REAL NOT NULL, agent TEXT, outcome TEXT NOT NULL, sealed INTEGER NOT NULL, steps INTEGER NOT NULL,
    calls INTEGER NOT NULL, model_calls INTEGER NOT NULL, tokens INTEGER NOT NULL, cost REAL NOT NULL, errors INTEGER NOT NULL, gaps INTEGER NOT NULL
) STRICT;
CREATE INDEX run_started ON run (started, id);
CREATE TABLE use (operator TEXT NOT NULL, value TEXT NOT NULL, run INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (operator, value, run))
    STRICT, WITHOUT ROWID;
CREATE INDEX use_run ON use (run);
CREATE TABLE line (n INTEGER PRIMARY KEY, hash INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX line_hash ON line (hash);
CREATE TABLE seen (run INTEGER NOT NULL, line INTEGER NOT NULL, kind INTEGER NOT NULL, page INTEGER NOT NULL, begin INTEGER NOT NULL,
    until INTEGER NOT NULL, PRIMARY KEY (run, line, kind, page, begin)) STRICT, WITHOUT ROWID;
CREATE INDEX seen_line ON seen (line);
CREATE VIRTUAL TABLE words USING fts5 (page, said, rest, content='', tokenize='unicode61 remove_diacritics 2');
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a run lies. `place`: the recording; `indexed`: what was read for the catalogue, the masked one as a rule; both below the library's folder,
    or absolute where it was linked.
    """

    id: str
    sha256: str
    place: str
    indexed: str


class Catalogue:
    """An open catalogue. Readers do not wait for a writer; writers wait for each other."""

    def __init__(self, path: Path) -> None:
        """Open it, or make an empty one. Raises UsageError where SQLite cannot."""
        self.path = path
        self.fresh = not path.exists()
        try:
            if self.fresh:
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self.db = sqlite3.connect(path, timeout=60, isolation_level=None)
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = NORMAL")
            self.db.execute("PRAGMA secure_delete = ON")
            with self.writing():
                if not self._version():
                    self._make()
        except sqlite3.Error as error:
            raise UsageError(
                f"The catalogue {path} cannot be opened ({error}); `pagereel library rebuild {path.parent}` makes it again."
            ) from None
        except OSError as error:
            raise UsageError(f"The catalogue {path} cannot be written ({error.strerror or error}).") from None

    def close(self) -> None:
        """Close it."""
        self.db.close()

    @property
    def current(self) -> bool:
        """Whether this pagereel made it."""
        return self._version() == VERSION

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All of it, or nothing."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def entry(self, id: str) -> Entry | None:
        """Return where a run lies; None: there is none of that id."""
        row = self.db.execute("SELECT id, sha256, place, indexed FROM run WHERE id = ?", (id,)).fetchone()
        return Entry(*row) if row else None

    def ids(self, prefix: str = "") -> list[str]:
        """Return the ids that begin so."""
        low, high = prefix, prefix + "\U0010ffff"
        return [id for (id,) in self.db.execute("SELECT id FROM run WHERE id >= ? AND id < ? ORDER BY id", (low, high))]

    def put(self, entry: Entry, facts: Facts) -> None:
        """Write a run's row and lines; one of the same id goes."""
        with self.writing():
            self._drop(entry.id)
            (run,) = self.db.execute(
                "INSERT INTO run (id, sha256, place, indexed, kind, started, duration, agent, outcome, sealed, steps, calls, model_calls, tokens,"
                " cost, errors, gaps) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING n",
                (
                    entry.id, entry.sha256, entry.place, entry.indexed, facts.kind, facts.started, facts.duration, facts.agent, facts.outcome,
                    int(facts.sealed), facts.steps, facts.calls, facts.model_calls, facts.tokens, facts.cost, facts.errors, facts.gaps,
                ),
            ).fetchone()  # fmt: skip
            self.db.executemany(
                "INSERT INTO use (operator, value, run, count) VALUES (?, ?, ?, ?)",
                [(operator, value, run, count) for (operator, value), count in facts.uses.items()],
            )
            numbers = dict(self._lines(dict.fromkeys(line.text for line in facts.lines)))
            self.db.executemany(
                "INSERT OR IGNORE INTO seen (run, line, kind, page, begin, until) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (run, numbers[line.text], KINDS.index(line.kind), line.page, round(line.begin), round(line.end))
                    for line in facts.lines
                ],
            )
            self.db.execute(
                "INSERT INTO words (rowid, page, said, rest) VALUES (?, ?, ?, ?)", (run, *self._documents(run))
            )

    def drop(self, id: str) -> None:
        """Take a run out, and the lines that only it had."""
        with self.writing():
            self._drop(id)

    def _lines(self, texts: Iterable[str]) -> Iterator[tuple[str, int]]:
        for text in texts:
            hashed = int.from_bytes(
                hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), signed=True
            )
            row = self.db.execute("SELECT n FROM line WHERE hash = ? AND text = ?", (hashed, text)).fetchone()
            if row is None:
                row = self.db.execute(
                    "INSERT INTO line (hash, text) VALUES (?, ?) RETURNING n", (hashed, text)
                ).fetchone()
            yield text, row[0]

    def _documents(self, run: int) -> tuple[str, ...]:
        """Return a run's words, column by column: the same each time, since what is taken out of the index must be what was put in."""
        rows = self.db.execute(
            "SELECT DISTINCT seen.kind, line.n, line.text FROM seen JOIN line ON line.n = seen.line WHERE run = ? ORDER BY line.n, seen.kind",
            (run,),
        ).fetchall()
        found = []
        for kinds in COLUMNS.values():
            numbers = {KINDS.index(kind) for kind in kinds}
            lines = dict.fromkeys(apart(text) for kind, _, text in rows if kind in numbers)
            found.append(BETWEEN.join(lines))
        return tuple(found)

    def _drop(self, id: str) -> None:
        row = self.db.execute("SELECT n FROM run WHERE id = ?", (id,)).fetchone()
        if row is None:
            return
        self.db.execute(
            "INSERT INTO words (words, rowid, page, said, rest) VALUES ('delete', ?, ?, ?, ?)",
            (*row, *self._documents(row[0])),
        )
        held = self.db.execute("SELECT DISTINCT line FROM seen WHERE run = ?", row).fetchall()
        for table, column in (("seen", "run"), ("use", "run"), ("run", "n")):
            self.db.execute(f"DELETE FROM {table} WHERE {column} = ?", row)
        for line in held:
            if self.db.execute("SELECT 1 FROM seen WHERE line = ? LIMIT 1", line).fetchone() is None:
                self.db.execute("DELETE FROM line WHERE n = ?", line)

    def _version(self) -> int:
        (number,) = self.db.execute("PRAGMA user_version").fetchone()
        return int(number)

    def _make(self) -> None:
        for statement in _TABLES.split(";\n"):
            if statement.strip():
                self.db.execute(statement)
        self.db.execute(f"PRAGMA user_version = {VERSION}")
