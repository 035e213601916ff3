"""Read the size of pictures, remove their metadata, and make placeholders.

No pixels are decoded: only the blocks of the container are read.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from typing import Final

from .avif import blank_avif_metadata

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = frozenset(b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs acTL fcTL fdAT cICP".split())
_BMP_HEADERS = frozenset({12, 16, 40, 52, 56, 64, 108, 124})
"""Lengths of the header that follows a BMP's first 14 bytes, by its version."""
_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
"""What ends the coded picture in a JPEG: a marker that is neither a stuffed byte nor a restart marker."""
_WEBP_KEPT = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"})
_TEXTUAL = ("json", "xml", "javascript", "ecmascript", "html", "urlencoded", "graphql", "yaml")
GREY = 0xD8


def detect_picture_format(data: bytes) -> str | None:
    """Return ``png``, ``jpeg``, ``gif``, ``webp``, ``avif``, ``bmp`` or ``ico``, or None if the bytes are no picture."""
    if data.startswith(_PNG):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return "gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if data[4:8] == b"ftyp" and data[8:12] in (b"avif", b"avis", b"mif1"):
        return "avif"
    if data[:2] == b"BM" and _read_bmp_file_size(data):
        return "bmp"
    return "ico" if data[:4] == b"\0\0\1\0" and _read_ico_file_size(data) else None


def is_text_media_type(mime: str) -> bool:
    """Return whether a media type is textual. A body of such a type is not treated as a picture, even if it begins
    like one.

    :param mime: the type in lower case, without parameters.
    """
    return mime.startswith(("text/", "multipart/", "message/")) or any(word in mime for word in _TEXTUAL)


def _read_bmp_file_size(data: bytes) -> int:
    """Return the length of a BMP file as its header gives it, or 0 if the header contradicts itself. The two letters
    ``BM`` alone make no picture.
    """
    if len(data) < 26:
        return 0
    size, _, pixels, header = struct.unpack("<IIII", data[2:18])
    return size if header in _BMP_HEADERS and 14 + header <= pixels <= size <= len(data) else 0


def _read_ico_file_size(data: bytes) -> int:
    """Return the length of an icon file up to the end of its last picture; 0 if its directory names an offset outside
    of the file.
    """
    count = int.from_bytes(data[4:6], "little")
    if not 0 < count <= 256 or len(data) < 6 + 16 * count:
        return 0
    ends = []
    for i in range(count):
        length, offset = struct.unpack("<II", data[14 + 16 * i : 22 + 16 * i])
        if not length or offset < 6 + 16 * count:
            return 0
        ends.append(offset + length)
    return max(ends) if max(ends) <= len(data) else 0


def read_picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height in pixels, or None if the header does not give them."""
    kind = detect_picture_format(data)
    if kind == "png" and len(data) >= 24:
        return struct.unpack(">II", data[16:24])
    if kind == "gif" and len(data) >= 10:
        return struct.unpack("<HH", data[6:10])
    if kind == "webp" and data[12:16] == b"VP8X" and len(data) >= 30:
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == "webp" and data[12:16] == b"VP8 " and len(data) >= 30:
        w, h = struct.unpack("<HH", data[26:30])
        return w & 0x3FFF, h & 0x3FFF
    if kind == "webp" and data[12:16] == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    if kind == "jpeg":
        return _read_jpeg_size(data)
    if kind == "avif" and (at := data.find(b"ispe")) > 0 and len(data) >= at + 16:
        return struct.unpack(">II", data[at + 8 : at + 16])
    return None


def _read_jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def build_grey_png(width: int, height: int) -> bytes:
    """Return a grey PNG of this size. Equal sizes give equal bytes."""
    width, height = max(1, min(width, 16_384)), max(1, min(height, 16_384))
    row = b"\0" * (1 + (width + 7) // 8)
    header = struct.pack(">IIBBBBB", width, height, 1, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes([GREY] * 3)),
        (b"IDAT", zlib.compress(row * height, 9)),
        (b"IEND", b""),
    )
    return _PNG + b"".join(_build_png_chunk(name, body) for name, body in chunks)


def _build_png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def strip_picture_metadata(data: bytes) -> bytes | None:
    """Return the picture without comments, EXIF, XMP and other text. None if its container cannot be read: then the
    picture must be dropped.
    """
    strip = _STRIPPERS.get(detect_picture_format(data) or "")
    try:
        return strip(data) if strip is not None else None
    except (IndexError, struct.error):
        return None


def _strip_png_metadata(data: bytes) -> bytes:
    out, at = [_PNG], 8
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        name = data[at + 4 : at + 8]
        if name in _PNG_KEPT:
            out.append(data[at : at + 12 + length])
        at += 12 + length
        if name == b"IEND":
            break
    return b"".join(out)


def _strip_jpeg_metadata(data: bytes) -> bytes:
    out, at = [data[:2]], 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return b""
        marker = data[at + 1]
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0xD9:
            out.append(b"\xff\xd9")
            break
        block = data[at : at + 2 + length]
        if marker == 0xDA:
            following = _MARKER.search(data, at + 2 + length)
            end = following.start() if following else len(data)
            out.append(data[at:end])
            at = end
            continue
        if marker == 0xE1 and block[4:10] == b"Exif\0\0":
            if (turned := _read_orientation(block[10:])) != 1:
                out.append(_build_exif_segment(turned))
        elif (
            (marker == 0xE0 and block[4:9] == b"JFIF\0")
            or (marker == 0xEE and block[4:9] == b"Adobe")
            or not (0xE0 <= marker <= 0xEF or marker == 0xFE)
            or (marker == 0xE2 and block[4:15] == b"ICC_PROFILE")
        ):
            out.append(block)
        at += 2 + length
    return b"".join(out)


def _read_orientation(tiff: bytes) -> int:
    order = "<" if tiff[:2] == b"II" else ">"
    first = struct.unpack(order + "I", tiff[4:8])[0]
    for i in range(struct.unpack(order + "H", tiff[first : first + 2])[0]):
        entry = tiff[first + 2 + 12 * i : first + 14 + 12 * i]
        tag, kind = struct.unpack(order + "HH", entry[:4])
        if tag == 0x0112 and kind == 3:
            value: int = struct.unpack(order + "H", entry[8:10])[0]
            return value if 1 <= value <= 8 else 1
    return 1


def _build_exif_segment(orientation: int) -> bytes:
    body = b"Exif\0\0II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def _strip_gif_metadata(data: bytes) -> bytes:
    flags = data[10]
    at = 13 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
    out = [data[:at]]
    while at < len(data):
        begin = at
        if data[at] == 0x3B:
            out.append(b";")
            break
        kept = True
        if data[at] == 0x21:
            label = data[at + 1]
            kept = label == 0xF9 or (label == 0xFF and data[at + 3 : at + 14] in (b"NETSCAPE2.0", b"ANIMEXTS1.0"))
            at += 2
        else:
            local = data[at + 9]
            at += 10 + (3 << ((local & 7) + 1) if local & 0x80 else 0) + 1
        while data[at]:
            at += data[at] + 1
        at += 1
        if kept:
            out.append(data[begin:at])
    return b"".join(out)


def _strip_ico_metadata(data: bytes) -> bytes:
    """Return an icon file in which the pictures follow their directory directly, and PNG pictures have no metadata."""
    count = int.from_bytes(data[4:6], "little")
    at = 6 + 16 * count
    directory, pictures = [data[:6]], []
    for i in range(count):
        entry = data[6 + 16 * i : 22 + 16 * i]
        length, offset = struct.unpack("<II", entry[8:])
        picture = data[offset : offset + length]
        if picture.startswith(_PNG):
            picture = _strip_png_metadata(picture)
        directory.append(entry[:8] + struct.pack("<II", len(picture), at))
        pictures.append(picture)
        at += len(picture)
    return b"".join([*directory, *pictures])


def _strip_webp_metadata(data: bytes) -> bytes:
    out, at = [], 12
    while at + 8 <= len(data):
        name, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        block = data[at : at + 8 + length + (length & 1)]
        if name == b"VP8X":
            block = block[:8] + bytes([block[8] & ~0x0C]) + block[9:]
        if name in _WEBP_KEPT:
            out.append(block)
        at += 8 + length + (length & 1)
    body = b"WEBP" + b"".join(out)
    return b"RIFF" + struct.pack("<I", len(body)) + body


_STRIPPERS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "png": _strip_png_metadata,
    "jpeg": _strip_jpeg_metadata,
    "gif": _strip_gif_metadata,
    "webp": _strip_webp_metadata,
    "ico": _strip_ico_metadata,
    "avif": blank_avif_metadata,
    "bmp": lambda data: data[: _read_bmp_file_size(data)],  # what stands behind the picture is none of it
}
