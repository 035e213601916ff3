"""Stores pictures of canvases, recompressed without loss, because browsers compress them badly. Runs on the writer thread."""

from __future__ import annotations

import io
import time
from hashlib import sha256
from typing import Final

from ..runtime.clock import Clock
from .resources import ResourceStore

_WORTH: Final = 2_000
"""Smallest picture that is recompressed, in bytes."""
_MOST_BYTES: Final = 1_000_000
"""Largest picture that is recompressed, in bytes: a noise picture of four million pixels took 2.7 s."""
_MOST_PIXELS: Final = 4_000_000
_AT_ONCE: Final = 0.1
"""Seconds that recompression may take at once; beyond them, a hundredth of the time that has passed."""
_SHARE: Final = 0.01
_KNOWN: Final = 1_000
"""Number of pictures whose stored form is remembered: a canvas that blinks shows the same ones again."""
_MODES: Final = ("RGB", "RGBA")
"""Pillow's modes that lossless WebP stores exactly: 8 bits a channel."""
_ASIDE: Final = frozenset({"icc_profile", "transparency", "gamma", "chromaticity"})
"""Colour information of a picture outside of its pixels."""


class CanvasPictureStore:
    """Stores the pictures of canvases, recompressed as far as time allows."""

    def __init__(self, resources: ResourceStore, clock: Clock) -> None:
        self._resources = resources
        self._clock = clock
        self._spent = 0.0
        self._kept: dict[bytes, tuple[str | None, str]] = {}

    def store_picture(self, content: bytes, mime: str) -> tuple[str | None, str]:
        """Store a picture unless it is stored already. Return its SHA-256, or None and the reason."""
        if mime != "image/png" or not _WORTH <= len(content) <= _MOST_BYTES:
            return self._resources.store_content(content, mime)
        told = sha256(content).digest()
        if told not in self._kept:
            if len(self._kept) >= _KNOWN:
                self._kept.clear()
            self._kept[told] = self._resources.store_content(*self._recompress_within_budget(content, mime))
        return self._kept[told]

    def _recompress_within_budget(self, content: bytes, mime: str) -> tuple[bytes, str]:
        if self._spent > _AT_ONCE + _SHARE * self._clock.now() / 1000:
            return content, mime
        began = time.perf_counter()
        smaller = to_lossless_webp(content)
        self._spent += time.perf_counter() - began
        return (smaller, "image/webp") if smaller is not None else (content, mime)


def to_lossless_webp(png: bytes) -> bytes | None:
    """Return a PNG picture as lossless WebP; None if that is not smaller, would change a pixel, or needs Pillow, which
    is not installed.
    """
    try:
        from PIL import Image

        with Image.open(io.BytesIO(png), formats=["PNG"]) as picture:
            if (
                picture.mode not in _MODES
                or picture.width * picture.height > _MOST_PIXELS
                or _ASIDE & picture.info.keys()
                or getattr(picture, "n_frames", 1) > 1
            ):
                return None
            to = io.BytesIO()
            picture.save(to, "WEBP", lossless=True, exact=True, method=2)
    except Exception:  # The recording goes on whatever error a picture causes in its decoder.
        return None
    return to.getvalue() if to.tell() < len(png) else None
