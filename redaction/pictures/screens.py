"""Mask a recording's screens, pictures of a whole desktop: keep or blur them, or block all but the boxes that the caller allowed.

A blocked screen keeps its size, but no position of a click: a reader who knows the layout of an on-screen keypad could
read a PIN from the positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeGuard, cast

from pagereel.reel import GREY, Event, Json, ScreenComposer, build_resource_event, create_screen_encoder, decode_body

from ..contracts.policy import Policy
from . import computer_use, pixels

if TYPE_CHECKING:
    from PIL.Image import Image

    from pagereel.reel import ScreenEncoder

_PICTURE = ("base", "sheets", "parts")
_NUMBERS = 4
"""How many numbers a box has: left, top, width, height."""


class ScreenMasker:
    """Masks the screens of one recording.

    :param resource: returns a recorded ``resource`` event by its hash.
    """

    def __init__(self, policy: Policy, resource: Callable[[str], Event | None]) -> None:
        self.action = choose_screen_action(policy)
        self._composer = ScreenComposer(lambda sha256: decode_body(event) if (event := resource(sha256)) else None)
        self._made: list[Event] = []
        self._keeper: ScreenEncoder | None = None

    def mask_screen(self, raw: Event, out: Event) -> Iterator[Event]:
        """Add to the masked event `out` the part of the screen event `raw` that the policy shows: its picture, whole,
        blurred or cut to boxes.

        Yield the resource events that `out` names, before `out` is written.
        """
        self._composer.add_event(raw)
        if self.action == "keep":
            if None in cast("list[Json]", out.get("sheets") or []):
                _remove_picture(out)
            return
        boxes = _read_visible_boxes(raw) if self.action == "visible" else []
        _remove_picture(out, boxes)
        if self.action == "blur" or boxes:
            yield from self._add_visible_picture(raw, out, boxes)

    def _add_visible_picture(self, raw: Event, out: Event, boxes: list[tuple[int, int, int, int]]) -> Iterator[Event]:
        number = cast(int, raw["id"])
        picture = self._composer.compose_picture(number)
        if picture is None:
            return
        seen = pixels.blur_image(picture) if self.action == "blur" else _keep_only_boxes(picture, boxes)
        if self._keeper is None:
            self._keeper = create_screen_encoder(self._store_picture)
        self._made = []
        told = self._keeper.store_screen(number, seen)
        yield from self._made
        out |= told or {}

    def _store_picture(self, content: bytes, mime: str) -> str:
        self._made.append(build_resource_event(content, mime))
        return str(self._made[-1]["sha256"])


def choose_screen_action(policy: Policy) -> str:
    """Return how a policy handles screens: ``keep``, ``blur``, ``visible`` or ``block``. A policy never shows more of
    screens than of other pictures.
    """
    if policy.images == "block" or policy.screens == "block":
        return "block"
    return "blur" if policy.images == "blur" else policy.screens


def _remove_picture(out: Event, boxes: list[tuple[int, int, int, int]] | None = None) -> None:
    """Remove the picture from an event, and the cursor's position if it lies outside of the boxes that may be seen."""
    for name in _PICTURE:
        out.pop(name, None)
    out["why"] = "policy"
    cursor = out.get("cursor")
    if not isinstance(cursor, list) or not any(_is_in_box(cast("list[float]", cursor), box) for box in boxes or ()):
        out.pop("cursor", None)
        if "action" in out:
            out["action"] = computer_use.mask_computer_actions(out["action"], None, drop_positions=True)


def _is_in_box(point: list[float], box: tuple[int, int, int, int]) -> bool:
    return box[0] <= point[0] < box[0] + box[2] and box[1] <= point[1] < box[1] + box[3]


def _read_visible_boxes(raw: Event) -> list[tuple[int, int, int, int]]:
    """Return the boxes that the caller allows to be seen, cut to the picture, in whole px."""
    w, h = cast(int, raw["w"]), cast(int, raw["h"])
    found = []
    for box in cast("list[list[object]]", raw.get("visible") or []):
        if not _is_box(box):
            continue
        left, top = max(0, round(box[0])), max(0, round(box[1]))
        right, bottom = min(w, round(box[0] + box[2])), min(h, round(box[1] + box[3]))
        if right > left and bottom > top:
            found.append((left, top, right - left, bottom - top))
    return found


def _is_box(box: Sequence[object]) -> TypeGuard[Sequence[float]]:
    """Return whether a box is four numbers. Texts may follow them, as in the boxes of screenshots."""
    return len(box) >= _NUMBERS and all(type(side) in (int, float) for side in box[:_NUMBERS])


def _keep_only_boxes(picture: Image, boxes: list[tuple[int, int, int, int]]) -> Image:
    from PIL import Image

    clean = Image.new("RGB", picture.size, GREY)
    for x, y, w, h in boxes:
        clean.paste(picture.crop((x, y, x + w, y + h)), (x, y))
    return clean
