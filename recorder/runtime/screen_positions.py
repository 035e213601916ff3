"""Parses positions and boxes on a screen that callers and models give."""

from __future__ import annotations

from typing import Any, Final, cast

from pagereel.reel import Event, Json

from .json_conversion import to_json_list, to_number, to_text

TITLE_LIMIT: Final = 10_000
"""Longest title, name or message, in bytes."""
_FAR: Final = 1e9


def parse_point(value: Any) -> Json:
    """Return a position in the format's form, ``[x, y]``; None for other values."""
    sides = [to_number(side) for side in to_json_list(value)]
    return (
        cast(Json, sides) if len(sides) == 2 and all(side is not None and abs(side) <= _FAR for side in sides) else None
    )


def find_action_position(action: Json) -> Json:
    """Return the position ``[x, y]`` in an action of a computer-use tool; None if it has none."""
    if not isinstance(action, dict):
        return None
    path = action.get("path")
    last = path[-1] if isinstance(path, list) and path else None
    given = [action.get("coordinate"), last, [action.get("x"), action.get("y")]]
    if isinstance(last, dict):
        given[1] = [last.get("x"), last.get("y")]
    return next((place for each in given if (place := parse_point(each)) is not None), None)


def parse_boxes(boxes: Any) -> Json:
    """Return boxes in the format's form: ``[x, y, w, h, label?, confidence?, kind?]``. Invalid ones are left out."""
    found: list[Json] = []
    for box in to_json_list(boxes):
        given = box if isinstance(box, list) else []
        corner = [to_number(side) for side in given[:4]]
        if len(corner) == 4 and all(side is not None and abs(side) <= _FAR for side in corner):
            found.append([*cast("list[Json]", corner), *_build_optional_box_fields(*given[4:7])])
    return found


def _build_optional_box_fields(label: Any = None, confidence: Any = None, kind: Any = None) -> list[Json]:
    """Return the optional fields of a box (label, confidence, kind). A missing one is None, or left out at the end."""
    sure = confidence if type(confidence) in (int, float) and 0 <= confidence <= 1 else None
    told: list[Json] = [
        None if label is None else to_text(label, TITLE_LIMIT),
        sure,
        None if kind is None else to_text(kind, TITLE_LIMIT),
    ]
    while told and told[-1] is None:
        told.pop()
    return told


def build_no_picture_note(screen: Event) -> Event:
    """Return the fields of a note that replaces a screen whose picture cannot be read."""
    fields: Event = {name: screen[name] for name in ("action", "cursor", "window") if screen.get(name) is not None}
    more = screen.get("attributes")
    kept: Event = {name: screen[name] for name in ("id", "step", "agent") if name in screen}
    return {
        **kept,
        "text": "No picture of the screen",
        "attributes": {**fields, **(more if isinstance(more, dict) else {})},
    }
