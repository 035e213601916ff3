"""What is usual: what several runs that passed have at each place of the first of them.

The first run is compared with each of the others. A place that differs among them is known to vary: a value that one of them has is usual there. Whether
a value that none has is usual as well follows from how often each was seen: where some were seen once only, more are to be expected (Good 1953, who has it from
Turing); where each was seen again, in six runs at least, they are all that there are. So a baseline hides no more than what its own runs show to vary.
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
"""Runs, the first among them, below which what varies at all may be anything: two values twice each are no sign that there is no third."""
_OPEN: Final = frozenset({"page", "network"})
"""Kinds with values that may be any; calls, the model's choices and errors are usual only as they were seen,"""
_CLOSED: Final = frozenset({"status", "sent", "new"})
"""and so are an answer's status and whether a request is sent."""


@dataclass
class Baseline:
    """What is known of the first run's places."""

    runs: int = 1
    values: dict[tuple[Hashable, ...], list[Hashable]] = field(default_factory=dict)
    times: dict[tuple[object, ...], list[float]] = field(default_factory=dict)
    costs: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    notices: set[Notice] = field(default_factory=set)
    """Lines that pages of the others showed for a moment."""
    stood: dict[Place, set[str]] = field(default_factory=dict)
    """Lines that pages of the others showed at a place where they had not come to rest."""
    durations: list[float] = field(default_factory=list)
    late: dict[str, float] = field(default_factory=dict)
    """The longest that lines took to come in the others, in ms, and the longest that what goes away by itself stood:"""
    longest: dict[str, float] = field(default_factory=dict)
    varying: VolatilePlaces = field(default_factory=VolatilePlaces)
    """Places of pages and values in answers that vary by themselves."""

    def learn(self, found: Sequence[FoundDifference]) -> None:
        """Take in where one more run differs from the first."""
        self.runs += 1
        for each in {(f.identity, f.value) for f in found if f.kind not in ("time", "cost")}:
            self.values.setdefault(each[0], []).append(each[1])

    def usual(self, found: FoundDifference) -> bool:
        """Return whether runs of the baseline differ in the same way, or in any."""
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
        """Times, cost and tokens of the others."""
        return Usual(self.times, self.costs, self.tokens)
