"""Computes the figures over the runs that match a query, from the catalogue."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from ..catalogue import Catalogue
from ..query import Term
from ..searching import where_of
from .coverage import Coverage, coverage_of
from .curves import CurveStep, steps_in
from .tally import COLUMNS, RunFacts, Tally
from .times import period_of

GROUPS: Final = ("agent", "model", "prompt", "version", "tool", "test", "host", "tenant", "ci")
"""What figures can be grouped by; operators of the query."""
USUAL: Final = ("agent", "model", "prompt", "version")
_MOST: Final = 25
"""Largest number of groups, tests and errors that are listed, those with most runs first."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The result of :func:`figures_of`. ``by``: group → its values with their figures; ``times``: one row for each
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


def figures_of(
    catalogue: Catalogue, terms: Iterable[Term] = (), by: Iterable[str] = USUAL, every: str = "day"
) -> Figures:
    """Return the figures of the runs that match all terms. `by`: groups, some of :data:`GROUPS`; `every`: ``hour``,
    ``day`` or ``week``.
    """
    where, values, _ = where_of(catalogue, terms)
    rows = catalogue.execute(
        f"SELECT {', '.join(COLUMNS)} FROM run WHERE {where} ORDER BY started, id", values
    ).fetchall()
    runs = {row[0]: RunFacts(*row) for row in rows}
    total = Tally()
    times: dict[str, Tally] = defaultdict(Tally)
    for run in runs.values():
        total.add(run)
        if run.started:
            times[period_of(run.started, every)].add(run)
    told = [{"time": time, **tally.figures()} for time, tally in sorted(times.items())]
    return Figures(
        all=total.figures(),
        by={group: _grouped(catalogue, runs, group) for group in by},
        times=told,
        steps=steps_in(catalogue, runs, told, every),
        flaky=_flaky(catalogue, runs),
        errors=_errors(catalogue, runs),
        storage=_storage(catalogue, total.bytes, len(runs)),
        coverage=coverage_of(catalogue),
    )


def _grouped(catalogue: Catalogue, runs: dict[int, RunFacts], group: str) -> list[dict[str, Any]]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    used: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0, 0, 0.0])
    for value, n, *spent in catalogue.execute(
        "SELECT value, run, count, ms, failed, tokens, cost FROM used WHERE operator = ?", (group,)
    ).fetchall():
        if n in runs:
            tallies[value].add(runs[n])
            used[value] = [a + b for a, b in zip(used[value], spent, strict=True)]
    lines = []
    for value, tally in tallies.items():
        row = {"name": value, **tally.figures()}
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


def _flaky(catalogue: Catalogue, runs: dict[int, RunFacts]) -> list[dict[str, Any]]:
    """Return the tests that both passed and failed, as rows, those with most changes of the outcome first.

    ``same_version``: whether a single version of the tested program had both outcomes; those rows come first.
    """
    versions = dict(
        catalogue.execute("SELECT run, min(value) FROM used WHERE operator = 'version' GROUP BY run").fetchall()
    )
    tests: dict[str, list[RunFacts]] = defaultdict(list)
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


def _errors(catalogue: Catalogue, runs: dict[int, RunFacts]) -> list[dict[str, Any]]:
    """Return the errors that most runs had, as rows by the hash of their signature."""
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


def _storage(catalogue: Catalogue, kept: int, runs: int) -> dict[str, Any]:
    """Return the sizes of recordings and catalogue in bytes, the numbers of lines and of distinct lines, and of runs by
    tier.
    """
    (seen,) = catalogue.execute("SELECT coalesce(sum(lines), 0) FROM shown").fetchone()
    (lines,) = catalogue.execute("SELECT count(*) FROM line").fetchone()
    tiers = dict(catalogue.execute("SELECT tier, count(*) FROM run GROUP BY tier ORDER BY tier").fetchall())
    return {
        "recordings": kept, "a_run": round(kept / runs) if runs else None, "index": catalogue.size(), "lines": int(seen), "distinct_lines": lines, "tiers": tiers,
    }  # fmt: skip
