"""One clock for two runs: what both did stands at one moment of it, and between two such moments each run takes its share of the time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from .effects.difference import leaf_pairs
from .matching.pairing import Pair
from .runs.items import ComparedRun

Moments = tuple[float, float, float]
"""A moment of the joint clock, and the ones of the first and of the second run that it stands for, in ms."""


class JointClock:
    """The joint clock. Where one run took longer from one thing to the next, the other goes more slowly: nothing is skipped, and none runs ahead."""

    def __init__(
        self, pairs: Sequence[Pair], a: ComparedRun, b: ComparedRun, together: Sequence[tuple[float, float]] = ()
    ) -> None:
        """`together`: what is one thing in both above all, such as an answer that came, in ms of each. What was done gives way where it came in another order."""
        done: list[tuple[float, float]] = []
        for pair in leaf_pairs(pairs):
            assert pair.a is not None and pair.b is not None
            done += [(pair.a.t, pair.b.t), (pair.a.end, pair.b.end)]
        inside = [
            [(x, y) for x, y in both if 0 <= x <= a.duration and 0 <= y <= b.duration] for both in (together, done)
        ]
        firm = _in_step(inside[0])
        fitting = [each for each in inside[1] if _fits(each, firm)]
        self.moments: list[Moments] = [(0.0, 0.0, 0.0)]
        for t_a, t_b in (*_in_step([*firm, *fitting]), (a.duration, b.duration)):
            joint, last_a, last_b = self.moments[-1]
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


def _fits(moment: tuple[float, float], firm: Sequence[tuple[float, float]]) -> bool:
    """Return whether both runs come to a moment between the same two of the others."""
    at = bisect_left(firm, moment)
    return (at == 0 or firm[at - 1][1] <= moment[1]) and (at == len(firm) or moment[1] <= firm[at][1])


def _in_step(both: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the most of these that come in the same order in both runs (the longest subsequence that does not fall, by patience)."""
    known = sorted(set(both))
    ends: list[float] = []
    places: list[int] = []
    before: list[int] = []
    for place, (_, t_b) in enumerate(known):
        pile = bisect_right(ends, t_b)
        before.append(places[pile - 1] if pile else -1)
        if pile == len(ends):
            ends.append(t_b)
            places.append(place)
        else:
            ends[pile], places[pile] = t_b, place
    kept: list[tuple[float, float]] = []
    at = places[-1] if places else -1
    while at >= 0:
        kept.append(known[at])
        at = before[at]
    return kept[::-1]
