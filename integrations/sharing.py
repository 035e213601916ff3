"""A recording as it may be shown: masked, and with the gate for what is made of it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pagereel.options import Redaction, redaction_of

if TYPE_CHECKING:
    from pagereel.redaction import Gate, RedactionReport

Made = TypeVar("Made", bound=str | bytes)


@dataclass(frozen=True)
class SharedRecording:
    """A recording as it may be shown, and the gate that what is made of it must pass."""

    path: Path
    gate: Gate | None = None
    """None: nothing was masked here, so nothing is known to look for."""

    def check(self, made: Made, what: str) -> Made:
        """Give back a finished text or file when no known value stands in it. Raises GateError."""
        if self.gate is not None:
            self.gate.check(made, what)
        return made


@contextlib.contextmanager
def shared(path: Path, redaction: Redaction) -> Iterator[SharedRecording]:
    """Give the reel as it may be shown: redacted with `redaction`, unless that has been done already; the masked copy is kept for the next question.

    Whatever is made of it goes through `check` before anybody sees it. A reel that was masked before has passed the gate, carries no values
    and is taken as it is. None: as it was recorded. Raises what `redact()` raises.
    """
    with _masked(path, redaction, gate=False) as (masked, report):
        if report is None:
            yield SharedRecording(masked)
            return
        from pagereel.redaction import Gate

        yield SharedRecording(masked, Gate(report.known))


@contextlib.contextmanager
def shareable(path: Path, redaction: Redaction) -> Iterator[Path]:
    """As :func:`shared`, for what gates nothing by itself: the masked reel has passed the gate as a whole."""
    with _masked(path, redaction, gate=True) as (masked, _):
        yield masked


@contextlib.contextmanager
def _masked(path: Path, redaction: Redaction, *, gate: bool) -> Iterator[tuple[Path, RedactionReport | None]]:
    """Give the reel redacted, as it is kept for the next question, and the redaction's report; None for one that was masked before."""
    redaction = redaction_of(redaction)
    if redaction is None:
        yield path, None
        return
    from pagereel.redaction import masked_already, masked_copy

    if masked_already(path, redaction):
        yield path, None
        return
    with masked_copy(path, redaction, gate=gate) as made:
        yield made
