"""Writes and reads zstd frames, and finds a frame's end without decompressing it.

The layout is RFC 8878, section 3.1.1. A frame's block headers give its exact length and an upper bound of its content.
So a truncated file can be distinguished from a damaged one, and a frame that would fill the memory is refused before a
byte of it is decompressed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import zstandard

from .limits import FRAME_BYTES, WINDOW_BYTES

ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
BLOCK_MAX: Final = 128 * 1024

LIVE_LEVEL: Final = 3
FINAL_LEVEL: Final = 9
"""Compression level of later frames of a closed reel. Level 12 takes four times as long and saves two percent; the
agent waits while a reel is closed.
"""
SMALL_LEVEL: Final = 15
"""Level for the first megabyte of a closed reel, which is all of most reels: it saves four percent and takes 80 ms at
most.
"""
STORED_LEVEL: Final = -(1 << 17)
"""Level that stores without compression. It is for the last frame, which no later hash covers: a compressed block has
unused bits, so a change of them would not be detected; a stored block with its checksum has none.
"""

ReadAt = Callable[[int, int], bytes]


class UnreadableZstdFrameError(Exception):
    """A zstd frame cannot be read; the text says why."""


class TruncatedZstdFrameError(UnreadableZstdFrameError):
    """A file ends inside a zstd frame."""


class StoredZstdFrame(NamedTuple):
    """Place and sizes, in bytes, of one zstd frame of a reel."""

    offset: int
    length: int
    bound: int
    lines: int
    """Number of intact lines, including the frame's own header line."""
    added: int = 0
    """Bytes of the texts that its lines use from other frames."""

    @property
    def expanded_size(self) -> int:
        """Return the size in bytes of the zstd frame's lines with their long texts inserted."""
        return self.bound + self.added


class ZstdFrameExtent(NamedTuple):
    """The size of a zstd frame. `length`: its compressed bytes. `bound`: the largest possible number of decompressed
    bytes.
    """

    length: int
    bound: int


def find_zstd_frame_extent(read_at: ReadAt, offset: int, size: int) -> ZstdFrameExtent:
    """Return the size of the zstd frame that begins at `offset` of a file of `size` bytes. Raises UnreadableZstdFrameError."""
    head = read_at(offset, 18)
    if head[:4] != ZSTD_MAGIC[: len(head)]:
        raise UnreadableZstdFrameError("no zstd frame begins here")
    if len(head) < 6:
        raise TruncatedZstdFrameError("the file ends inside a frame")
    descriptor = head[4]
    if descriptor & 0b0001_1011:
        raise UnreadableZstdFrameError("the frame's header has bits that pagereel never sets")
    single = bool(descriptor & 0x20)
    content_bytes = (1 if single else 0, 2, 4, 8)[descriptor >> 6]
    at = 5
    window = 0
    if not single:
        exponent, mantissa = head[at] >> 3, head[at] & 7
        window = (1 << (10 + exponent)) // 8 * (8 + mantissa)
        at += 1
    if len(head) < at + content_bytes:
        raise TruncatedZstdFrameError("the file ends inside a frame")
    content: int | None = None
    if content_bytes:
        content = int.from_bytes(head[at : at + content_bytes], "little") + (256 if content_bytes == 2 else 0)
        at += content_bytes
    if single:
        window = content or 0
    if window > max(WINDOW_BYTES, FRAME_BYTES) or (content or 0) > FRAME_BYTES:
        raise UnreadableZstdFrameError(f"the frame claims more than {FRAME_BYTES >> 20} MiB")
    block_max = min(window, BLOCK_MAX)
    bound = 0
    position = offset + at
    last = False
    while not last:
        header = read_at(position, 3)
        if len(header) < 3:
            raise TruncatedZstdFrameError("the file ends inside a frame")
        block = int.from_bytes(header, "little")
        last = bool(block & 1)
        kind, length = (block >> 1) & 3, block >> 3
        if kind == 3:
            raise UnreadableZstdFrameError("the frame has a block of no known kind")
        bound += block_max if kind == 2 else length
        position += 3 + (1 if kind == 1 else length)
        if bound > FRAME_BYTES + BLOCK_MAX:
            raise UnreadableZstdFrameError(f"the frame holds more than {FRAME_BYTES >> 20} MiB")
        if position > size:
            raise TruncatedZstdFrameError("the file ends inside a frame")
    if descriptor & 4:
        position += 4
        if position > size:
            raise TruncatedZstdFrameError("the file ends inside a frame")
    if content is not None:
        bound = min(bound, content)
    return ZstdFrameExtent(position - offset, bound)


def decompress_frame(frame: bytes, bound: int) -> bytes:
    """Return the content of a complete zstd frame. Raises UnreadableZstdFrameError."""
    try:
        return zstandard.ZstdDecompressor(max_window_size=WINDOW_BYTES).decompress(frame, max_output_size=max(bound, 1))
    except zstandard.ZstdError as error:
        raise UnreadableZstdFrameError(f"the frame does not decompress ({error})") from None


class ZstdFrameCompressor:
    """A zstd compressor whose frames contain their size and a checksum."""

    def __init__(self, level: int) -> None:
        self._context = zstandard.ZstdCompressor(level=level, write_checksum=True, write_content_size=True)

    def compress(self, data: bytes) -> bytes:
        """Return `data` as one complete zstd frame."""
        return self._context.compress(data)
