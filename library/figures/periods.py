"""Converts times to hours, days and weeks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

EVERY: Final = ("hour", "day", "week")


def format_period(started: float, every: str) -> str:
    """Return the hour, day or week (its Monday) of a moment (ms since 1970), in UTC."""
    at = datetime.fromtimestamp(started / 1_000, UTC)
    if every == "hour":
        return at.strftime("%Y-%m-%dT%H:00")
    day = at.date() - timedelta(days=at.weekday() if every == "week" else 0)
    return day.isoformat()
