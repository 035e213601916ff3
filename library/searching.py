"""Searches a library: converts a query to conditions on the catalogue, and finds the runs and their matching lines."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from pagereel.errors import UsageError

from .catalogue import COLUMNS, KINDS, Catalogue, LineSpan, SqlCondition, expand_file_name
from .query import BEGINS, FIGURES, NAMES, TEXTS, QueryTerm
from .word_splitting import normalize_words

LIMIT: Final = 50
MOST: Final = 200
HITS: Final = 5
"""Largest number of lines that are returned for each run."""
_COLUMN: Final = {"seen": "page", "said": "said"}
_COLUMNS: Final = "n, id, place, started, duration, agent, outcome, recovered, steps, cost"


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that matches a query. `t`: when it appeared or was said, in ms."""

    kind: str
    t: float
    text: str


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A run that matches a query. `path`: of the recording; `recovered`: steps that failed before it passed;
    `started`: ms since 1970, UTC; `duration`: ms; `cost`: US dollars.
    """

    id: str
    path: str
    started: float
    duration: float
    agent: str | None
    outcome: str
    recovered: int
    steps: int
    cost: float
    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page of runs, the newest first. `total`: of all pages; `next`: the cursor of the next page, None at the end."""

    total: int
    runs: tuple[FoundRun, ...]
    next: str | None = None


def search_catalogue(
    catalogue: Catalogue, terms: Iterable[QueryTerm], limit: int = LIMIT, cursor: str | None = None
) -> SearchResult:
    """Return a page of the runs that match all terms. Raises UsageError for an invalid cursor."""
    asked = list(terms)
    where, values, _ = build_where_condition(catalogue, asked)
    limit = max(1, min(limit, MOST))
    after, place = ("(started, id) < (?, ?)", _decode_cursor(cursor)) if cursor is not None else ("1 = 1", ())
    # The conditions may be costly: each run is checked once, for both the total and the page.
    fit = f"WITH fit AS MATERIALIZED (SELECT {_COLUMNS} FROM run WHERE {where}) " if asked else ""
    table = "fit" if asked else "run"
    rows = catalogue.execute(
        f"{fit}SELECT (SELECT count(*) FROM {table}), {_COLUMNS} FROM {table} WHERE {after} ORDER BY started DESC, id DESC LIMIT ?",
        (*values, *place, limit + 1),
    ).fetchall()
    if rows:
        total = rows[0][0]
    else:
        (total,) = catalogue.execute(f"SELECT count(*) FROM run WHERE {where}", values).fetchone() if place else (0,)
    found = [(n, FoundRun(id, expand_file_name(place, id), *told)) for _, n, id, place, *told in rows[:limit]]
    hits = _find_matching_lines(catalogue, [n for n, _ in found], asked)
    runs = tuple(replace(run, hits=hits.get(n, ())) for n, run in found)
    return SearchResult(total, runs, _encode_cursor(runs[-1].started, runs[-1].id) if len(rows) > limit else None)


def list_outermost_titles(catalogue: Catalogue, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Map the id of each run to the titles of its outermost steps, in order. Runs without steps are left out."""
    asked = list(ids)
    if not asked:
        return {}
    rows = catalogue.execute(
        f"SELECT run.id, step.title FROM run JOIN step ON step.run = run.n WHERE step.parent IS NULL AND run.id IN ({', '.join('?' * len(asked))})"
        " ORDER BY step.run, step.number",
        tuple(asked),
    ).fetchall()
    found: dict[str, tuple[str, ...]] = {}
    for id, title in rows:
        found[id] = (*found.get(id, ()), title)
    return found


@dataclass(frozen=True, slots=True)
class StepName:
    """A step of a run: its number, its title, and when it began and ended, in ms."""

    number: int
    title: str
    began: float
    ended: float


def list_steps_of_runs(catalogue: Catalogue, ids: Iterable[str]) -> dict[str, list[StepName]]:
    """Map the id of each run to its steps, in the order of their beginnings. Runs without steps are left out."""
    asked = list(ids)
    if not asked:
        return {}
    rows = catalogue.execute(
        f"SELECT run.id, step.number, step.title, step.began, step.duration FROM run JOIN step ON step.run = run.n WHERE run.id IN ({', '.join('?' * len(asked))})"
        " ORDER BY step.run, step.began, step.number",
        tuple(asked),
    ).fetchall()
    found: dict[str, list[StepName]] = {}
    for id, number, title, began, duration in rows:
        found.setdefault(id, []).append(
            StepName(number, title, began, began + duration if duration is not None else inf)
        )
    return found


def build_where_condition(catalogue: Catalogue, terms: Iterable[QueryTerm]) -> SqlCondition:
    """Return the condition that a run matches all terms."""
    conditions = [_negate_if(build_term_condition(catalogue, term), term.negated) for term in terms]
    conditions.sort(key=lambda condition: condition.costly)
    if conditions and conditions[-1].costly:
        conditions = [each if each.costly else catalogue.to_prefilter(each) for each in conditions]
    where = " AND ".join(["1 = 1", *(condition.sql for condition in conditions)])
    return SqlCondition(where, tuple(value for condition in conditions for value in condition.values))


def build_term_condition(catalogue: Catalogue, term: QueryTerm) -> SqlCondition:
    """Return the condition that a run matches a term."""
    name, value = term.operator, term.value
    if name in FIGURES:
        return SqlCondition(f"{name} {term.how} ?", (value,))
    if name == "after":
        return SqlCondition("started >= ?", (value,))
    if name == "before":
        return SqlCondition("started < ?", (value,))
    if name in NAMES:
        return _build_name_condition(catalogue, name, str(value))
    return catalogue.build_words_condition(_COLUMN.get(name), str(value))


def _build_name_condition(catalogue: Catalogue, name: str, value: str) -> SqlCondition:
    if name == "tier":
        return _build_value_condition(catalogue, "tier", value)
    if name == "flag":
        flagged = _build_value_condition(catalogue, "name", value)
        return SqlCondition(f"id IN (SELECT id FROM flag WHERE {flagged.sql})", flagged.values)
    if name == "gap" and value == "any":
        return catalogue.build_usage_condition(name, SqlCondition("1 = 1"))
    return catalogue.build_usage_condition(
        name, _build_value_condition(catalogue, "value", value + "*" if name in BEGINS else value)
    )


def _build_value_condition(catalogue: Catalogue, column: str, value: str) -> SqlCondition:
    return catalogue.build_pattern_condition(column, value) if "*" in value else SqlCondition(f"{column} = ?", (value,))


def _find_matching_lines(
    catalogue: Catalogue, runs: list[int], terms: Iterable[QueryTerm]
) -> dict[int, tuple[Hit, ...]]:
    """Return the matching lines of each of these runs, in the order of their times."""
    asked = [
        (words, _get_kind_numbers(term))
        for term in terms
        if not term.negated
        and term.operator in (*TEXTS, "text")
        and (words := normalize_words(str(term.value))).strip()
    ]
    if not asked or not runs:
        return {}
    seen = catalogue.read_spans_of_runs(runs)
    lines = {span.line for spans in seen.values() for span in spans}
    fits = [(kinds, catalogue.find_lines_with_words(words, lines) & lines) for words, kinds in asked]
    first = {
        run: sorted(_iter_matching_line_spans(spans, fits), key=_get_span_sort_key)[:HITS]
        for run, spans in seen.items()
    }
    texts = catalogue.get_texts(span.line for spans in first.values() for span in spans)
    return {
        run: tuple(Hit(KINDS[span.kind], float(span.began), texts[span.line]) for span in spans if span.line in texts)
        for run, spans in first.items()
    }


def _iter_matching_line_spans(
    spans: Iterable[LineSpan], kinds_and_lines: Iterable[tuple[set[int], set[int]]]
) -> Iterator[LineSpan]:
    """Yield the spans that match, without those that would look equal to an earlier one in the result.

    `kinds_and_lines`: pairs of a set of kinds and a set of line numbers; a span matches if its kind and line are in one of the
    pairs.
    """
    found: set[tuple[int, int, int]] = set()
    for kinds, lines in kinds_and_lines:
        for span in spans:
            if span.line in lines and span.kind in kinds and (told := (span.line, span.kind, span.began)) not in found:
                found.add(told)
                yield span


def _get_span_sort_key(span: LineSpan) -> tuple[int, int, int]:
    return span.began, span.kind, span.line


def _get_kind_numbers(term: QueryTerm) -> set[int]:
    names = COLUMNS[_COLUMN[term.operator]] if term.operator in _COLUMN else KINDS
    return {KINDS.index(name) for name in names}


def _negate_if(condition: SqlCondition, negated: bool) -> SqlCondition:
    return condition._replace(sql=f"NOT ({condition.sql})") if negated else condition


def _encode_cursor(started: float, id: str) -> str:
    return base64.urlsafe_b64encode(f"{started!r} {id}".encode()).decode().rstrip("=")


def _decode_cursor(cursor: str) -> tuple[float, str]:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        started, _, id = text.partition(" ")
        return float(started), id
    except (binascii.Error, ValueError):
        raise UsageError(f"{cursor!r} is not a cursor of this library; use `next` of the previous answer.") from None
