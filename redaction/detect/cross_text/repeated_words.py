"""Find common words of the pages' own language: words that a program uses again and again in small letters.

A model took *Prueba Marcos* for a person, but *prueba* stands on every second button. A person's name is capitalized
wherever it stands, or is in a list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ...words.word_lists import given_names
from ..cues.listed_names import is_listed_name
from ..filters.foreign_words import FAMILIES, is_foreign_interface_word

_WORD = re.compile(r"[^\W\d_]+")
_LEAST = 3
"""Least number of different texts that have a word in small letters if it is a common word."""
_LONGEST = 2_000


def find_everyday_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that three texts or more have in small letters, that interfaces of other languages use, and
    that are no names.
    """
    seen: Counter[str] = Counter()
    for text in texts:
        if len(text) <= _LONGEST and not text.islower():
            seen.update({word for word in _WORD.findall(text) if word.islower()})
    return frozenset(
        word
        for word, times in seen.items()
        if times >= _LEAST
        and is_foreign_interface_word(word)
        and word not in given_names()
        and word not in FAMILIES
        and not is_listed_name(word)
    )
