"""Remove metadata from font files: a table that no page shows may name the customer who has the licence."""

from __future__ import annotations

import struct
import zlib
from typing import Final

_PLAIN: Final = (b"\0\1\0\0", b"OTTO", b"true")
_MAGIC: Final = (*_PLAIN, b"wOFF", b"wOF2", b"ttcf")
_NEEDED: Final = frozenset({1, 2, 3, 4, 6, 16, 17, 21, 22, 25})
"""Ids of the names by which systems know a font: its family, its style, its unique id."""
_WOFF, _WOFF2 = 44, 48
"""Sizes of the file headers in bytes."""
_MOST_RECORDS: Final = 2_000


def is_font(data: bytes) -> bool:
    """Return whether bytes begin as a font does."""
    return data[:4] in _MAGIC


def strip_font_metadata(data: bytes) -> bytes | None:
    """Return a font without copyright, licence, designers, descriptions and (in WOFF) metadata blocks, or None if the
    bytes are no font.
    """
    if not is_font(data):
        return None
    try:
        if data[:4] in _PLAIN:
            return _blank_names_in_sfnt(bytearray(data))
        if data[:4] == b"wOFF":
            return _blank_names_in_woff(data)
        if data[:4] == b"wOF2":
            return _drop_metadata_blocks(data, 28, _WOFF2)
    except (struct.error, zlib.error, ValueError):
        return None
    return data


def _blank_names_in_sfnt(data: bytearray) -> bytes:
    count = struct.unpack_from(">H", data, 4)[0]
    for at in range(12, 12 + 16 * count, 16):
        tag, _, offset, length = struct.unpack_from(">4sIII", data, at)
        if tag == b"name":
            data[offset : offset + length] = _blank_name_table(bytes(data[offset : offset + length]))
    return bytes(data)


def _blank_name_table(table: bytes) -> bytes:
    """Return a ``name`` table of equal length in which the entries that no system needs are overwritten with zeros."""
    out = bytearray(table)
    _, count, strings = struct.unpack_from(">HHH", table, 0)
    kept: set[int] = set()
    blank: set[int] = set()
    for at in range(6, 6 + 12 * min(count, _MOST_RECORDS), 12):
        number, length, offset = struct.unpack_from(">HHH", table, at + 6)
        (kept if number in _NEEDED else blank).update(range(strings + offset, strings + offset + length))
    for at in blank - kept:
        if at < len(out):
            out[at] = 0x20 if out[at] else 0
    return bytes(out)


def _blank_names_in_woff(data: bytes) -> bytes:
    """Return a WOFF 1 font with a blank ``name`` table, compressed again in its place, or stored if compression does
    not make it shorter.
    """
    out = bytearray(_drop_metadata_blocks(data, 24, _WOFF))
    count = struct.unpack_from(">H", data, 12)[0]
    for at in range(_WOFF, _WOFF + 20 * count, 20):
        tag, offset, packed, size, _ = struct.unpack_from(">4sIIII", out, at)
        if tag != b"name":
            continue
        stored = bytes(out[offset : offset + packed])
        plain = stored if packed == size else zlib.decompressobj().decompress(stored, min(size, 1 << 20))
        clean = _blank_name_table(plain)
        again = clean if packed == size else zlib.compress(clean, 9)
        if len(again) > packed:
            raise ValueError("the table does not fit its place any more")
        out[offset : offset + packed] = again.ljust(packed, b"\0")
        struct.pack_into(">I", out, at + 8, len(again))
    return bytes(out)


def _drop_metadata_blocks(data: bytes, at: int, header: int) -> bytes:
    """Return a WOFF file without its metadata block and its private block.

    :param at: the offset of the blocks' entries in the header.
    :param header: the size of the header in bytes.
    """
    meta, meta_size, _, private, private_size = struct.unpack_from(">IIIII", data, at)
    begins = [offset for offset, size in ((meta, meta_size), (private, private_size)) if offset >= header and size]
    end = min([*begins, len(data)])
    out = bytearray(data[:end])
    struct.pack_into(">IIIII", out, at, 0, 0, 0, 0, 0)
    struct.pack_into(">I", out, 8, len(out))
    return bytes(out)
