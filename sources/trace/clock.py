"""Converts a trace's times to the reel's clock: each file of a trace has a monotonic clock, and the wall time of its beginning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_LARGEST: Final = 1e11
"""Largest time that is accepted, in ms."""


def to_number_in_range(value: object, low: float, high: float) -> float | None:
    """Return a value as a number; None if it is no number or out of the range from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        return None
    return float(value)


@dataclass
class TraceClock:
    """Converts the times in one file of a trace to the reel's clock."""

    shift: float = 0.0
    """Wall time minus monotonic time, in ms."""
    zero: float = 0.0
    """The wall time at which the reel begins, in ms."""

    def convert_monotonic_time(self, time: object) -> float:
        """Convert a monotonic time in ms to the reel's clock, in ms; 0 for earlier or invalid times."""
        return self.convert_wall_time(time + self.shift) if type(time) is float or type(time) is int else 0.0

    def convert_wall_time(self, time: float) -> float:
        """Convert a wall time in ms to the reel's clock, in ms."""
        since = time - self.zero
        return round(since, 1) if 0 <= since < _LARGEST else 0.0
