"""The load of the machine on which a recording was made: when it stalled, and how long threads waited for a processor (events of the kind ``stall``)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import hypot
from typing import Final

from .items import ComparedRun, Stall

_STEADY: Final = 0.25
"""Largest share of waiting time on a machine that counts as steady."""
_BESIDE: Final = 300.0
"""Ms before and after an action that are included in the machine's load."""
_CHANCE: Final = 2.0
"""Number of standard deviations by which other threads may have waited longer than the recorder's."""
_BUSY: Final = 1_000.0
"""Ms by which a machine that is always busy now and then delays work that needs several threads."""


def is_steady(run: ComparedRun, t: float, end: float) -> bool:
    """Return whether the machine had little to do from `t` to `end`, in ms. False where the recording has no
    measurements.
    """
    if not run.beats:
        return False
    begin, close = max(0.0, t - _BESIDE), end + _BESIDE
    return _waited(run.stalls, begin, close) <= _STEADY * (close - begin)


def largest_delay(run: ComparedRun, t: float, end: float) -> float:
    """Return the largest delay in ms that the machine may have caused from `t` to `end`; 0 if the recording has no
    measurements.

    The delay is either a stall that the recorder's thread measured, which is strong evidence about other threads only
    if there were several, or a time for which threads waited for a processor, because the measured action may have
    been one of them.
    """
    if end <= t:
        return 0.0
    stood = [each for each in run.stalls if each.share is None and each.page is None]
    spread = hypot(*(min(each.end, end) - max(each.t, t) for each in stood if each.t < end and each.end > t))
    return min(end - t, max(_waited(stood, t, end) + _CHANCE * spread, _BUSY * _waited(run.stalls, t, end) / (end - t)))


def stalled_time(run: ComparedRun, page: int, t: float, end: float) -> float:
    """Return for how many ms from `t` to `end` the machine, or a page's thread, was stalled, so that the page did its
    work later.
    """
    return _waited([each for each in run.stalls if each.share is None], t, end, page)


def _waited(stalls: Iterable[Stall], t: float, end: float, page: int | None = None) -> float:
    """Return for how many ms threads on the machine, or on a page, waited. Of overlapping events the one with the
    larger share counts.
    """
    machine = [each for each in stalls if each.page in (None, page) and each.t < end and each.end > t]
    edges = sorted({t, end, *(x for each in machine for x in (each.t, each.end) if t < x < end)})
    return sum(
        (b - a) * max((_share(each) for each in machine if each.t < b and each.end > a), default=0.0)
        for a, b in pairwise(edges)
    )


def _share(stall: Stall) -> float:
    return 1.0 if stall.share is None else stall.share
