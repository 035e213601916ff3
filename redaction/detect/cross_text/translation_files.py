"""Find translation files in response bodies, and recognize their strings on pages.

A program fetches its words in the reader's language and shows them. A text that equals such a string, or a word that
several of these strings have, belongs to the program and is not personal, even if a model takes it for a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from pagereel.reel import Json

from ...contracts.findings import Finding
from ...words.word_lists import given_names
from ...words.writing_systems import DENSE_LETTER
from .program_strings import are_program_strings, is_not_a_name

_LEAST: Final = 30
"""Least number of strings in a translation file."""
_OTHERS: Final = 0.1
"""Most numbers and other values for each string."""
_DEEPEST: Final = 5
"""Most levels of a body above a translation file."""
_MOST: Final = 2_000_000
"""Most characters of translation files that are remembered for one recording. Later strings are read like any text."""
_OFTEN: Final = 3
"""Least number of strings with a word that belongs to the program."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_BY_NUMBER: Final = re.compile(r"[\d\W]*|[0-9a-fA-F-]{8,}|.*@.*", re.DOTALL)
"""Keys that are numbers, ids or addresses: such a map holds records, such as messages or people."""
_TAG: Final = re.compile(r"<[^<>]{0,200}>")
_ENDS: Final = " \t\n:…."


def iter_translation_files(value: Json, depth: int = 0) -> Iterator[list[str]]:
    """Yield the strings of each translation file in a JSON value.

    A translation file is a map, or nested maps, of strings, many of which have a programmer's mark (``%d``,
    ``{{count}}``).
    """
    if depth > _DEEPEST or not isinstance(value, dict) or not value:
        return
    said: dict[str, None] = {}
    strings = others = 0
    for leaf in _iter_leaf_values(value):
        strings, others = strings + isinstance(leaf, str), others + (not isinstance(leaf, str))
        if isinstance(leaf, str) and _WORD.search(leaf):
            said.setdefault(leaf)
    if strings >= _LEAST and others <= _OTHERS * strings and len(said) >= _LEAST and are_program_strings(list(said)):
        yield list(said)
    elif strings >= _LEAST:
        for inner in value.values():
            yield from iter_translation_files(inner, depth + 1)


def _iter_leaf_values(value: Json) -> Iterator[Json]:
    """Yield the values in a map, and its keys that are sentences, as in gettext files. Lists of maps, and maps with
    numbers as keys, are skipped.
    """
    stack: list[Json] = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            if sum(_BY_NUMBER.fullmatch(key) is not None for key in each) * 2 > len(each) + 1:
                yield from (0 for _ in each)
                continue
            yield from (key for key in each if " " in key)
            stack.extend(each.values())
        elif isinstance(each, list) and not any(isinstance(one, dict | list) for one in each):
            stack.extend(each)
        elif isinstance(each, list):
            yield from (0 for _ in each)
        elif each is not None:
            yield each


class TranslationStrings:
    """The strings of all translation files in a recording."""

    def __init__(self) -> None:
        self._strings: dict[str, None] = {}
        self.words: set[str] = set()
        """Words of the strings, in lower case."""
        self._size = 0
        self._joined: str | None = None
        self._often = lru_cache(maxsize=50_000)(self._occurs_in_several_strings)

    def add_strings(self, strings: Sequence[str]) -> None:
        """Add the strings of a translation file."""
        for text in strings:
            if self._size > _MOST:
                return
            for plain in {
                _strip_tags_and_punctuation(text),
                *map(_strip_tags_and_punctuation, text.splitlines()),
                *map(_strip_tags_and_punctuation, _TAG.split(text)),
            }:
                if plain not in self._strings:
                    self._strings[plain] = None
                    self._size += len(plain)
                    self.words.update(word.lower() for word in _WORD.findall(plain))

    def __bool__(self) -> bool:
        return bool(self._strings)

    def contains_string(self, text: str) -> bool:
        """Return whether a text is one of the strings and has no word that is a name."""
        return _strip_tags_and_punctuation(text) in self._strings and not any(
            word[0].isupper() and word.lower() in given_names() for word in _WORD.findall(text)
        )

    def explains_finding(self, text: str, finding: Finding) -> bool:
        """Return whether a finding is a word of the program and no name: its text is one of the strings, or several
        strings have the word.
        """
        if not self._strings or not is_not_a_name(text, finding):
            return False
        return _strip_tags_and_punctuation(text) in self._strings or self._often(
            _strip_tags_and_punctuation(text[finding.start : finding.end])
        )

    def _occurs_in_several_strings(self, piece: str) -> bool:
        if self._joined is None:
            self._joined = "\n".join(self._strings)
        edge = "" if DENSE_LETTER.search(piece) else r"\b"
        found = re.finditer(rf"{edge}{re.escape(piece)}{edge}", self._joined)
        lines = {self._joined.rfind("\n", 0, match.start()) for match, _ in zip(found, range(4 * _OFTEN), strict=False)}
        return len(piece) > 1 and len(lines) >= _OFTEN


def _strip_tags_and_punctuation(text: str) -> str:
    return " ".join(_TAG.sub("", text).split()).strip(_ENDS)
