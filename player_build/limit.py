"""Leaves out resources until the file is small enough, in a documented order; the file says what is missing."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .placeholder import MIME, placeholder
from .resources import Packer

ORDER: Final = ("media", "fonts", "images", "bodies")
"""Order in which kinds are left out, largest resources first."""


def kind_of(mime: str) -> str | None:
    """Return the kind under which a resource can be left out; ``None`` for style sheets, which always stay."""
    lower = mime.lower()
    if lower.startswith(("video/", "audio/")):
        return "media"
    if lower.startswith("font/") or "font" in lower:
        return "fonts"
    if lower.startswith("image/"):
        return "images"
    return "bodies" if lower == "text/plain" else None


@dataclass
class OmittedCount:
    """How many resources of a kind were left out, and their bytes."""

    count: int = 0
    bytes: int = 0


def fit(packer: Packer, size: Callable[[], int], limit: int) -> dict[str, OmittedCount]:
    """Remove resources from `packer` until ``size()``, the bytes of the whole file, is within `limit`, if possible.

    A picture is replaced by a box of its size.
    """
    left: dict[str, OmittedCount] = {}
    candidates = [
        (ORDER.index(kind), -resource.length, number, kind)
        for number, resource in enumerate(packer.resources)
        if (kind := kind_of(resource.mime)) is not None and resource.length
    ]
    candidates.sort()
    over = size() - limit
    at = 0
    while over > 0 and at < len(candidates):
        spared = 0.0
        while spared < over and at < len(candidates):
            _, _, number, kind = candidates[at]
            data = packer.data(number)
            stands = placeholder(data) if kind == "images" else b""
            packer.exchange(number, stands, MIME)
            # An estimate of the base64 of its compressed bytes, corrected in the next round.
            spared += (len(zlib.compress(data, 6)) - len(stands) / 4) * 4 / 3
            entry = left.setdefault(kind, OmittedCount())
            entry.count += 1
            entry.bytes += len(data)
            at += 1
        over = size() - limit
    if over > 0:  # Finally the boxes in the pictures' places can be removed.
        for _, _, number, kind in candidates:
            if kind == "images":
                packer.exchange(number, b"", MIME)
    return left
