"""Finds steps of a curve, from one level to another, and the values that were new or gone right before each.

The library ruptures finds the steps (PELT: Killick, Fearnhead and Eckley 2012).
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..catalogue import Catalogue
from .periods import format_period
from .tally import RunFigureRow

if TYPE_CHECKING:
    from numpy import ndarray

METRICS: Final = ("success", "cost_median", "duration_median", "retried")
_LEAST: Final = 6
"""Smallest number of points of a curve."""
_AT_ONCE: Final = 2
"""Smallest number of points of a level."""
_PENALTY: Final = 3.0
_MATTERS: Final = {"success": 0.05, "retried": 0.05}
"""Smallest step of a share that is reported; for other figures it is a tenth of the earlier level."""
_CAUSES: Final = ("version", "prompt", "model", "agent", "tool", "host", "tenant")
_LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class CurveChange:
    """A value, such as a model or a version, that occurred for the first or the last time where a curve stepped. `t`:
    when that was, in ms since 1970.
    """

    operator: str
    value: str
    how: str
    """``new`` or ``gone``."""
    t: float


@dataclass(frozen=True, slots=True)
class CurveStep:
    """A step of a curve.

    `time`: the first point of the new level; `before` and `after`: the medians of both levels; `changes`: models,
    versions and the like that occurred for the first or the last time right before the step.
    """

    metric: str
    time: str
    before: float
    after: float
    changes: list[CurveChange]


def find_curve_steps(
    catalogue: Catalogue, runs: Mapping[int, RunFigureRow], times: list[dict[str, Any]], every: str
) -> list[CurveStep] | None:
    """Return the steps of the curves of all metrics, the latest first; None where the package ruptures is not
    installed.
    """
    try:
        import ruptures
    except ImportError:
        return None
    found = []
    for metric in METRICS:
        curve = [(row["time"], row[metric]) for row in times if row[metric] is not None][-_LONGEST:]
        if len(curve) < _LEAST:
            continue
        values = [float(value) for _, value in curve]
        ends = (
            ruptures.Pelt(model="l2", min_size=_AT_ONCE, jump=1)
            .fit(_scale_by_noise(values))
            .predict(pen=_PENALTY * math.log(len(values)))
        )
        edges = [0, *ends]
        for before, at, after in zip(edges, edges[1:], edges[2:], strict=False):
            was, now = statistics.median(values[before:at]), statistics.median(values[at:after])
            if abs(now - was) >= _MATTERS.get(metric, 0.1 * abs(was)) and now != was:
                changes = _find_changed_values(catalogue, runs, curve[at - 1][0], curve[at][0], every)
                found.append(CurveStep(metric, curve[at][0], was, now, changes))
    return sorted(found, key=lambda step: (step.time, step.metric), reverse=True)


def _scale_by_noise(values: list[float]) -> ndarray[Any, Any]:
    """Return a curve in units of its noise, estimated from the differences of neighbours."""
    import numpy

    differences = sorted(abs(b - a) for a, b in itertools.pairwise(values))
    noise = statistics.median(differences) / 0.954
    spread = statistics.pstdev(values)
    return numpy.array(values) / (noise or spread / 4 or 1.0)


def _find_changed_values(
    catalogue: Catalogue, runs: Mapping[int, RunFigureRow], before: str, after: str, every: str
) -> list[CurveChange]:
    """Return the values that occurred for the first or the last time between two points of a curve: `before`, the last
    one of the old level, and `after`, the first one of the new level.
    """
    spans: dict[tuple[str, str], tuple[float, float]] = {}
    marks = ", ".join("?" * len(_CAUSES))
    for operator, value, n in catalogue.execute(
        f"SELECT operator, value, run FROM used WHERE operator IN ({marks})", _CAUSES
    ).fetchall():
        run = runs.get(n)
        if run is not None and run.started:
            first, last = spans.get((operator, value), (run.started, run.started))
            spans[operator, value] = min(first, run.started), max(last, run.started)
    found = []
    for (operator, value), (first, last) in spans.items():
        if before <= format_period(first, every) <= after:
            found.append(CurveChange(operator, value, "new", first))
        if before <= format_period(last, every) <= after:
            found.append(CurveChange(operator, value, "gone", last))
    order = {operator: place for place, operator in enumerate(_CAUSES)}
    return sorted(found, key=lambda change: (order[change.operator], change.how == "gone", change.t))
