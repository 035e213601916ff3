"""Some hundred lines of text, as they are stored together, and where words stand in them."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from itertools import accumulate

import orjson

from ..words import holds
from .packing import unpacked


class Chunk:
    """Lines as they were packed; None is one that is gone."""

    __slots__ = ("_ends", "_lowered", "lines")

    def __init__(self, data: bytes) -> None:
        plain = unpacked(data)
        self.lines: list[str | None] = orjson.loads(plain)
        self._lowered = ""
        """All lines in small letters, where they are ASCII and keep their lengths so."""
        self._ends: list[int] = []
        """Where in it each ends."""
        if plain.isascii() and b"\\u" not in plain:
            texts = [text or "" for text in self.lines]
            self._lowered = "\n".join(texts).lower()
            self._ends = [end + place for place, end in enumerate(accumulate(map(len, texts)))]

    def holding(self, words: str) -> Iterator[int]:
        """Yield the places of the lines in which these words, folded, stand one after the other."""
        longest = max(words.split(), key=len)
        for place in self._places(longest):
            text = self.lines[place]
            if text and holds(text, words, longest):
                yield place

    def _places(self, word: str) -> Iterator[int]:
        """Yield the places of the lines that may hold a folded word."""
        if not self._ends:
            yield from range(len(self.lines))
            return
        at = self._lowered.find(word)
        while at >= 0:
            place = bisect.bisect_left(self._ends, at + 1)
            yield place
            at = self._lowered.find(word, self._ends[place])
