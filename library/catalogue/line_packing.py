"""Packs and unpacks lines of text, and the spans in which a run showed them: compressed JSON by columns."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Container, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

import orjson
import zstandard

_QUICK: Final = 6
_FOR_GOOD: Final = 19
_MOST: Final = 1 << 27
"""Largest number of bytes that are unpacked."""


class LineSpan(NamedTuple):
    """When a run showed a line: the line's number, the number of its kind, the page (0: none), begin and end in ms."""

    line: int
    kind: int
    page: int
    began: int
    until: int


def pack_spans(spans: Collection[LineSpan]) -> bytes:
    """Return spans as compressed bytes. Numbers are stored as differences from the one before, which compress well."""
    lines, kinds, pages, began, until = zip(*sorted(spans), strict=True) if spans else ((),) * 5
    lasted = [end - begin for begin, end in zip(began, until, strict=True)]
    return _pack_json([*map(_compute_differences, (lines, kinds, pages, began)), lasted], _QUICK)


def unpack_spans(data: bytes) -> list[LineSpan]:
    """Return the spans that :func:`pack_spans` has packed, in the order of their lines."""
    lines, kinds, pages, began, lasted = orjson.loads(unpack_json(data))
    begins = list(accumulate(began))
    ends = [begin + each for begin, each in zip(begins, lasted, strict=True)]
    return [*map(LineSpan, accumulate(lines), accumulate(kinds), accumulate(pages), begins, ends)]


def unpack_lines_of_kinds(data: bytes, kinds: Container[int]) -> list[int]:
    """Return from packed spans the numbers of the lines that have one of these kinds, in order."""
    lines, spans, *_ = orjson.loads(unpack_json(data))
    return [line for line, kind in zip(accumulate(lines), accumulate(spans), strict=True) if kind in kinds]


def pack_texts(texts: Sequence[str | None], *, is_final: bool = False) -> bytes:
    """Return lines as compressed bytes; None stands for a deleted line.

    `is_final`: the chunk is full and will not change, so it is compressed more strongly, which takes longer.
    """
    return _pack_json(texts, _FOR_GOOD if is_final else _QUICK)


def pack_numbers(numbers: Iterable[int]) -> bytes:
    """Return numbers as compressed bytes, in ascending order."""
    return _pack_json(_compute_differences(sorted(numbers)), _QUICK)


def unpack_numbers(data: bytes) -> list[int]:
    """Return the numbers that :func:`pack_numbers` has packed."""
    return list(accumulate(orjson.loads(unpack_json(data))))


def hash_line(text: str) -> int:
    """Return a 32-bit hash of a line. Different lines may have the same hash, so a lookup compares the text as well."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=4).digest(), signed=True)


def _compute_differences(values: Sequence[int]) -> list[int]:
    return [after - before for before, after in pairwise([0, *values])]


def _pack_json(value: Any, level: int) -> bytes:
    return zstandard.ZstdCompressor(level=level).compress(orjson.dumps(value))


def unpack_json(data: bytes) -> bytes:
    """Return the JSON in compressed bytes. Larger JSON than :data:`_MOST` bytes raises an error."""
    return zstandard.ZstdDecompressor().decompress(data, max_output_size=_MOST)
