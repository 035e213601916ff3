"""Draws the replacement for a picture that was left out: a plain box of its size, so that the page keeps its layout."""

from __future__ import annotations

import struct
from collections.abc import Iterator

MIME = "image/svg+xml"
FILM = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="150"><rect width="300" height="150" fill="#d8d8d8"/>'
    b'<text x="150" y="79" font-family="sans-serif" font-size="12" fill="#333" text-anchor="middle">This film is not in the recording</text></svg>'
)
"""The replacement for a video without bytes or picture, with the default size of a video."""


def draw_placeholder(data: bytes) -> bytes:
    """Return an SVG box of the size of the picture `data`; b"" if the size is unknown or the box would not be smaller
    than the picture.
    """
    size = next(_iter_picture_sizes(data), None)
    if size is None or 0 in size:
        return b""
    w, h = size
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" preserveAspectRatio="none">'
        f'<path fill="#88888826" stroke="#88888880" vector-effect="non-scaling-stroke" d="M0 0H{w}V{h}H0zL{w} {h}M{w} 0L0 {h}"/></svg>'
    ).encode()
    return drawing if len(drawing) < len(data) else b""


def _iter_picture_sizes(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the width and height in pixels of a PNG, GIF, WebP or JPEG, if it has one."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        yield struct.unpack(">II", data[16:24])
    elif data[:4] == b"GIF8" and len(data) >= 10:
        yield struct.unpack("<HH", data[6:10])
    elif data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        kind, bits = data[12:16], int.from_bytes(data[21:25], "little")
        if kind == b"VP8X":
            yield int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
        elif kind == b"VP8L":
            yield (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        elif kind == b"VP8 ":
            w, h = struct.unpack("<HH", data[26:30])
            yield w & 0x3FFF, h & 0x3FFF
    elif data[:2] == b"\xff\xd8":
        at = 2
        while at + 9 <= len(data) and data[at] == 0xFF:
            marker = data[at + 1]
            if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                h, w = struct.unpack(">HH", data[at + 5 : at + 9])
                yield w, h
                return
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
