"""Builds one HTML file with the recordings of a suite: one player, shared resources stored once, and each recording decoded when it is opened."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from pagereel import __version__
from pagereel.reel import SUITE_GROUP, Json
from pagereel.sources import open_any

from ..errors import UsageError
from ..options import Theme
from .built_replay import BuiltReplay
from .checked_writing import write_checked_file
from .chunks import WORDS, EventChunk, compress_raw_deflate, decode_all_pieces
from .clip_filter import ClipFilter
from .html_file import BY_NEED, SOMETIMES, SUITE, render_file
from .html_file import render_shell as text_of
from .long_texts_piece import SharedLongTexts
from .options import THEMES
from .resources import ResourcePacker


@dataclass(frozen=True)
class SuiteRecording:
    """A recording for the file of a suite, masked as needed, with its title in the player."""

    recording: Path
    title: str


@dataclass(frozen=True)
class SuiteReport:
    """The result of building a suite's file."""

    destination: Path
    size: int
    """Size of the file in bytes."""
    recordings: int
    resources: int
    """Number of distinct resources of all recordings."""


@dataclass(frozen=True)
class _PreparedRecording:
    """A recording prepared for the file: its index, and its chunks of events."""

    index: dict[str, Json]
    chunks: list[EventChunk]


def build_suite(
    recordings: Sequence[SuiteRecording],
    fields: Mapping[str, Json],
    words: Sequence[Mapping[str, Json]],
    destination: str | os.PathLike[str],
    *,
    title: str,
    summary: str = "",
    theme: Theme = "auto",
    gate: Callable[[bytes, bytes], object] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SuiteReport:
    """Write one HTML file with many recordings, and the list of tests that they belong to.

    The recordings are not masked here: mask them first, jointly.

    :param fields: the index of the list: ``tests``, each with the numbers of its recordings (docs/format.md, "A suite").
    :param words: the search index in slices: by kind of line, ``texts``, and in ``at`` where each text was.
    :param summary: the list in a sentence, for programs that read the file's head.
    :param gate: checks the finished file before it gets its name, given also the player's own script and style; raises
    to stop it.
    :param progress: called after each recording with the number of finished recordings, and of all.
    :raises ReelError: one of them is no recording. UsageError, BuildError: the file cannot be written.
    """
    destination = Path(destination)
    if theme not in THEMES:
        raise UsageError(f"theme={theme!r} is not one of {', '.join(THEMES)}.")
    if not destination.parent.is_dir():
        raise UsageError(f"{destination.parent} does not exist; create it first, or give another path.")
    packer, texts = ResourcePacker(), SharedLongTexts()
    prepared: list[_PreparedRecording] = []
    needs: set[str] = set()
    for number, each in enumerate(recordings):
        packer.used.clear()
        with open_any(each.recording) as reel:
            built = BuiltReplay.from_reel(
                reel, None, ClipFilter.from_events((), None, None), packer=packer, texts=texts
            )
            index = built.build_index(each.title)
        del index["resources"], index["version"], index["player"]
        index["packs"] = [*sorted({packer.resources[n].pack for n in packer.used})]
        needs |= built.find_scripts_for_events()
        prepared.append(_PreparedRecording(index, built.list_chunks()))
        if progress:
            progress(number + 1, len(recordings))
    texts.move_repeated_texts()
    needs |= packer.find_needed_scripts()
    late = (SUITE, *BY_NEED, *(name for name in SOMETIMES if name in needs))
    top: dict[str, Json] = {
        "version": texts.index_version,
        "player": __version__,
        "title": title,
        "apart": SUITE,
        "words": len(words),
        **fields,
        "resources": packer.list_index_entries(),
    }
    parts = render_file(
        title, theme, _iter_pieces(top, words, prepared, texts, packer), extra_scripts=late, summary=summary
    )
    raise_if_leaking: Callable[[Path], object] | None = None
    if gate is not None:
        own = text_of(late).encode()

        def raise_if_leaking(path: Path) -> object:
            return gate(decode_all_pieces(path.read_bytes()), own)

    size = write_checked_file(destination, parts, raise_if_leaking)
    return SuiteReport(destination, size, len(recordings), len(packer.resources))


def _iter_pieces(
    index: dict[str, Json],
    words: Sequence[Mapping[str, Json]],
    prepared: Sequence[_PreparedRecording],
    texts: SharedLongTexts,
    packer: ResourcePacker,
) -> Iterator[tuple[str, bytes]]:
    """Yield the file's pieces in the order in which the player needs them.

    The list of tests comes first, then long texts, each group of recordings, shared resources, and the search index.
    """
    yield "index", compress_raw_deflate(orjson.dumps(index))
    yield from texts.iter_pieces()
    first = 0
    for group in range(0, len(prepared), SUITE_GROUP):
        indexes: list[dict[str, Json]] = []
        chunks: list[EventChunk] = []
        for each in prepared[group : group + SUITE_GROUP]:
            indexes.append({**each.index, "first": first + len(chunks)})
            chunks += each.chunks
        yield f"test-{group // SUITE_GROUP}", compress_raw_deflate(orjson.dumps(indexes))
        for chunk in chunks:
            yield f"chunk-{first}", chunk.data
            first += 1
    for number, pack in enumerate(packer.iter_packs()):
        yield f"pack-{number}", compress_raw_deflate(pack)
    for number, each_slice in enumerate(words):
        yield f"{WORDS}-{number}", compress_raw_deflate(orjson.dumps(each_slice))
