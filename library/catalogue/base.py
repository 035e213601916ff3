"""What both catalogues do: write a run's rows, take them out, say what there is. How a database does it stands in :mod:`.sqlite` and :mod:`.postgres`."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from typing import Any, Final

from ..facts import RUN, Facts, Used
from ..lines import RunLine
from .packing import LineSpan
from .tables import COLUMNS, KINDS, VERSION, Condition
from .texts import LineStore

_RUN: Final = ("id", "sha256", "place", "indexed", "tier", "bytes", "added", "day", *(each.name for each in RUN))
_SPENT: Final = ("name", "run", *(each.name for each in fields(Used)))
_STEP: Final = ("run", "number", "parent", "began", "duration", "title", "success", "calls", "tokens", "cost")
_AT_ONCE: Final = 1_000
"""Values of one statement: both databases have a limit."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a run lies. `place`: the recording; `indexed`: what was read for the catalogue, the masked one as a rule; both below the library's folder or in its
    store, or absolute where it was linked; empty at tier ``facts``. `sha256`: of the file that was added. `bytes`: of what is kept. `added`: ms since 1970.
    """

    id: str
    sha256: str
    place: str
    indexed: str
    tier: str = "full"
    bytes: int = 0
    added: float = 0.0


@dataclass(frozen=True, slots=True)
class Hold:
    """A run that is kept whatever its age. `until` in ms since 1970; None: until it is released."""

    id: str
    why: str
    until: float | None = None


class Catalogue(LineStore):
    """An open catalogue. Readers do not wait for a writer; writers wait for each other."""

    place: str
    """Where it is, for people."""
    fresh: bool = False
    """Whether it was made now, empty."""

    @property
    def db(self) -> Catalogue:
        """What ``execute`` is asked of."""
        return self

    @property
    def current(self) -> bool:
        """Whether this pagereel made it."""
        return self._version() == VERSION

    # -- what a database does --------------------

    @property
    @abstractmethod
    def there(self) -> bool:
        """Whether this is still the library's catalogue: not another that took its place, and no connection that broke."""

    @abstractmethod
    def close(self) -> None:
        """Close it."""

    @abstractmethod
    def replace_current(self) -> None:
        """Become the library's catalogue, when this is a new one beside it. It is closed then."""

    @abstractmethod
    def discard(self) -> None:
        """Leave nothing of a new one that did not take its place."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """All of it, or nothing."""

    @abstractmethod
    def with_words(self, column: str | None, text: str) -> Condition:
        """Return what a run fits in one of whose lines the words of a text stand, one after the other. `column`: of :data:`COLUMNS`; None: any."""

    @abstractmethod
    def like(self, column: str, pattern: str) -> Condition:
        """Return what a column fits that is as a pattern says, in which ``*`` stands for anything."""

    def using(self, operator: str, value: Condition) -> Condition:
        """Return what a run fits that used something: an operator of the query, and what the value of it fits."""
        return Condition(f"n IN (SELECT run FROM used WHERE operator = ? AND {value.sql})", (operator, *value.values))

    @abstractmethod
    def compact(self, *, deleted: bool = False) -> None:
        """Leave nothing behind that was deleted, and the tables as they are read fastest: after much was written or deleted."""

    @abstractmethod
    def size(self) -> int:
        """Return its bytes."""

    @abstractmethod
    def _version(self) -> int: ...

    @abstractmethod
    def _index(self, run: int, documents: Sequence[Sequence[str]]) -> None: ...

    @abstractmethod
    def _forget(self, run: int, documents: Sequence[Sequence[str]]) -> None: ...

    # -- runs --------------------

    def entry(self, id: str) -> Entry | None:
        """Return where a run lies; None: there is none of that id."""
        row = self.execute(
            "SELECT id, sha256, place, indexed, tier, bytes, added FROM run WHERE id = ?", (id,)
        ).fetchone()
        return _entry(row) if row else None

    def entries(self) -> list[Entry]:
        """Return where all runs lie."""
        rows = self.execute("SELECT id, sha256, place, indexed, tier, bytes, added FROM run ORDER BY id").fetchall()
        return [_entry(row) for row in rows]

    def holds_raw(self) -> bool:
        """Return whether a run in it was looked through as it was recorded."""
        asked = "SELECT EXISTS (SELECT 1 FROM run WHERE policy IS NULL AND tier <> 'facts')"
        return bool(self.execute(asked).fetchone()[0])

    def before_costly(self, condition: Condition) -> Condition:
        """Return a condition such that the database asks it before one that is costly."""
        return condition

    def ids(self, prefix: str = "") -> list[str]:
        """Return the ids that begin so."""
        low, high = prefix, prefix + "\U0010ffff"
        rows = self.execute("SELECT id FROM run WHERE id >= ? AND id < ?", (low, high)).fetchall()
        return sorted(id for (id,) in rows if id.startswith(prefix))

    def put(self, entry: Entry, facts: Facts) -> None:
        """Write a run's rows and lines; one of the same id goes."""
        places = {"place": short_place(entry.place, entry.id), "indexed": short_place(entry.indexed, entry.id)}
        values = {"id": entry.id, "sha256": entry.sha256, **places, "tier": entry.tier, "bytes": entry.bytes,
                  "added": entry.added}  # fmt: skip
        values["day"] = day_of(facts.started)
        values |= {each.name: _plain(getattr(facts, each.name)) for each in RUN}
        with self.writing():
            self._drop(entry.id)
            (run,) = self.execute(
                f"INSERT INTO run ({', '.join(_RUN)}) VALUES ({_marks(_RUN)}) RETURNING n",
                [values[name] for name in _RUN],
            ).fetchone()
            names = self._named(list(facts.used))
            self.executemany(
                f"INSERT INTO spent ({', '.join(_SPENT)}) VALUES ({_marks(_SPENT)})",
                [(names[name], run, *astuple(used)) for name, used in facts.used.items()],
            )
            self.executemany(
                f"INSERT INTO step ({', '.join(_STEP)}) VALUES ({_marks(_STEP)})",
                [(run, *map(_plain, astuple(step))) for step in facts.each],
            )
            spans, texts = self._put_shown(run, map(_seen, facts.lines), names.values())
            self._index(run, _documents(spans, texts))

    def drop(self, id: str) -> None:
        """Take a run out, and the lines that only it had; with it go its hold and its flags."""
        with self.writing():
            self._drop(id)
            for table in ("hold", "flag"):
                self.execute(f"DELETE FROM {table} WHERE id = ?", (id,))

    def _drop(self, id: str) -> None:
        row = self.execute("SELECT n FROM run WHERE id = ?", (id,)).fetchone()
        if row is None:
            return
        run = row[0]
        spans = self.seen_in(row).get(run, [])
        texts = self.texts({span.line for span in spans})
        self._forget(run, _documents(spans, texts))
        used = self._drop_shown(run, texts)
        for table, column in (("step", "run"), ("run", "n")):
            self.execute(f"DELETE FROM {table} WHERE {column} = ?", row)
        self.executemany("DELETE FROM spent WHERE name = ? AND run = ?", [(name, run) for name in used])
        left = self.one_of("n", used)
        self.execute(
            f"DELETE FROM name WHERE {left.sql} AND NOT EXISTS (SELECT 1 FROM spent WHERE spent.name = name.n)",
            left.values,
        )

    def _named(self, names: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Return the number of each name: an operator of the query, and a value of it."""
        found: dict[tuple[str, str], int] = {}
        for operator in dict.fromkeys(operator for operator, _ in names):
            values = [value for each, value in names if each == operator]
            for start in range(0, len(values), _AT_ONCE):
                some = values[start : start + _AT_ONCE]
                asked = f"SELECT value, n FROM name WHERE operator = ? AND value IN ({_marks(some)})"
                found |= {(operator, value): n for value, n in self.execute(asked, (operator, *some)).fetchall()}
        (last,) = self.execute("SELECT coalesce(max(name), 0) FROM spent").fetchone()
        new = {name: last + place for place, name in enumerate((name for name in names if name not in found), 1)}
        self.executemany(
            "INSERT INTO name (operator, value, n) VALUES (?, ?, ?)", [(*name, number) for name, number in new.items()]
        )
        return found | new

    # -- holds, flags, what is expected --------------------

    def hold(self, hold: Hold | None, id: str) -> None:
        """Write a hold; None: there is none any more."""
        with self.writing():
            self.execute("DELETE FROM hold WHERE id = ?", (id,))
            if hold is not None:
                self.execute("INSERT INTO hold (id, why, until) VALUES (?, ?, ?)", astuple(hold))

    def holds(self) -> list[Hold]:
        """Return all holds, those that are over among them."""
        return [Hold(*row) for row in self.execute("SELECT id, why, until FROM hold ORDER BY id").fetchall()]

    def flag(self, id: str, name: str, on: bool) -> None:
        """Put a flag on a run, or take it away."""
        with self.writing():
            self.execute("DELETE FROM flag WHERE id = ? AND name = ?", (id, name))
            if on:
                self.execute("INSERT INTO flag (id, name) VALUES (?, ?)", (id, name))

    def expect(self, name: str, keys: Iterable[str]) -> None:
        """Write which runs a list expects, instead of those that it named before."""
        with self.writing():
            self.execute("DELETE FROM expected WHERE list = ?", (name,))
            self.executemany(
                "INSERT INTO expected (key, folded, list) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [(key, key.casefold(), name) for key in keys],
            )

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Return the rows of a SELECT, by the names of its columns."""
        cursor = self.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _seen(line: RunLine) -> tuple[str, int, int, int, int]:
    return line.text, KINDS.index(line.kind), line.page, round(line.begin), round(line.end)


def _documents(spans: Sequence[LineSpan], texts: Mapping[int, str]) -> tuple[list[str], ...]:
    """Return a run's lines, column by column: the same each time, since what is taken out of an index must be what was put in."""
    found = []
    for kinds in COLUMNS.values():
        numbers = {KINDS.index(kind) for kind in kinds}
        lines = sorted({span.line for span in spans if span.kind in numbers})
        found.append([texts[line] for line in lines if line in texts])
    return tuple(found)


def day_of(started: float) -> str:
    """Return the day of a moment (ms since 1970), in UTC; empty where nobody says when."""
    if not started:
        return ""
    return datetime.fromtimestamp(started / 1_000, UTC).date().isoformat()


def short_place(place: str, id: str) -> str:
    """Return where a run lies as it is stored: ``*i`` for its id, which stands beside it, and two stars for one of the place's own."""
    return "*i".join(part.replace("*", "**") for part in place.split(id))


def whole_place(stored: str, id: str) -> str:
    """Return where a run lies."""
    return re.sub(r"\*[*i]", lambda match: "*" if match[0] == "**" else id, stored)


def _entry(row: Sequence[Any]) -> Entry:
    id, sha256, place, indexed, *rest = row
    return Entry(id, sha256, whole_place(place, id), whole_place(indexed, id), *rest)


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def _marks(names: Sequence[str]) -> str:
    return ", ".join("?" * len(names))
