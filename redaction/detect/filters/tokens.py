"""Classify a single word or token: common, of programs, a count."""

from __future__ import annotations

import re

from ...words.words import common_words, function_words

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
FUNCTION_WORDS = function_words("sentence")
"""With one of them, a text is running text."""
_HYPHENED = re.compile(r"[^\W\d_]+['’-][^\W\d_]+\Z")
NUMBERED = frozenset({"GOVERNMENT_ID", "BANK_ACCOUNT", "PHONE_NUMBER", "ZIP_CODE", "CREDIT_CARD"})
"""Entities that hold digits: what has none is something else."""
_GROUPED = re.compile(
    r"(?i:iso|ibm|utf|cp|gb|koi|iec|rfc|windows)[-_]?\d{1,5}(?:[-_]\w{1,4})*|\d{1,3}(?:[.,\u00a0 ]\d{3})+|0[xX][\da-fA-F]+|[<>=]=?\d+"
)


def is_count(token: str) -> bool:
    """Return whether a word with a number is not personal: a word with a digit or two, thousands in groups, a bound."""
    bare = token.strip("()[]{},.:;!?\"'`«»")
    digits = sum(c.isdigit() for c in bare)
    return (
        digits == 0
        or (digits < 4 and sum(c.isalpha() for c in bare) > 2 * digits)
        or _GROUPED.fullmatch(bare) is not None
    )


def word_at(text: str, start: int, end: int) -> str:
    """Return the whole word that a token is a part of."""
    while start > 0 and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha():
        end += 1
    return text[start:end]


def is_common_word(word: str) -> bool:
    """Return whether a word is common, and no name by itself."""
    small = word.lower()
    return len(small) < 2 or small in common_words() or small in FUNCTION_WORDS


def attribute_name(value: str) -> bool:
    """Return whether a value is the name of an attribute: ``aria-labelledby``, ``data-testid``."""
    first, hyphen, rest = value.strip("\"'`()[]<>,.;:").partition("-")
    return bool(hyphen) and rest[:1].islower() and first.islower() and (first == "aria" or first in common_words())


def token_at(text: str, start: int, end: int) -> str:
    """Return the text around a span up to the next blanks."""
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[start:end]


def is_technical_term(word: str) -> bool:
    """Return whether a word is spelled like one of technology or trade: ``GraphQL``, ``OpenReplay``, ``SMTP``."""
    if word.isupper():
        return len(word) <= 6
    inner = word[1:]
    return (
        any(c.isupper() for c in inner)
        and not re.match(r"(?:Mc|Mac|O'|D'|De|La|Le|Van|Fitz)[A-Z]", word)
        and not _HYPHENED.match(word)
    )
