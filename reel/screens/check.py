"""What a ``screen`` event must be beyond its fields' types, and the limits of what is decoded and painted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from ..events import Event

MOST_PIXELS: Final = 50_000_000
"""Of one picture or sheet: larger ones are not decoded, for a few kilobytes can unfold into gigabytes."""
CHAIN: Final = 64
"""So many screens may begin as the one before, before one stands for itself."""


def wrong_screen(event: Event) -> str | None:
    """Return what is wrong with a ``screen`` event whose fields have their types; None: nothing."""
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
