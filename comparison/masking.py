"""Masks the texts of a comparison, and copies of its recordings, so that a value has one stand-in in all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.options import Redaction, normalize_redaction_option
from pagereel.reel import Json

from .effects.difference import Role

if TYPE_CHECKING:
    from pagereel.redaction import Gate

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class MaskedRecordings:
    """Masked copies of the two recordings, and the gate for a file made of them."""

    a: Path
    b: Path
    gate: Gate | None
    """None: there are no known values to search for, because nothing was masked now."""


@dataclass(frozen=True)
class JointMasking:
    """The mask for values of several recordings. `others`: the recordings of the baseline, whose values are known
    values as well.
    """

    a: PathLike
    b: PathLike
    others: Sequence[PathLike]
    redaction: Redaction

    def mask_values(self, values: Sequence[tuple[Json, Role]]) -> tuple[list[Json], Callable[[str], str]]:
        """Return the masked values, and a function that searches a finished text for known values: it returns the text,
        or raises GateError.
        """
        policy = normalize_redaction_option(self.redaction)
        if policy is None or not values:
            return [value for value, _ in values], _return_unchanged
        from pagereel.redaction import mask_excerpts_jointly

        masked = mask_excerpts_jointly([self.a, self.b, *self.others], values, policy)
        return masked.values, _build_gate_check(masked.gate)

    def mask_recordings(
        self, values: Sequence[tuple[Json, Role]], folder: Path
    ) -> tuple[list[Json], Callable[[str], str], MaskedRecordings]:
        """Return what :meth:`mask_values` returns, and masked copies of both recordings, written into `folder`. A value has
        the same stand-in in all of them.
        """
        policy = normalize_redaction_option(self.redaction)
        if policy is None:
            return [value for value, _ in values], _return_unchanged, MaskedRecordings(Path(self.a), Path(self.b), None)
        from pagereel.redaction import redact_many

        pairs = [(self.a, folder / "a.reel"), (self.b, folder / "b.reel")]
        masked = redact_many(pairs, policy, values=values, known_from=self.others)
        # Two equal recordings are masked as one.
        a, b = (masked.reels[0], masked.reels[-1])
        return masked.values, _build_gate_check(masked.gate), MaskedRecordings(a, b, masked.gate)


def _return_unchanged(text: str) -> str:
    return text


def _build_gate_check(gate: Gate | None) -> Callable[[str], str]:
    if gate is None:
        return _return_unchanged

    def raise_on_known_value(text: str) -> str:
        gate.raise_on_leak(text, "the comparison")
        return text

    return raise_on_known_value
