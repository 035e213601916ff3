"""Figures over all runs, from the catalogue alone."""

from __future__ import annotations

from typing import Any, Final

from pagereel.library.catalogue import Catalogue

_FIELDS: Final = (
    "count(*) AS runs, count(*) FILTER (WHERE outcome = 'passed') AS passed, count(*) FILTER (WHERE outcome = 'failed') AS failed, coalesce(sum(cost), 0) AS cost,"
    " coalesce(sum(tokens), 0) AS tokens, coalesce(sum(errors), 0) AS errors, count(*) FILTER (WHERE gaps > 0) AS with_gaps, coalesce(sum(duration), 0) AS duration"
)
_DAYS: Final = 30
_GROUPS: Final = 25


def figures_of(db: Catalogue) -> dict[str, Any]:
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
            f"SELECT day AS name, {_FIELDS} FROM run WHERE started > 0 GROUP BY day ORDER BY day DESC LIMIT {_DAYS}",
        )[::-1],
    }


def _used(db: Catalogue, operator: str) -> list[dict[str, Any]]:
    return _rows(
        db,
        "SELECT used.value AS name, count(*) AS runs, count(*) FILTER (WHERE run.outcome = 'passed') AS passed, count(*) FILTER (WHERE run.outcome = 'failed') AS failed,"
        " sum(used.count) AS count FROM used JOIN run ON run.n = used.run WHERE operator = ? GROUP BY used.value"
        f" ORDER BY runs DESC, name LIMIT {_GROUPS}",
        operator,
    )


def _median(db: Catalogue) -> float | None:
    row = db.execute(
        "SELECT duration FROM run ORDER BY duration LIMIT 1 OFFSET (SELECT count(*) / 2 FROM run)"
    ).fetchone()
    return row[0] if row else None


def _rows(db: Catalogue, sql: str, *values: str) -> list[dict[str, Any]]:
    cursor = db.execute(sql, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
