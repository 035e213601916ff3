"""Retention times: how long a run is kept, and how much of it (its tier), by age and kind of run.

The time of a tier is the age up to which a run has at least that tier. A tier without a time is skipped. After the time
of the last tier the run is deleted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from pagereel.errors import UsageError

from ..query import QueryError, QueryTerm, parse_query

NAMES: Final = ("full", "steps", "facts")
_AGE: Final = re.compile(r"(\d{1,6})\s*(h|d|w|y)")
_MS: Final = {"h": 3_600_000.0, "d": 86_400_000.0, "w": 7 * 86_400_000.0, "y": 365 * 86_400_000.0}
FOREVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class TierTimes:
    """The age in ms up to which a run keeps each tier; None for a tier that has no time."""

    full: float | None = None
    steps: float | None = None
    facts: float | None = None

    def get_due_tier(self, age: float) -> str:
        """Return the tier that a run of this age (ms) should have: ``full`` where no tier has a time, ``gone`` where
        all times are over.
        """
        told = [(name, end) for name in NAMES if (end := getattr(self, name)) is not None]
        if not told:
            return "full"
        return next((name for name, end in told if age < end), "gone")

    def keep_longer_times(self, other: TierTimes) -> TierTimes:
        """Return for each tier the longer of both times."""
        both = {name: [t for t in (getattr(self, name), getattr(other, name)) if t is not None] for name in NAMES}
        return TierTimes(**{name: max(times) for name, times in both.items() if times})

    @property
    def deletion_age(self) -> float | None:
        """Return the age in ms at which a run is deleted; None: never."""
        told = [end for name in NAMES if (end := getattr(self, name)) is not None]
        return max(told) if told and max(told) != FOREVER else None


@dataclass(frozen=True, slots=True)
class RetentionRule:
    """Retention times for the runs that match a query."""

    query: str
    terms: tuple[QueryTerm, ...]
    times: TierTimes


@dataclass(frozen=True, slots=True)
class RetentionSettings:
    """The table ``[retention]`` of ``library.toml``."""

    times: TierTimes = TierTimes()
    rules: tuple[RetentionRule, ...] = ()

    def __bool__(self) -> bool:
        return self.times != TierTimes() or bool(self.rules)


def parse_retention(table: object, file_name: str) -> RetentionSettings:
    """Parse the table ``[retention]``. `file_name`: the file's name for messages. Raises UsageError where it is invalid."""
    if table is None:
        return RetentionSettings()
    if not isinstance(table, Mapping):
        raise UsageError(f"{file_name}: retention is a table, [retention].")
    rules = table.get("rule", [])
    if not isinstance(rules, list) or not all(isinstance(rule, Mapping) for rule in rules):
        raise UsageError(f"{file_name}: a rule of retention is a table of its own, [[retention.rule]].")
    times = _parse_tier_times({name: value for name, value in table.items() if name != "rule"}, file_name)
    return RetentionSettings(times, tuple(_parse_rule(rule, file_name) for rule in rules))


def parse_age(text: object, file_name: str) -> float:
    """Return a time such as ``30d`` in ms. Raises UsageError."""
    if text == "forever":
        return FOREVER
    match = _AGE.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        raise UsageError(f'{file_name}: a time is "12h", "30d", "4w", "2y" or "forever", not {text!r}.')
    return int(match[1]) * _MS[match[2]]


def format_iso_time(moment: float) -> str:
    """Return a moment (ms since 1970) as ISO 8601 in UTC, whole seconds."""
    return datetime.fromtimestamp(moment / 1_000, UTC).isoformat(timespec="seconds")


def _parse_tier_times(fields: Mapping[str, Any], file_name: str) -> TierTimes:
    unknown = [name for name in fields if name not in NAMES]
    if unknown:
        raise UsageError(f"{file_name}: retention names {unknown[0]!r}; its tiers are {', '.join(NAMES)}.")
    found = {name: parse_age(value, file_name) for name, value in fields.items()}
    ordered = [found[name] for name in NAMES if name in found]
    if ordered != sorted(ordered):
        raise UsageError(f"{file_name}: full must not last longer than steps, nor steps longer than facts.")
    return TierTimes(**found)


def _parse_rule(fields: Mapping[str, Any], file_name: str) -> RetentionRule:
    query = fields.get("query")
    if not isinstance(query, str) or not query.strip():
        raise UsageError(f'{file_name}: a rule of retention needs a query, for example query = "outcome:failed".')
    try:
        terms = tuple(parse_query(query))
    except QueryError as error:
        raise UsageError(f"{file_name}: {error}") from None
    return RetentionRule(
        query, terms, _parse_tier_times({name: value for name, value in fields.items() if name != "query"}, file_name)
    )
