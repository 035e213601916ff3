"""Finds how far parts of a screen moved, by scrolling or by a moved window. Needs NumPy.

Each position of the earlier screen has a hash of the small square that begins there (a rolling hash, by doubling the
square: Karp and Rabin's in two dimensions). Squares of the new screen are looked up among these hashes; an offset that
many squares share is a move.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIDE: Final = 16
"""Side in px of the squares that are looked up."""
_TRIED: Final = 6
"""Largest number of moves that are returned, those with most squares first."""
_OFTEN: Final = 8
"""Largest number of places of a square that is used: a more frequent one does not show where it came from."""
_LOOKED_FOR: Final = 1_500
_FACTOR_X: Final = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_Y: Final = np.uint64(0xC2B2AE3D27D4EB4F)


def find_square_moves(
    pixels: NDArray[np.uint32], previous_pixels: NDArray[np.uint32], squares: list[tuple[int, int]], square_size: int
) -> list[tuple[int, int]]:
    """Return offsets in px (x, y) by which the squares at these places (row and column, in squares of ``square_size`` px) may
    have moved.
    """
    inset = (square_size - _SIDE) // 2
    wanted: dict[int, list[tuple[int, int]]] = {}
    for row, column in squares[: _LOOKED_FOR * 4]:
        y, x = row * square_size + inset, column * square_size + inset
        square = pixels[y : y + _SIDE, x : x + _SIDE]
        if square.shape != (_SIDE, _SIDE) or (square == square[0, 0]).all():
            continue
        wanted.setdefault(int(_hash_squares(square)[0, 0]), []).append((x, y))
        if len(wanted) >= _LOOKED_FOR:
            break
    if not wanted or min(previous_pixels.shape) < _SIDE:
        return []
    hashes = _hash_squares(previous_pixels)
    keys = np.sort(np.fromiter(wanted, np.uint64, len(wanted)))
    at = np.searchsorted(keys, hashes).clip(max=len(keys) - 1)
    rows, columns = np.nonzero(keys[at] == hashes)
    found: dict[int, list[tuple[int, int]]] = {}
    for y, x in zip(rows.tolist(), columns.tolist(), strict=True):
        found.setdefault(int(hashes[y, x]), []).append((x, y))
    votes: Counter[tuple[int, int]] = Counter()
    for key, sources in found.items():
        if len(sources) > _OFTEN or len(wanted[key]) > _OFTEN:
            continue
        votes.update((x - sx, y - sy) for x, y in wanted[key] for sx, sy in sources)
    return [move for move, count in votes.most_common(_TRIED) if count > 1 and move != (0, 0)]


def _hash_squares(pixels: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return an array with the hash of the square that begins at each pixel."""
    sums: NDArray[np.uint64] = pixels.astype(np.uint64)
    with np.errstate(over="ignore"):
        for axis, factor in ((1, _FACTOR_X), (0, _FACTOR_Y)):
            side, power = 1, factor
            while side < _SIDE:
                first = sums[:, :-side] if axis else sums[:-side]
                second = sums[:, side:] if axis else sums[side:]
                sums = first * power + second
                side, power = side * 2, np.uint64((int(power) * int(power)) & 0xFFFFFFFFFFFFFFFF)
    return sums
