"""What a recording says of the machine that it was made on: where it stood still, and how much waited for a processor (events of the kind ``stall``)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import hypot
from typing import Final

from .items import ComparedRun, Stall

_STEADY: Final = 0.25
"""Share of a time for which something may have waited on a machine that went on steadily."""
_BESIDE: Final = 300.0
"""Ms before and after something that say as well how busy the machine was."""
_CHANCE: Final = 2.0
"""What goes through other threads than the recorder's may have waited so many standard deviations longer than that one did."""
_BUSY: Final = 1_000.0
"""Ms by which a machine on which something waits all the time holds up what goes through several threads, now and then."""


def is_steady(run: ComparedRun, t: float, end: float) -> bool:
    """Return whether the machine had little to do from `t` to `end`, in ms. False where the recording does not say."""
    if not run.beats:
        return False
    begin, close = max(0.0, t - _BESIDE), end + _BESIDE
    return _waited(run.stalls, begin, close) <= _STEADY * (close - begin)


def held_up(run: ComparedRun, t: float, end: float) -> float:
    """Return by how much the machine may have held up what was done from `t` to `end`, in ms; 0 where the recording does not say.

    Either it stood still, as the recorder's thread saw it: once says little of how long other threads stood, often says it well. Or something waited all the time, and now and
    then that is what was asked for.
    """
    if end <= t:
        return 0.0
    stood = [each for each in run.stalls if each.share is None and each.page is None]
    spread = hypot(*(min(each.end, end) - max(each.t, t) for each in stood if each.t < end and each.end > t))
    return min(end - t, max(_waited(stood, t, end) + _CHANCE * spread, _BUSY * _waited(run.stalls, t, end) / (end - t)))


def stood_still(run: ComparedRun, page: int, t: float, end: float) -> float:
    """Return for how many ms from `t` to `end` the machine, or a page's thread, came to nothing: what the page was to do meanwhile, it did later."""
    return _waited([each for each in run.stalls if each.share is None], t, end, page)


def _waited(stalls: Iterable[Stall], t: float, end: float, page: int | None = None) -> float:
    """Return for how many ms something on the machine, or on a page's thread, waited; at a moment that two events tell of, for as long as the one says that says more."""
    machine = [each for each in stalls if each.page in (None, page) and each.t < end and each.end > t]
    edges = sorted({t, end, *(x for each in machine for x in (each.t, each.end) if t < x < end)})
    return sum(
        (b - a) * max((_share(each) for each in machine if each.t < b and each.end > a), default=0.0)
        for a, b in pairwise(edges)
    )


def _share(stall: Stall) -> float:
    return 1.0 if stall.share is None else stall.share
