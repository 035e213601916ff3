"""Screens: pictures of a whole screen, stored as their differences from earlier ones (docs/format.md, *Screens*).

Pillow and NumPy are imported only when a picture is stored or composed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from .screen_check import CHAIN, MOST_PIXELS, find_screen_problem
from .screen_composer import GREY, ScreenPictureComposer, decode_picture, to_opaque_rgb

if TYPE_CHECKING:
    from .screen_encoder import ScreenEncoder

__all__ = [
    "BESIDE_PICTURE",
    "CHAIN",
    "GREY",
    "MOST_PIXELS",
    "ScreenPictureComposer",
    "create_screen_encoder",
    "decode_picture",
    "find_screen_problem",
    "to_opaque_rgb",
]

BESIDE_PICTURE: Final = ("action", "cursor", "window", "attributes", "step")
"""Fields of a screen that say what was done, not what it shows."""


def create_screen_encoder(keep: Callable[[bytes, str], str | None]) -> ScreenEncoder:
    """Return the encoder for the screens of one recording. `keep`: a function that stores a picture and returns its
    SHA-256. Raises ImportError if Pillow or NumPy is not installed.
    """
    import PIL.Image  # noqa: F401

    from .screen_encoder import ScreenEncoder

    return ScreenEncoder(keep)
