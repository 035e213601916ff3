"""Writes a comparison as one HTML page: both recordings on one clock, and their differences."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.errors import GateError
from pagereel.options import Theme

from .payload import page_payload

if TYPE_CHECKING:
    from pagereel.player_build import PairReport

    from .result import Comparison


def write_comparison(
    result: Comparison, destination: str | os.PathLike[str], a: str, b: str, *, theme: Theme = "auto"
) -> PairReport:
    """Write a page that shows two runs, masked together, and their differences; `a` and `b` are the runs' names on it.

    The file is written atomically. Raises the errors of :meth:`Comparison.halves`, GateError when it contains a known
    value of either run, and UsageError or BuildError when it cannot be written.
    """
    from pagereel.player_build import Half, build_pair

    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        halves = result.halves(Path(folder))
        name_a, name_b = _shown(a, "A", result), _shown(b, "B", result)
        summary = result.divergence.summary if result.divergence is not None else "Nothing differs beyond noise."
        gate = halves.gate

        def look(html: bytes, shell: bytes) -> None:
            if gate is not None:
                gate.with_shell(shell).check(html, "the comparison")

        return build_pair(
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
    """Return a recording's name, or `instead` if the name contains a known value."""
    try:
        return result.check(name)
    except GateError:
        return instead
