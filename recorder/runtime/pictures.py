"""Reads pictures that callers give: a file's bytes, its path, a Pillow image, a NumPy array."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any, Final

from .guarded_calls import CallTimeLimit
from .json_conversion import read_file, to_path

_LARGEST: Final = 64_000_000
"""Largest file of a picture that is read, in bytes."""
_PATIENCE: Final = 2.0
"""Seconds that copying an image may take."""


def copy_picture(image: Any) -> Any:
    """Return a copy of a picture that its owner's later changes do not affect: bytes, or a Pillow image. None for other
    values.
    """
    kind = type(image)
    if issubclass(kind, bytes):
        return bytes.__getitem__(image, slice(None))
    if issubclass(kind, bytearray | memoryview):
        return CallTimeLimit().call(lambda: memoryview(image).tobytes())
    if issubclass(kind, str):
        return read_file(to_path(image), _LARGEST)[0]
    ask = CallTimeLimit(_PATIENCE).call
    if ask(isinstance, image, os.PathLike):
        return read_file(to_path(image), _LARGEST)[0]
    if ask(hasattr, image, "convert"):
        copied = ask(lambda: image.copy())
        pillow = sys.modules.get("PIL.Image")
        return copied if pillow is not None and issubclass(type(copied), pillow.Image) else None
    if ask(hasattr, image, "__array_interface__"):
        with contextlib.suppress(ImportError):
            import numpy
            from PIL import Image

            return ask(_build_image_from_array, image, numpy, Image)
    return None


def estimate_memory_size(image: Any) -> int:
    """Return how many bytes of memory a queued picture takes."""
    return len(image) if isinstance(image, bytes) else image.size[0] * image.size[1] * 4


def _build_image_from_array(array: Any, numpy_module: Any, pillow_image_module: Any) -> Any:
    """Return a Pillow image of an array of rows: grey, RGB or RGBA, in bytes, or in numbers from 0 to 1."""
    values = numpy_module.asarray(array)
    if values.dtype.kind == "f":
        values = (values.clip(0, 1) * 255).round()
    elif values.dtype == bool:
        values = values * 255
    if values.ndim == 3 and values.shape[2] == 1:
        values = values[:, :, 0]
    return pillow_image_module.fromarray(numpy_module.ascontiguousarray(values.clip(0, 255).astype(numpy_module.uint8)))
