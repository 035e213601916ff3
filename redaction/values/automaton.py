"""Search a text for many patterns in one scan (Aho-Corasick), by an automaton of the beginnings of the patterns.

A value has some fifteen variants, and those in base64 or HTML entities are long. An automaton (a state machine) of
whole patterns would have millions of states, of which a text visits few. An automaton of the patterns' beginnings has a
tenth of these states. Where it finds a beginning, the text is compared with each pattern that starts with it.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, AnyStr, Generic

if TYPE_CHECKING:
    import ahocorasick_rs

_BEGINNING = 16
"""Characters or bytes of a beginning."""
_FEW = 4
"""Most patterns with one beginning. If more share it, their beginnings are longer, so that a text which repeats it is
not compared with all of them.
"""
_LONG = 1_024
"""Least length of a pattern that is its own beginning, so that a text which repeats itself is not compared with much at
each place.
"""


class PatternAutomaton(Generic[AnyStr]):
    """Finds every occurrence of every pattern in a text, overlapping ones as well."""

    def __init__(self, patterns: Sequence[AnyStr]) -> None:
        self._patterns: Sequence[AnyStr] = patterns
        begun = _group_by_beginning(patterns)
        self._order = array("L", (index for group in begun.values() for index in group))
        """Indices of patterns, grouped by beginning. It is one array, because Python's garbage collector would visit a
        hundred thousand lists.
        """
        self._ends = array("L", [0])
        for group in begun.values():
            self._ends.append(self._ends[-1] + len(group))
        self._scan = _build_automaton(list(begun)) if begun else None

    def find_occurrences(self, text: AnyStr) -> list[tuple[int, int, int]]:
        """Return (index of the pattern, begin, end) for each occurrence, ordered by end; of those with equal ends the
        longest comes first.
        """
        if self._scan is None:
            return []
        found = []
        for key, start, _ in self._scan.find_matches_as_indexes(text, overlapping=True):  # type: ignore[arg-type]
            for index in self._order[self._ends[key] : self._ends[key + 1]]:
                pattern = self._patterns[index]
                if text.startswith(pattern, start):
                    found.append((index, start, start + len(pattern)))
        found.sort(key=lambda place: (place[2], place[1], place[0]))
        return found


def _group_by_beginning(patterns: Sequence[AnyStr]) -> dict[AnyStr, list[int]]:
    """Return beginning → the indices of the patterns that start with it."""
    begun: dict[AnyStr, list[int]] = {}
    left: Sequence[int] = range(len(patterns))
    size = _BEGINNING
    while left:
        groups: defaultdict[AnyStr, list[int]] = defaultdict(list)
        for index in left:
            pattern = patterns[index]
            groups[pattern[:size] if len(pattern) < _LONG else pattern].append(index)
        crowded: list[int] = []
        for beginning, group in groups.items():
            if len(group) <= _FEW or all(len(patterns[index]) <= len(beginning) for index in group):
                begun[beginning] = group
            else:
                crowded += group
        left, size = crowded, size * 2
    return begun


def _build_automaton(beginnings: list[AnyStr]) -> ahocorasick_rs.AhoCorasick | ahocorasick_rs.BytesAhoCorasick:
    import ahocorasick_rs

    # For few patterns the library would choose a DFA, whose construction is quadratic for a pattern that repeats itself.
    kind = ahocorasick_rs.Implementation.ContiguousNFA
    if isinstance(beginnings[0], bytes):
        return ahocorasick_rs.BytesAhoCorasick(beginnings, implementation=kind)
    return ahocorasick_rs.AhoCorasick(beginnings, implementation=kind)
