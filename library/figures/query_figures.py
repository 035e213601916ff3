"""Computes the figures over the runs that match a query, from the catalogue."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from ..catalogue import Catalogue
from ..query import QueryTerm
from ..searching import build_where_condition
from .coverage import Coverage, compute_coverage
from .curves import CurveStep, find_curve_steps
from .periods import format_period
from .tally import COLUMNS, FigureTally, RunFigureRow

GROUPS: Final = ("agent", "model", "prompt", "version", "tool", "test", "host", "tenant", "ci")
"""What figures can be grouped by; operators of the query."""
USUAL: Final = ("agent", "model", "prompt", "version")
_MOST: Final = 25
"""Largest number of groups, tests and errors that are listed, those with most runs first."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The result of :func:`compute_figures`. ``by``: group → its values with their figures; ``times``: one row for each
    hour, day or week that had runs.
    """

    all: dict[str, Any]
    by: dict[str, list[dict[str, Any]]]
    times: list[dict[str, Any]]
    steps: list[CurveStep] | None
    """The steps of the curves; None: ruptures, which finds them, is not installed."""
    flaky: list[dict[str, Any]]
    errors: list[dict[str, Any]]
    storage: dict[str, Any]
    coverage: Coverage | None
    """The coverage of the expected runs; None: nothing is expected."""


def compute_figures(
    catalogue: Catalogue, terms: Iterable[QueryTerm] = (), by: Iterable[str] = USUAL, every: str = "day"
) -> Figures:
    """Return the figures of the runs that match all terms. `by`: groups, some of :data:`GROUPS`; `every`: ``hour``,
    ``day`` or ``week``.
    """
    where, values, _ = build_where_condition(catalogue, terms)
    rows = catalogue.execute(
        f"SELECT {', '.join(COLUMNS)} FROM run WHERE {where} ORDER BY started, id", values
    ).fetchall()
    runs = {row[0]: RunFigureRow(*row) for row in rows}
    total = FigureTally()
    times: dict[str, FigureTally] = defaultdict(FigureTally)
    for run in runs.values():
        total.add_run(run)
        if run.started:
            times[format_period(run.started, every)].add_run(run)
    told = [{"time": time, **tally.compute_figures()} for time, tally in sorted(times.items())]
    return Figures(
        all=total.compute_figures(),
        by={group: _compute_figures_by_group(catalogue, runs, group) for group in by},
        times=told,
        steps=find_curve_steps(catalogue, runs, told, every),
        flaky=_find_flaky_tests(catalogue, runs),
        errors=_count_runs_by_error(catalogue, runs),
        storage=_measure_storage(catalogue, total.bytes, len(runs)),
        coverage=compute_coverage(catalogue),
    )


def _compute_figures_by_group(catalogue: Catalogue, runs: dict[int, RunFigureRow], group: str) -> list[dict[str, Any]]:
    tallies: dict[str, FigureTally] = defaultdict(FigureTally)
    used: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0, 0, 0.0])
    for value, n, *spent in catalogue.execute(
        "SELECT value, run, count, ms, failed, tokens, cost FROM used WHERE operator = ?", (group,)
    ).fetchall():
        if n in runs:
            tallies[value].add_run(runs[n])
            used[value] = [a + b for a, b in zip(used[value], spent, strict=True)]
    lines = []
    for value, tally in tallies.items():
        row = {"name": value, **tally.compute_figures()}
        if group in ("model", "prompt", "tool"):
            count, ms, failed, tokens, cost = used[value]
            row["calls"] = {
                "count": count,
                "ms": round(ms, 1),
                "failed": failed,
                "tokens": tokens,
                "cost": round(cost, 6),
            }
        lines.append(row)
    return sorted(lines, key=lambda row: (-row["runs"], row["name"]))[:_MOST]


def _find_flaky_tests(catalogue: Catalogue, runs: dict[int, RunFigureRow]) -> list[dict[str, Any]]:
    """Return a row for each test that passed in some runs and failed in others, those whose outcome changed most often
    first.

    ``same_version``: one version of the tested program had both outcomes; these rows come before all others.
    """
    versions = dict(
        catalogue.execute("SELECT run, min(value) FROM used WHERE operator = 'version' GROUP BY run").fetchall()
    )
    tests: dict[str, list[RunFigureRow]] = defaultdict(list)
    for value, n in catalogue.execute("SELECT value, run FROM used WHERE operator = 'test'").fetchall():
        if n in runs and runs[n].outcome in ("passed", "failed"):
            tests[value].append(runs[n])
    found = []
    for name, ran in tests.items():
        outcomes = [run.outcome for run in sorted(ran, key=lambda run: (run.started, run.n))]
        changes = sum(a != b for a, b in itertools.pairwise(outcomes))
        if not changes:
            continue
        both: dict[str, set[str]] = defaultdict(set)
        for run in ran:
            if run.n in versions:
                both[versions[run.n]].add(run.outcome)
        found.append(
            {
                "test": name, "runs": len(ran), "passed": outcomes.count("passed"), "failed": outcomes.count("failed"), "changes": changes,
                "same_version": any(len(outcomes) > 1 for outcomes in both.values()),
            }
        )  # fmt: skip
    return sorted(found, key=lambda row: (not row["same_version"], -int(str(row["changes"])), str(row["test"])))[:_MOST]


def _count_runs_by_error(catalogue: Catalogue, runs: dict[int, RunFigureRow]) -> list[dict[str, Any]]:
    """Return a row for each error, those of most runs first.

    Errors whose texts differ only in numbers, ids and quoted values count as one; the hash of the text without these is
    the row's key.
    """
    signatures: dict[str, dict[str, Any]] = {}
    for value, n, count in catalogue.execute("SELECT value, run, count FROM used WHERE operator = 'error'").fetchall():
        if n not in runs:
            continue
        hashed, _, words = value.partition(" ")
        row = signatures.setdefault(
            hashed, {"error": hashed, "words": "", "runs": 0, "count": 0, "first": float("inf"), "last": 0.0}
        )
        row["words"] = max(row["words"], words, key=len)
        row["runs"] += 1
        row["count"] += count
        row["first"] = min(row["first"], runs[n].started)
        row["last"] = max(row["last"], runs[n].started)
    return sorted(signatures.values(), key=lambda row: (-row["runs"], row["error"]))[:_MOST]


def _measure_storage(catalogue: Catalogue, run_sizes: int, runs: int) -> dict[str, Any]:
    """Return the sizes of recordings and catalogue in bytes, the numbers of lines and of distinct lines, and of runs by
    tier.
    """
    (seen,) = catalogue.execute("SELECT coalesce(sum(lines), 0) FROM shown").fetchone()
    (lines,) = catalogue.execute("SELECT count(*) FROM line").fetchone()
    tiers = dict(catalogue.execute("SELECT tier, count(*) FROM run GROUP BY tier ORDER BY tier").fetchall())
    return {
        "recordings": run_sizes, "a_run": round(run_sizes / runs) if runs else None, "index": catalogue.measure_size(), "lines": int(seen), "distinct_lines": lines, "tiers": tiers,
    }  # fmt: skip
