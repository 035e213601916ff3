"""The clock of a reel from those of a trace: each of its files has a monotonic one, and says what hour it was when it began."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_LARGEST: Final = 1e11
"""ms; what lies further out is no time."""


def number(value: object, low: float, high: float) -> float | None:
    """Return a number of JSON that is in a range, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        return None
    return float(value)


@dataclass
class TraceClock:
    """Times of one file of a trace."""

    shift: float = 0.0
    """Wall time less monotonic time, ms."""
    zero: float = 0.0
    """The wall time at which the reel begins, ms."""

    def t(self, time: object) -> float:
        """Return a monotonic time on the reel's clock, ms; what came before its beginning, and no time at all, is 0."""
        return self.of_wall(time + self.shift) if type(time) is float or type(time) is int else 0.0

    def of_wall(self, time: float) -> float:
        """Return a wall time on the reel's clock."""
        since = time - self.zero
        return round(since, 1) if 0 <= since < _LARGEST else 0.0
