"""Builds one HTML file that shows two recordings side by side, with one player and shared resources stored once."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast

import orjson

from pagereel import __version__
from pagereel.reel import Json
from pagereel.sources import open_any

from ..errors import UsageError
from ..options import Theme
from .built_replay import BuiltReplay
from .checked_writing import write_checked_file
from .chunks import EventChunk, compress_raw_deflate, decode_all_pieces
from .clip_filter import ClipFilter
from .delta import encode_delta
from .html_file import COMPARISON, render_file
from .html_file import render_shell as text_of
from .long_texts_piece import LongTexts
from .needed_scripts import MOTION, RARE
from .resources import ResourcePacker

_NO_CHUNK: Final[list[Json]] = ["", 0, 0, 0, 0]
"""The entry in a half's index for a piece of the other half."""


_LIKE: Final = 4
"""Compression factor at which no better base for a piece is searched."""
_WORTH: Final = 1.5
"""Smallest factor by which encoding a piece against another one must shrink it, because that one must be read first."""


@dataclass(frozen=True)
class PairRecording:
    """One of the two recordings, masked as needed, and its name."""

    recording: Path
    name: str


@dataclass(frozen=True)
class PairReport:
    """The result of building a file with two recordings."""

    destination: Path
    size: int
    """Size of the file in bytes."""
    resources: int
    """Number of distinct resources of both recordings."""


def build_pair(
    a: PairRecording,
    b: PairRecording,
    destination: str | os.PathLike[str],
    fields: Mapping[str, Json],
    *,
    title: str,
    summary: str = "",
    theme: Theme = "auto",
    gate: Callable[[bytes, bytes], object] | None = None,
) -> PairReport:
    """Write one HTML file that shows two recordings side by side, on one clock.

    The recordings are not masked here: mask them first, jointly.

    :param fields: the comparison, as JSON (docs/compare.md, "The page").
    :param summary: the comparison in a sentence, for programs that read the file's head.
    :param gate: checks the finished file before it gets its name, given also the player's own script and style; raises
    to stop it.
    :raises ReelError: one of them is no recording. UsageError, BuildError: the file cannot be written.
    """
    destination = Path(destination)
    if not destination.parent.is_dir():
        raise UsageError(f"{destination.parent} does not exist; create it first, or give another path.")
    with ExitStack() as stack:
        packer, texts = ResourcePacker(), LongTexts()
        halves = [
            BuiltReplay.from_reel(
                stack.enter_context(open_any(half.recording)),
                None,
                ClipFilter.from_events((), None, None),
                packer=packer,
                texts=texts,
            )
            for half in (a, b)
        ]
        pieces = _iter_pieces(halves, (a.name, b.name), title, fields)
        late = (*COMPARISON, *sorted(set.union(*(built.find_needed_scripts() for built in halves)) & {RARE, MOTION}))
        parts = render_file(title, theme, pieces, extra_scripts=late, summary=summary)
        raise_if_leaking: Callable[[Path], object] | None = None
        if gate is not None:
            own = text_of(late).encode()

            def raise_if_leaking(path: Path) -> object:
                return gate(decode_all_pieces(path.read_bytes()), own)

        size = write_checked_file(destination, parts, raise_if_leaking)
    return PairReport(destination, size, len(packer.resources))


def _iter_pieces(
    recordings: Sequence[BuiltReplay], names: Sequence[str], title: str, fields: Mapping[str, Json]
) -> Iterator[tuple[str, bytes]]:
    """Yield the file's pieces in the order in which the player needs them: the index, the first chunks of both
    recordings, then all others.
    """
    indexes: list[dict[str, Json]] = []
    ordered: list[tuple[tuple[int, int, int], str, bytes]] = []
    number = 0
    first: list[EventChunk] = []
    for which, (built, name) in enumerate(zip(recordings, names, strict=True)):
        # It opens where they part: of each alone it is asked from when on there is something to see.
        index = {**built.build_index(name), "opens": built.summary.opening.time or built.summary.screen or 0}
        index.pop("why", None)
        chunks = built.list_chunks()
        entries = cast(list[list[Json]], index["chunks"])
        if which:
            chunks = _encode_chunk_deltas(first, chunks, entries)
        else:
            first = chunks
        index["chunks"] = [*[_NO_CHUNK] * number, *cast(list[Json], index["chunks"])]
        resources = index.pop("resources")
        indexes.append(index)
        for place, chunk in enumerate(chunks):
            ordered.append(((chunk.stream == "page", place, which), f"chunk-{number}", chunk.data))
            number += 1
    top: dict[str, Json] = {
        "version": recordings[0].texts.index_version,
        "player": __version__,
        "title": title,
        "info": {"redaction": recordings[0].summary.info["redaction"]},
        "resources": resources,
        "apart": COMPARISON[0],
        "halves": [*indexes],
        "told": {**fields},
    }
    yield "index", compress_raw_deflate(orjson.dumps(top))
    yield from recordings[0].texts.iter_pieces()
    yield from ((name, data) for _, name, data in sorted(ordered))
    yield from recordings[0].iter_packs()


def _encode_chunk_deltas(
    first: Sequence[EventChunk], chunks: Sequence[EventChunk], entries: Sequence[list[Json]]
) -> list[EventChunk]:
    """Return the second recording's chunks, each encoded against a chunk of the first near the same time.

    The entry of each chunk in the index gets the number of that other chunk.
    """
    numbers = {stream: [n for n, chunk in enumerate(first) if chunk.stream == stream] for stream in ("run", "page")}
    raw: dict[int, bytes] = {}
    found: list[EventChunk] = []
    counts = {"run": 0, "page": 0}
    for chunk, entry in zip(chunks, entries, strict=True):
        of, place = numbers[chunk.stream], counts[chunk.stream]
        counts[chunk.stream] += 1
        data = zlib.decompress(chunk.data, -15)
        best: tuple[int, bytes] | None = None
        for near in (place, place - 1, place + 1):
            if not 0 <= near < len(of) or (best is not None and len(best[1]) * _LIKE < len(chunk.data)):
                continue
            base = raw.setdefault(of[near], zlib.decompress(first[of[near]].data, -15))
            told = compress_raw_deflate(encode_delta(base, data))
            if best is None or len(told) < len(best[1]):
                best = of[near], told
        if best is None or len(best[1]) * _WORTH > len(chunk.data):
            found.append(chunk)
        else:
            entry.append(best[0])
            found.append(replace(chunk, data=best[1]))
    return found
