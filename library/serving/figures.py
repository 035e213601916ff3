"""Figures over all runs, from the catalogue alone."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

_FIELDS: Final = (
    "count(*) AS runs, sum(outcome = 'passed') AS passed, sum(outcome = 'failed') AS failed, coalesce(sum(cost), 0) AS cost,"
    " coalesce(sum(tokens), 0) AS tokens, coalesce(sum(errors), 0) AS errors, sum(gaps > 0) AS with_gaps, coalesce(sum(duration), 0) AS duration"
)
_DAYS: Final = 30
_GROUPS: Final = 25


def figures_of(db: sqlite3.Connection) -> dict[str, Any]:
    """Return counts, success, cost in US dollars, tokens and time in ms: of all runs, by agent, model and tool, and by day (UTC) for the last days."""
    (all_runs,) = _rows(db, f"SELECT {_FIELDS}, count(DISTINCT agent) AS agents FROM run")
    return {
        "all": all_runs | {"median_duration": _median(db)},
        "agents": _rows(
            db,
            f"SELECT coalesce(agent, '–') AS name, {_FIELDS} FROM run GROUP BY agent ORDER BY runs DESC LIMIT {_GROUPS}",
        ),
        "models": _used(db, "model"),
        "tools": _used(db, "tool"),
        "days": _rows(
            db,
            f"SELECT date(started / 1000, 'unixepoch') AS name, {_FIELDS} FROM run WHERE started > 0 GROUP BY name ORDER BY name DESC LIMIT {_DAYS}",
        )[::-1],
    }


def _used(db: sqlite3.Connection, operator: str) -> list[dict[str, Any]]:
    return _rows(
        db,
        "SELECT use.value AS name, count(*) AS runs, sum(run.outcome = 'passed') AS passed, sum(run.outcome = 'failed') AS failed,"
        " sum(use.count) AS count FROM use JOIN run ON run.n = use.run WHERE operator = ? GROUP BY use.value"
        f" ORDER BY runs DESC, name LIMIT {_GROUPS}",
        operator,
    )


def _median(db: sqlite3.Connection) -> float | None:
    row = db.execute(
        "SELECT duration FROM run ORDER BY duration LIMIT 1 OFFSET (SELECT count(*) / 2 FROM run)"
    ).fetchone()
    return row[0] if row else None


def _rows(db: sqlite3.Connection, sql: str, *values: str) -> list[dict[str, Any]]:
    cursor = db.execute(sql, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
