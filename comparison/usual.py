"""Usual values: what several runs that passed have at each place of the first of them.

The first run is compared with each of the others. A place that differs among them varies, and each value seen there
is usual. Whether an unseen value is usual as well depends on how often each value was seen: if some were seen only
once, more values are likely (Good 1953, an idea of Turing's); if each was seen again, in at least six runs, there
are no others. So a baseline ignores only what its own runs show to vary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final

from .effects.difference import FoundDifference
from .effects.lines import Notice, Place
from .effects.timing import Usual
from .volatile import VolatilePlaces

_FEW: Final = 6
"""Number of runs, including the first, below which a varying place may have any value: two values that were seen twice
do not exclude a third.
"""
_OPEN: Final = frozenset({"page", "network"})
"""Kinds whose varying places may have unseen values. For calls, the model's choices and errors only seen values are
usual,
"""
_CLOSED: Final = frozenset({"status", "sent", "new"})
"""and also for a response's status, a request's body, and whether a request is sent."""


@dataclass
class Baseline:
    """What several runs show about the places of the first run."""

    runs: int = 1
    values: dict[tuple[Hashable, ...], list[Hashable]] = field(default_factory=dict)
    times: dict[tuple[object, ...], list[float]] = field(default_factory=dict)
    costs: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    notices: set[Notice] = field(default_factory=set)
    """Notices in the other runs."""
    stood: dict[Place, set[str]] = field(default_factory=dict)
    """Lines that unsettled pages of the other runs showed at a place."""
    durations: list[float] = field(default_factory=list)
    late: dict[str, float] = field(default_factory=dict)
    """Line → the longest time in ms that it took to appear in the other runs. `longest`: line → the longest time that
    it stayed before it disappeared by itself.
    """
    longest: dict[str, float] = field(default_factory=dict)
    varying: VolatilePlaces = field(default_factory=VolatilePlaces)
    """Places of pages and values in responses that vary by themselves."""

    def learn(self, found: Sequence[FoundDifference]) -> None:
        """Add the differences of one more run from the first."""
        self.runs += 1
        for each in {(f.identity, f.value) for f in found if f.kind not in ("time", "cost")}:
            self.values.setdefault(each[0], []).append(each[1])

    def usual(self, found: FoundDifference) -> bool:
        """Return whether runs of the baseline show this difference, or vary at its place."""
        if self.varying.page(found) or self.varying.answer(found):
            return True
        known = self.values.get(found.identity)
        if known is None:
            return False
        if found.value in known:
            return True
        often = Counter(known)
        often["as in the first run", found.identity] = max(self.runs - len(known), 1)
        more = 1 in often.values() or self.runs < _FEW
        closed = found.identity[-1] in _CLOSED or found.identity[0] in ("page", "order")
        return not closed and found.kind in _OPEN and more

    @property
    def figures(self) -> Usual:
        """Return times, cost and tokens of the other runs."""
        return Usual(self.times, self.costs, self.tokens)
