"""The ZIP file of a trace, decompressed piece by piece within limits; a truncated one is read by its local headers."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from pagereel.errors import ReelError
from pagereel.reel import BODY_BYTES

from ..kind_detection import ZIP_ENTRIES
from ..reader_interface import ReadReport

TOTAL_BYTES: Final = 8 << 30
"""Largest sum of bytes decompressed from a ZIP."""
ENTRY_BYTES: Final = 2 << 30
"""Largest number of bytes decompressed from one of its files."""
LINE_BYTES: Final = 64 << 20
"""Longest line of JSON that is read, in bytes."""
BLOB_BYTES: Final = BODY_BYTES
"""Largest resource that is read, in bytes."""
_PIECE: Final = 1 << 20
_LOCAL: Final = b"PK\x03\x04"
_HEADER: Final = struct.Struct("<4sHHHHHIIIHH")
_SIZE_FOLLOWS: Final = 8
_ENCRYPTED: Final = 1


class _ReadableStream(Protocol):
    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class _ZipEntry:
    method: int
    start: int
    size: int | None
    """Compressed bytes; None: unknown, up to the end of the stream."""


class TraceArchive:
    """The entries of a trace's ZIP file.

    :raises ReelError: it is encrypted, or nothing of it can be read.
    """

    def __init__(self, path: Path, file: BinaryIO, report: ReadReport) -> None:
        self._path = path
        self._file = file
        self._told = report
        self._left = TOTAL_BYTES
        self._zip: zipfile.ZipFile | None = None
        self._cut: dict[str, _ZipEntry] = {}
        try:
            self._zip = zipfile.ZipFile(file)
            infos = self._zip.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError, EOFError):
            report.damage = "the ZIP file is cut off or damaged"
            self._zip = None
            self._cut = dict(self._iter_local_headers())
            self.names = frozenset(self._cut)
            return
        if len(infos) > ZIP_ENTRIES:
            raise ReelError(f"{path} holds {len(infos):,} files; {ZIP_ENTRIES:,} is the most that a trace may hold.")
        if any(info.flag_bits & _ENCRYPTED for info in infos):
            raise self._build_encryption_error()
        self.names = frozenset(info.filename for info in infos)

    def iter_lines(self, name: str) -> Iterator[bytes]:
        """Yield the non-empty lines of an entry, without their line ends; lines that are too long are left out and
        reported.
        """
        rest: list[bytes] = []
        waiting = 0
        for piece in self.iter_pieces(name, ENTRY_BYTES):
            first, *more = piece.split(b"\n")
            rest.append(first)
            waiting += len(first)
            if waiting > LINE_BYTES:
                self._told.add_warning(f"A line of more than {LINE_BYTES >> 20} MiB in {name} was left out.")
                rest = [b""]
            if more:
                if waiting <= LINE_BYTES and (line := b"".join(rest)):
                    yield line
                yield from filter(None, more[:-1])
                rest, waiting = [more[-1]], len(more[-1])
        if waiting <= LINE_BYTES and (line := b"".join(rest)):
            yield line

    def read_file(self, name: str, limit: int = BLOB_BYTES) -> bytes | None:
        """Return the bytes of an entry; None if there is none, it cannot be read, or it is larger than `limit` bytes."""
        if name not in self.names:
            return None
        pieces: list[bytes] = []
        size = 0
        damage = self._told.damage
        for piece in self.iter_pieces(name, limit + 1):
            pieces.append(piece)
            size += len(piece)
        if size > limit:
            self._told.add_warning(f"Files of more than {limit >> 20} MiB were left out.")
            return None
        if self._told.damage != damage and not size:
            return None
        return b"".join(pieces)

    def iter_pieces(self, name: str, limit: int) -> Iterator[bytes]:
        """Yield the content of an entry, at most `limit` bytes; a damaged entry ends early and is reported."""
        if name not in self.names:
            return
        try:
            stream = self._open_entry(name)
            try:
                while limit > 0 and (piece := stream.read(min(_PIECE, limit))):
                    limit -= len(piece)
                    self._left -= len(piece)
                    if self._left < 0:
                        raise ReelError(
                            f"{self._path} unpacks to more than {TOTAL_BYTES >> 30} GiB; it was not read further."
                        )
                    yield piece
            finally:
                stream.close()
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, struct.error):
            self._told.damage = self._told.damage or f"{name[-60:]} in it is damaged"

    def _open_entry(self, name: str) -> _ReadableStream:
        if self._zip is not None:
            return self._zip.open(name)
        return _RawEntryStream(self._file, self._cut[name])

    def _iter_local_headers(self) -> Iterator[tuple[str, _ZipEntry]]:
        """Yield the entries from their local headers, for a ZIP file whose directory is lost."""
        offset = 0
        for _ in range(ZIP_ENTRIES):
            self._file.seek(offset)
            head = self._file.read(_HEADER.size)
            if len(head) < _HEADER.size or not head.startswith(_LOCAL):
                return
            _, _, flags, method, _, _, _, packed, _, name_size, extra_size = _HEADER.unpack(head)
            name = self._file.read(name_size)
            start = offset + _HEADER.size + name_size + extra_size
            if flags & _ENCRYPTED:
                raise self._build_encryption_error()
            unknown = bool(flags & _SIZE_FOLLOWS) and packed in (0, 0xFFFFFFFF)
            entry = _ZipEntry(method, start, None if unknown else packed)
            yield name.decode("utf-8", "replace"), entry
            end = _find_entry_end(self._file, entry)
            if end is None:
                return
            offset = end
            if flags & _SIZE_FOLLOWS:
                self._file.seek(offset)
                offset += max(0, self._file.read(64).find(_LOCAL))

    def _build_encryption_error(self) -> ReelError:
        return ReelError(f"{self._path} is an encrypted ZIP file; unpack it and zip its contents without a password.")


def _find_entry_end(file: BinaryIO, entry: _ZipEntry) -> int | None:
    """Return the offset at which an entry's bytes end; None if it is unknown."""
    if entry.size is not None:
        return entry.start + entry.size
    if entry.method != zipfile.ZIP_DEFLATED:
        return None
    stream = _RawEntryStream(file, entry)
    left = ENTRY_BYTES
    try:
        while left > 0 and (piece := stream.read(_PIECE)):
            left -= len(piece)
    except zlib.error:
        return None
    return stream.end


class _RawEntryStream:
    """A readable stream of one entry of a ZIP file whose directory is lost."""

    def __init__(self, file: BinaryIO, entry: _ZipEntry) -> None:
        self._file = file
        self._at = entry.start
        self._left = entry.size if entry.size is not None else ENTRY_BYTES
        self._packed = b""
        if entry.method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise NotImplementedError(entry.method)
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS) if entry.method == zipfile.ZIP_DEFLATED else None
        self.end: int | None = None
        """Where the entry ends, known after it was read."""

    def read(self, size: int, /) -> bytes:
        while True:
            if self._inflate is None:
                return self._read_chunk(size)
            if self._inflate.eof:
                self.end = self._at - len(self._inflate.unused_data)
                return b""
            self._packed = self._packed or self._read_chunk(_PIECE)
            if not self._packed:
                return b""
            piece = self._inflate.decompress(self._packed, size)
            self._packed = self._inflate.unconsumed_tail
            if piece:
                return piece

    def _read_chunk(self, size: int) -> bytes:
        self._file.seek(self._at)
        packed = self._file.read(min(size, self._left))
        self._at += len(packed)
        self._left -= len(packed)
        return packed

    def close(self) -> None:
        return None
