"""Stores each distinct line of text once for a whole library, in compressed chunks, and a run's spans in one row.

A single line hardly compresses, and one row for each place of a line would need as much room as the recording of a
small page. So lines get numbers in order of arrival, and a chunk holds consecutive lines until it is full. A number is
never reused, so cached chunks stay valid.
"""

from __future__ import annotations

import bisect
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from .line_chunk import LineChunk
from .line_packing import LineSpan, hash_line, pack_numbers, pack_spans, pack_texts, unpack_numbers, unpack_spans
from .tables import SqlCondition

_FULL: Final = 64_000
"""Characters after which a chunk is full."""
_REMEMBERED: Final = 512
"""Number of chunks that are cached unpacked, less than 150 kB each: a phrase of common words is in most chunks, and
unpacking costs more than searching.
"""
_PHRASES: Final = 8
"""Number of phrases whose lines are cached."""
_CLOSED: Final = 1 << 60
"""A number larger than the lines of any chunk; it marks a full chunk as searched for good."""


class DatabaseCursor(Protocol):
    """The methods that the database cursors of SQLite and of Postgres share."""

    @property
    def description(self) -> Any: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


@dataclass(slots=True)
class _CachedWordSearch:
    """Cached results of a search for a phrase. `lines`: the numbers of the lines that contain the phrase; `searched`:
    first line of a chunk → how many of its lines have been searched.
    """

    lines: set[int] = field(default_factory=set)
    searched: dict[int, int] = field(default_factory=dict)


class LineStore(ABC):
    """The part of a catalogue that stores and searches lines of text."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._end = 0
        """The number after the last known line."""
        self._chunks: OrderedDict[int, LineChunk] = OrderedDict()
        self._held: OrderedDict[str, _CachedWordSearch] = OrderedDict()

    @abstractmethod
    def execute(self, sql: str, values: Sequence[Any] = ()) -> DatabaseCursor:
        """Run one statement, with a value for each ``?``."""

    @abstractmethod
    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row of values."""

    @abstractmethod
    def build_set_condition(self, column: str, numbers: Iterable[int]) -> SqlCondition:
        """Return the condition that a column has one of these numbers. There may be many thousands of them."""

    # -- for readers --------------------

    def get_texts(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return the text of these lines by number, without deleted ones."""
        found = {}
        for first, chunk, inside in self._iter_chunks_with_lines(numbers):
            for number in inside:
                text = chunk.get_line(number - first)
                if text is not None:
                    found[number] = text
        return found

    def find_lines_with_words(self, words: str, numbers: Iterable[int]) -> set[int]:
        """Return the numbers of those of the lines `numbers` that contain these folded words one after the other.

        The result may also have lines that are not among `numbers`.
        """
        held = self._held.setdefault(words, _CachedWordSearch())
        self._held.move_to_end(words)
        while len(self._held) > _PHRASES:
            self._held.popitem(last=False)
        for first, chunk, _ in self._iter_chunks_with_lines(
            numbers, lambda first, last: last >= first + held.searched.get(first, 0)
        ):
            held.lines.update(first + place for place in chunk.find_lines_with_words(words))
            held.searched[first] = len(chunk) if first == self._firsts[-1] else _CLOSED
        return held.lines

    def get_cached_lines_with_words(self, words: str) -> set[int]:
        """Return from the cache the numbers of the lines that earlier calls of :meth:`find_lines_with_words` found for
        these words; an empty set if these words were not searched for.
        """
        return self._held[words].lines if words in self._held else set()

    def read_spans_of_runs(self, runs: Iterable[int]) -> dict[int, list[LineSpan]]:
        """Return the spans of each of these runs, in the order of the lines."""
        fits = self.build_set_condition("run", runs)
        rows = self.execute(f"SELECT run, spans FROM shown WHERE {fits.sql}", fits.values).fetchall()
        return {run: unpack_spans(bytes(data)) for run, data in rows}

    def _iter_chunks_with_lines(
        self, numbers: Iterable[int], may_match: Callable[[int, int], bool] = lambda first, last: True
    ) -> Iterator[tuple[int, LineChunk, list[int]]]:
        """Yield the chunks that have any of the lines `numbers`: the number of its first line, the chunk, and the
        numbers of those lines in it.

        `may_match`: is called with the number of a chunk's first line and the last of these lines in it; if it returns
        False, the chunk is skipped.
        """
        lines = sorted(set(numbers))
        if lines and lines[-1] >= self._end:
            self._refresh_chunk_index()
        inside: dict[int, list[int]] = {}
        begin = 0
        while begin < len(lines):
            place = bisect.bisect_right(self._firsts, lines[begin])
            end = bisect.bisect_left(lines, self._firsts[place], begin) if place < len(self._firsts) else len(lines)
            if place and may_match(self._firsts[place - 1], lines[end - 1]):
                inside[self._firsts[place - 1]] = lines[begin:end]
            begin = end
        firsts = list(inside)
        for start in range(0, len(firsts), _REMEMBERED):
            for first, chunk in self._read_chunks(firsts[start : start + _REMEMBERED]).items():
                yield first, chunk, inside[first]

    def _refresh_chunk_index(self) -> None:
        """Read which chunks were added since the last call, and where the last chunk now ends."""
        last = self._firsts[-1] if self._firsts else -1
        rows = self.execute("SELECT first, count FROM chunk WHERE first >= ? ORDER BY first", (last,)).fetchall()
        self._chunks.pop(last, None)
        self._firsts += [first for first, _ in rows if first > last]
        self._end = sum(rows[-1]) if rows else 0

    def _read_chunks(self, first_lines: Sequence[int]) -> dict[int, LineChunk]:
        found = {first: self._chunks[first] for first in first_lines if first in self._chunks}
        missing = [first for first in first_lines if first not in found]
        if missing:
            fits = self.build_set_condition("first", missing)
            rows = self.execute(f"SELECT first, texts FROM chunk WHERE {fits.sql}", fits.values).fetchall()
            found |= {first: LineChunk(bytes(data)) for first, data in rows}
        for first, chunk in found.items():
            self._chunks[first] = chunk
            self._chunks.move_to_end(first)
        while len(self._chunks) > _REMEMBERED:
            self._chunks.popitem(last=False)
        return found

    # -- for the writer --------------------

    def _write_lines_of_run(
        self, run: int, lines: Iterable[tuple[str, int, int, int, int]], names: Iterable[int]
    ) -> tuple[list[LineSpan], dict[int, str]]:
        """Write the lines of a run (text, kind, page, begin, end) and the numbers of the names that it used. Return
        its spans, and their texts.
        """
        told = list(lines)
        numbers = self._get_or_add_line_numbers(list(dict.fromkeys(text for text, *_ in told)))
        first: dict[tuple[int, int, int, int], LineSpan] = {}
        for text, kind, page, began, until in told:
            first.setdefault((numbers[text], kind, page, began), LineSpan(numbers[text], kind, page, began, until))
        spans = sorted(first.values())
        self.execute(
            "INSERT INTO shown (run, lines, spans, names) VALUES (?, ?, ?, ?)",
            (run, len(spans), pack_spans(spans), pack_numbers(names)),
        )
        return spans, {number: text for text, number in numbers.items()}

    def _delete_lines_of_run(self, run: int, texts: dict[int, str]) -> list[int]:
        """Remove the lines of a run from the store, and delete the lines that no other run has.

        `texts`: the run's lines, number → text. Return the numbers of the names that the run used.
        """
        (names,) = self.execute("SELECT names FROM shown WHERE run = ?", (run,)).fetchone()
        counts = {
            number: count
            for number, count in self._find_lines_by_hash(map(hash_line, texts.values()))
            if number in texts
        }
        marks = [(hash_line(texts[number]), number) for number in counts]
        self.executemany("UPDATE line SET runs = runs - 1 WHERE hash = ? AND n = ?", marks)
        self.executemany("DELETE FROM line WHERE hash = ? AND n = ? AND runs <= 0", marks)
        self._erase_line_texts(number for number, count in counts.items() if count <= 1)
        self.execute("DELETE FROM shown WHERE run = ?", (run,))
        return unpack_numbers(bytes(names))

    def _clear_caches(self) -> None:
        """Clear the caches, because they may hold data of a transaction that was rolled back."""
        self._firsts, self._end = [], 0
        self._chunks.clear()
        self._held.clear()

    def _get_or_add_line_numbers(self, texts: Sequence[str]) -> dict[str, int]:
        """Return the number of each text, after adding the texts that are new. The count of runs of each line grows by
        one.
        """
        hashes = {text: hash_line(text) for text in texts}
        there = self.get_texts(number for number, _ in self._find_lines_by_hash(hashes.values()))
        found = {text: number for number, text in there.items() if text in hashes}
        self.executemany(
            "UPDATE line SET runs = runs + 1 WHERE hash = ? AND n = ?",
            [(hashes[text], number) for text, number in found.items()],
        )
        new = [text for text in texts if text not in found]
        given = dict(zip(new, self._append_lines(new), strict=True))
        self.executemany(
            "INSERT INTO line (hash, n, runs) VALUES (?, ?, 1)",
            [(hashes[text], number) for text, number in given.items()],
        )
        return found | given

    def _find_lines_by_hash(self, hashes: Iterable[int]) -> list[tuple[int, int]]:
        """Return for each line that has one of these hashes its number, and how many runs have it."""
        fits = self.build_set_condition("hash", set(hashes))
        return [
            (n, runs) for n, runs in self.execute(f"SELECT n, runs FROM line WHERE {fits.sql}", fits.values).fetchall()
        ]

    def _append_lines(self, texts: Sequence[str]) -> range:
        """Append lines to the last chunk, and to new chunks when that is full. Return the numbers of the lines."""
        self._refresh_chunk_index()
        first = self._firsts[-1] if self._firsts else 0
        chunk = self._read_chunks([first])[first].get_lines() if self._firsts else []
        size = sum(len(text or "") for text in chunk)
        begin = first + len(chunk)
        for place, text in enumerate(texts):
            if size >= _FULL:
                self._write_chunk(first, chunk, is_final=True)
                first, chunk, size = begin + place, [], 0
            chunk.append(text)
            size += len(text)
        if texts:
            self._write_chunk(first, chunk)
        return range(begin, begin + len(texts))

    def _erase_line_texts(self, numbers: Iterable[int]) -> None:
        """Delete the texts of these lines, and the chunks that have no text left.

        The last chunk always stays, because the next line's number is computed from its end.
        """
        inside: dict[int, set[int]] = {}
        for number in numbers:
            inside.setdefault(self._firsts[bisect.bisect_right(self._firsts, number) - 1], set()).add(number)
        for first, lines in inside.items():
            before = self._read_chunks([first])[first].get_lines()
            chunk = [None if first + place in lines else text for place, text in enumerate(before)]
            if any(text is not None for text in chunk) or first == self._firsts[-1]:
                self._write_chunk(first, chunk, is_final=first != self._firsts[-1])
            else:
                self.execute("DELETE FROM chunk WHERE first = ?", (first,))
                self._chunks.pop(first, None)

    def _write_chunk(self, first: int, chunk: Sequence[str | None], *, is_final: bool = False) -> None:
        self.execute(
            "INSERT INTO chunk (first, count, texts) VALUES (?, ?, ?) ON CONFLICT (first) DO UPDATE SET count = excluded.count, texts = excluded.texts",
            (first, len(chunk), pack_texts(chunk, is_final=is_final)),
        )
        self._chunks.pop(first, None)
