"""Opens a masked copy of a recording, which may be shared, and checks files made of it for known values."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pagereel.options import Redaction, normalize_redaction_option

if TYPE_CHECKING:
    from pagereel.redaction import Gate, RedactionReport

Made = TypeVar("Made", bound=str | bytes)


@dataclass(frozen=True)
class SharedRecording:
    """A masked recording, and the gate that checks files made of it."""

    path: Path
    gate: Gate | None = None
    """None: nothing was masked here, so there are no known values to search for."""

    def require_no_leak(self, content: Made, description: str) -> Made:
        """Return the finished text or file `content` unchanged.

        :raises GateError: it contains a known value. `description` names the file in the error's message.
        """
        if self.gate is not None:
            self.gate.raise_on_leak(content, description)
        return content


@contextlib.contextmanager
def shared(path: Path, redaction: Redaction) -> Iterator[SharedRecording]:
    """Yield a masked copy of the recording at `path`, redacted with `redaction`; the recording itself if it is masked
    already.

    The masked copy is cached. The gate must check each file made of it before anybody sees that file. If `redaction` is
    None, the recording is used unmasked. Raises the errors of `redact()`.
    """
    with _open_masked_reel(path, redaction, gate=False) as (masked, report):
        if report is None:
            yield SharedRecording(masked)
            return
        from pagereel.redaction import Gate

        yield SharedRecording(masked, Gate(report.known))


@contextlib.contextmanager
def open_shareable_reel(path: Path, redaction: Redaction) -> Iterator[Path]:
    """Yield the path of a masked copy of a recording that passed the gate, for formats that do not check their own
    output.
    """
    with _open_masked_reel(path, redaction, gate=True) as (masked, _):
        yield masked


@contextlib.contextmanager
def _open_masked_reel(path: Path, redaction: Redaction, *, gate: bool) -> Iterator[tuple[Path, RedactionReport | None]]:
    """Yield the path of the masked copy of a recording, and the redaction's report.

    The copy is cached. For a recording that was masked before, yield its own path and None.
    """
    redaction = normalize_redaction_option(redaction)
    if redaction is None:
        yield path, None
        return
    from pagereel.redaction import is_masked_by_policy, open_masked_copy

    if is_masked_by_policy(path, redaction):
        yield path, None
        return
    with open_masked_copy(path, redaction, gate=gate) as made:
        yield made
