"""Writes a comparison as one HTML page: both recordings on one clock, and their differences."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.errors import GateError
from pagereel.options import Theme

from .page_payload import build_page_payload

if TYPE_CHECKING:
    from pagereel.player_build import PairReport

    from .result import Comparison


def write_comparison(
    result: Comparison,
    destination: str | os.PathLike[str],
    a: str | os.PathLike[str],
    b: str | os.PathLike[str],
    *,
    theme: Theme = "auto",
) -> PairReport:
    """Write a page that shows two runs, masked together, and their differences; `a` and `b` are the runs' names on it,
    or paths whose file names are shown.

    The file is written atomically. Raises the errors of :meth:`Comparison.mask_recordings`, GateError when it contains a known
    value of either run, and UsageError or BuildError when it cannot be written.
    """
    from pagereel.player_build import PairRecording, build_pair

    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        halves = result.halves(Path(folder))
        name_a, name_b = _get_safe_name(a, "A", result), _get_safe_name(b, "B", result)
        summary = result.divergence.summary if result.divergence is not None else "Nothing differs beyond noise."
        gate = halves.gate

        def check_with_gate(html: bytes, shell: bytes) -> None:
            if gate is not None:
                gate.with_player_shell(shell).raise_on_leak(html, "the comparison")

        return build_pair(
            PairRecording(halves.a, name_a),
            PairRecording(halves.b, name_b),
            destination,
            build_page_payload(result),
            title=f"{name_b} beside {name_a}",
            summary=summary,
            theme=theme,
            gate=check_with_gate,
        )


def _get_safe_name(name: str | os.PathLike[str], default: str, result: Comparison) -> str:
    """Return a recording's name, or `default` if the name contains a known value."""
    try:
        return result.check(name if isinstance(name, str) else Path(name).name)
    except GateError:
        return default
