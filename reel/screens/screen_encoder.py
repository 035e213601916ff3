"""Stores screens as differences from earlier ones: each square of a screen is stored once, wherever it occurs again.

1. A screen is divided into squares of :data:`TILE` px. A square that has not changed since the screen before costs
   nothing.
2. A square that was stored at any time before is a reference to its place.
3. A square that moved, because of scrolling or a moved window, is found at its old place (:mod:`.screen_motion`).
4. The remaining squares are new: they are put into one picture, a *sheet*, as lossless WebP, or with invisible loss
   if they are photographs.

A screen is based on the one before it, and after every :data:`OFTEN` screens one is based on none, so that readers
need few steps. Needs Pillow and NumPy.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from .screen_motion import find_square_moves

if TYPE_CHECKING:
    from typing import TypeVar

    from numpy.typing import NDArray
    from PIL.Image import Image

    from ..events import Event, Json

    _N = TypeVar("_N", bound=np.generic)

TILE: Final = 32
"""Side of a square in px."""
OFTEN: Final = 24
"""Number of consecutive screens that are based on the one before."""
_MOST_SHEETS: Final = 200
_MOST_PARTS: Final = 4_000
"""Largest number of sheets or parts of a screen that is based on none; beyond it the screen is stored anew."""
_KNOWN: Final = 200_000
"""Largest number of squares whose place is remembered."""
_PHOTOGRAPH: Final = 0.9
"""Bytes a pixel from which on a lossless sheet counts as photographs."""
_WORTH: Final = 0.5
"""Share of the lossless bytes below which the version with loss is used."""
_LARGE: Final = 96 * 96
_QUALITY: Final = 90


@dataclass(slots=True)
class _PreviousScreen:
    """The previous screen: its pixels, and the stored place of each of them (see :func:`_encode_stored_place`)."""

    id: int
    pixels: NDArray[np.uint32]
    where: NDArray[np.int64]
    since: int = 0
    """Number of screens since one that is based on none."""


class ScreenEncoder:
    """Encodes the screens of one recording. ``keep``: a function that stores a picture and returns its SHA-256, or None
    if there is no more room.
    """

    def __init__(self, keep: Callable[[bytes, str], str | None]) -> None:
        self._keep = keep
        self._sheets: list[str] = []
        self._before: _PreviousScreen | None = None
        self._known: OrderedDict[bytes, tuple[int, int, int]] = OrderedDict()

    def store_screen(self, number: int, picture: Image) -> Event | None:
        """Store the new part of a screen (RGB). Return the fields of its event; None if there is no more room."""
        pixels = _to_pixel_numbers(picture)
        before = self._before
        if before is not None and before.pixels.shape != pixels.shape:
            before = None
        where = np.full(pixels.shape, -1, np.int64) if before is None else before.where.copy()
        rows, columns = (-(-side // TILE) for side in pixels.shape)
        changed = np.ones((rows, columns), bool) if before is None else _find_changed_squares(pixels, before.pixels)
        places = [(int(row), int(column)) for row, column in np.argwhere(changed)]
        if places and not self._find_stored_squares(pixels, before, where, places):
            return None
        fields: Event = {"w": picture.size[0], "h": picture.size[1]}
        if before is not None and before.since < OFTEN:
            fields["base"] = before.id
            drawn = _find_rectangles_of_equal_codes(where, where != before.where) if places else []
        else:
            drawn = _find_rectangles_of_equal_codes(where, np.ones(where.shape, bool))
            if before is not None and (len(drawn) > _MOST_PARTS or len(np.unique(where >> _SHEET)) > _MOST_SHEETS):
                self._before = None
                self._known.clear()
                return self.store_screen(number, picture)
        if drawn:
            fields |= self._build_parts_fields(drawn)
        if places or "base" not in fields:
            self._before = _PreviousScreen(
                number, pixels, where, before.since + 1 if before and "base" in fields else 0
            )
        return fields

    # -- finding squares --

    def _find_stored_squares(
        self,
        pixels: NDArray[np.uint32],
        previous_screen: _PreviousScreen | None,
        stored_places: NDArray[np.int64],
        squares: list[tuple[int, int]],
    ) -> bool:
        """Write the stored place of each square into `stored_places`, and store the squares that are not stored yet. Return
        False if there is no more room.
        """
        left: list[tuple[int, int]] = []
        keys: dict[tuple[int, int], bytes] = {}
        for place in squares:
            key = keys[place] = _get_square(pixels, place).tobytes()
            found = self._known.get(key)
            if found is None:
                left.append(place)
            else:
                y, x = place[0] * TILE, place[1] * TILE
                _get_square(stored_places, place)[:] = _encode_stored_place(found[0], found[1] - x, found[2] - y)
        if left and previous_screen is not None:
            left = _find_moved_squares(pixels, previous_screen, stored_places, left)
        if left and not self._store_new_squares(pixels, stored_places, left, keys):
            return False
        while len(self._known) > _KNOWN:
            self._known.popitem(last=False)
        return True

    def _store_new_squares(
        self,
        pixels: NDArray[np.uint32],
        stored_places: NDArray[np.int64],
        new_squares: list[tuple[int, int]],
        keys: dict[tuple[int, int], bytes],
    ) -> bool:
        """Put new squares into one picture (a sheet), in their relative positions, and store it. Return False if there
        is no more room.
        """
        wanted = set(new_squares)
        laid: list[tuple[tuple[int, int, int, int], int]] = []
        top = 0
        for box in _find_boxes_around_squares(wanted):
            laid.append((box, top))
            top += min((box[2] + 1) * TILE, pixels.shape[0]) - box[0] * TILE
        wide = max(min((box[3] + 1) * TILE, pixels.shape[1]) - box[1] * TILE for box, _ in laid)
        sheet = np.full((top, wide), _FILL, np.uint32)
        number = len(self._sheets)
        for (first, left_edge, last, right), at in laid:
            for row in range(first, last + 1):
                for column in range(left_edge, right + 1):
                    if (row, column) not in wanted:
                        continue
                    square = _get_square(pixels, (row, column))
                    y, x = at + (row - first) * TILE, (column - left_edge) * TILE
                    sheet[y : y + square.shape[0], x : x + square.shape[1]] = square
                    self._known[keys[row, column]] = number, x, y
                    _get_square(stored_places, (row, column))[:] = _encode_stored_place(
                        number, x - column * TILE, y - row * TILE
                    )
        sha256 = self._keep(to_webp(_to_pillow_picture(sheet)), "image/webp")
        if sha256 is None:
            return False
        self._sheets.append(sha256)
        return True

    def _build_parts_fields(self, rectangles: list[tuple[int, int, int, int, int]]) -> Event:
        """Return the event fields that list the rectangles that paint a screen, and their sheets."""
        sheets: dict[int, int] = {}
        parts: list[Json] = []
        for x, y, w, h, code in rectangles:
            sheet, dx, dy = code >> _SHEET, (code >> _ACROSS & _MASK) - _ZERO, (code & _MASK) - _ZERO
            parts.append([x, y, w, h, sheets.setdefault(sheet, len(sheets)), x + dx, y + dy])
        return {"sheets": [self._sheets[sheet] for sheet in sheets], "parts": parts}


_SHEET: Final = 40
_ACROSS: Final = 20
_MASK: Final = (1 << 20) - 1
_ZERO: Final = 1 << 19


def _encode_stored_place(sheet: int, dx: int, dy: int) -> int:
    """Return where a pixel is stored, as one number: the number of its sheet, and how far its position in the sheet is
    from its position on the screen, in px.
    """
    return sheet << _SHEET | (dx + _ZERO) << _ACROSS | (dy + _ZERO)


def _find_moved_squares(
    pixels: NDArray[np.uint32],
    previous_screen: _PreviousScreen,
    stored_places: NDArray[np.int64],
    unmatched_squares: list[tuple[int, int]],
) -> list[tuple[int, int]]:
    """Find the squares that were at another position in the previous screen, write their stored places into `stored_places`,
    and return the remaining squares.
    """
    for dx, dy in find_square_moves(pixels, previous_screen.pixels, unmatched_squares, TILE):
        still: list[tuple[int, int]] = []
        for place in unmatched_squares:
            now = _get_square(pixels, place)
            y, x = place[0] * TILE - dy, place[1] * TILE - dx
            source = slice(max(0, y), y + now.shape[0]), slice(max(0, x), x + now.shape[1])
            if y >= 0 and x >= 0 and np.array_equal(previous_screen.pixels[source], now):
                _get_square(stored_places, place)[:] = previous_screen.where[source] - (dx << _ACROSS) - dy
            else:
                still.append(place)
        unmatched_squares = still
    return unmatched_squares


_FILL: Final = 0xD8D8D8


def to_webp(picture: Image) -> bytes:
    """Return a picture as WebP: lossless, or with invisible loss if the lossless size shows that it contains
    photographs.
    """
    out = io.BytesIO()
    picture.save(out, "WEBP", lossless=True, quality=40, method=3)
    exact = out.getvalue()
    area = picture.size[0] * picture.size[1]
    if area < _LARGE or len(exact) < _PHOTOGRAPH * area:
        return exact
    out = io.BytesIO()
    picture.save(out, "WEBP", quality=_QUALITY, method=4)
    return min(exact, out.getvalue(), key=lambda data: len(data) / (1 if data is exact else _WORTH))


def _to_pixel_numbers(picture: Image) -> NDArray[np.uint32]:
    """Return a picture as an array with one number for each pixel."""
    bytes_of: NDArray[np.uint8] = np.asarray(picture, np.uint8)
    wide = bytes_of.astype(np.uint32)
    packed: NDArray[np.uint32] = wide[:, :, 0] | wide[:, :, 1] << np.uint32(8) | wide[:, :, 2] << np.uint32(16)
    return packed


def _to_pillow_picture(pixels: NDArray[np.uint32]) -> Image:
    from PIL import Image

    planes = np.stack([(pixels >> np.uint32(shift)).astype(np.uint8) for shift in (0, 8, 16)], axis=-1)
    return Image.fromarray(planes, "RGB")


def _get_square(grid: NDArray[_N], square: tuple[int, int]) -> NDArray[_N]:
    y, x = square[0] * TILE, square[1] * TILE
    return grid[y : y + TILE, x : x + TILE]


def _find_changed_squares(first_pixels: NDArray[np.uint32], second_pixels: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Return an array that says for each square whether it differs."""
    differ = first_pixels != second_pixels
    rows = np.logical_or.reduceat(differ, np.arange(0, differ.shape[0], TILE), axis=0)
    found: NDArray[np.bool_] = np.logical_or.reduceat(rows, np.arange(0, differ.shape[1], TILE), axis=1)
    return found


def _find_boxes_around_squares(squares: set[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """Return boxes (first row, first column, last row, last column) around adjacent squares."""
    left = set(squares)
    found = []
    while left:
        start = left.pop()
        box = [*start, *start]
        waiting = [start]
        while waiting:
            row, column = waiting.pop()
            box = [min(box[0], row), min(box[1], column), max(box[2], row), max(box[3], column)]
            near = {(r, c) for r in (row - 1, row, row + 1) for c in (column - 1, column, column + 1)} & left
            left -= near
            waiting += near
        found.append((box[0], box[1], box[2], box[3]))
    return sorted(found)


def _find_rectangles_of_equal_codes(
    codes: NDArray[np.int64], wanted_pixels: NDArray[np.bool_]
) -> list[tuple[int, int, int, int, int]]:
    """Return rectangles (x, y, w, h, code) that together cover the wanted pixels. All pixels of a rectangle have the
    same code.
    """
    found: list[tuple[int, int, int, int, int]] = []
    open_: dict[tuple[int, int, int], int] = {}
    shown = np.where(wanted_pixels, codes, -1)
    edges = np.ones((shown.shape[0], shown.shape[1] + 1), bool)
    edges[:, 1:-1] = shown[:, 1:] != shown[:, :-1]
    same = np.zeros(shown.shape[0], bool)
    same[1:] = (shown[1:] == shown[:-1]).all(axis=1)
    for y in range(shown.shape[0] + 1):
        if y < shown.shape[0] and same[y]:
            continue
        runs: set[tuple[int, int, int]] = set()
        if y < shown.shape[0] and wanted_pixels[y].any():
            at = np.flatnonzero(edges[y])
            for start, end in zip(at[:-1].tolist(), at[1:].tolist(), strict=True):
                if (code := int(shown[y, start])) >= 0:
                    runs.add((start, end, code))
        for run in [run for run in open_ if run not in runs]:
            found.append((run[0], open_[run], run[1] - run[0], y - open_[run], run[2]))
            del open_[run]
        for run in runs:
            open_.setdefault(run, y)
    return sorted(found, key=lambda part: (part[1], part[0]))
