"""The catalogue in one SQLite file. It uses WAL, so that readers do not wait, and FTS5 to index the words.

The index stores neither the texts nor the positions of words, which would be most of its size. So FTS5 finds the runs
that have all words of a phrase, and the lines of these runs are then searched for the phrase.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import orjson

from pagereel.errors import UsageError

from ..word_splitting import normalize_words, split_words
from .catalogue_base import Catalogue
from .line_packing import unpack_lines_of_kinds
from .line_store import DatabaseCursor
from .tables import COLUMNS, KINDS, TABLES, VERSION, SqlCondition

_STRICT: Final = {
    "serial": "INTEGER PRIMARY KEY",
    "bytes": "BLOB",
    "strict": " STRICT",
    "strict_keyed": " STRICT, WITHOUT ROWID",
}
_PATIENCE_S: Final = 5.0
_BY_THE_DISK: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)
"""Error codes that a new catalogue would cause as well."""
_KIND: Final = 0xFF
"""The bits of an error code that give its kind."""


class SqliteCatalogue(Catalogue):
    """A catalogue in a SQLite file."""

    def __init__(self, path: Path, target: Path | None = None) -> None:
        """Open the catalogue, or create an empty one, which is to replace `target`. Raises UsageError where SQLite
        cannot.
        """
        super().__init__()
        self.path, self.place = path, str(path)
        self._target = target or path
        self.fresh = not path.exists()
        try:
            if self.fresh:
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._db = sqlite3.connect(path, timeout=60, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA secure_delete = ON")
            self._inode = path.stat().st_ino
            self._db.create_function("holds", 3, self._has_words_in_line)
            with self.transaction():
                if not self._read_schema_version():
                    self._create_tables()
        except sqlite3.Error as error:
            way = (
                "see that its disk has room and that you may write there"
                if getattr(error, "sqlite_errorcode", 0) & _KIND in _BY_THE_DISK
                else f"`pagereel library rebuild {path.parent}` makes it again"
            )
            raise UsageError(f"The catalogue {path} cannot be opened ({error}); {way}.") from None
        except OSError as error:
            raise UsageError(f"The catalogue {path} cannot be written ({error.strerror or error}).") from None

    def close(self) -> None:
        self._db.close()

    @property
    def is_usable(self) -> bool:
        try:
            return self.path.stat().st_ino == self._inode
        except OSError:
            return False

    def execute(self, sql: str, values: Sequence[Any] = ()) -> DatabaseCursor:
        try:
            return self._db.execute(sql, values)
        except sqlite3.Error as error:
            raise UsageError(f"The catalogue {self.path} does not answer ({error}).") from None

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        try:
            self._db.executemany(sql, rows)
        except sqlite3.Error as error:
            raise UsageError(f"The catalogue {self.path} cannot be written ({error}).") from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # SQLite may have rolled back by itself, for example when the disk is full
                self._db.execute("ROLLBACK")
            self._clear_caches()
            raise

    def build_words_condition(self, column: str | None, text: str) -> SqlCondition:
        words = split_words(text)
        part = -1 if column is None else list(COLUMNS).index(column)
        within = f" AND rowid & 3 = {part}" if column is not None else ""
        asked = " ".join(f'"{word}"' for word in dict.fromkeys(words))
        found = f"n IN (SELECT rowid >> 2 FROM words WHERE words MATCH ?{within})"
        if len(words) == 1:
            return SqlCondition(found, (asked,))
        return SqlCondition(f"{found} AND holds(n, ?, ?)", (asked, part, normalize_words(text)), costly=True)

    def _has_words_in_line(self, run: int, part: int, words: str) -> bool:
        """Return whether a line of a run contains these folded words one after the other."""
        kinds = range(len(KINDS)) if part < 0 else [*map(KINDS.index, list(COLUMNS.values())[part])]
        row = self.execute("SELECT spans FROM shown WHERE run = ?", (run,)).fetchone()
        lines = unpack_lines_of_kinds(row[0], kinds) if row is not None else []
        if not self.get_cached_lines_with_words(words).isdisjoint(lines):
            return True
        return not self.find_lines_with_words(words, lines).isdisjoint(lines)

    def build_set_condition(self, column: str, numbers: Iterable[int]) -> SqlCondition:
        return SqlCondition(f"{column} IN (SELECT value FROM json_each(?))", (orjson.dumps([*numbers]).decode(),))

    def build_pattern_condition(self, column: str, pattern: str) -> SqlCondition:
        return SqlCondition(f"{column} GLOB ?", (re.sub(r"[?\[]", lambda match: f"[{match.group()}]", pattern),))

    def compact_storage(self, *, deleted: bool = False) -> None:
        """Optimize the file. FTS5 keeps deleted words in its segments until they are merged, and the journal keeps
        pages until they are written back.
        """
        self._db.execute("INSERT INTO words (words) VALUES ('optimize')")
        ends = time.monotonic() + _PATIENCE_S
        while deleted:
            (busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy or time.monotonic() > ends:
                break
            time.sleep(0.05)

    def measure_size(self) -> int:
        return sum(path.stat().st_size for path in self.path.parent.glob(f"{self.path.name}*"))

    def replace_current_catalogue(self) -> None:
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.execute("PRAGMA journal_mode = DELETE")
        self._db.close()
        for beside in ("-wal", "-shm"):
            self._target.with_name(self._target.name + beside).unlink(missing_ok=True)
        os.replace(self.path, self._target)

    def discard_if_unused(self) -> None:
        self._db.close()
        for beside in ("", "-wal", "-shm") if self.path != self._target else ():
            self.path.with_name(self.path.name + beside).unlink(missing_ok=True)

    def _index_documents(self, run: int, documents: Sequence[Sequence[str]]) -> None:
        self.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", _number_documents(run, documents))

    def _remove_search_documents(self, run: int, documents: Sequence[Sequence[str]]) -> None:
        self.executemany(
            "INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", _number_documents(run, documents)
        )

    def _read_schema_version(self) -> int:
        (number,) = self._db.execute("PRAGMA user_version").fetchone()
        return int(number)

    def _create_tables(self) -> None:
        """Create the tables.

        The index uses the tokenizer ``ascii``, which treats every character beyond ASCII as a letter. So it splits a
        text into the words that :func:`..word_splitting.normalize_words` separated by spaces.
        """
        for statement in TABLES:
            self._db.execute(statement.format(**_STRICT))
        self._db.execute(
            "CREATE VIRTUAL TABLE words USING fts5 (text, content='', detail=none, columnsize=0, tokenize='ascii')"
        )
        self._db.execute(f"PRAGMA user_version = {VERSION}")


def _number_documents(run: int, documents: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """Return the documents of a run, each with its row number in the index: four times the run's plus the column's."""
    return [(run * 4 + part, " ".join(map(normalize_words, lines))) for part, lines in enumerate(documents) if lines]
