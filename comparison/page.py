"""A comparison as one HTML page: both recordings on one clock, and what differs between them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.errors import GateError
from pagereel.options import Theme

from .payload import page_payload

if TYPE_CHECKING:
    from pagereel.player_build import BesideReport

    from .result import Comparison


def write_comparison(
    result: Comparison, destination: str | os.PathLike[str], a: str, b: str, *, theme: Theme = "auto"
) -> BesideReport:
    """Write what two runs differ by as a page that shows both, masked together; `a` and `b` are what they are called in it.

    The file appears whole or not at all. Raises what :meth:`Comparison.halves` raises, GateError when a known value of either stands in it, and UsageError or BuildError when
    it cannot be written.
    """
    from pagereel.player_build import Half, build_beside

    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        halves = result.halves(Path(folder))
        name_a, name_b = _shown(a, "A", result), _shown(b, "B", result)
        summary = result.divergence.summary if result.divergence is not None else "Nothing differs beyond noise."
        gate = halves.gate

        def look(html: bytes, shell: bytes) -> None:
            if gate is not None:
                gate.beside(shell).check(html, "the comparison")

        return build_beside(
            Half(halves.a, name_a),
            Half(halves.b, name_b),
            destination,
            page_payload(result),
            title=f"{name_b} beside {name_a}",
            summary=summary,
            theme=theme,
            gate=look,
        )


def _shown(name: str, instead: str, result: Comparison) -> str:
    """Return what a recording is called, unless that says who is in it."""
    try:
        return result.check(name)
    except GateError:
        return instead
