"""Checks the values of a ``screen`` event beyond its fields' types, so that decoding and painting stay within limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from ..events import Event

MOST_PIXELS: Final = 50_000_000
"""Largest number of pixels of one picture or sheet that is decoded: a few kilobytes can unfold into gigabytes."""
CHAIN: Final = 64
"""Largest number of consecutive screens that are based on the one before."""


def find_screen_problem(event: Event) -> str | None:
    """Return the problem of a ``screen`` event whose fields have valid types; None if it has none."""
    held = cast("dict[str, Any]", event)
    w, h = held["w"], held["h"]
    if w * h > MOST_PIXELS:
        return f"a picture of more than {MOST_PIXELS:,} pixels"
    if held.get("base") is not None and held["base"] >= held["id"]:
        return "`base` is no earlier screen"
    sheets = len(held.get("sheets") or ())
    for x, y, wide, high, sheet, sx, sy in held.get("parts") or ():
        if not (0 <= x < x + wide <= w and 0 <= y < y + high <= h and sx >= 0 and sy >= 0):
            return "a part outside of the picture"
        if not 0 <= sheet < sheets:
            return "a part of a sheet that is not there"
    return None
