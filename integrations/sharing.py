"""A masked recording that may be shown, with the gate for files made of it."""

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
    """A recording that may be shown, and the gate for files made of it."""

    path: Path
    gate: Gate | None = None
    """None: nothing was masked here, so there are no known values to search for."""

    def check(self, made: Made, what: str) -> Made:
        """Return a finished text or file if it contains no known value. Raises GateError."""
        if self.gate is not None:
            self.gate.check(made, what)
        return made


@contextlib.contextmanager
def shared(path: Path, redaction: Redaction) -> Iterator[SharedRecording]:
    """Yield a reel that may be shown: redacted with `redaction`, unless it is masked already. The masked copy is
    cached.

    Everything made of it must pass `check` before anybody sees it. A reel that was masked before has passed the
    gate and is used unchanged. None: the raw recording is used. Raises the errors of `redact()`.
    """
    with _masked(path, redaction, gate=False) as (masked, report):
        if report is None:
            yield SharedRecording(masked)
            return
        from pagereel.redaction import Gate

        yield SharedRecording(masked, Gate(report.known))


@contextlib.contextmanager
def shareable(path: Path, redaction: Redaction) -> Iterator[Path]:
    """Yield the path of a reel as :func:`shared` does, for formats that do not check their own output: the masked reel
    has passed the gate as a whole.
    """
    with _masked(path, redaction, gate=True) as (masked, _):
        yield masked


@contextlib.contextmanager
def _masked(path: Path, redaction: Redaction, *, gate: bool) -> Iterator[tuple[Path, RedactionReport | None]]:
    """Yield the redacted reel, which is cached, and the redaction's report; None for a reel that was masked before."""
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
