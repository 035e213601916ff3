"""The catalogue in one file, by SQLite: WAL, so that who reads does not wait, and FTS5 without a copy of the text.

Between two lines of a document stands a word that no query has: a phrase does not go from one line to the next.
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

from pagereel.errors import UsageError

from ..words import BETWEEN, folded, phrase
from .base import Catalogue, Cursor, hash_of
from .tables import COLUMNS, TABLES, VERSION, Condition

_STRICT: Final = {"serial": "INTEGER PRIMARY KEY", "strict": " STRICT", "strict_keyed": " STRICT, WITHOUT ROWID"}
_PATIENCE_S: Final = 5.0


class SqliteCatalogue(Catalogue):
    """A catalogue in a file."""

    def __init__(self, path: Path, target: Path | None = None) -> None:
        """Open it, or make an empty one, which is to take the place of `target`. Raises UsageError where SQLite cannot."""
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
        self._db.close()

    @property
    def there(self) -> bool:
        try:
            return self.path.stat().st_ino == self._inode
        except OSError:
            return False

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Cursor:
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
    def writing(self) -> Iterator[None]:
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # SQLite may have done so itself, as when the disk is full
                self._db.execute("ROLLBACK")
            raise

    def with_words(self, column: str | None, text: str) -> Condition:
        within = f"{{{column}}} : " if column is not None else ""
        return Condition("n IN (SELECT rowid FROM words WHERE words MATCH ?)", (within + phrase(text),))

    def like(self, column: str, pattern: str) -> Condition:
        return Condition(f"{column} GLOB ?", (re.sub(r"[?\[]", lambda match: f"[{match.group()}]", pattern),))

    def settle(self, *, deleted: bool = False) -> None:
        """As for any catalogue. FTS5 keeps deleted words in its segments until they are merged, and the journal keeps pages until they are written back."""
        self._db.execute("INSERT INTO words (words) VALUES ('optimize')")
        ends = time.monotonic() + _PATIENCE_S
        while deleted:
            (busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy or time.monotonic() > ends:
                break
            time.sleep(0.05)

    def size(self) -> int:
        return sum(path.stat().st_size for path in self.path.parent.glob(f"{self.path.name}*"))

    def take_place(self) -> None:
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.execute("PRAGMA journal_mode = DELETE")
        self._db.close()
        for beside in ("-wal", "-shm"):
            self._target.with_name(self._target.name + beside).unlink(missing_ok=True)
        os.replace(self.path, self._target)

    def discard(self) -> None:
        self._db.close()
        for beside in ("", "-wal", "-shm") if self.path != self._target else ():
            self.path.with_name(self.path.name + beside).unlink(missing_ok=True)

    def _numbers(self, texts: Sequence[str]) -> dict[str, int]:
        found = {}
        for text in texts:
            hashed = hash_of(text)
            row = self._db.execute("SELECT n FROM line WHERE hash = ? AND text = ?", (hashed, text)).fetchone()
            if row is None:
                row = self._db.execute(
                    "INSERT INTO line (hash, text) VALUES (?, ?) RETURNING n", (hashed, text)
                ).fetchone()
            found[text] = row[0]
        return found

    def _index(self, run: int, documents: Sequence[Sequence[str]]) -> None:
        self._db.execute("INSERT INTO words (rowid, page, said, rest) VALUES (?, ?, ?, ?)", (run, *_joined(documents)))

    def _forget(self, run: int, documents: Sequence[Sequence[str]]) -> None:
        self._db.execute(
            "INSERT INTO words (words, rowid, page, said, rest) VALUES ('delete', ?, ?, ?, ?)",
            (run, *_joined(documents)),
        )

    def _version(self) -> int:
        (number,) = self._db.execute("PRAGMA user_version").fetchone()
        return int(number)

    def _make(self) -> None:
        for statement in TABLES:
            self._db.execute(statement.format(**_STRICT))
        self._db.execute(
            f"CREATE VIRTUAL TABLE words USING fts5 ({', '.join(COLUMNS)}, content='', tokenize=\"unicode61 remove_diacritics 0 categories 'L* M* N* Co'\")"
        )
        self._db.execute(f"PRAGMA user_version = {VERSION}")


def _joined(documents: Sequence[Sequence[str]]) -> list[str]:
    return [BETWEEN.join(dict.fromkeys(map(folded, lines))) for lines in documents]
