"""Converts times to hours, days and weeks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

EVERY: Final = ("hour", "day", "week")


def format_period(time: float, period: str) -> str:
    """Return the hour, day or week (its Monday) of a moment (ms since 1970), in UTC."""
    at = datetime.fromtimestamp(time / 1_000, UTC)
    if period == "hour":
        return at.strftime("%Y-%m-%dT%H:00")
    day = at.date() - timedelta(days=at.weekday() if period == "week" else 0)
    return day.isoformat()
