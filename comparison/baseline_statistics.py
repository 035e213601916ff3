"""Statistics of a baseline's runs: durations, costs, notices, and the places whose values vary from run to run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .effects.difference import FoundDifference
from .effects.timing import BaselineFigures
from .effects.transient_lines import Notice
from .varying_places import VaryingPlaces


@dataclass
class BaselineStatistics:
    """Statistics of a baseline's runs, by which a difference between two other runs is judged to be usual or not."""

    times: dict[tuple[object, ...], list[float]] = field(default_factory=dict)
    costs: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    notices: set[Notice] = field(default_factory=set)
    """Notices in the other runs."""
    durations: list[float] = field(default_factory=list)
    late: dict[str, float] = field(default_factory=dict)
    """Line → the longest time in ms that it took to appear in the other runs. `longest`: line → the longest time that
    it stayed.
    """
    longest: dict[str, float] = field(default_factory=dict)
    passing: set[str] = field(default_factory=set)
    """Lines that disappeared by themselves in the other runs."""
    varying: VaryingPlaces = field(default_factory=VaryingPlaces)

    def drop_usual_differences(self, found: Sequence[FoundDifference]) -> list[FoundDifference]:
        """Return the differences that are not usual, each with its confidence."""
        for each in found:
            each.confidence = round(self.varying.rate_confidence(each), 2)
        return [each for each in found if each.confidence]

    @property
    def figures(self) -> BaselineFigures:
        """Return the durations of actions and requests, and the costs and tokens of the runs."""
        return BaselineFigures(self.times, self.costs, self.tokens)
