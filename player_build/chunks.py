"""The data of the built file: events and resources in compressed pieces, and how they are read again.

Browsers inflate deflate-raw natively (zstd and brotli they do not), so each piece is one deflate-raw stream. Event
chunks are cut by size in the order of time: the first is enough to show the first frame.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, cast

import orjson

from pagereel.reel import Event, Json

from ..errors import BuildError
from .compact import escape, unescape

CHUNK_BYTES: Final = 384 << 10
"""Raw bytes of one chunk of events."""

FIRST_CHUNK_BYTES: Final = 96 << 10
"""The first one is smaller: it stands between opening the file and seeing something."""

PIECE_TYPE: Final = "application/vnd.pagereel"
"""The type of the inert script elements that hold the data: no browser runs it."""


@dataclass
class Chunk:
    """A compressed piece of one stream of events."""

    stream: str
    """``page`` (what the page did) or ``run`` (everything that explains it)."""
    start: float
    end: float
    """``t`` of its first and last event, ms."""
    events: int
    raw: int
    data: bytes


class Chunker:
    """Collects events of one stream, in the order of time, into chunks."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.chunks: list[Chunk] = []
        self.raw = 0
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
        """End the chunk that is being filled."""
        if not self._lines:
            return
        raw = b"[" + b",".join(self._lines) + b"]"
        self.chunks.append(Chunk(self.stream, self._start, self._end, len(self._lines), len(raw), deflate(raw)))
        self.raw += len(raw)
        self._lines, self._size = [], 0


def deflate(data: bytes) -> bytes:
    """Return `data` as one deflate-raw stream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


@dataclass
class Unpacked:
    """A built file, taken apart again."""

    index: dict[str, Json]
    events: list[Event]
    packs: list[bytes]

    def resources(self) -> Iterator[tuple[str, bytes]]:
        """Type and bytes of each resource, in the order of their numbers."""
        for pack, offset, length, mime in cast(list[tuple[int, int, int, str]], self.index["resources"]):
            yield mime, self.packs[pack][offset : offset + length]


_PIECE: Final = re.compile(
    rb'<script type="application/vnd\.pagereel" id="pagereel-(?P<name>[a-z]+-?\d*)"(?: data-check="(?P<check>\d+ [0-9a-f]{8})")?>'
    rb"(?P<base64>[^<]*)</script>"
    rb"|<!--pagereel-(?P<raw_name>[a-z]+-?\d*) (?P<raw_check>\d+ [0-9a-f]{8}):(?P<raw>.*?)-->",
    re.DOTALL,
)


def check_of(data: bytes) -> str:
    """Return what a piece says of itself: its bytes, and their CRC-32 as eight hex digits."""
    return f"{len(data)} {zlib.crc32(data):08x}"


def element_of(name: str, data: bytes) -> bytes:
    """Return a piece as an inert element with base64 in it."""
    start = f'<script type="{PIECE_TYPE}" id="pagereel-{name}" data-check="{check_of(data)}">'
    return start.encode() + base64.b64encode(data) + b"</script>\n"


def comment_of(name: str, data: bytes) -> bytes:
    """Return a piece as a comment with the bytes themselves in it, see ``compact.py``."""
    return f"<!--pagereel-{name} {check_of(data)}:".encode() + escape(data) + b"-->\n"


def plain(html: bytes) -> bytes:
    """Return a built file with its pieces in base64, however it holds them: for what looks into every layer of a file."""
    return _PIECE.sub(lambda match: match[0] if match["raw"] is None else element_of(*_piece(match)), html)


def _piece(match: re.Match[bytes]) -> tuple[str, bytes]:
    """Name and compressed bytes. Raises ValueError when they are not what they say they are."""
    if match["raw"] is None:
        name, data, check = match["name"], base64.b64decode(match["base64"], validate=True), match["check"]
    else:
        name, data, check = match["raw_name"], unescape(match["raw"]), match["raw_check"]
    if check is not None and check.decode() != check_of(data):
        raise ValueError(f"it was {check.decode()} and is {check_of(data)}")
    return name.decode(), data


def policy_of(html: bytes) -> str | None:
    """Return the policy that a built file was redacted with; None: it shows what was recorded.

    Raises BuildError when the file was not built by pagereel or its index is damaged.
    """
    for match in _PIECE.finditer(html):
        if b"index" in (match["name"], match["raw_name"]):
            index = unpack(match[0]).index
            info = index.get("info")
            report = info.get("redaction") if isinstance(info, dict) else None
            return str(report.get("policy")) if isinstance(report, dict) else None
    raise BuildError("This is not a file that pagereel built: it has no index.")


def unpack(html: bytes) -> Unpacked:
    """Everything that a built file holds, decoded: for the leak gate and for tests.

    Raises BuildError when the file was not built by pagereel or a piece of it is damaged.
    """
    index: dict[str, Json] | None = None
    events: list[Event] = []
    packs: list[bytes] = []
    for match in _PIECE.finditer(html):
        try:
            name, packed = _piece(match)
            data = zlib.decompress(packed, -15)
            if name == "index":
                index = orjson.loads(data)
            elif name.startswith("chunk"):
                events += orjson.loads(data)
            else:
                packs.append(data)
        except (ValueError, zlib.error) as error:
            name = (match["name"] or match["raw_name"]).decode()
            raise BuildError(f"The file is damaged: its {name} cannot be decoded ({error}); build it again.") from None
    if index is None:
        raise BuildError("This is not a file that pagereel built: it has no index.")
    return Unpacked(index, events, packs)
