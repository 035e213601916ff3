"""Stores the screenshots of a run; of several that look the same, one picture is kept."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from pagereel.reel import MOST_PIXELS, Event

KEPT: Final = 20
"""Number of earlier pictures that a new one is compared with: an agent sees the same few states again and again."""
CELL: Final = 4
"""Side in px of the squares whose mean colours are compared; a comma in place of a full stop still shows."""
SAME: Final = (4, 8, 8)
"""Levels, of 255, by which the lightness and the two colours of a square may differ: more than recompression changes,
and less than a comma in small print (9).
"""


class ScreenshotStore:
    """Stores the screenshots of a recording. Only the writer thread uses it."""

    def __init__(self, keep: Callable[[bytes, str], object], write: Callable[[Event], object]) -> None:
        self._keep = keep
        self._write = write
        self._seen: OrderedDict[int, tuple[str, tuple[int, int], Any]] = OrderedDict()

    def write_screenshot(self, image: bytes, mime: str, event: Event) -> None:
        """Write a screenshot's event (``body``: its picture's SHA-256), and its picture unless a similar one is
        stored.
        """
        print_ = compute_picture_fingerprint(image)
        for number, (body, size, other) in reversed(self._seen.items()):
            if body == event["body"] or (
                print_ is not None and print_[0] == size and are_pictures_similar(print_[1], other)
            ):
                event |= {"body": body, "duplicate_of": number}
                break
        else:
            self._keep(image, mime)
            self._seen[int(str(event["id"]))] = (str(event["body"]), *(print_ or ((0, 0), None)))
            while len(self._seen) > KEPT:
                self._seen.popitem(last=False)
        self._write(event)


def compute_picture_fingerprint(image: Any) -> tuple[tuple[int, int], Any] | None:
    """Return the size of a picture (its bytes, or a Pillow image) and the mean colours of its squares; None if Pillow
    is not installed, or the value is no picture.
    """
    try:
        from PIL import Image

        with Image.open(io.BytesIO(image)) if isinstance(image, bytes) else image as picture:
            size = picture.size
            if size[0] * size[1] > MOST_PIXELS:
                return None
            cells = tuple(max(1, -(-side // CELL)) for side in size)
            return size, picture.convert("YCbCr").resize((cells[0], cells[1]), Image.Resampling.BOX)
    except Exception:  # The recording goes on whatever error a picture causes in its decoder.
        return None


def are_pictures_similar(first_picture: Any, second_picture: Any) -> bool:
    """Return whether two pictures of the same size look the same, by the mean colours of their squares."""
    if second_picture is None:
        return False
    from PIL import ImageChops

    bands = ImageChops.difference(first_picture, second_picture).split()
    return all(int(str(band.getextrema()[1])) <= most for band, most in zip(bands, SAME, strict=True))
