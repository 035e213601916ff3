"""Mask words and names in source code that are in no word list, where a person may have typed them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set

from ..values.matcher import Match
from ..words.alphabets import DENSE, WORD
from ..words.english import english
from ..words.programs import is_impersonal_word, known_called
from ..words.words import NAMES_TOO, given_names

_DENSE = re.compile(f"[{DENSE}]")
_NUMBER = 3
"""Least digits of a number in source code that may be the beginning of a personal number."""


class UnknownWords:
    """Masks the uncommon words of source code.

    :param stand_in: returns a word's replacement.
    :param allowed: words that a policy allows, case-folded.
    """

    def __init__(self, stand_in: Callable[[str], str], allowed: Set[str]) -> None:
        self._stand_in = stand_in
        self._allowed = allowed

    def matches(self, code: str) -> Iterator[Match]:
        """Yield a match for each uncommon word and number in source code. The detector has no finding for a name that
        is only half typed.
        """
        for word in WORD.finditer(code):
            if word[0].isdecimal():
                shown = self._stand_in(word[0]) if len(word[0]) >= _NUMBER else word[0]
            elif word[0].isascii():
                shown = known_called(word[0], self._stand_in, self._is_common)
            else:  # in some scripts a letter is a syllable, which is never half typed
                shown = word[0] if _DENSE.match(word[0]) else self._stand_in(word[0])
            if shown != word[0]:
                yield Match(*word.span(), shown, "VALUE")

    def in_program_name(self, name: str, replace: Callable[[str], str]) -> str:
        """Return the name of a program, or of a part of one, with each word replaced that may be a person's."""
        return known_called(name, replace, self._is_impersonal)

    def _is_common(self, word: str) -> bool:
        """Return whether a word is one that programs use, or an English word in small letters. Names are typed with a
        capital.
        """
        small = word.islower() and english(word) and word not in given_names() and word not in NAMES_TOO
        return small or self._is_impersonal(word)

    def _is_impersonal(self, word: str) -> bool:
        return word.casefold() in self._allowed or is_impersonal_word(word)
