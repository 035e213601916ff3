"""Makes text from recordings safe for the terminal, because Textual bypasses the escaping streams of the other commands."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from pagereel.cli.console import UNSAFE
from pagereel.reading import moment_text

_SPACES: Final = dict.fromkeys(map(ord, "\n\t\u2028\u2029"), " ")
_LONGEST: Final = 2_000
_BAR: Final = 16
_MINUTES: Final = len("2026-11-26 02:17")


def safe(value: object) -> str:
    """Return a text on one line, with characters escaped that would move the cursor, change the writing direction, or
    be invisible.
    """
    return str(value)[:_LONGEST].translate(_SPACES).translate(UNSAFE)


def cell(value: object, *, right: bool = False, strong: bool = False) -> Text:
    """Return a text for a table, never read as markup."""
    return Text(safe(value), justify="right" if right else "left", style="bold" if strong else "", no_wrap=True)


def lines(rows: Any) -> Text:
    """Return lines of text, each escaped."""
    return Text("\n".join(map(safe, rows)))


def when(started: float) -> str:
    """Return a time (ms since 1970) in UTC."""
    return moment_text(started)[:_MINUTES] if 0 < started < 1e14 else "–"


def seconds(ms: float | None) -> str:
    """Return a duration."""
    if ms is None:
        return "–"
    return f"{ms / 1_000:.1f} s" if ms < 600_000 else f"{ms / 60_000:.0f} min"


def ended(success: bool | None) -> str:
    """Return how a step ended, as text."""
    return {True: "ok", False: "FAILED"}.get(success, "–")  # type: ignore[arg-type]


def outcome(name: str) -> Text:
    """Return an outcome; a failure is marked by its letters, not by a colour."""
    return cell(name.upper() if name == "failed" else name, strong=name == "failed")


def bar(share: float | None) -> str:
    """Return a share from 0 to 1 as a bar of blocks."""
    if share is None:
        return " " * _BAR
    full = round(share * _BAR)
    return "█" * full + "░" * (_BAR - full)
