"""Parses times and sizes in arguments: `2500`, `step:3`, `mark:paid`, `10MB`."""

from __future__ import annotations

import math
import re
from pathlib import Path

from pagereel.errors import UsageError


def parse_ms(text: str | None) -> float | None:
    """Parse a time in ms; None stays None. Raises UsageError for anything but a number."""
    if text is None:
        return None
    try:
        ms = float(text)
    except ValueError:
        raise UsageError(
            f"{text!r} is not a time; give milliseconds, or for one recording step:N or mark:NAME."
        ) from None
    if not math.isfinite(ms):
        raise UsageError(f"{text!r} is not a time; give a number of milliseconds.")
    return ms


def parse_moment(reels: list[Path], text: str | None, *, is_end: bool) -> float | None:
    """Return a time in ms, given as a number of ms, as ``mark:NAME`` or as ``step:N``. Raises UsageError.

    ``step:N`` is the time at which that step begins, or with `is_end` the time at which it ends.
    """
    kind, colon, name = (text or "").partition(":")
    if not colon or kind not in ("step", "mark") or len(reels) > 1:
        return parse_ms(text)
    from pagereel.reading import open_recording

    recording = open_recording(reels[0])
    try:
        if kind == "mark":
            return recording.moment(name)
        until = recording.moment(f"step {name}")
    except LookupError as error:
        raise UsageError(f"{reels[0]} has no {kind} {name!r}: {error}.") from None
    return until if is_end else next(float(step["t"]) for step in recording.steps() if str(step["number"]) == name)


_SIZES = {"": 1, "b": 1, "kb": 1000, "mb": 1000**2, "gb": 1000**3, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}


def parse_size(text: str) -> int:
    """Parse a size such as ``10MB``, ``1.5 MiB`` or ``500000`` into bytes. Raises UsageError."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in _SIZES:
        raise UsageError(f"{text!r} is not a size; write 10MB, 500kB or a number of bytes.")
    return int(float(match[1]) * _SIZES[match[2]])
