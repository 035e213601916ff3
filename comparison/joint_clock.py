"""A common clock for two runs: matched actions have the same time on it, and the time between them is stretched."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from .effects.difference import select_action_pairs
from .matching.alignment import find_longest_ordered_subset
from .matching.item_pairing import ItemPair
from .runs.run_items import ComparedRun

Moments = tuple[float, float, float]
"""A time on the joint clock, and the corresponding times in the first and second run, in ms."""


class JointClock:
    """The joint clock of two runs. Between two matched actions, the time of the faster run is stretched to the duration
    of the slower run.
    """

    def __init__(
        self, pairs: Sequence[ItemPair], a: ComparedRun, b: ComparedRun, fixed: Sequence[tuple[float, float]] = ()
    ) -> None:
        """Compute the joint moments. `fixed`: pairs of times, in ms of each run, that belong together for certain, such as
        those of an answer. Matched actions that contradict them are not used.
        """
        done: list[tuple[float, float]] = []
        for pair in select_action_pairs(pairs):
            assert pair.a is not None and pair.b is not None
            done += [(pair.a.t, pair.b.t), (pair.a.end, pair.b.end)]
        inside = [[(x, y) for x, y in both if 0 <= x <= a.duration and 0 <= y <= b.duration] for both in (fixed, done)]
        firm = find_longest_ordered_subset(sorted(set(inside[0])))
        fitting = [each for each in inside[1] if _is_consistent_pair(each, firm)]
        self.moments: list[Moments] = [(0.0, 0.0, 0.0)]
        for t_a, t_b in (*find_longest_ordered_subset(sorted({*firm, *fitting})), (a.duration, b.duration)):
            joint, last_a, last_b = self.moments[-1]
            on = max(t_a - last_a, t_b - last_b)
            if on > 0:
                self.moments.append((round(joint + on, 1), t_a, t_b))

    @property
    def duration(self) -> float:
        """Return the length of the joint clock in ms."""
        return self.moments[-1][0]

    def to_joint_time(self, t_a: float | None, t_b: float | None) -> float:
        """Return the joint time, in ms, at which the first run has reached `t_a` and the second run `t_b`. A time of
        None is left out.
        """
        return max(self._convert_run_time(1, t_a), self._convert_run_time(2, t_b))

    def _convert_run_time(self, run: int, t: float | None) -> float:
        if t is None:
            return 0.0
        at = bisect_right(self.moments, t, key=lambda each: each[run]) - 1
        if at >= len(self.moments) - 1:
            return self.duration
        begin, end = self.moments[at], self.moments[at + 1]
        share = (t - begin[run]) / (end[run] - begin[run])
        return begin[0] + share * (end[0] - begin[0])


def _is_consistent_pair(times: tuple[float, float], accepted: Sequence[tuple[float, float]]) -> bool:
    """Return whether a pair of times lies between the same two neighbours of `accepted` in both runs."""
    at = bisect_left(accepted, times)
    return (at == 0 or accepted[at - 1][1] <= times[1]) and (at == len(accepted) or times[1] <= accepted[at][1])
