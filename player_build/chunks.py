"""The compressed pieces of a built file, for events and resources, and the functions that decode them.

Browsers can decompress deflate-raw natively (but not zstd or brotli), so each piece is one deflate-raw stream. Chunks
of events are cut by size in the order of time; the first is enough to show the first frame.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import orjson

from pagereel.reel import (
    PLAYER_PIECE,
    Event,
    Json,
    build_base64_element,
    convert_to_base64,
    filled_texts,
    find_pieces,
    iter_long_texts,
)

from ..errors import BuildError, UsageError
from ..user_files import read_file_limited
from .delta import decode_delta
from .needed_scripts import FORCED, RARE, find_needed_scripts

CHUNK_BYTES: Final = 384 << 10
"""Size of a chunk of events in bytes, uncompressed."""

FIRST_CHUNK_BYTES: Final = 96 << 10
"""Size of the first chunk, which is smaller because the reader waits for it."""


_LARGEST: Final = 2 << 30
_LARGEST_INDEX: Final = 256 << 20
"""Largest file of an earlier suite, and largest index in one, in bytes."""

WORDS: Final = "words"
"""Name of the piece that a suite is searched in (:mod:`.suite_page`)."""

TEXTS: Final = "texts"
"""Name of the piece with the long texts that chunks share (:mod:`.long_texts_piece`)."""


@dataclass
class EventChunk:
    """A compressed piece of the file with consecutive events of one stream."""

    stream: str
    """``page`` (what the page did) or ``run`` (all other events)."""
    start: float
    end: float
    """``t`` of its first and last event, in ms."""
    events: int
    raw: int
    data: bytes
    texts: list[bytes] = field(default_factory=list)
    """Hashes of its long texts, one for each occurrence."""


class EventChunker:
    """Collects the events of one stream, given in the order of time, into compressed chunks."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.chunks: list[EventChunk] = []
        self.raw = 0
        self.needs: set[str] = set()
        """The player scripts that its events need."""
        self._lines: list[bytes] = []
        self._size = 0
        self._start = self._end = 0.0

    def add_event(self, event: Event) -> None:
        line = orjson.dumps(event)
        t = float(cast(float, event["t"]))
        if not self._lines:
            self._start = t
        self._end = t
        self._lines.append(line)
        self._size += len(line) + 1
        if self._size >= (CHUNK_BYTES if self.chunks else FIRST_CHUNK_BYTES):
            self.end_chunk()

    def end_chunk(self) -> None:
        """End the current chunk; the next event begins a new one."""
        if not self._lines:
            return
        raw = b"[" + b",".join(self._lines) + b"]"
        texts = []
        if self.stream == "page":
            texts = [key for key, _, _ in iter_long_texts(raw)]
            self.needs |= find_needed_scripts(raw)
        elif FORCED in raw:
            self.needs.add(RARE)
        self.chunks.append(
            EventChunk(
                self.stream, self._start, self._end, len(self._lines), len(raw), compress_raw_deflate(raw), texts
            )
        )
        self.raw += len(raw)
        self._lines, self._size = [], 0


def compress_raw_deflate(data: bytes) -> bytes:
    """Return `data` as one deflate-raw stream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


@dataclass
class UnpackedReplay:
    """The decoded content of a built file: its index, its events, and its packs of resources."""

    index: dict[str, Json]
    events: list[Event]
    packs: list[bytes]

    def iter_resources(self) -> Iterator[tuple[str, bytes]]:
        """Yield the MIME type and the bytes of each resource, in the order of their numbers."""
        for pack, offset, length, mime in cast(list[tuple[int, int, int, str]], self.index["resources"]):
            yield mime, self.packs[pack][offset : offset + length]


def read_redaction_policy(html: bytes) -> str | None:
    """Return the name of the policy with which a built file was redacted; None if it was not redacted.

    :raises BuildError: the file was not built by pagereel, or its index is damaged.
    """
    for piece in find_pieces(html):
        if piece.name == "index":
            info = unpack_replay(html[piece.start : piece.end]).index.get("info")
            report = info.get("redaction") if isinstance(info, dict) else None
            return str(report.get("policy")) if isinstance(report, dict) else None
    raise BuildError("This is not a file that pagereel built: it has no index.")


def read_suite_index(path: Path) -> dict[str, Json]:
    """Return the index of a suite's file.

    :raises UsageError: the file is no suite, or cannot be read.
    """
    try:
        html = read_file_limited(path, _LARGEST)
        piece = next(piece for piece in find_pieces(html) if piece.name == "index")
        index = orjson.loads(zlib.decompressobj(-15).decompress(piece.decode(), _LARGEST_INDEX))
        if isinstance(index, dict) and isinstance(index.get("tests"), list):
            return index
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except (StopIteration, ValueError, zlib.error):
        pass
    raise UsageError(f"{path} is not a suite; give a file that pagereel bundle wrote.")


def unpack_replay(html: bytes) -> UnpackedReplay:
    """Return the decoded content of a built file, for the leak gate and for tests.

    :raises BuildError: the file was not built by pagereel, or a piece of it is damaged.
    """
    index: dict[str, Json] | None = None
    chunks: dict[str, bytes] = {}
    packs: list[bytes] = []
    events: list[Event] = []
    texts: list[bytes] = []
    tests: list[dict[str, Json]] = []
    name = ""
    try:
        for piece in find_pieces(html):
            name = piece.name
            if name == PLAYER_PIECE:
                continue
            data = zlib.decompress(piece.decode(), -15)
            if name == "index":
                index = orjson.loads(data)
            elif name == TEXTS:
                texts = parse_long_texts(data)
            elif name.startswith("chunk"):
                chunks[name] = data
            elif name.startswith("test-"):
                tests += orjson.loads(data)
            elif name.startswith(WORDS):
                continue
            else:
                packs.append(data)
        if index is None:
            raise BuildError("This is not a file that pagereel built: it has no index.")
        bases, pages = map_delta_bases(index), _list_page_chunks(index, tests)
        for name, data in chunks.items():
            data = decode_delta(chunks[bases[name]], data) if name in bases else data
            if name in pages:
                data = filled_texts(data, lambda number: texts[number] if number < len(texts) else None)
            events += orjson.loads(data)
    except (ValueError, LookupError, zlib.error) as error:
        raise BuildError(f"The file is damaged: its {name} cannot be decoded ({error}); build it again.") from None
    return UnpackedReplay(index, events, packs)


def parse_long_texts(piece: bytes) -> list[bytes]:
    """Return the long texts in their decoded piece, each as JSON."""
    record = orjson.loads(piece)
    texts: list[str] = []
    for text in record:
        if isinstance(text, str):
            texts.append(text)
        else:
            base = record[text[0]]
            texts.append(decode_delta(base.encode(), orjson.dumps(text[1])).decode())
    return [orjson.dumps(text) for text in texts]


def _list_page_chunks(index: dict[str, Json], tests: list[dict[str, Json]]) -> set[str]:
    """Return the names of the chunks that hold page events; in these chunks a long text may be replaced by its number
    in the piece of long texts.

    `index`: the file's own; `tests`: the indexes of a suite's recordings, if the file is a suite.
    """
    halves = cast(list[dict[str, Any]], tests or index.get("halves") or [index])
    return {
        f"chunk-{n}"
        for half in halves
        for n, entry in enumerate(half.get("chunks", ()), half.get("first", 0))
        if entry[0] == "page"
    }


def map_delta_bases(index: dict[str, Json]) -> dict[str, str]:
    """Return for each delta-encoded chunk the chunk that it is encoded against (:mod:`.delta`), in a file with two
    recordings.
    """
    halves = cast(list[dict[str, list[list[Json]]]], index.get("halves") or [])
    return {
        f"chunk-{number}": f"chunk-{entry[5]}"
        for half in halves
        for number, entry in enumerate(half["chunks"])
        if len(entry) > 5 and entry[0]
    }


def decode_all_pieces(html: bytes) -> bytes:
    """Return the HTML of a built file, in base64, with pieces that can each be decoded without the others, for the leak
    gate.

    Delta-encoded chunks, and long texts that several chunks share, are replaced by their full content.
    """
    html = convert_to_base64(html)
    pieces = {piece.name: piece for piece in find_pieces(html)}

    def inflate_piece(name: str) -> bytes:
        return zlib.decompress(pieces[name].decode(), -15)

    def decode_piece(name: str) -> bytes | None:
        """Return the full content of a piece that is encoded by reference to other pieces (delta or long texts); None
        for a piece that is not.
        """
        if name == TEXTS:
            return b"[" + b",".join(parse_long_texts(inflate_piece(name))) + b"]"
        return decode_delta(inflate_piece(bases[name]), inflate_piece(name)) if name in bases else None

    parts: list[bytes] = []
    at = 0
    bases = map_delta_bases(orjson.loads(inflate_piece("index"))) if "index" in pieces else {}
    for name, piece in pieces.items():
        if (stands := decode_piece(name)) is not None:
            parts += (html[at : piece.start], build_base64_element(name, compress_raw_deflate(stands)))
            at = piece.end
    return b"".join((*parts, html[at:]))
