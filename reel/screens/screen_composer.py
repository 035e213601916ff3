"""Composes the pictures of screens from their events. Needs Pillow.

The events are not trusted: only three picture formats are decoded, within limits of pixels for each picture and for all
of them.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

from .screen_check import CHAIN, MOST_PIXELS

if TYPE_CHECKING:
    from PIL.Image import Image

    from ..events import Event

GREY: Final = (0xD8, 0xD8, 0xD8)
"""The colour of pixels that were never painted."""
_FORMATS: Final = ("WEBP", "PNG", "JPEG")
_WORK: Final = 40_000_000_000
"""Largest number of pixels that are decoded and painted for one recording; later screens have no picture."""
_PICTURES: Final = 6
_SHEETS: Final = 48


class ScreenPictureComposer:
    """Composes the screens of one recording. ``content``: a function that returns a resource's bytes by its SHA-256."""

    def __init__(self, content: Callable[[str], bytes | None]) -> None:
        self._content = content
        self._events: dict[int, Event] = {}
        self._pictures: OrderedDict[int, Image] = OrderedDict()
        self._sheets: OrderedDict[str, Image | None] = OrderedDict()
        self._work = 0

    def add_event(self, event: Event) -> None:
        """Remember a ``screen`` event, because later screens may be based on its picture."""
        fields: Event = {name: event[name] for name in ("w", "h", "base", "sheets", "parts", "why") if name in event}
        self._events[cast(int, event["id"])] = fields

    def compose_picture(self, number: int) -> Image | None:
        """Return the picture of the screen with this id, as RGB; None if it is missing, or past a limit."""
        chain: list[int] = []
        at: Any = number
        while at is not None and at not in self._pictures:
            event = self._events.get(at)
            if event is None or len(chain) > CHAIN or not (event.get("base") or event.get("parts")):
                return None
            chain.append(at)
            at = event.get("base")
        picture = None if at is None else self._pictures[at]
        for each in reversed(chain):
            picture = self._paint_screen(self._events[each], picture)
            if picture is None:
                return None
        assert picture is not None
        self._pictures[number] = picture
        self._pictures.move_to_end(number)
        while len(self._pictures) > _PICTURES:
            self._pictures.popitem(last=False)
        return picture

    def _paint_screen(self, event: Event, base_picture: Image | None) -> Image | None:
        from PIL import Image

        size = cast(int, event["w"]), cast(int, event["h"])
        if not self._has_pixel_budget(size[0] * size[1]):
            return None
        canvas = Image.new("RGB", size, GREY) if base_picture is None else base_picture.copy()
        if canvas.size != size:
            return None
        named = cast("list[str]", event.get("sheets") or [])
        for x, y, w, h, sheet, sx, sy in cast("list[list[int]]", event.get("parts") or []):
            source = self._load_sheet_picture(named[sheet])
            if source is None or not self._has_pixel_budget(w * h):
                return None
            canvas.paste(source.crop((sx, sy, sx + w, sy + h)), (x, y))
        return canvas

    def _has_pixel_budget(self, pixels: int) -> bool:
        self._work += pixels
        return self._work <= _WORK

    def _load_sheet_picture(self, sha256: str) -> Image | None:
        if sha256 in self._sheets:
            self._sheets.move_to_end(sha256)
            return self._sheets[sha256]
        picture = decode_picture(self._content(sha256) or b"")
        if picture is not None and not self._has_pixel_budget(picture.size[0] * picture.size[1]):
            picture = None
        self._sheets[sha256] = picture
        while len(self._sheets) > _SHEETS:
            self._sheets.popitem(last=False)
        return picture


def decode_picture(data: bytes) -> Image | None:
    """Return a picture as RGB, with grey behind transparent pixels; None for invalid or too large data."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            if picture.size[0] * picture.size[1] > MOST_PIXELS:
                return None
            return to_opaque_rgb(picture)
    except Exception:  # Any error of the decoder means that it is no picture.
        return None


def to_opaque_rgb(picture: Image) -> Image:
    """Return a picture as opaque RGB without metadata."""
    from PIL import Image

    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        above = picture.convert("RGBA")
        plain = Image.new("RGBA", above.size, (*GREY, 255))
        plain.alpha_composite(above)
        picture = plain
    plain_rgb = picture.convert("RGB")
    return Image.frombytes("RGB", plain_rgb.size, plain_rgb.tobytes())
