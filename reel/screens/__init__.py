"""Screens: pictures of a whole screen, stored as their differences from earlier ones (docs/format.md, *Screens*).

Pillow and NumPy are imported only when a picture is stored or composed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from .check import CHAIN, MOST_PIXELS, wrong_screen
from .compose import GREY, Composer, decoded, opaque

if TYPE_CHECKING:
    from .keep import Keeper

__all__ = ["BESIDE_PICTURE", "CHAIN", "GREY", "MOST_PIXELS", "Composer", "decoded", "keeper", "opaque", "wrong_screen"]

BESIDE_PICTURE: Final = ("action", "cursor", "window", "attributes", "step")
"""Fields of a screen that say what was done, not what it shows."""


def keeper(keep: Callable[[bytes, str], str | None]) -> Keeper:
    """Return the encoder for the screens of one recording. `keep`: stores a picture and returns its SHA-256. Raises
    ImportError without Pillow or NumPy.
    """
    import PIL.Image  # noqa: F401

    from .keep import Keeper

    return Keeper(keep)
