"""What programs let one choose from, in the languages of `foreign_words.txt` and in English: names of languages, countries, months, currencies, units and scripts."""

from __future__ import annotations

from functools import lru_cache

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


def currencies() -> frozenset[str]:
    """Return names of currencies that are money today, one and many of them, in lower case: ``dirham marroquí``."""
    return lists_of("choices.txt", ";")["currencies"]


def units() -> frozenset[str]:
    """Return names of units of measure, one and many of them, in lower case: ``miglia nautiche``."""
    return lists_of("choices.txt", ";")["units"]


def scripts() -> frozenset[str]:
    """Return names of scripts, in lower case: ``cyrillique``."""
    return lists_of("choices.txt", ";")["scripts"]


def coins() -> frozenset[str]:
    """Return the words that name the money of several countries and nobody: ``dinar``, ``peso``, ``dollar``."""
    return lists_of("choices.txt", ";")["coins"]


@lru_cache(maxsize=1)
def of_currencies() -> frozenset[str]:
    """Return all words of names of currencies."""
    return frozenset(word for name in currencies() for word in name.split())
