"""Formats durations as text for people."""

from __future__ import annotations

import math


def format_duration(ms: float) -> str:
    """Return a duration (ms) as text: `0.4 s`, `12.5 s`, `3 min 20 s`, `2 h 05 min`; infinity and NaN as text, too."""
    if not math.isfinite(ms):
        return f"{ms:g} ms"
    seconds = ms / 1000
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"
