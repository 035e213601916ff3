"""The query language of a library: terms, each of which a run must match.

>>> [term.operator for term in parse_query('agent:bot -outcome:passed seen:"card declined" cost:>0.5 refund')]
['agent', 'outcome', 'seen', 'cost', 'text']

The command line, Python and the server all use this parser. docs/library.md has the operators.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from pagereel.errors import UsageError

from .word_splitting import split_words

NAMES: Final = (
    "agent", "tool", "model", "prompt", "version", "host", "outcome", "tenant", "test", "ci", "trace", "path", "gap", "error", "flag", "tier",
)  # fmt: skip
"""Operators with a text value, compared without case, in which ``*`` matches any text."""
BEGINS: Final = ("path", "error")
"""Operators whose value matches the beginning of a text."""
FIGURES: Final = ("cost", "duration", "steps", "tokens")
TIMES: Final = ("after", "before")
TEXTS: Final = ("seen", "said")
WORDS: Final = (*TEXTS, "text")
"""Operators that return matching lines; `text` is a term without an operator."""
OPERATORS: Final = (*NAMES, *FIGURES, *TIMES, *TEXTS)
OUTCOMES: Final = ("passed", "failed", "unknown")

_TERM: Final = re.compile(r'(?P<not>-?)(?:(?P<operator>[A-Za-z_]+):)?(?P<value>"(?:[^"\\]|\\.)*"|[^\s"]*)', re.DOTALL)
_FIGURE: Final = re.compile(r"(?P<how><=|>=|<|>|=)?(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s|m|h)?")
_AGO: Final = re.compile(r"(\d{1,5})([mhdw])")
_MS: Final = {None: 1.0, "ms": 1.0, "s": 1_000.0, "m": 60_000.0, "h": 3_600_000.0}
_SPANS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_LONGEST: Final = 2_000


class QueryError(UsageError):
    """A query that cannot be read. `place` is the offset of the error."""

    def __init__(self, message: str, query: str, place: int) -> None:
        super().__init__(f"{message} (at character {place + 1} of the query: {query[place : place + 30]!r})")
        self.place = place


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One term of a query. `value`: a text, a figure, or a time in ms since 1970; `how`: the comparison for a figure,
    such as ``>=``; `place`: the offset in the query.
    """

    operator: str
    value: str | float
    negated: bool = False
    how: str = "="
    place: int = 0


def parse_query(query: str, now: float | None = None) -> list[QueryTerm]:
    """Return the terms of a query; none for an empty one.

    :param now: the present, in s since 1970, for relative times such as ``7d``; by default the clock's.
    :raises QueryError: it cannot be read; the message says where.
    """
    if len(query) > _LONGEST:
        raise QueryError(f"A query may have at most {_LONGEST:,} characters.", query, _LONGEST)
    terms: list[QueryTerm] = []
    place = 0
    while True:
        while place < len(query) and query[place].isspace():
            place += 1
        if place == len(query):
            return terms
        match = _TERM.match(query, place)
        if match is None or not match.group() or (match["value"] == "" and query[match.end() : match.end() + 1] == '"'):
            raise QueryError("A quotation mark is open.", query, query.index('"', place))
        if match.end() < len(query) and not query[match.end()].isspace():
            raise QueryError(
                "Put a space between terms, and a quotation mark only at the beginning of a value.", query, match.end()
            )
        terms.append(_parse_query_term(match, query, time.time() if now is None else now))
        place = match.end()


def _parse_query_term(match: re.Match[str], query: str, now: float) -> QueryTerm:
    place = match.start()
    name = (match["operator"] or "text").lower()
    value = match["value"]
    quoted = value.startswith('"')
    if quoted:
        value = re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL)
    negated = bool(match["not"])
    if match["operator"] and name not in OPERATORS:
        raise QueryError(f"Unknown operator {name}; the operators are {', '.join(OPERATORS)}.", query, place)
    at = match.start("value")
    if not value.strip():
        raise QueryError(f"{name}: needs a value." if match["operator"] else "A word is missing.", query, at)
    if name in FIGURES:
        return _parse_figure_term(name, value, negated, query, at)
    if name in TIMES:
        return QueryTerm(name, _parse_time(value, now, query, at), negated, place=place)
    if name == "outcome" and "*" not in value and value.lower() not in OUTCOMES:
        raise QueryError(f"An outcome is {', '.join(OUTCOMES[:-1])} or {OUTCOMES[-1]}.", query, at)
    if name in WORDS and not split_words(value):
        raise QueryError("A text to search for needs at least one letter or digit.", query, at)
    return QueryTerm(name, value if name in WORDS else value.casefold(), negated, place=place)


def _parse_figure_term(name: str, value: str, negated: bool, query: str, offset: int) -> QueryTerm:
    match = _FIGURE.fullmatch(value)
    if match is None or (match["unit"] and name != "duration"):
        form = "duration:>30s (ms, s, m, h)" if name == "duration" else f"{name}:>10"
        raise QueryError(f"{name}: takes a number like {form}, with <, >, <= or >=.", query, offset)
    return QueryTerm(name, float(match["number"]) * _MS[match["unit"]], negated, match["how"] or "=", offset)


def _parse_time(value: str, now: float, query: str, offset: int) -> float:
    if ago := _AGO.fullmatch(value):
        return (now - timedelta(**{_SPANS[ago[2]]: int(ago[1])}).total_seconds()) * 1_000
    try:
        told = datetime.fromisoformat(value)
    except ValueError:
        raise QueryError(
            "A time is in ISO 8601 (2026-11-22, 2026-11-22T10:00) or an age (30m, 6h, 7d, 2w).", query, offset
        ) from None
    return (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp() * 1_000
