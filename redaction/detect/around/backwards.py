"""People and numbers that are written from right to left, so that a page can turn them round: ``kivnetsO airaM``, ``8590 6497 02 44+``.

An element, a style sheet or a character that overrides the direction of letters shows them as they are meant; nothing else in a recording does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ...contracts.types import Finding
from ...words.english import english
from ...words.programs import known_to_programs
from ...words.words import common_words, given_names
from .listed_names import is_listed

_LONGEST: Final = 20_000
_WORD: Final = r"[^\W\d_A-Z]{2,}(?:['’-][^\W\d_A-Z]{1,})*[A-Z](?![^\W_])"
_WORDS: Final = re.compile(rf"(?<![\w./@-]){_WORD}(?:[ \u00a0.,-]{{1,2}}{_WORD}){{0,3}}(?![\w/@])")
"""Words in small letters that end in a capital."""
_TELEPHONE: Final = re.compile(r"(?<![\w+.])\d{1,9}(?:[ )(./-]{1,2}\d{1,9}){1,6}\+(?![\w+])")
_SHORT: Final = 6
_LEAST_DIGITS, _MOST_DIGITS = 8, 15


def find_backwards(text: str) -> Iterable[Finding]:
    """Yield such people and telephone numbers."""
    if len(text) > _LONGEST:
        return
    for match in _WORDS.finditer(text):
        words = re.findall(r"[^\W\d_]+", match[0])
        read = [word[::-1] for word in words]
        if any(is_listed(word) or word.lower() in given_names() for word in read) or all(map(_strange, words)):
            yield Finding(*match.span(), "PERSON", 0.6)
    if "+" in text:
        for match in _TELEPHONE.finditer(text):
            if _LEAST_DIGITS <= sum(map(str.isdigit, match[0])) <= _MOST_DIGITS:
                yield Finding(*match.span(), "PHONE_NUMBER", 0.6)


def _strange(word: str) -> bool:
    """Return whether a word with a capital at its end is none that somebody gave a letter (*modelY*, *caseB*), and long enough for a name."""
    stem, small = word[:-1].lower(), word.lower()
    return len(word) > _SHORT and not any(
        w in common_words() or english(w) or known_to_programs(w) for w in (stem, small)
    )
