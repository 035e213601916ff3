"""Mask words and names in source code that are in no word list, where a person may have typed them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from ..values.known_value_matcher import ValueMatch
from ..words.english import is_english_word
from ..words.program_names import is_impersonal_word, replace_unknown_words
from ..words.word_lists import NAMES_TOO, given_names
from ..words.writing_systems import DENSE_LETTER, WORD

_NUMBER = 3
"""Least digits of a number in source code that may be the beginning of a personal number."""


class UnknownWordMasker:
    """Masks the uncommon words of source code.

    :param stand_in: returns a word's replacement.
    :param allowed: words that a policy allows, case-folded.
    """

    def __init__(self, stand_in: Callable[[str], str], allowed: Set[str]) -> None:
        self._stand_in = stand_in
        self._allowed = allowed

    def iter_matches(self, code: str) -> Iterator[ValueMatch]:
        """Yield a match for each uncommon word and number in source code. The detector has no finding for a name that
        is only half typed.
        """
        for word in WORD.finditer(code):
            if word[0].isdecimal():
                shown = self._stand_in(word[0]) if len(word[0]) >= _NUMBER else word[0]
            elif word[0].isascii():
                shown = replace_unknown_words(word[0], self._stand_in, self._is_common_word)
            else:  # in some scripts a letter is a syllable, which is never half typed
                shown = word[0] if DENSE_LETTER.match(word[0]) else self._stand_in(word[0])
            if shown != word[0]:
                yield ValueMatch(*word.span(), shown, "VALUE")

    def mask_program_name(self, name: str, replace: Callable[[str], str]) -> str:
        """Return the name of a program, or of a part of one, with each word replaced that may be a person's."""
        return replace_unknown_words(name, replace, self._is_impersonal_word)

    def _is_common_word(self, word: str) -> bool:
        """Return whether a word is one that programs use, or an English word in small letters. Names are typed with a
        capital.
        """
        small = word.islower() and is_english_word(word) and word not in given_names() and word not in NAMES_TOO
        return small or self._is_impersonal_word(word)

    def _is_impersonal_word(self, word: str) -> bool:
        return word.casefold() in self._allowed or is_impersonal_word(word)
