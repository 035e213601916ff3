"""The base class of the catalogues in SQLite and in Postgres: it writes, removes and lists runs."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from typing import Any, Final

from pagereel.reading import TimedTextLine

from ..run_facts import RUN, IndexedRunFacts, UsageFigures
from .line_packing import LineSpan
from .line_store import LineStore
from .tables import COLUMNS, KINDS, VERSION, SqlCondition

_RUN: Final = ("id", "sha256", "place", "indexed", "tier", "bytes", "added", "day", *(each.name for each in RUN))
_SPENT: Final = ("name", "run", *(each.name for each in fields(UsageFigures)))
_STEP: Final = ("run", "number", "parent", "began", "duration", "title", "success", "calls", "tokens", "cost")
_AT_ONCE: Final = 1_000
"""Largest number of values in one statement, because both databases have a limit."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """The files of a run. `place`: the name of the recording's file; `indexed`: the name of the file that the catalogue
    was made from, usually the masked copy. A name is relative to the library's folder or store, absolute for a linked
    file, and empty at tier ``facts``. `sha256`: hash of the file that was added. `bytes`: size of the files. `added`:
    ms since 1970.
    """

    id: str
    sha256: str
    place: str
    indexed: str
    tier: str = "full"
    bytes: int = 0
    added: float = 0.0


@dataclass(frozen=True, slots=True)
class RetentionHold:
    """A run that is kept regardless of its age. `until` in ms since 1970; None: until it is released."""

    id: str
    why: str
    until: float | None = None


class Catalogue(LineStore):
    """An open catalogue. Readers do not wait for a writer; writers wait for each other."""

    place: str
    """The catalogue's place, as text for people."""
    fresh: bool = False
    """Whether it was created just now, empty."""

    @property
    def statement_runner(self) -> Catalogue:
        """Return this catalogue as an object of which only the method ``execute`` is used."""
        return self

    @property
    def has_current_version(self) -> bool:
        """Return whether the tables are of the version that this pagereel writes."""
        return self._read_schema_version() == VERSION

    # -- what a database does --------------------

    @property
    @abstractmethod
    def is_usable(self) -> bool:
        """Return whether the catalogue can still be used: its connection is open, and it has not been replaced by
        another one.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the catalogue."""

    @abstractmethod
    def replace_current_catalogue(self) -> None:
        """Replace the library's present catalogue by this new one, and close it."""

    @abstractmethod
    def discard_if_unused(self) -> None:
        """Delete a new catalogue that did not replace the present one."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Return a context whose writes are one transaction."""

    @abstractmethod
    def build_words_condition(self, column: str | None, text: str) -> SqlCondition:
        """Return the condition that a line of a run contains the words of a text in sequence. `column`: one of
        :data:`COLUMNS`, in which the line must be; None: in any.
        """

    @abstractmethod
    def build_pattern_condition(self, column: str, pattern: str) -> SqlCondition:
        """Return the condition that a column matches a pattern, in which ``*`` matches any text."""

    def build_usage_condition(self, operator: str, value: SqlCondition) -> SqlCondition:
        """Return the condition that a run used something, such as a model or a tool.

        `operator`: the operator of the query for it (``model``); `value`: a condition on its name.
        """
        return SqlCondition(
            f"n IN (SELECT run FROM used WHERE operator = ? AND {value.sql})", (operator, *value.values)
        )

    @abstractmethod
    def compact_storage(self, *, deleted: bool = False) -> None:
        """Erase deleted data from the files, and optimize the tables, after many writes or deletions."""

    @abstractmethod
    def measure_size(self) -> int:
        """Return the size in bytes."""

    @abstractmethod
    def _read_schema_version(self) -> int: ...

    @abstractmethod
    def _index_documents(self, run: int, documents: Sequence[Sequence[str]]) -> None: ...

    @abstractmethod
    def _remove_search_documents(self, run: int, documents: Sequence[Sequence[str]]) -> None: ...

    # -- runs --------------------

    def get_entry(self, id: str) -> CatalogueEntry | None:
        """Return the files of a run; None: there is no run with that id."""
        row = self.execute(
            "SELECT id, sha256, place, indexed, tier, bytes, added FROM run WHERE id = ?", (id,)
        ).fetchone()
        return _to_catalogue_entry(row) if row else None

    def list_entries(self) -> list[CatalogueEntry]:
        """Return the catalogue's entry of each run, in the order of ids: its file names, hash, tier and size."""
        rows = self.execute("SELECT id, sha256, place, indexed, tier, bytes, added FROM run ORDER BY id").fetchall()
        return [_to_catalogue_entry(row) for row in rows]

    def has_unmasked_runs(self) -> bool:
        """Return whether any run was indexed from its raw recording."""
        asked = "SELECT EXISTS (SELECT 1 FROM run WHERE policy IS NULL AND tier <> 'facts')"
        return bool(self.execute(asked).fetchone()[0])

    def to_prefilter(self, condition: SqlCondition) -> SqlCondition:
        """Return an equivalent of `condition` that the database evaluates before the costly conditions
        (``SqlCondition.costly``).
        """
        return condition

    def list_ids(self, prefix: str = "") -> list[str]:
        """Return the ids with this prefix."""
        low, high = prefix, prefix + "\U0010ffff"
        rows = self.execute("SELECT id FROM run WHERE id >= ? AND id < ?", (low, high)).fetchall()
        return sorted(id for (id,) in rows if id.startswith(prefix))

    def write_run(self, entry: CatalogueEntry, facts: IndexedRunFacts) -> None:
        """Write a run's rows and lines, and remove those of a run with the same id."""
        places = {
            "place": shorten_file_name(entry.place, entry.id),
            "indexed": shorten_file_name(entry.indexed, entry.id),
        }
        values = {"id": entry.id, "sha256": entry.sha256, **places, "tier": entry.tier, "bytes": entry.bytes,
                  "added": entry.added}  # fmt: skip
        values["day"] = format_day(facts.started)
        values |= {each.name: _to_sql_value(getattr(facts, each.name)) for each in RUN}
        with self.transaction():
            self._delete_run_rows(entry.id)
            (run,) = self.execute(
                f"INSERT INTO run ({', '.join(_RUN)}) VALUES ({_build_placeholders(_RUN)}) RETURNING n",
                [values[name] for name in _RUN],
            ).fetchone()
            names = self._get_or_add_name_numbers(list(facts.used))
            self.executemany(
                f"INSERT INTO spent ({', '.join(_SPENT)}) VALUES ({_build_placeholders(_SPENT)})",
                [(names[name], run, *astuple(used)) for name, used in facts.used.items()],
            )
            self.executemany(
                f"INSERT INTO step ({', '.join(_STEP)}) VALUES ({_build_placeholders(_STEP)})",
                [(run, *map(_to_sql_value, astuple(step))) for step in facts.each],
            )
            spans, texts = self._write_lines_of_run(run, map(_to_line_row, facts.lines), names.values())
            self._index_documents(run, _group_lines_by_column(spans, texts))

    def delete_run(self, id: str) -> None:
        """Remove a run, the lines that no other run has, its hold and its flags."""
        with self.transaction():
            self._delete_run_rows(id)
            for table in ("hold", "flag"):
                self.execute(f"DELETE FROM {table} WHERE id = ?", (id,))

    def _delete_run_rows(self, id: str) -> None:
        row = self.execute("SELECT n FROM run WHERE id = ?", (id,)).fetchone()
        if row is None:
            return
        run = row[0]
        spans = self.read_spans_of_runs(row).get(run, [])
        texts = self.get_texts({span.line for span in spans})
        self._remove_search_documents(run, _group_lines_by_column(spans, texts))
        used = self._delete_lines_of_run(run, texts)
        for table, column in (("step", "run"), ("run", "n")):
            self.execute(f"DELETE FROM {table} WHERE {column} = ?", row)
        self.executemany("DELETE FROM spent WHERE name = ? AND run = ?", [(name, run) for name in used])
        left = self.build_set_condition("n", used)
        self.execute(
            f"DELETE FROM name WHERE {left.sql} AND NOT EXISTS (SELECT 1 FROM spent WHERE spent.name = name.n)",
            left.values,
        )

    def _get_or_add_name_numbers(self, names: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Return the number of each name in the table ``name``, after adding the names that are new.

        A name is a pair of an operator of the query language and a value: ``("model", "gpt")``.
        """
        found: dict[tuple[str, str], int] = {}
        for operator in dict.fromkeys(operator for operator, _ in names):
            values = [value for each, value in names if each == operator]
            for start in range(0, len(values), _AT_ONCE):
                some = values[start : start + _AT_ONCE]
                asked = f"SELECT value, n FROM name WHERE operator = ? AND value IN ({_build_placeholders(some)})"
                found |= {(operator, value): n for value, n in self.execute(asked, (operator, *some)).fetchall()}
        (last,) = self.execute("SELECT coalesce(max(name), 0) FROM spent").fetchone()
        new = {name: last + place for place, name in enumerate((name for name in names if name not in found), 1)}
        self.executemany(
            "INSERT INTO name (operator, value, n) VALUES (?, ?, ?)", [(*name, number) for name, number in new.items()]
        )
        return found | new

    # -- holds, flags, expected runs --------------------

    def write_hold(self, hold: RetentionHold | None, id: str) -> None:
        """Write the hold of a run; None removes it."""
        with self.transaction():
            self.execute("DELETE FROM hold WHERE id = ?", (id,))
            if hold is not None:
                self.execute("INSERT INTO hold (id, why, until) VALUES (?, ?, ?)", astuple(hold))

    def list_holds(self) -> list[RetentionHold]:
        """Return all holds, expired ones included."""
        return [RetentionHold(*row) for row in self.execute("SELECT id, why, until FROM hold ORDER BY id").fetchall()]

    def write_flag(self, id: str, name: str, is_set: bool) -> None:
        """Set a flag of a run, or remove it."""
        with self.transaction():
            self.execute("DELETE FROM flag WHERE id = ? AND name = ?", (id, name))
            if is_set:
                self.execute("INSERT INTO flag (id, name) VALUES (?, ?)", (id, name))

    def write_expected_runs(self, name: str, keys: Iterable[str]) -> None:
        """Replace the keys of the expected runs in the list `name`."""
        with self.transaction():
            self.execute("DELETE FROM expected WHERE list = ?", (name,))
            self.executemany(
                "INSERT INTO expected (key, folded, list) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [(key, key.casefold(), name) for key in keys],
            )

    def select_rows(self, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Return the rows of a SELECT as dictionaries by column name."""
        cursor = self.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _to_line_row(line: TimedTextLine) -> tuple[str, int, int, int, int]:
    return line.text, KINDS.index(line.kind), line.page, round(line.begin), round(line.end)


def _group_lines_by_column(spans: Sequence[LineSpan], texts: Mapping[int, str]) -> tuple[list[str], ...]:
    """Return the texts of a run's lines, one list for each of :data:`COLUMNS`. The order is always the same, because
    the index needs the same text to remove a run as to add it.
    """
    found = []
    for kinds in COLUMNS.values():
        numbers = {KINDS.index(kind) for kind in kinds}
        lines = sorted({span.line for span in spans if span.kind in numbers})
        found.append([texts[line] for line in lines if line in texts])
    return tuple(found)


def format_day(time: float) -> str:
    """Return the day of a time (ms since 1970), in UTC; empty for 0."""
    if not time:
        return ""
    return datetime.fromtimestamp(time / 1_000, UTC).date().isoformat()


def shorten_file_name(name: str, id: str) -> str:
    """Return a file's name in the short form that the table holds: ``*i`` replaces the run's id, and a star in the name
    is doubled.
    """
    return "*i".join(part.replace("*", "**") for part in name.split(id))


def expand_file_name(stored: str, id: str) -> str:
    """Return a file's name from the short form that the table holds."""
    return re.sub(r"\*[*i]", lambda match: "*" if match[0] == "**" else id, stored)


def _to_catalogue_entry(row: Sequence[Any]) -> CatalogueEntry:
    id, sha256, place, indexed, *rest = row
    return CatalogueEntry(id, sha256, expand_file_name(place, id), expand_file_name(indexed, id), *rest)


def _to_sql_value(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def _build_placeholders(names: Sequence[str]) -> str:
    return ", ".join("?" * len(names))
