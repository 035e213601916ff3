"""A chunk: hundreds of lines of text that are stored together. Words can be searched for in its lines."""

from __future__ import annotations

import bisect
from array import array
from collections.abc import Iterator
from itertools import accumulate

import orjson

from ..word_splitting import contains_words
from .line_packing import unpack_json


class LineChunk:
    """Unpacked lines; None replaces a deleted line. Many chunks are held in memory, so ASCII lines are one string, and
    each line is cut out of it on demand.
    """

    __slots__ = ("_ends", "_gone", "_lines", "_lowered", "_text")

    def __init__(self, data: bytes) -> None:
        plain = unpack_json(data)
        lines: list[str | None] = orjson.loads(plain)
        self._lines: list[str | None] | None = lines
        self._text = self._lowered = ""
        """All lines where they are ASCII, each with a separator after it; and the same in lower case."""
        self._ends = array("I")
        """The offset in `_text` at which each line ends."""
        self._gone: frozenset[int] = frozenset()
        if plain.isascii() and b"\\u" not in plain:
            texts = [text or "" for text in lines]
            self._text = "\n".join([*texts, ""])
            lowered = self._text.lower()
            self._lowered = self._text if lowered == self._text else lowered
            self._ends.extend(end + place for place, end in enumerate(accumulate(map(len, texts))))
            self._gone = frozenset(place for place, text in enumerate(lines) if text is None)
            self._lines = None

    def __len__(self) -> int:
        return len(self._ends) if self._lines is None else len(self._lines)

    def get_line(self, index: int) -> str | None:
        """Return a line; None for a deleted line, or one that is not written yet."""
        if self._lines is not None:
            return self._lines[index] if index < len(self._lines) else None
        if index >= len(self._ends) or index in self._gone:
            return None
        return self._text[self._get_line_start(index) : self._ends[index]]

    def get_lines(self) -> list[str | None]:
        """Return all lines."""
        return [self.get_line(place) for place in range(len(self))]

    def find_lines_with_words(self, words: str) -> Iterator[int]:
        """Yield the indexes of the lines that contain these folded words one after the other."""
        each = words.split()
        longest = max(each, key=len)
        for place in self._find_candidate_indexes(longest, each):
            text = self.get_line(place)
            if text and contains_words(text, words, longest):
                yield place

    def _find_candidate_indexes(self, word: str, other_words: list[str]) -> Iterator[int]:
        """Yield the indexes of the lines that may contain these folded words: `word` and all of `other_words`."""
        if self._lines is not None:
            yield from range(len(self._lines))
            return
        at = self._lowered.find(word)
        while at >= 0:
            place = bisect.bisect_left(self._ends, at + 1)
            begin, end = self._get_line_start(place), self._ends[place]
            if all(self._lowered.find(other, begin, end) >= 0 for other in other_words):
                yield place
            at = self._lowered.find(word, end)

    def _get_line_start(self, index: int) -> int:
        return self._ends[index - 1] + 1 if index else 0
