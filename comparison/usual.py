"""What is usual: what several runs that passed have at each place of the first of them.

The first run is compared with each of the others. A place that differs among them is known to vary: a value that one of them has is usual there,
and where all of them have another one, any is. So a baseline hides no more than what its own runs show to vary.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final

from .effects.difference import Found
from .effects.timing import Usual

_FREE: Final = 3
"""So many values at one place, besides the first run's, say that it may have any."""


@dataclass
class Baseline:
    """What is known of the first run's places."""

    runs: int = 1
    values: dict[tuple[Hashable, ...], list[Hashable]] = field(default_factory=dict)
    times: dict[tuple[object, ...], list[float]] = field(default_factory=dict)
    costs: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    durations: list[float] = field(default_factory=list)

    def learn(self, found: Sequence[Found]) -> None:
        """Take in where one more run differs from the first."""
        self.runs += 1
        for each in {(f.identity, f.value) for f in found if f.kind not in ("time", "cost")}:
            self.values.setdefault(each[0], []).append(each[1])

    def usual(self, found: Found) -> bool:
        """Return whether runs of the baseline differ in the same way, or in any."""
        known = self.values.get(found.identity)
        if known is None:
            return False
        others = self.runs - 1
        different = len(set(known))
        return found.value in known or (len(known) >= others and different == len(known)) or different >= _FREE

    @property
    def figures(self) -> Usual:
        """Times, cost and tokens of the others."""
        return Usual(self.times, self.costs, self.tokens)
