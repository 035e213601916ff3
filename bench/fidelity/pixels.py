"""Pixels: the share that differs between two screenshots, as `pixelmatch` counts (antialiasing tolerant)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image
from pixelmatch.contrib.PIL import pixelmatch

THRESHOLD = 0.1
"""pixelmatch's default."""


Box = tuple[int, ...]
"""Left, top, right, bottom, in pixels."""


def differing(one: bytes, other: bytes, picture: Path | None = None, without: Sequence[Box] = ()) -> float:
    """The share of differing pixels, 0 to 1, of two PNG files. Where their sizes differ, what one does not have differs.

    `picture`: where to write an image of the differences, if there are any. `without`: boxes that are not compared.
    """
    a, b = (np.array(Image.open(io.BytesIO(data)).convert("RGB")) for data in (one, other))
    for left, top, right, bottom in without:
        for each in (a, b):
            each[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = 0
    height, width = max(a.shape[0], b.shape[0]), max(a.shape[1], b.shape[1])
    both = min(a.shape[0], b.shape[0]), min(a.shape[1], b.shape[1])
    outside = height * width - both[0] * both[1]
    a, b = a[: both[0], : both[1]], b[: both[0], : both[1]]
    rows, columns = np.nonzero((a != b).any(axis=2))
    if rows.size == 0:
        return float(outside / (height * width))
    # pixelmatch looks two pixels around; everything farther from the first and last difference counts nothing.
    top, bottom = max(0, rows.min() - 3), min(both[0], rows.max() + 4)
    left, right = max(0, columns.min() - 3), min(both[1], columns.max() + 4)
    parts = [Image.fromarray(np.ascontiguousarray(x[top:bottom, left:right])) for x in (a, b)]
    output = Image.new("RGBA", parts[0].size) if picture else None
    count = pixelmatch(parts[0], parts[1], output, threshold=THRESHOLD)
    if picture and output is not None and count:
        whole = Image.fromarray(np.ascontiguousarray(a)).convert("L").convert("RGBA")
        whole.paste(output, (int(left), int(top)))
        picture.parent.mkdir(parents=True, exist_ok=True)
        whole.save(picture)
    return float((count + outside) / (height * width))
