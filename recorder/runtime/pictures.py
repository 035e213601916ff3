"""Pictures as callers give them: a file's bytes, its path, an image of Pillow's, an array of NumPy's."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

_LARGEST: Final = 64_000_000
"""Bytes of a picture's file that are read."""


def held(image: Any) -> Any:
    """Return a picture so that no later change by its owner shows in it: bytes, or an image of Pillow's. None for what is none."""
    try:
        if isinstance(image, (bytes, bytearray, memoryview)):
            return bytes(image)
        if isinstance(image, (str, os.PathLike)):
            path = Path(image)
            return path.read_bytes() if path.stat().st_size <= _LARGEST else None
        if hasattr(image, "__array_interface__") and not hasattr(image, "convert"):
            return _of_array(image)
        return image.copy() if hasattr(image, "convert") else None
    except Exception:  # Whatever a caller gives, its run goes on.
        return None


def size_of(image: Any) -> int:
    """Return how many bytes a picture takes while it waits."""
    return len(image) if isinstance(image, bytes) else image.size[0] * image.size[1] * 4


def _of_array(array: Any) -> Any:
    """Return the picture of an array of rows: grey, RGB or RGBA, in bytes, or from 0 to 1."""
    import numpy as np
    from PIL import Image

    values = np.asarray(array)
    if values.dtype.kind == "f":
        values = (values.clip(0, 1) * 255).round()
    elif values.dtype == bool:
        values = values * 255
    if values.ndim == 3 and values.shape[2] == 1:
        values = values[:, :, 0]
    return Image.fromarray(np.ascontiguousarray(values.clip(0, 255).astype(np.uint8)))
