"""Blank the metadata of AVIF pictures: EXIF and XMP items, names of items, unknown boxes.

Many boxes name offsets in the file, so nothing is removed: metadata is overwritten with zeros, and the picture's own bytes stay where they are.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

_FREE = frozenset({b"free", b"skip", b"uuid", b"udta", b"wide"})
_HOLDS_BOXES = {b"meta": 4, b"moov": 0, b"trak": 0, b"mdia": 0, b"minf": 0, b"stbl": 0, b"iinf": 0}
"""Boxes that contain boxes → the bytes before the first of these."""
_PICTURE = frozenset({b"av01", b"grid", b"iden", b"iovl", b"tmap"})
"""Types of items that are a picture or a part of one. The bytes of all other items are overwritten."""

_NOTHING = b"void"
"""A type of items that no reader knows, so that it skips them."""


def blank_avif_metadata(data: bytes) -> bytes:
    """Return an AVIF picture of equal length with its metadata overwritten by zeros.

    :raises struct.error: a box does not end where it says; IndexError is possible as well.
    """
    out = bytearray(data)
    private: set[int] = set()
    places: dict[int, list[tuple[int, int, int]]] = {}
    idat = 0
    for kind, begin, end in _iter_boxes(data, 0, len(data)):
        if kind in _FREE:
            out[begin:end] = bytes(end - begin)
        elif kind == b"infe":
            number, item, name, stop = _read_item_entry(data, begin, end)
            if item not in _PICTURE:
                private.add(number)
                out[name - 4 : name] = _NOTHING  # a reader of EXIF would report the zeros as damage
            out[name:stop] = b"_" * (stop - name)
        elif kind == b"iloc":
            places.update(_iter_item_locations(data, begin))
        elif kind == b"idat":
            idat = begin
        elif kind == b"hdlr":
            out[begin + 24 : end] = bytes(max(0, end - begin - 24))
    for number in private:
        for method, offset, length in places.get(number, []):
            start = offset + (idat if method == 1 else 0)
            stop = start + length if length else len(data)
            if method > 1 or stop > len(data):
                raise IndexError("an item stands outside of the file")
            out[start:stop] = bytes(stop - start)
    return bytes(out)


def _iter_boxes(data: bytes, at: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield the type of each box and the span of its content, outer boxes before inner ones."""
    while at + 8 <= end:
        size = int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        head = 8
        if size == 1:
            size, head = int.from_bytes(data[at + 8 : at + 16], "big"), 16
        stop = at + size if size else end
        if stop > end or stop < at + head:
            raise IndexError("a box does not end where it says")
        yield kind, at + head, stop
        if kind in _HOLDS_BOXES:
            skip = _HOLDS_BOXES[kind]
            if kind == b"iinf":
                skip = 6 if data[at + head] == 0 else 8
            yield from _iter_boxes(data, at + head + skip, stop)
        at = stop


def _read_item_entry(data: bytes, at: int, end: int) -> tuple[int, bytes, int, int]:
    """Return the number and the type of an item, and the span of its name."""
    version = data[at]
    if version < 2:
        raise IndexError("an entry of a version that no AVIF has")
    wide = version >= 3
    number = int.from_bytes(data[at + 4 : at + (8 if wide else 6)], "big")
    item_at = at + (10 if wide else 8)
    name = item_at + 4
    stop = data.index(0, name, end) if 0 in data[name:end] else end
    return number, data[item_at:name], name, stop


def _iter_item_locations(data: bytes, at: int) -> Iterator[tuple[int, list[tuple[int, int, int]]]]:
    """Yield for each item its extents: (construction method, offset, length). A length of 0 reaches to the end of the file."""
    version = data[at]
    sizes = data[at + 4], data[at + 5]
    offset_size, length_size, base_size = sizes[0] >> 4, sizes[0] & 15, sizes[1] >> 4
    index_size = sizes[1] & 15 if version in (1, 2) else 0
    at += 6
    width = 2 if version < 2 else 4

    def read_integer(size: int) -> int:
        nonlocal at
        if at + size > len(data):
            raise struct.error("a table of places does not end")
        at += size
        return int.from_bytes(data[at - size : at], "big")

    for _ in range(read_integer(width)):
        number = read_integer(width)
        method = read_integer(2) & 15 if version in (1, 2) else 0
        read_integer(2)
        base = read_integer(base_size)
        extents = []
        for _ in range(read_integer(2)):
            read_integer(index_size)
            extents.append((method, base + read_integer(offset_size), read_integer(length_size)))
        yield number, extents
