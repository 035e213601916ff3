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

from pagereel.reel import PLAYER_PIECE, Event, Json, base64_element, filled_texts, in_base64, long_texts, pieces_of

from ..errors import BuildError, UsageError
from ..userfiles import read_bounded
from .delta import decode_delta
from .needs import FORCED, RARE, needs_of

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
"""Name of the piece with the long texts that chunks share (:mod:`.texts`)."""


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


class Chunker:
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

    def add(self, event: Event) -> None:
        line = orjson.dumps(event)
        t = float(cast(float, event["t"]))
        if not self._lines:
            self._start = t
        self._end = t
        self._lines.append(line)
        self._size += len(line) + 1
        if self._size >= (CHUNK_BYTES if self.chunks else FIRST_CHUNK_BYTES):
            self.cut()

    def cut(self) -> None:
        """End the current chunk; the next event begins a new one."""
        if not self._lines:
            return
        raw = b"[" + b",".join(self._lines) + b"]"
        texts = []
        if self.stream == "page":
            texts = [key for key, _, _ in long_texts(raw)]
            self.needs |= needs_of(raw)
        elif FORCED in raw:
            self.needs.add(RARE)
        self.chunks.append(
            EventChunk(self.stream, self._start, self._end, len(self._lines), len(raw), deflate(raw), texts)
        )
        self.raw += len(raw)
        self._lines, self._size = [], 0


def deflate(data: bytes) -> bytes:
    """Return `data` as one deflate-raw stream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


@dataclass
class Unpacked:
    """The decoded content of a built file: its index, its events, and its packs of resources."""

    index: dict[str, Json]
    events: list[Event]
    packs: list[bytes]

    def resources(self) -> Iterator[tuple[str, bytes]]:
        """Yield the MIME type and the bytes of each resource, in the order of their numbers."""
        for pack, offset, length, mime in cast(list[tuple[int, int, int, str]], self.index["resources"]):
            yield mime, self.packs[pack][offset : offset + length]


def policy_of(html: bytes) -> str | None:
    """Return the name of the policy with which a built file was redacted; None if it was not redacted.

    :raises BuildError: the file was not built by pagereel, or its index is damaged.
    """
    for piece in pieces_of(html):
        if piece.name == "index":
            info = unpack(html[piece.start : piece.end]).index.get("info")
            report = info.get("redaction") if isinstance(info, dict) else None
            return str(report.get("policy")) if isinstance(report, dict) else None
    raise BuildError("This is not a file that pagereel built: it has no index.")


def suite_index(path: Path) -> dict[str, Json]:
    """Return the index of a suite's file.

    :raises UsageError: the file is no suite, or cannot be read.
    """
    try:
        html = read_bounded(path, _LARGEST)
        piece = next(piece for piece in pieces_of(html) if piece.name == "index")
        index = orjson.loads(zlib.decompressobj(-15).decompress(piece.data(), _LARGEST_INDEX))
        if isinstance(index, dict) and isinstance(index.get("tests"), list):
            return index
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except (StopIteration, ValueError, zlib.error):
        pass
    raise UsageError(f"{path} is not a suite; give a file that pagereel bundle wrote.")


def unpack(html: bytes) -> Unpacked:
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
        for piece in pieces_of(html):
            name = piece.name
            if name == PLAYER_PIECE:
                continue
            data = zlib.decompress(piece.data(), -15)
            if name == "index":
                index = orjson.loads(data)
            elif name == TEXTS:
                texts = long_texts_of(data)
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
        bases, pages = bases_of(index), _pages_of(index, tests)
        for name, data in chunks.items():
            data = decode_delta(chunks[bases[name]], data) if name in bases else data
            if name in pages:
                data = filled_texts(data, lambda number: texts[number] if number < len(texts) else None)
            events += orjson.loads(data)
    except (ValueError, LookupError, zlib.error) as error:
        raise BuildError(f"The file is damaged: its {name} cannot be decoded ({error}); build it again.") from None
    return Unpacked(index, events, packs)


def long_texts_of(piece: bytes) -> list[bytes]:
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


def _pages_of(index: dict[str, Json], tests: list[dict[str, Json]]) -> set[str]:
    """Return the names of the chunks of page events, in which numbers stand for long texts.

    `tests`: the indexes of a suite's recordings.
    """
    halves = cast(list[dict[str, Any]], tests or index.get("halves") or [index])
    return {
        f"chunk-{n}"
        for half in halves
        for n, entry in enumerate(half.get("chunks", ()), half.get("first", 0))
        if entry[0] == "page"
    }


def bases_of(index: dict[str, Json]) -> dict[str, str]:
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


def whole(html: bytes) -> bytes:
    """Return a built file in base64 in which every piece can be decoded by itself, for the leak gate.

    Delta-encoded chunks and shared texts are replaced by their content.
    """
    html = in_base64(html)
    pieces = {piece.name: piece for piece in pieces_of(html)}

    def data(name: str) -> bytes:
        return zlib.decompress(pieces[name].data(), -15)

    def told(name: str) -> bytes | None:
        """Return the content of a piece that needs others for decoding; None for any other piece."""
        if name == TEXTS:
            return b"[" + b",".join(long_texts_of(data(name))) + b"]"
        return decode_delta(data(bases[name]), data(name)) if name in bases else None

    parts: list[bytes] = []
    at = 0
    bases = bases_of(orjson.loads(data("index"))) if "index" in pieces else {}
    for name, piece in pieces.items():
        if (stands := told(name)) is not None:
            parts += (html[at : piece.start], base64_element(name, deflate(stands)))
            at = piece.end
    return b"".join((*parts, html[at:]))
