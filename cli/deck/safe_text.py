"""Escapes texts from recordings for Textual's tables and lines, and formats figures as text."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from pagereel.cli.console import UNSAFE
from pagereel.reading import to_utc_text

_SPACES: Final = dict.fromkeys(map(ord, "\n\t\u2028\u2029"), " ")
_LONGEST: Final = 2_000
_BAR: Final = 16
_MINUTES: Final = len("2026-11-26 02:17")


def escape_text(value: object) -> str:
    """Return a value as text on one line.

    Characters that would move the cursor, change the writing direction or be invisible are escaped.
    """
    return str(value)[:_LONGEST].translate(_SPACES).translate(UNSAFE)


def build_cell(value: object, *, align_right: bool = False, bold: bool = False) -> Text:
    """Return a value as escaped text for a cell of a table."""
    return Text(
        escape_text(value), justify="right" if align_right else "left", style="bold" if bold else "", no_wrap=True
    )


def build_lines(rows: Any) -> Text:
    """Return several values as escaped text, each on a line of its own."""
    return Text("\n".join(map(escape_text, rows)))


def format_time(started: float) -> str:
    """Return a time (ms since 1970) as date and time in UTC, to the minute."""
    return to_utc_text(started)[:_MINUTES] if 0 < started < 1e14 else "–"


def format_duration(ms: float | None) -> str:
    """Return a duration (ms) as text: ``4.2 s``, ``12 min``; a dash for None."""
    if ms is None:
        return "–"
    return f"{ms / 1_000:.1f} s" if ms < 600_000 else f"{ms / 60_000:.0f} min"


def format_step_outcome(success: bool | None) -> str:
    """Return the outcome of a step as text: ``ok``, ``FAILED``, or a dash."""
    return {True: "ok", False: "FAILED"}.get(success, "–")  # type: ignore[arg-type]


def format_run_outcome(name: str) -> Text:
    """Return the outcome of a run as text for a cell; ``FAILED`` is in bold capitals, not coloured."""
    return build_cell(name.upper() if name == "failed" else name, bold=name == "failed")


def draw_bar(share: float | None) -> str:
    """Return a share from 0 to 1 as a bar of blocks."""
    if share is None:
        return " " * _BAR
    full = round(share * _BAR)
    return "█" * full + "░" * (_BAR - full)
