"""Counts and sums of a group of runs."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

COLUMNS: Final = (
    "n", "started", "outcome", "duration", "cost", "tokens", "retries", "errors", "gaps", "checkpoints", "equal", "policy", "bytes",
)  # fmt: skip


class RunFigureRow(NamedTuple):
    """The columns of a run in the catalogue from which figures are computed."""

    n: int
    started: float
    outcome: str
    duration: float
    cost: float
    tokens: int
    retries: int
    errors: int
    gaps: int
    checkpoints: int
    equal: int
    policy: str | None
    bytes: int


@dataclass(slots=True)
class FigureTally:
    """The sums over a group of runs."""

    outcomes: dict[str, int] = field(default_factory=lambda: {"passed": 0, "failed": 0, "unknown": 0})
    durations: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    tokens: int = 0
    retries: int = 0
    retried: int = 0
    errors: int = 0
    gapped: int = 0
    checkpoints: int = 0
    equal: int = 0
    masked: int = 0
    bytes: int = 0

    def add_run(self, run: RunFigureRow) -> None:
        """Add a run to the sums."""
        self.outcomes[run.outcome] = self.outcomes.get(run.outcome, 0) + 1
        self.durations.append(run.duration)
        self.costs.append(run.cost)
        self.tokens += run.tokens
        self.retries += run.retries
        self.retried += run.retries > 0
        self.errors += run.errors
        self.gapped += run.gaps > 0
        self.checkpoints += run.checkpoints
        self.equal += run.equal
        self.masked += run.policy is not None
        self.bytes += run.bytes

    def compute_figures(self) -> dict[str, Any]:
        """Return the figures: shares from 0 to 1, None where there is nothing to divide by; durations in ms, costs in
        US dollars.

        ``success``: share of the runs with a known outcome that passed. ``fidelity``: share of the checkpoints at which
        the recorded tree equalled the page's. ``masked``: runs whose index was made from a masked recording.
        """
        runs = len(self.durations)
        passed, failed = self.outcomes["passed"], self.outcomes["failed"]
        durations, costs = sorted(self.durations), sorted(self.costs)
        return {
            "runs": runs, **self.outcomes, "success": _compute_share(passed, passed + failed),
            "cost": round(sum(costs), 6), "cost_median": _compute_median(costs), "cost_p95": _compute_percentile_95(costs),
            "duration_median": _compute_median(durations), "duration_p95": _compute_percentile_95(durations),
            "tokens": self.tokens, "retries": self.retries, "retried": _compute_share(self.retried, runs), "errors": self.errors,
            "with_gaps": _compute_share(self.gapped, runs), "fidelity": _compute_share(self.equal, self.checkpoints), "masked": _compute_share(self.masked, runs), "bytes": self.bytes,
        }  # fmt: skip


def _compute_share(part: float, whole: float) -> float | None:
    return round(part / whole, 6) if whole else None


def _compute_median(values: list[float]) -> float | None:
    return round(statistics.median(values), 6) if values else None


def _compute_percentile_95(values: list[float]) -> float | None:
    return round(values[min(len(values) - 1, int(0.95 * len(values)))], 6) if values else None
