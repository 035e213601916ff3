"""One clock for two runs: what both did stands at one moment of it, and between two such moments each run takes its share of the time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from .effects.difference import leaf_pairs
from .matching.pairing import Pair
from .runs.items import Run

Moments = tuple[float, float, float]
"""A moment of the joint clock, and the ones of the first and of the second run that it stands for, in ms."""


class JointClock:
    """The joint clock. Where one run took longer from one thing to the next, the other goes more slowly: nothing is skipped, and none runs ahead."""

    def __init__(self, pairs: Sequence[Pair], a: Run, b: Run) -> None:
        both: list[tuple[float, float]] = []
        for pair in leaf_pairs(pairs):
            assert pair.a is not None and pair.b is not None
            both += [(pair.a.t, pair.b.t), (pair.a.end, pair.b.end)]
        self.moments: list[Moments] = [(0.0, 0.0, 0.0)]
        for t_a, t_b in (*sorted(both), (a.duration, b.duration)):
            joint, last_a, last_b = self.moments[-1]
            if t_a < last_a or t_b < last_b or t_a > a.duration or t_b > b.duration:
                continue
            on = max(t_a - last_a, t_b - last_b)
            if on > 0:
                self.moments.append((round(joint + on, 1), t_a, t_b))

    @property
    def duration(self) -> float:
        """Ms of the joint clock."""
        return self.moments[-1][0]

    def joint(self, t_a: float | None, t_b: float | None) -> float:
        """Return the moment from which on both runs have come to these, in ms; None: it never comes to one there."""
        return max(self._of(1, t_a), self._of(2, t_b))

    def _of(self, run: int, t: float | None) -> float:
        if t is None:
            return 0.0
        at = bisect_right(self.moments, t, key=lambda each: each[run]) - 1
        if at >= len(self.moments) - 1:
            return self.duration
        begin, end = self.moments[at], self.moments[at + 1]
        share = (t - begin[run]) / (end[run] - begin[run])
        return begin[0] + share * (end[0] - begin[0])
