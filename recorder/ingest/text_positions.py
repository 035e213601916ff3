"""Compares the positions of readable text that a frame's script reports before and after a screenshot."""

from __future__ import annotations

from typing import cast

import msgspec

from pagereel.reel import Json


class _FrameTextPositions(msgspec.Struct):
    """The positions of readable text in one frame's viewport, in CSS px, as its script reports them."""

    n: int
    why: str = ""
    w: float = 0
    h: float = 0
    items: list[list[int]] = []
    frames: list[tuple[int, float, float, float, float]] = []


def find_unmoved_text_positions(before: str, after: str) -> dict[str, Json]:
    """Return the positions of readable text if they were the same before and after a screenshot; else the reason why
    they cannot be trusted.
    """
    try:
        first, second = (
            msgspec.json.decode(before, type=_FrameTextPositions),
            msgspec.json.decode(after, type=_FrameTextPositions),
        )
    except msgspec.DecodeError:
        return {"why": "not told"}
    if first.why or second.why:
        return {"why": first.why or second.why}
    if (first.w, first.h, first.items, first.frames) != (second.w, second.h, second.items, second.frames):
        return {"why": "moved"}
    fields: dict[str, Json] = {"n": first.n, "end": second.n, "w": first.w, "h": first.h}
    return {**fields, "items": cast(Json, first.items), "frames": cast(Json, first.frames)}
