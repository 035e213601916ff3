"""Screenshots that a run tells of: of several that look the same, one picture is kept."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from pagereel.reel import MOST_PIXELS, Event

KEPT: Final = 20
"""So many pictures back are compared with: an agent looks at the same few states again and again."""
CELL: Final = 4
"""Px: pictures are compared by the mean of each such square, in which a comma for a full stop shows."""
SAME: Final = (4, 8, 8)
"""Levels, of 255, by which the lightness and the two colours of a square may differ: what a picture loses when it is compressed anew, and
less than a comma in small print changes (9)."""


class ScreenshotStore:
    """Keeps screenshots for a recording. Used by the writer's thread alone."""

    def __init__(self, keep: Callable[[bytes, str], object], write: Callable[[Event], object]) -> None:
        self._keep = keep
        self._write = write
        self._seen: OrderedDict[int, tuple[str, tuple[int, int], Any]] = OrderedDict()

    def write(self, image: bytes, mime: str, event: Event) -> None:
        """Write the event of a screenshot (``body``: its picture's SHA-256), and its picture unless one like it is here already."""
        print_ = print_of(image)
        for number, (body, size, other) in reversed(self._seen.items()):
            if body == event["body"] or (print_ is not None and print_[0] == size and alike(print_[1], other)):
                event |= {"body": body, "duplicate_of": number}
                break
        else:
            self._keep(image, mime)
            self._seen[int(str(event["id"]))] = (str(event["body"]), *(print_ or ((0, 0), None)))
            while len(self._seen) > KEPT:
                self._seen.popitem(last=False)
        self._write(event)


def print_of(image: Any) -> tuple[tuple[int, int], Any] | None:
    """Return the size of a picture (its bytes, or Pillow's) and the means of its squares; None where Pillow is not installed, or it is no picture."""
    try:
        from PIL import Image

        with Image.open(io.BytesIO(image)) if isinstance(image, bytes) else image as picture:
            size = picture.size
            if size[0] * size[1] > MOST_PIXELS:
                return None
            cells = tuple(max(1, -(-side // CELL)) for side in size)
            return size, picture.convert("YCbCr").resize((cells[0], cells[1]), Image.Resampling.BOX)
    except Exception:  # Whatever a picture does to its decoder, the recording goes on.
        return None


def alike(one: Any, other: Any) -> bool:
    """Return whether two pictures of one size look the same, by the means of their squares."""
    if other is None:
        return False
    from PIL import ImageChops

    bands = ImageChops.difference(one, other).split()
    return all(int(str(band.getextrema()[1])) <= most for band, most in zip(bands, SAME, strict=True))
