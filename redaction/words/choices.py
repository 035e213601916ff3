"""What programs let one choose from, in the languages of `foreign_words.txt` and in English: names of languages, countries and months."""

from __future__ import annotations

from .words import lists_of


def languages() -> frozenset[str]:
    """Return names of languages, in lower case."""
    return lists_of("choices.txt", ";")["languages"]


def countries() -> frozenset[str]:
    """Return names of countries and their parts with a code of their own, in lower case."""
    return lists_of("choices.txt", ";")["countries"]


def months() -> frozenset[str]:
    """Return names of months, in lower case."""
    return lists_of("choices.txt", ";")["months"]
