"""Classify a single word: as common, as a technical term."""

from __future__ import annotations

import re

from ...words.word_lists import common_words, function_words

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
FUNCTION_WORDS = function_words("sentence")
"""Words of which running text has at least one."""
_HYPHENED = re.compile(r"[^\W\d_]+['’-][^\W\d_]+\Z")


def is_common_word(word: str) -> bool:
    """Return whether a word is common, and no name by itself."""
    small = word.lower()
    return len(small) < 2 or small in common_words() or small in FUNCTION_WORDS


def is_technical_term(word: str) -> bool:
    """Return whether a word is spelled like a term of technology or trade: ``GraphQL``, ``OpenReplay``, ``SMTP``."""
    if word.isupper():
        return len(word) <= 6
    inner = word[1:]
    return (
        any(c.isupper() for c in inner)
        and not re.match(r"(?:Mc|Mac|O'|D'|De|La|Le|Van|Fitz)[A-Z]", word)
        and not _HYPHENED.match(word)
    )
