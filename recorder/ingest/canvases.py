"""Pictures of canvases, packed anew without loss: a browser packs them in haste. Runs on the writer thread."""

from __future__ import annotations

import io
import time
from hashlib import sha256
from typing import Final

from ..runtime.clock import Clock
from .resources import ResourceStore

_WORTH: Final = 2_000
"""Bytes from which on a picture is packed anew."""
_MOST_BYTES: Final = 1_000_000
"""Bytes up to which one is: of noise that is four million pixels large one picture took 2.7 s."""
_MOST_PIXELS: Final = 4_000_000
_AT_ONCE: Final = 0.1
"""Seconds that may be spent on it at any time; beyond them a hundredth of the time that has passed."""
_SHARE: Final = 0.01
_KNOWN: Final = 1_000
"""Pictures of which it is remembered how they were kept: a canvas that blinks shows the same ones again."""
_MODES: Final = ("RGB", "RGBA")
"""What WebP without loss holds as it is: 8 bits a channel."""
_ASIDE: Final = frozenset({"icc_profile", "transparency", "gamma", "chromaticity"})
"""What a picture says of its colours beside them."""


class CanvasPictures:
    """Keeps what canvases show, smaller where there is time for it."""

    def __init__(self, resources: ResourceStore, clock: Clock) -> None:
        self._resources = resources
        self._clock = clock
        self._spent = 0.0
        self._kept: dict[bytes, tuple[str | None, str]] = {}

    def keep(self, content: bytes, mime: str) -> tuple[str | None, str]:
        """Write the resource unless it is known: its SHA-256, or None and the reason."""
        if mime != "image/png" or not _WORTH <= len(content) <= _MOST_BYTES:
            return self._resources.keep(content, mime)
        told = sha256(content).digest()
        if told not in self._kept:
            if len(self._kept) >= _KNOWN:
                self._kept.clear()
            self._kept[told] = self._resources.keep(*self._packed(content, mime))
        return self._kept[told]

    def _packed(self, content: bytes, mime: str) -> tuple[bytes, str]:
        if self._spent > _AT_ONCE + _SHARE * self._clock.now() / 1000:
            return content, mime
        began = time.perf_counter()
        smaller = packed(content)
        self._spent += time.perf_counter() - began
        return (smaller, "image/webp") if smaller is not None else (content, mime)


def packed(png: bytes) -> bytes | None:
    """Return the same pixels as WebP without loss; None where that is not smaller, would lose something, or Pillow is not installed."""
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
    except Exception:  # Whatever a picture does to its decoder, the recording goes on.
        return None
    return to.getvalue() if to.tell() < len(png) else None
