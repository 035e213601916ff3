"""The catalogue in a schema of a Postgres server, for several machines; ``tsvector`` indexes the words.

:mod:`..word_splitting` splits texts into words, so that both databases find the same runs. The words of a run are split
into several ``tsvector`` documents, because Postgres counts positions only up to 16,383, and keeps at most 256
positions of a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import sql as names

from pagereel.errors import UsageError

from ..word_splitting import split_words
from .catalogue_base import Catalogue
from .line_store import DatabaseCursor
from .tables import COLUMNS, TABLES, VERSION, SqlCondition

_TYPES: Final = {
    "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "bytes": "BYTEA",
    "strict": "",
    "strict_keyed": "",
}
_WORDS: Final = (
    "CREATE TABLE words (run BIGINT NOT NULL, part SMALLINT NOT NULL, words TSVECTOR NOT NULL)",
    "CREATE INDEX words_run ON words (run, part)",
    "CREATE INDEX words_gin ON words USING gin (words) WITH (fastupdate = off)",
    "CREATE TABLE made (version INTEGER NOT NULL)",
)
_POSITIONS: Final = 16_000
_OF_A_WORD: Final = 250
_BYTES: Final = 900_000
_LONGEST: Final = 500
"""Longest word in characters: longer ones are cut, in the index and in queries."""
_PLANS: Final = {"plan_cache_mode": "force_custom_plan", "random_page_cost": "1", "cpu_tuple_cost": "0.2"}
"""Planner settings: a new plan for each word, because its frequency decides; and a realistic cost for reading a row,
whose words must be unpacked.
"""
_NAMES: Final = 5_000
"""Largest number of names that are looked up before the query for the runs that used them."""
_MARK: Final = re.compile(r"\?")
_SAFE: Final = re.compile(r"['\\]")


class PostgresCatalogue(Catalogue):
    """A catalogue in a schema of a Postgres server."""

    def __init__(self, address: str, schema: str, target: str) -> None:
        """Connect, and create the tables where there are none. `address`: a libpq address. `target`: the schema that
        this one is to replace. Raises UsageError.
        """
        super().__init__()
        self.schema, self._target = schema, target
        try:
            self._db = psycopg.connect(address, autocommit=True)
            self.place = f"{self._db.info.dbname} on {self._db.info.host}"
            self._db.execute(names.SQL("SET search_path TO {}").format(names.Identifier(schema)))
            for name, value in _PLANS.items():
                self._db.execute(names.SQL("SET {} TO {}").format(names.Identifier(name), value))
            with self.transaction():
                if not self._read_schema_version():
                    self.fresh = True
                    self._create_tables()
        except psycopg.Error as error:
            raise UsageError(f"The catalogue in Postgres cannot be opened: {_get_first_error_line(error)}.") from None

    def close(self) -> None:
        self._db.close()

    @property
    def is_usable(self) -> bool:
        return not self._db.closed

    def execute(self, sql: str, values: Sequence[Any] = ()) -> DatabaseCursor:
        with _convert_database_errors():
            return self._db.execute(_convert_sql_placeholders(sql), values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with _convert_database_errors(), self._db.cursor() as cursor:
            cursor.executemany(_convert_sql_placeholders(sql), rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        try:
            with _convert_database_errors(), self._db.transaction():
                self._db.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (f"pagereel {self.schema}",))
                yield
        except BaseException:
            self._clear_caches()
            raise

    def build_words_condition(self, column: str | None, text: str) -> SqlCondition:
        """Return the condition that a line of a run contains the words of a text one after the other.

        The index first finds the runs that have all these words; they are passed on as an array, because a join would
        unpack the words of all runs. The positions of the words are checked last, and only in runs that match all other
        conditions, because that unpacks a run's words.
        """
        words = [_quote_word(word) for word in split_words(text)]
        part = "" if column is None else f"part = {list(COLUMNS).index(column)} AND "
        if len(words) == 1:
            return SqlCondition(f"n = ANY(ARRAY(SELECT run FROM words WHERE {part}words @@ ?::tsquery))", (words[0],))
        found = "n = ANY(ARRAY(SELECT run FROM words WHERE words @@ ?::tsquery))"
        near = f"(SELECT bool_or(words @@ ?::tsquery) FROM words WHERE {part}run = n) IS TRUE"
        return SqlCondition(f"{found} AND {near}", (" & ".join(words), " <-> ".join(words)), costly=True)

    def build_usage_condition(self, operator: str, value: SqlCondition) -> SqlCondition:
        """Return the condition that a run used something, such as a model or a tool.

        The condition contains the numbers of the names as constants, because for a join Postgres cannot estimate how
        many runs use each name, and chooses a slow plan.
        """
        asked = f"SELECT n FROM name WHERE operator = ? AND {value.sql} LIMIT {_NAMES + 1}"
        numbers = [n for (n,) in self.execute(asked, (operator, *value.values)).fetchall()]
        if len(numbers) > _NAMES:
            return super().build_usage_condition(operator, value)
        return SqlCondition("n IN (SELECT run FROM spent WHERE name = ANY(?::bigint[]))", (numbers,))

    def to_prefilter(self, condition: SqlCondition) -> SqlCondition:
        """Return a condition in a form that the database checks first: a subquery becomes a plain truth value, because
        a join would be done last.
        """
        return condition._replace(sql=f"({condition.sql}) IS TRUE") if "IN (SELECT" in condition.sql else condition

    def build_set_condition(self, column: str, numbers: Iterable[int]) -> SqlCondition:
        return SqlCondition(f"{column} = ANY(?::bigint[])", ([*numbers],))

    def build_pattern_condition(self, column: str, pattern: str) -> SqlCondition:
        said = re.sub(r"[%_\\]", lambda match: f"\\{match.group()}", pattern).replace("*", "%")
        return SqlCondition(f"{column} LIKE ?", (said,))

    def compact_storage(self, *, deleted: bool = False) -> None:
        """Optimize the tables. The server's journal and its backups are not touched."""
        self._db.execute("VACUUM (ANALYZE) run, name, spent, step, line, chunk, shown, words")

    def measure_size(self) -> int:
        (found,) = self.execute(
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace WHERE s.nspname = ? AND c.relkind = 'r'",
            (self.schema,),
        ).fetchone()
        return int(found or 0)

    def replace_current_catalogue(self) -> None:
        old, new = names.Identifier(self._target), names.Identifier(self.schema)
        with self.transaction():
            for left in self._list_abandoned_schemas():
                if left != self.schema:
                    self._db.execute(names.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(names.Identifier(left)))
            self._db.execute(names.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(old))
            self._db.execute(names.SQL("ALTER SCHEMA {} RENAME TO {}").format(new, old))
        self._db.close()

    def discard_if_unused(self) -> None:
        if not self._db.closed and self.schema != self._target:
            self._db.execute(names.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(names.Identifier(self.schema)))
        self._db.close()

    def _list_abandoned_schemas(self) -> list[str]:
        """Return the schemas of new catalogues that have not replaced this one: the present process's, and those of
        processes that were killed.
        """
        rows = self._db.execute("SELECT nspname FROM pg_namespace").fetchall()
        return [name for (name,) in rows if re.fullmatch(rf"{re.escape(self._target)}_[0-9a-f]{{12}}", name)]

    def _index_documents(self, run: int, documents: Sequence[Sequence[str]]) -> None:
        self.executemany(
            "INSERT INTO words (run, part, words) VALUES (?, ?, ?::tsvector)",
            [
                (run, part, document)
                for part, lines in enumerate(documents)
                for document in iter_tsvector_documents(lines)
            ],
        )

    def _remove_search_documents(self, run: int, documents: Sequence[Sequence[str]]) -> None:
        self.execute("DELETE FROM words WHERE run = ?", (run,))

    def _read_schema_version(self) -> int:
        there = self.execute("SELECT to_regclass(?)", (f"{_quote_identifier(self.schema)}.made",)).fetchone()[0]
        if there is None:
            return 0
        return int(self.execute("SELECT version FROM made").fetchone()[0])

    def _create_tables(self) -> None:
        self._db.execute(names.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(names.Identifier(self.schema)))
        for statement in TABLES:
            made = statement.format(**_TYPES).replace(" INTEGER", " BIGINT").replace(" REAL", " DOUBLE PRECISION")
            self._db.execute(made.replace(" TEXT", ' TEXT COLLATE "C"'))
        for statement in _WORDS:
            self._db.execute(statement)
        self.execute("INSERT INTO made (version) VALUES (?)", (VERSION,))


def iter_tsvector_documents(lines: Iterable[str]) -> Iterator[str]:
    """Yield documents in the syntax of ``tsvector`` with the words of all lines in sequence. A gap in the positions
    after each line keeps a phrase from matching across two lines.
    """
    places: dict[str, list[int]] = {}
    at = size = 0
    for line in lines:
        words = [word[:_LONGEST] for word in split_words(line)]
        full = at + len(words) > _POSITIONS or size > _BYTES
        if places and (full or any(len(places.get(word, ())) + words.count(word) > _OF_A_WORD for word in set(words))):
            yield _format_as_tsvector(places)
            places, at, size = {}, 0, 0
        for word in words:
            at += 1
            size += 8 + (len(word.encode()) if word not in places else 0)
            places.setdefault(word, []).append(min(at, 16_383))
        at += 1
    if places:
        yield _format_as_tsvector(places)


def _format_as_tsvector(places: dict[str, list[int]]) -> str:
    return " ".join(f"{_quote_word(word)}:{','.join(map(str, at))}" for word, at in places.items())


def _quote_word(word: str) -> str:
    return "'" + _SAFE.sub(lambda match: match.group() * 2, word[:_LONGEST]) + "'"


def _quote_identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _convert_sql_placeholders(sql: str) -> bytes:
    return _MARK.sub("%s", sql.replace("%", "%%")).encode()


@contextmanager
def _convert_database_errors() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise UsageError(f"The catalogue in Postgres does not answer: {_get_first_error_line(error)}.") from None


def _get_first_error_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")
