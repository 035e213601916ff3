"""Find every known value in a text, in every encoding, in one scan (Aho-Corasick), with its replacement."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from ..normalise.encoded_text import iter_encoded_passages
from ..normalise.escapes import list_text_readings
from .automaton import PatternAutomaton
from .known_values import KnownValue, KnownValues, count_identifying_letters, extract_digits, index_numbers
from .pseudonyms import Pseudonyms
from .variants import ENCODINGS, iter_base64_inner_letters, list_variants

READ, PACKED = "as read", "packed"
"""Encodings of a match: a value behind escapes or invisible characters; a value in a text that is encoded within
another.
"""
_DEEPEST = 4
"""Most levels of texts that are encoded within each other."""
_PERCENT = re.compile(r"%(25)*[0-9A-Fa-f]{2}")
_ENTITY = re.compile(r"&#?\w+")
FREE_LENGTH = 8
"""Least result of :func:`.known_values.count_identifying_letters` for a value that is found within a longer word as
well. A shorter one must be a whole word.
"""


class ValueMatch(NamedTuple):
    """A span to replace, and its ``replacement``."""

    start: int
    end: int
    replacement: str
    entity: str


class KnownValueMatcher:
    """Finds all known values in texts, without regard to case."""

    def __init__(self, values: KnownValues, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms
        self._values: list[KnownValue] = []
        self._names: list[str] = []
        self._anywhere: list[bool] = []
        # Parallel lists, one entry for each pattern: the garbage collector would visit a list of tuples again and again.
        patterns: list[str] = []
        cores: list[str] = []
        self._core_of: list[KnownValue] = []
        seen: set[str] = set()
        for value in values:
            for name, text in list_variants(value.text):
                pattern = lower_same_length(text)
                if pattern not in seen:
                    seen.add(pattern)
                    patterns.append(pattern)
                    self._values.append(value)
                    self._names.append(name)
                    self._anywhere.append(may_match_within_word(value, text))
            for core in iter_base64_inner_letters(value.text):
                cores.append(core)
                self._core_of.append(value)
        self._words = PatternAutomaton(patterns)
        self._cores = PatternAutomaton(cores)
        self._numbers = index_numbers(values)

    def find_matches(self, text: str) -> list[ValueMatch]:
        """Return the spans to replace, in order and without overlap. Of two that overlap the longer one is chosen."""
        if len(text) < 2:  # two letters are a name in some scripts
            return []
        return [
            self._build_match(text, *place) for place in _choose_longest_matches(list(self._iter_known_values(text)))
        ]

    def _iter_known_values(self, text: str, depth: int = _DEEPEST) -> Iterator[tuple[int, int, KnownValue, str]]:
        """Yield the known values in each reading of a text, with their spans in the text itself."""
        for reading in list_text_readings(text):
            for start, end, value, name in self._find_values_in_reading(reading.text):
                yield (
                    (*reading.to_original_span(start, end), value, READ)
                    if reading.is_changed
                    else (start, end, value, name)
                )
            for each in iter_encoded_passages(reading.text) if depth else ():
                inner = next(self._iter_known_values(each.said, depth - 1), None)
                if inner is not None:
                    yield *reading.to_original_span(each.start, each.end), inner[2], PACKED

    def _find_values_in_reading(self, text: str) -> list[tuple[int, int, KnownValue, str]]:
        found: list[tuple[int, int, KnownValue, str]] = []
        for index, start, end in self._words.find_occurrences(lower_same_length(text)):
            if self._anywhere[index] or is_whole_word(text, start, end):
                found.append((start, end, self._values[index], self._names[index]))
        if len(text) >= 10:
            for index, start, end in self._cores.find_occurrences(text):
                found.append((start, end, self._core_of[index], "base64"))
        if self._numbers:
            found += self._find_reformatted_numbers(text)
        return found

    def _find_reformatted_numbers(self, text: str) -> list[tuple[int, int, KnownValue, str]]:
        """Return known numbers that are written with other separators: ``4111 1111…`` and ``4111-1111…``."""
        found = []
        for match in re.finditer(r"\+?\d(?:[ ().\u00a0/-]{0,2}\d){6,24}", text):
            value = self._numbers.get(extract_digits(match.group()))
            if value is not None:
                found.append((match.start(), match.end(), value, "number"))
        return found

    def _build_match(self, text: str, start: int, end: int, value: KnownValue, name: str) -> ValueMatch:
        stand_in = self._pseudonyms.make_stand_in(value.text, value.entity)
        written = text[start:end]
        if name == READ:
            return ValueMatch(
                start, end, _escape_like_original(written, copy_letter_case(written, stand_in)), value.entity
            )
        if name == PACKED:
            return ValueMatch(start, end, self._pseudonyms.make_stand_in(written, "SECRET"), value.entity)
        if name == "base64":
            return ValueMatch(start, end, "A" * (4 * ((end - start) // 4) or 4), value.entity)
        if name == "hex":
            return ValueMatch(start, end, ENCODINGS["hex"](stand_in), value.entity)
        if name in ENCODINGS:
            stand_in = ENCODINGS[name](copy_letter_case(written, stand_in) if value.entity != "SECRET" else stand_in)
        return ValueMatch(start, end, stand_in, value.entity)


def _escape_like_original(written: str, stand_in: str) -> str:
    """Return a stand-in, escaped in the same way as the value that it replaces was."""
    if escape := _PERCENT.search(written):
        return quote(quote(stand_in, safe="") if escape[1] else stand_in, safe="")
    if _ENTITY.search(written):
        return html.escape(stand_in)
    return json.dumps(stand_in)[1:-1] if "\\" in written else stand_in


def may_match_within_word(value: KnownValue, written: str) -> bool:
    """Return whether a value in this notation is searched for within longer words as well. The gate uses the same
    rule.
    """
    return count_identifying_letters(written) >= FREE_LENGTH and value.text == value.whole


def copy_letter_case(written: str, stand_in: str) -> str:
    """Return the stand-in in capitals if the value is in capitals, in small letters if the value is, else unchanged."""
    if written.isupper() and sum(c.isalpha() for c in written) > 1:
        return stand_in.upper()
    return stand_in.lower() if written.islower() else stand_in


def lower_same_length(text: str) -> str:
    """Return a text in lower case, of equal length: letters whose lower case is longer stay unchanged."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def is_whole_word(text: str, start: int, end: int) -> bool:
    """Return whether a match is a whole word. ``priyaShah`` and ``priya_shah`` consist of two words each."""
    first, last = text[start], text[end - 1]
    if (
        first.isalnum()
        and start
        and (before := text[start - 1]).isalnum()
        and not _is_word_boundary(before, first)
        and not _follows_escape(text, start)
    ):
        return False
    return not (
        last.isalnum() and end < len(text) and (after := text[end]).isalnum() and not _is_word_boundary(last, after)
    )


def _is_word_boundary(before: str, after: str) -> bool:
    return (
        (before.islower() and after.isupper())
        or (before.isalpha() and after.isdigit())
        or (before.isdigit() and after.isalpha())
    )


def _follows_escape(text: str, start: int) -> bool:
    r"""Return whether the letter before a match belongs to an escape: ``%20Priya``, ``\nPriya``, ``\u003ePriya``."""
    return bool(
        re.search(
            r"(?:%[0-9a-fA-F]{2}|\\[nrtbf]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2})\Z", text[max(0, start - 6) : start]
        )
    )


def _choose_longest_matches(
    found: Sequence[tuple[int, int, KnownValue, str]],
) -> list[tuple[int, int, KnownValue, str]]:
    chosen: list[tuple[int, int, KnownValue, str]] = []
    for place in sorted(found, key=lambda p: (p[0] - p[1], p[0])):
        if all(place[1] <= other[0] or other[1] <= place[0] for other in chosen):
            chosen.append(place)
    return sorted(chosen, key=lambda p: p[0])
