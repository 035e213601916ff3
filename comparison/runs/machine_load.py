"""The load of the machine on which a run was recorded, from ``stall`` events: when it stalled or was busy."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import hypot
from typing import Final

from .run_items import ComparedRun, MachineStall

_STEADY: Final = 0.25
"""Largest share of waiting time on a machine that counts as steady."""
_BESIDE: Final = 300.0
"""Ms before and after an action that are included in the machine's load."""
_CHANCE: Final = 2.0
"""Number of standard deviations by which other threads may have waited longer than the recorder's."""
_BUSY: Final = 1_000.0
"""Ms by which a machine that is always busy now and then delays work that needs several threads."""


def is_machine_steady(run: ComparedRun, t: float, end: float) -> bool:
    """Return whether the machine had little load from `t` to `end` (ms); False if the recording has no measurements of
    the load.
    """
    if not run.beats:
        return False
    begin, close = max(0.0, t - _BESIDE), end + _BESIDE
    return _sum_waiting_time(run.stalls, begin, close) <= _STEADY * (close - begin)


def estimate_largest_delay(run: ComparedRun, t: float, end: float) -> float:
    """Return the largest delay in ms that the machine may have caused from `t` to `end`; 0 if the recording has no
    measurements.

    It is the larger one of two estimates: the stalls that the recorder's thread measured, with a margin because other
    threads may have waited longer; and the share of time in which threads waited for a processor.
    """
    if end <= t:
        return 0.0
    stood = [each for each in run.stalls if each.share is None and each.page is None]
    spread = hypot(*(min(each.end, end) - max(each.t, t) for each in stood if each.t < end and each.end > t))
    return min(
        end - t,
        max(
            _sum_waiting_time(stood, t, end) + _CHANCE * spread,
            _BUSY * _sum_waiting_time(run.stalls, t, end) / (end - t),
        ),
    )


def measure_stalled_time(run: ComparedRun, page: int, t: float, end: float) -> float:
    """Return for how many ms from `t` to `end` the machine, or the page's own thread, was stalled."""
    return _sum_waiting_time([each for each in run.stalls if each.share is None], t, end, page)


def _sum_waiting_time(stalls: Iterable[MachineStall], t: float, end: float, page: int | None = None) -> float:
    """Return for how many ms from `t` to `end` threads of the machine, or of a page, had to wait for a processor.

    Where stall events overlap, the one with the larger share of waiting counts.
    """
    machine = [each for each in stalls if each.page in (None, page) and each.t < end and each.end > t]
    edges = sorted({t, end, *(x for each in machine for x in (each.t, each.end) if t < x < end)})
    return sum(
        (b - a) * max((_get_waiting_share(each) for each in machine if each.t < b and each.end > a), default=0.0)
        for a, b in pairwise(edges)
    )


def _get_waiting_share(stall: MachineStall) -> float:
    return 1.0 if stall.share is None else stall.share
