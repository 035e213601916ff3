"""Open files that hold other files: recordings, ZIP, gzip and tar archives, PDF.

:func:`iter_file_layers` yields all layers of all files within a file, however they are nested. A member that is encrypted,
    damaged or too large raises an error: a file counts as clean only if all of it was read.
"""

from __future__ import annotations

import io
import re
import tarfile
import tempfile
import zipfile
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

import orjson

from pagereel.errors import GateError, PagereelError
from pagereel.reel import ENCRYPTED_MAGIC, ZSTD_MAGIC, convert_to_base64, open_reel

from .decode import LARGEST, TooLargeError, decompress_zstd, iter_decoded_layers
from .escape_windows import EscapeWindowSize

NESTED = 5
"""How deep files may be nested in files."""
_BYTES_BEGIN = b"<!--pagereel-"
_BYTES = re.compile(rb"<!--pagereel-([\w-]+) (\d+) ([0-9a-f]{8}):(.*?)-->", re.DOTALL)
_GENERATOR = b'<meta name="generator" content="pagereel '
_HEAD = 64 << 10
_END = b"</html>"
"""Occurs once in a replay, after its last piece; the content of the recording is compressed."""
_DENSE = b' data-form="dense">'
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)


def iter_file_layers(
    data: bytes, name: str = "file", depth: int = 0, reach: EscapeWindowSize | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield (layer name, bytes) for everything that can be opened in a file.

    :param reach: see :func:`decode.iter_decoded_layers`.
    :raises GateError: a part of the file cannot be opened to its end; the message says which.
    """
    if depth == 0 and _GENERATOR in data[:_HEAD] and _END not in data:
        raise _build_unreadable_layer_error(name, "it is a replay that was cut off")
    if _DENSE in data:
        try:
            data = convert_to_base64(data)
        except ValueError:
            raise _build_unreadable_layer_error(name, "a piece of the replay is damaged") from None
    members = _open_container(data, name)
    if members is None:
        try:
            for layer, content in iter_decoded_layers(data, name, 0, reach):
                yield layer, content
                if content is not data and _open_container(content, layer) is not None:
                    yield from _iter_nested_layers(content, layer, depth, reach)
        except TooLargeError as error:
            raise _build_unreadable_layer_error(name, str(error) or "a stream in it is too large") from None
        return
    yield f"{name} > raw", b"\n" + data  # also the bytes between the members
    for member, content in members:
        yield from _iter_nested_layers(content, member, depth, reach)


def _iter_nested_layers(
    content: bytes, name: str, depth: int, reach: EscapeWindowSize | None
) -> Iterator[tuple[str, bytes]]:
    if depth >= NESTED:
        raise _build_unreadable_layer_error(name, f"files lie more than {NESTED} deep in each other")
    yield from iter_file_layers(content, name, depth + 1, reach)


def _open_container(data: bytes, name: str) -> Iterator[tuple[str, bytes]] | None:
    """Return the files in a container, or None for any other file."""
    if data.startswith(ZSTD_MAGIC):
        return _iter_zstd_content(data, name)
    if data.startswith(ENCRYPTED_MAGIC):
        return iter_reel_layers(data, name)
    if data[:4] == b"PK\x03\x04" or (b"PK\x05\x06" in data[-70_000:] and zipfile.is_zipfile(io.BytesIO(data))):
        return _iter_zip_members(data, name)
    if data[:2] == b"\x1f\x8b":
        return _iter_gzip_members(data, name)
    if data[257:262] == b"ustar":
        return _iter_tar_members(data, name)
    if data[:5] == b"%PDF-":
        return _iter_pdf_parts(data, name)
    if _BYTES_BEGIN in data:
        return _iter_compact_replay_parts(data, name)
    return None


def _iter_zstd_content(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield a recording event by event, or the whole content of any other zstd file."""
    if b'{"k":"frame"' not in data[:200] and not _begins_as_reel(data):
        try:
            out, error = decompress_zstd(data)
        except TooLargeError:
            raise _build_unreadable_layer_error(name, "a stream in it is too large") from None
        if error is not None:
            raise _build_unreadable_layer_error(name, f"it does not decompress ({error})")
        yield f"{name} > zstd", out
        return
    yield from iter_reel_layers(data, name)


def iter_reel_layers(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the events of a recording, each named by its number and kind, and the bytes of resources."""
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        path = Path(folder) / "gate.reel"
        path.write_bytes(data)
        try:
            reel = open_reel(path)
        except PagereelError as error:
            raise _build_unreadable_layer_error(name, str(error).replace(str(path), name).rstrip(".")) from None
        with reel:
            if reel.damage is not None:
                raise _build_unreadable_layer_error(name, f"it is damaged at {reel.damage}")
            for number, event in enumerate(reel.events()):
                where = f"{name} > event {number} ({str(event['k'])[:40]})"
                yield where, orjson.dumps(event)
                if event["k"] == "resource" and (content := reel.resource(str(event["sha256"]))) is not None:
                    yield f"{where} > bytes", content
            if reel.invalid_count:
                raise _build_unreadable_layer_error(
                    name, f"{reel.invalid_count} of its events do not follow the format"
                )


def _begins_as_reel(data: bytes) -> bool:
    import zstandard

    try:
        head = zstandard.ZstdDecompressor().decompressobj().decompress(data[:4096])
    except zstandard.ZstdError:
        return False
    return head.startswith(b'{"k":"frame"')


def _iter_zip_members(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield f"{name} > names", "\n".join(archive.namelist()).encode() + b"\n" + archive.comment
            total = 0
            if _has_hidden_member(data, archive.infolist()):
                raise _build_unreadable_layer_error(name, "the archive holds files that its list does not name")
            for entry in archive.infolist():
                where = f"{name} > {entry.filename[:80]}"
                if entry.flag_bits & 1:
                    raise _build_unreadable_layer_error(where, "it is encrypted")
                total += entry.file_size
                if entry.file_size > LARGEST or total > 4 * LARGEST:
                    raise _build_unreadable_layer_error(where, "it is too large")
                if not entry.is_dir():
                    yield where, archive.read(entry)
                if entry.comment or entry.extra:
                    yield f"{where} > comment", entry.comment + b"\n" + entry.extra
    except (zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, OSError) as error:
        raise _build_unreadable_layer_error(name, f"the archive is damaged ({error})") from None


def _has_hidden_member(data: bytes, entries: list[zipfile.ZipInfo]) -> bool:
    """Return whether a ZIP archive contains a file that its directory does not list, so that a reader of the
    directory would miss it.
    """
    starts = sorted(entry.header_offset for entry in entries)
    ends = {
        e.header_offset: e.header_offset + 94 + len(e.filename.encode()) + len(e.extra) + e.compress_size
        for e in entries
    }
    at = data.find(b"PK\x03\x04")
    while at >= 0:
        place = bisect_right(starts, at)
        if not place or at >= ends[starts[place - 1]]:
            return True
        at = data.find(b"PK\x03\x04", at + 4)
    return False


def _iter_gzip_members(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield all members of a gzip file, and any bytes behind the last one."""
    rest, number = data, 0
    while rest[:2] == b"\x1f\x8b":
        engine = zlib.decompressobj(31)
        try:
            out = engine.decompress(rest, LARGEST)
        except zlib.error as error:
            raise _build_unreadable_layer_error(name, f"it does not decompress ({error})") from None
        if engine.unconsumed_tail or not engine.eof:
            raise _build_unreadable_layer_error(name, "its stream is too large or cut")
        number += 1
        yield f"{name} > gzip" + (f" {number}" if number > 1 else ""), out
        rest = engine.unused_data
    if rest.strip(b"\0"):
        yield f"{name} > after gzip", rest


def _iter_tar_members(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for entry in archive:
                yield f"{name} > names", f"{entry.name}\n{entry.linkname}\n{entry.uname}\n{entry.gname}".encode()
                if entry.isfile() and (file := archive.extractfile(entry)) is not None:
                    yield f"{name} > {entry.name[:80]}", file.read()
    except (tarfile.TarError, OSError) as error:
        raise _build_unreadable_layer_error(name, f"the archive is damaged ({error})") from None


def _iter_pdf_parts(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield a PDF's objects, and its inflated streams. The letters of a text that is placed glyph by glyph are not
    joined.
    """
    if b"/Encrypt" in data:
        raise _build_unreadable_layer_error(name, "it is encrypted")
    for number, match in enumerate(_STREAM.finditer(data), 1):
        try:
            engine = zlib.decompressobj()
            out = engine.decompress(match.group(1), LARGEST)
        except zlib.error:
            continue  # a picture, or plain text that stands among the objects
        if engine.unconsumed_tail:
            raise _build_unreadable_layer_error(name, "a stream in it is too large")
        yield f"{name} > stream {number}", out


def _iter_compact_replay_parts(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the parts of a replay that holds bytes in comments (``pagereel build --compact``; docs/player.md)."""
    if data.count(_BYTES_BEGIN) != sum(1 for _ in _BYTES.finditer(data)):
        raise _build_unreadable_layer_error(name, "a piece of the replay is damaged")
    yield f"{name} > page", _BYTES.sub(b"", data)
    for match in _BYTES.finditer(data):
        piece = re.sub(rb"=(.)", lambda m: bytes([(m[1][0] - 64) & 255]), match[4], flags=re.DOTALL)
        if len(piece) != int(match[2]) or f"{zlib.crc32(piece):08x}".encode() != match[3]:
            raise _build_unreadable_layer_error(name, "a piece of the replay is damaged")
        yield f"{name} > {match[1].decode()}", piece


def _build_unreadable_layer_error(name: str, why: str) -> GateError:
    return GateError(f"The leak gate could not open {name} to its end: {why}; it is not proved clean.")
