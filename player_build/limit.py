"""Leaving things out until the file is small enough, in an order that is stated, and said in the file."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .placeholder import MIME, placeholder
from .resources import Packer

ORDER: Final = ("media", "fonts", "images", "bodies")
"""What goes first. Within a kind the largest go first."""


def kind_of(mime: str) -> str | None:
    """Return the kind that a resource is left out as; ``None`` for what always stays: style sheets."""
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
    """How much of a kind is not in the file."""

    count: int = 0
    bytes: int = 0


def fit(packer: Packer, size: Callable[[], int], limit: int) -> dict[str, OmittedCount]:
    """Take resources out of `packer` until ``size()``, the bytes of the whole file, is within `limit`, if it can be.

    In a picture's place a box of its size is left.
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
            # As base64 of what deflate makes of it: an estimate, which the next round corrects.
            spared += (len(zlib.compress(data, 6)) - len(stands) / 4) * 4 / 3
            entry = left.setdefault(kind, OmittedCount())
            entry.count += 1
            entry.bytes += len(data)
            at += 1
        over = size() - limit
    if over > 0:  # The last that can go: the boxes in the pictures' places.
        for _, _, number, kind in candidates:
            if kind == "images":
                packer.exchange(number, b"", MIME)
    return left
