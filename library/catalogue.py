"""The catalogue: what was derived from the recordings, in SQLite. It can be thrown away and made again.

Each distinct line of text stands in it once for the whole library; ``seen`` says in which runs, and from when to when. Lines in scripts that
are written without spaces have an index of their own, of three letters each.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import regex

from pagereel.errors import UsageError

from .facts import Facts

VERSION: Final = 1
"""Of the tables and of what is written into them: a catalogue of another one is made again."""
SPACELESS: Final = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]"
)
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
CREATE TABLE line (n INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE seen (line INTEGER NOT NULL, run INTEGER NOT NULL, kind TEXT NOT NULL, page INTEGER NOT NULL, begin REAL NOT NULL, until REAL NOT NULL,
    PRIMARY KEY (line, run, kind, page, begin)) STRICT, WITHOUT ROWID;
CREATE INDEX seen_run ON seen (run);
CREATE VIRTUAL TABLE words USING fts5 (text, content='line', content_rowid='n', tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE letters USING fts5 (text, content='', tokenize='trigram');
CREATE TRIGGER line_in AFTER INSERT ON line BEGIN INSERT INTO words (rowid, text) VALUES (new.n, new.text); END;
CREATE TRIGGER line_out AFTER DELETE ON line BEGIN INSERT INTO words (words, rowid, text) VALUES ('delete', old.n, old.text); END;
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
                "INSERT OR IGNORE INTO seen (line, run, kind, page, begin, until) VALUES (?, ?, ?, ?, ?, ?)",
                [(numbers[line.text], run, line.kind, line.page, line.begin, line.end) for line in facts.lines],
            )

    def drop(self, id: str) -> None:
        """Take a run out, and the lines that only it had."""
        with self.writing():
            self._drop(id)

    def _lines(self, texts: Iterable[str]) -> Iterator[tuple[str, int]]:
        for text in texts:
            row = self.db.execute("SELECT n FROM line WHERE text = ?", (text,)).fetchone()
            if row is None:
                row = self.db.execute("INSERT INTO line (text) VALUES (?) RETURNING n", (text,)).fetchone()
                if SPACELESS.search(text):
                    self.db.execute("INSERT INTO letters (rowid, text) VALUES (?, ?)", (row[0], text))
            yield text, row[0]

    def _drop(self, id: str) -> None:
        row = self.db.execute("SELECT n FROM run WHERE id = ?", (id,)).fetchone()
        if row is None:
            return
        held = self.db.execute("SELECT DISTINCT line FROM seen WHERE run = ?", row).fetchall()
        for table, column in (("seen", "run"), ("use", "run"), ("run", "n")):
            self.db.execute(f"DELETE FROM {table} WHERE {column} = ?", row)
        for (line,) in held:
            if self.db.execute("SELECT 1 FROM seen WHERE line = ? LIMIT 1", (line,)).fetchone() is None:
                (text,) = self.db.execute("SELECT text FROM line WHERE n = ?", (line,)).fetchone()
                if SPACELESS.search(text):
                    self.db.execute("INSERT INTO letters (letters, rowid, text) VALUES ('delete', ?, ?)", (line, text))
                self.db.execute("DELETE FROM line WHERE n = ?", (line,))

    def _version(self) -> int:
        (number,) = self.db.execute("PRAGMA user_version").fetchone()
        return int(number)

    def _make(self) -> None:
        for statement in _TABLES.split(";\n"):
            if statement.strip():
                self.db.execute(statement)
        self.db.execute(f"PRAGMA user_version = {VERSION}")
