"""Computes the share of pixels in which two screenshots differ, as Mapbox's pixelmatch does.

Colours are compared by their distance in YIQ (Kotsarenko and Ramos); pixels on smoothed edges do not count (Vysniauskas). tests/house/test_bench_pixels.py
has examples that were counted with the original.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

THRESHOLD = 0.1
"""pixelmatch's default."""
FARTHEST = 35215
"""The largest squared distance of two colours."""
LUMA, IN_PHASE, QUADRATURE = (
    (0.29889531, 0.58662247, 0.11448223),
    (0.59597799, -0.27417610, -0.32180189),
    (0.21147017, -0.52261711, 0.31114694),
)
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
"""The eight neighbours, in pixelmatch's order: the first of equals counts."""

Box = tuple[int, ...]
"""Left, top, right, bottom, in pixels."""


def compute_pixel_difference(
    one: bytes, other: bytes, difference_picture: Path | None = None, ignored_boxes: Sequence[Box] = ()
) -> float:
    """Return the share of differing pixels, 0 to 1, of two PNG files. Pixels that only one of them has count as different.

    `difference_picture`: where to write an image of the differences, if there are any. `ignored_boxes`: boxes that are not compared.
    """
    if one == other:
        return 0.0
    a, b = (np.array(Image.open(io.BytesIO(data)).convert("RGB")) for data in (one, other))
    for left, top, right, bottom in ignored_boxes:
        for each in (a, b):
            each[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = 0
    height, width = max(a.shape[0], b.shape[0]), max(a.shape[1], b.shape[1])
    both = min(a.shape[0], b.shape[0]), min(a.shape[1], b.shape[1])
    outside = height * width - both[0] * both[1]
    a, b = a[: both[0], : both[1]], b[: both[0], : both[1]]
    far, smooth = _find_differing_pixels(a, b)
    count = int(far.sum())
    if difference_picture and count:
        grey = np.asarray(Image.fromarray(a).convert("L").convert("RGB")) // 10 + 229
        grey[smooth] = (255, 255, 0)
        grey[far] = (255, 0, 0)
        difference_picture.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(grey.astype(np.uint8)).save(difference_picture)
    return float((count + outside) / (height * width))


def _find_differing_pixels(a: Any, b: Any) -> tuple[Any, Any]:
    """Return two masks over the picture: pixels that differ, and pixels that differ only as smoothed edges may."""
    far = np.zeros(a.shape[:2], bool)
    smooth = far.copy()
    rows, columns = np.nonzero((a != b).any(axis=2))
    one, other = a[rows, columns].astype(float), b[rows, columns].astype(float)
    # Each sum in pixelmatch's order: what counts as equal is a difference of exactly 0.
    y, i, q = (_weigh_channels(one, by) - _weigh_channels(other, by) for by in (LUMA, IN_PHASE, QUADRATURE))
    beyond = 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q > FARTHEST * THRESHOLD * THRESHOLD
    rows, columns = rows[beyond], columns[beyond]
    edge = _is_antialiased(a, b, rows, columns) | _is_antialiased(b, a, rows, columns)
    far[rows[~edge], columns[~edge]] = True
    smooth[rows[edge], columns[edge]] = True
    return far, smooth


def _weigh_channels(colours: Any, weights: tuple[float, float, float]) -> Any:
    """Return the weighted sum of the three colour channels of each pixel."""
    return colours[..., 0] * weights[0] + colours[..., 1] * weights[1] + colours[..., 2] * weights[2]


def _is_antialiased(a: Any, b: Any, rows: Any, columns: Any) -> Any:
    """Return for each of the pixels of `a` whether it is part of a smoothed edge in `a` and `b`."""
    height, width = a.shape[:2]
    luma = _weigh_channels(a.astype(float), LUMA)
    deltas = np.full((len(AROUND), rows.size), np.nan)
    for place, (x, y) in enumerate(AROUND):
        there = _is_inside(rows + y, columns + x, height, width)
        deltas[place, there] = luma[rows[there], columns[there]] - luma[rows[there] + y, columns[there] + x]
    equal = (deltas == 0).sum(axis=0) + _is_at_border(rows, columns, height, width)
    deltas = np.where(np.isnan(deltas), 0, deltas)
    result = (equal <= 2) & (deltas.min(axis=0, initial=0) < 0) & (deltas.max(axis=0, initial=0) > 0)
    flat = np.zeros(rows.size, bool)
    steps = np.array(AROUND).reshape(-1, 2)
    for extreme in (deltas.argmin(axis=0), deltas.argmax(axis=0)):
        x, y = columns + steps[extreme, 0], rows + steps[extreme, 1]
        x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
        flat |= _is_flat(a, y, x) & _is_flat(b, y, x)
    return result & flat


def _is_flat(image: Any, rows: Any, columns: Any) -> Any:
    """Return for each of the pixels whether three or more neighbours have its colour; the picture's border counts as one."""
    height, width = image.shape[:2]
    equal = _is_at_border(rows, columns, height, width)
    for x, y in AROUND:
        there = _is_inside(rows + y, columns + x, height, width)
        same = (image[rows[there], columns[there]] == image[rows[there] + y, columns[there] + x]).all(axis=1)
        equal[there] += same
    return equal > 2


def _is_inside(rows: Any, columns: Any, height: int, width: int) -> Any:
    return (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)


def _is_at_border(rows: Any, columns: Any, height: int, width: int) -> Any:
    return ((rows == 0) | (rows == height - 1) | (columns == 0) | (columns == width - 1)).astype(int)
