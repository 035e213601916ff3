"""What a comparison says, as it may be shown: masked jointly for all recordings, alone or together with copies of the two."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.options import Redaction, redaction_of
from pagereel.reel import Json

from .effects.difference import Role

if TYPE_CHECKING:
    from pagereel.redaction import Gate

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class Halves:
    """The two recordings as they may be shown, and the gate that a file made of them has to pass."""

    a: Path
    b: Path
    gate: Gate | None
    """None: nothing is known to look for, because nothing was masked, or all of it before."""


@dataclass(frozen=True)
class JointMasking:
    """Masks what was taken from recordings. `others`: those of the baseline, whose values are known as well."""

    a: PathLike
    b: PathLike
    others: Sequence[PathLike]
    redaction: Redaction

    def values(self, values: Sequence[tuple[Json, Role]]) -> tuple[list[Json], Callable[[str], str]]:
        """Return the values as they may be shown, and a gate: it gives a finished text back, or raises GateError."""
        policy = redaction_of(self.redaction)
        if policy is None or not values:
            return [value for value, _ in values], _passed
        from pagereel.redaction import mask_jointly

        masked = mask_jointly([self.a, self.b, *self.others], values, policy)
        return masked.values, _through(masked.gate)

    def halves(
        self, values: Sequence[tuple[Json, Role]], folder: Path
    ) -> tuple[list[Json], Callable[[str], str], Halves]:
        """As :meth:`values`, and masked copies of both recordings in `folder`: who is in a value has the same stand-in in both."""
        policy = redaction_of(self.redaction)
        if policy is None:
            return [value for value, _ in values], _passed, Halves(Path(self.a), Path(self.b), None)
        from pagereel.redaction import redact_many

        pairs = [(self.a, folder / "a.reel"), (self.b, folder / "b.reel")]
        masked = redact_many(pairs, policy, values=values, known_from=self.others)
        # A recording beside itself is one.
        a, b = (masked.reels[0], masked.reels[-1])
        return masked.values, _through(masked.gate), Halves(a, b, masked.gate)


def _passed(text: str) -> str:
    return text


def _through(gate: Gate | None) -> Callable[[str], str]:
    if gate is None:
        return _passed

    def check(text: str) -> str:
        gate.check(text, "the comparison")
        return text

    return check
