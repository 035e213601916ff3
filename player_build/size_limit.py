"""Keeps a file within a size limit by leaving out resources in a documented order; the file says what is missing."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .placeholder import MIME, draw_placeholder
from .resources import ResourcePacker

ORDER: Final = ("media", "fonts", "images", "bodies")
"""Order in which kinds are left out, largest resources first."""


def find_omittable_kind(mime: str) -> str | None:
    """Return the kind under which a size limit may leave out a resource of this MIME type: media, fonts, images or
    bodies; None for a resource that always stays, such as a style sheet.
    """
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
    """The number of resources of one kind that were left out, and their bytes."""

    count: int = 0
    bytes: int = 0


def omit_until_within(packer: ResourcePacker, measure_size: Callable[[], int], limit: int) -> dict[str, OmittedCount]:
    """Remove resources from `packer` until ``size()``, the size of the whole file in bytes, is at most `limit`, if
    possible.

    A picture is replaced by a box of its size. Return what was removed, by kind.
    """
    left: dict[str, OmittedCount] = {}
    candidates = [
        (ORDER.index(kind), -resource.length, number, kind)
        for number, resource in enumerate(packer.resources)
        if (kind := find_omittable_kind(resource.mime)) is not None and resource.length
    ]
    candidates.sort()
    over = measure_size() - limit
    at = 0
    while over > 0 and at < len(candidates):
        spared = 0.0
        while spared < over and at < len(candidates):
            _, _, number, kind = candidates[at]
            data = packer.read_bytes(number)
            stands = draw_placeholder(data) if kind == "images" else b""
            packer.replace_bytes(number, stands, MIME)
            # An estimate of the base64 of its compressed bytes, corrected in the next round.
            spared += (len(zlib.compress(data, 6)) - len(stands) / 4) * 4 / 3
            entry = left.setdefault(kind, OmittedCount())
            entry.count += 1
            entry.bytes += len(data)
            at += 1
        over = measure_size() - limit
    if over > 0:  # Finally the boxes in the pictures' places can be removed.
        for _, _, number, kind in candidates:
            if kind == "images":
                packer.replace_bytes(number, b"", MIME)
    return left
