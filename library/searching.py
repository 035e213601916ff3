"""Terms of a query as conditions on the catalogue, and the lines that answer it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from pagereel.errors import UsageError

from .catalogue import COLUMNS, KINDS, Catalogue, Condition
from .query import BEGINS, FIGURES, NAMES, TEXTS, Term
from .words import folded, holds

LIMIT: Final = 50
MOST: Final = 200
HITS: Final = 5
"""Lines that are given of each run."""
_COLUMN: Final = {"seen": "page", "said": "said"}
_COLUMNS: Final = "n, id, place, started, duration, agent, outcome, steps, cost"


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that answers a query. `t`: when it came to show or was said, in ms."""

    kind: str
    t: float
    text: str


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A run that answers. `path`: of the recording; `started`: ms since 1970, UTC; `duration`: ms; `cost`: US dollars."""

    id: str
    path: str
    started: float
    duration: float
    agent: str | None
    outcome: str
    steps: int
    cost: float
    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A page of runs, the newest first. `total`: of all pages; `next`: where the next one begins, None at the end."""

    total: int
    runs: tuple[FoundRun, ...]
    next: str | None = None


def search(catalogue: Catalogue, terms: Iterable[Term], limit: int = LIMIT, cursor: str | None = None) -> Answer:
    """Return a page of the runs that fit all terms. Raises UsageError for a cursor that is none."""
    asked = list(terms)
    where, values = where_of(catalogue, asked)
    (total,) = catalogue.execute(f"SELECT count(*) FROM run WHERE {where}", values).fetchone()
    if cursor is not None:
        where += " AND (started, id) < (?, ?)"
        values += _place(cursor)
    limit = max(1, min(limit, MOST))
    rows = catalogue.execute(
        f"SELECT {_COLUMNS} FROM run WHERE {where} ORDER BY started DESC, id DESC LIMIT ?", (*values, limit + 1)
    ).fetchall()
    texts = [term for term in asked if not term.negated and term.operator in (*TEXTS, "text")]
    runs = tuple(replace(FoundRun(*row[1:]), hits=_hits(catalogue, row[0], texts)) for row in rows[:limit])
    last = rows[limit - 1] if len(rows) > limit else None
    return Answer(total, runs, _cursor(last[3], last[1]) if last is not None else None)


def where_of(catalogue: Catalogue, terms: Iterable[Term]) -> Condition:
    """Return what a run must fit that fits all terms."""
    conditions = [_negated(condition_of(catalogue, term), term.negated) for term in terms]
    where = " AND ".join(["1 = 1", *(condition.sql for condition in conditions)])
    return Condition(where, tuple(value for condition in conditions for value in condition.values))


def condition_of(catalogue: Catalogue, term: Term) -> Condition:
    """Return what a run must fit."""
    name, value = term.operator, term.value
    if name in FIGURES:
        return Condition(f"{name} {term.how} ?", (value,))
    if name == "after":
        return Condition("started >= ?", (value,))
    if name == "before":
        return Condition("started < ?", (value,))
    if name in NAMES:
        return _name(catalogue, name, str(value))
    return catalogue.with_words(_COLUMN.get(name), str(value))


def _name(catalogue: Catalogue, name: str, value: str) -> Condition:
    if name == "tier":
        return _value(catalogue, "tier", value)
    if name == "flag":
        flagged = _value(catalogue, "name", value)
        return Condition(f"id IN (SELECT id FROM flag WHERE {flagged.sql})", flagged.values)
    if name == "gap" and value == "any":
        return Condition("n IN (SELECT run FROM used WHERE operator = ?)", (name,))
    fits = _value(catalogue, "value", value + "*" if name in BEGINS else value)
    return Condition(f"n IN (SELECT run FROM used WHERE operator = ? AND {fits.sql})", (name, *fits.values))


def _value(catalogue: Catalogue, column: str, value: str) -> Condition:
    return catalogue.like(column, value) if "*" in value else Condition(f"{column} = ?", (value,))


def _hits(catalogue: Catalogue, run: int, terms: Iterable[Term]) -> tuple[Hit, ...]:
    asked = [
        (words, max(words.split(), key=len), _kinds(term))
        for term in terms
        if (words := folded(str(term.value))).strip()
    ]
    if not asked:
        return ()
    kinds = sorted(set().union(*(numbers for _, _, numbers in asked)))
    rows = catalogue.execute(
        f"SELECT kind, began, text FROM seen JOIN line ON line.n = seen.line WHERE run = ? AND kind IN ({', '.join('?' * len(kinds))})"
        " ORDER BY began, kind, line",
        (run, *kinds),
    )
    found: dict[Hit, None] = {}
    for kind, begin, text in iter(rows.fetchone, None):
        if any(kind in numbers and holds(text, words, longest) for words, longest, numbers in asked):
            found[Hit(KINDS[kind], float(begin), text)] = None
            if len(found) == HITS:
                break
    return tuple(found)


def _kinds(term: Term) -> set[int]:
    names = COLUMNS[_COLUMN[term.operator]] if term.operator in _COLUMN else KINDS
    return {KINDS.index(name) for name in names}


def _negated(condition: Condition, negated: bool) -> Condition:
    return Condition(f"NOT ({condition.sql})", condition.values) if negated else condition


def _cursor(started: float, id: str) -> str:
    return base64.urlsafe_b64encode(f"{started!r} {id}".encode()).decode().rstrip("=")


def _place(cursor: str) -> tuple[float, str]:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        started, _, id = text.partition(" ")
        return float(started), id
    except (binascii.Error, ValueError):
        raise UsageError(f"{cursor!r} is no cursor of this library: take `next` of the answer before.") from None
