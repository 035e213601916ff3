"""Overwrite the metadata of audio and video files (artist, title, comment, place) with zeros.

Every other byte keeps its offset, so the file still plays.

Formats: ID3 and MPEG audio, RIFF (WAVE, AVI), ISO media (MP4, MOV, M4A), Matroska and WebM, Ogg, FLAC.
"""

from __future__ import annotations

import re
import struct
import zlib
from typing import Final

_MPEG: Final = re.compile(rb"\xff[\xe0-\xff]")
_OTHERS: Final = (b"MThd", b"FORM", b"caff", b"#!AMR", b".snd", b"\0\0\1\xba", b"\0\0\1\xb3")
"""First bytes of other audio and video formats, whose metadata is not searched."""
_HOLDERS: Final = frozenset({b"moov", b"trak", b"mdia", b"minf", b"stbl", b"moof", b"traf", b"edts", b"dinf"})
_TOLD: Final = frozenset({b"udta", b"meta", b"uuid", b"free", b"skip", b"wide"})
"""ISO media boxes that hold metadata or padding."""
_TAGS, _ATTACHMENTS = 0x1254C367, 0x1941A469
_SEGMENT, _INFO = 0x18538067, 0x1549A966
_WRITTEN: Final = frozenset({0x7BA9, 0x4D80, 0x5741, 0x7384, 0x3C83AB, 0x3E83BB})
"""Matroska elements with metadata: title, programs, file names."""
_VOID: Final = 0xEC
_COMMENTS: Final = (b"\x03vorbis", b"OpusTags")
_DEPTH: Final = 8
_FIRST_PAGES, _MOST_COMMENTS = 64, 10_000
_ID3_HEADER, _ID3_END = 10, 128


def blank_metadata(data: bytes) -> bytes | None:
    """Return an audio or video file with its metadata overwritten by zeros, or None if the bytes are neither."""
    out = bytearray(data)
    try:
        if data[:3] == b"ID3" or _MPEG.match(data):
            _blank_mpeg_tags(out)
        elif data[:4] in (b"RIFF", b"RIFX"):
            _blank_riff_chunks(out, 12, len(out), ">" if data[:4] == b"RIFX" else "<")
        elif data[4:8] in (b"ftyp", b"styp", b"moov", b"moof", b"mdat", b"sidx"):
            _blank_iso_boxes(out, 0, len(out), 0)
        elif data[:4] == b"\x1aE\xdf\xa3":
            _blank_matroska_elements(out, 0, len(out), 0)
        elif data[:4] == b"OggS":
            _blank_ogg_comments(out)
        elif data[:4] == b"fLaC":
            _blank_flac_blocks(out)
        elif not data.startswith(_OTHERS) and not (data[:1] == b"G" and data[188:189] == b"G"):
            return None
    except (struct.error, IndexError):
        return None
    return bytes(out)


def _blank_range(out: bytearray, start: int, end: int) -> None:
    end = min(end, len(out))
    if end > start:
        out[start:end] = bytes(end - start)


def _blank_mpeg_tags(out: bytearray) -> None:
    if out[:3] == b"ID3":
        size = (out[6] & 127) << 21 | (out[7] & 127) << 14 | (out[8] & 127) << 7 | out[9] & 127
        _blank_range(out, _ID3_HEADER, _ID3_HEADER + size)  # the rest is padding
    if out[-_ID3_END : -_ID3_END + 3] == b"TAG":
        _blank_range(out, len(out) - _ID3_END + 3, len(out))
    ape = out.rfind(b"APETAGEX")
    if ape >= 0:
        _blank_range(out, ape, len(out) - (_ID3_END if out[-_ID3_END : -_ID3_END + 3] == b"TAG" else 0))


def _blank_riff_chunks(out: bytearray, at: int, end: int, order: str) -> None:
    while at + 8 <= end:
        name, size = bytes(out[at : at + 4]), struct.unpack_from(f"{order}I", out, at + 4)[0]
        kind = bytes(out[at + 8 : at + 12])
        if name == b"LIST" and kind != b"INFO":
            _blank_riff_chunks(out, at + 12, min(at + 8 + size, end), order)
        elif name == b"LIST" or name in (b"id3 ", b"ID3 ", b"bext", b"iXML", b"_PMX", b"IDIT", b"cart"):
            out[at : at + 4] = b"JUNK"
            _blank_range(out, at + 8, at + 8 + size)
        at += 8 + size + size % 2
    _blank_range(out, min(at, end), end)


def _blank_iso_boxes(out: bytearray, at: int, end: int, depth: int) -> None:
    while at + 8 <= end:
        size, name = struct.unpack_from(">I4s", out, at)
        head = 8
        if size == 1:
            size, head = struct.unpack_from(">Q", out, at + 8)[0], 16
        stop = end if size == 0 else min(at + size, end)
        if size and size < head:
            break
        if name in _TOLD:
            out[at + 4 : at + 8] = b"free"
            _blank_range(out, at + head, stop)
        elif name == b"hdlr":
            _blank_range(out, at + head + 24, stop)
        elif name in _HOLDERS and depth < _DEPTH:
            _blank_iso_boxes(out, at + head, stop, depth + 1)
        at = stop
    _blank_range(out, at, end)


def _read_ebml_number(out: bytearray, at: int, *, keep_marker: bool) -> tuple[int, int]:
    """Return a variable-length number of EBML, and its length in bytes.

    :param keep_marker: keep the length marker in the number, as in an element's id.
    """
    first = out[at]
    length = 9 - first.bit_length()
    if not 1 <= length <= 8:
        raise IndexError
    value = int.from_bytes(out[at : at + length], "big")
    return (value if keep_marker else value & ((1 << 7 * length) - 1)), length


def _blank_matroska_elements(out: bytearray, at: int, end: int, depth: int) -> None:
    while at + 2 <= end:
        name, of_name = _read_ebml_number(out, at, keep_marker=True)
        size, of_size = _read_ebml_number(out, at + of_name, keep_marker=False)
        start = at + of_name + of_size
        stop = end if size == (1 << 7 * of_size) - 1 else min(start + size, end)
        if name in (_TAGS, _ATTACHMENTS):
            _write_void_element(out, at, stop)
        elif name in _WRITTEN:
            _blank_range(out, start, stop)
        elif name in (_SEGMENT, _INFO) and depth < _DEPTH:
            _blank_matroska_elements(out, start, stop, depth + 1)
        at = max(stop, start)


def _write_void_element(out: bytearray, at: int, stop: int) -> None:
    """Replace an EBML element by a ``Void`` element of equal length."""
    out[at] = _VOID
    out[at + 1 : at + 9] = (0x01 << 56 | max(stop - at - 9, 0)).to_bytes(8, "big")
    _blank_range(out, at + 9, stop)


def _blank_flac_blocks(out: bytearray) -> None:
    at, last = 4, False
    while not last and at + 4 <= len(out):
        last, kind = bool(out[at] & 0x80), out[at] & 0x7F
        size = int.from_bytes(out[at + 1 : at + 4], "big")
        if kind in (2, 4, 6):  # an application's, comments, a picture
            out[at] = (0x80 if last else 0) | 1
            _blank_range(out, at + 4, at + 4 + size)
        at += 4 + size


def _blank_ogg_comments(out: bytearray) -> None:
    """Blank the comments in the first pages of an Ogg file, and update the checksums of these pages."""
    pages: list[tuple[int, int]] = []
    spots: list[int] = []
    at = 0
    while at + 27 <= len(out) and out[at : at + 4] == b"OggS" and len(pages) < _FIRST_PAGES:
        begin = at + 27 + out[at + 26]
        end = min(begin + sum(out[at + 27 : begin]), len(out))
        pages.append((at, end))
        spots += range(begin, end)
        at = end
    said = bytes(out[i] for i in spots)
    for name in _COMMENTS:
        place = said.find(name)
        if place >= 0:
            for start, end in _find_comment_spans(said, place + len(name)):
                for i in spots[start:end]:
                    out[i] = 0x20
    for start, end in pages:
        out[start + 22 : start + 26] = b"\0\0\0\0"
        struct.pack_into("<I", out, start + 22, _compute_ogg_checksum(bytes(out[start:end])))


def _find_comment_spans(header: bytes, at: int) -> list[tuple[int, int]]:
    """Return the spans of the texts in a comment header: the vendor, and each comment."""
    found = []
    left = 2
    while left and at + 4 <= len(header):
        size = struct.unpack_from("<I", header, at)[0]
        found.append((at + 4, min(at + 4 + size, len(header))))
        at += 4 + size
        left -= 1
        if len(found) == 1 and at + 4 <= len(header):
            left = min(struct.unpack_from("<I", header, at)[0], _MOST_COMMENTS)
            at += 4
    return found


_REVERSED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_INVERTED: Final = 0xFFFFFFFF


def _compute_ogg_checksum(page: bytes) -> int:
    """Return the CRC-32 of an Ogg page. It differs from zlib's: the bits of each byte and of the result are in reverse
    order, and neither the initial nor the final value is inverted.
    """
    crc = zlib.crc32(page.translate(_REVERSED), _INVERTED) ^ _INVERTED
    return int(f"{crc:032b}"[::-1], 2)
