"""What programs let one choose from, in the languages of `foreign_words.txt` and in English: names of languages, countries and months."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources


def languages() -> frozenset[str]:
    """Return names of languages, in lower case."""
    return _listed()["languages"]


def countries() -> frozenset[str]:
    """Return names of countries and their parts with a code of their own, in lower case."""
    return _listed()["countries"]


def months() -> frozenset[str]:
    """Return names of months, in lower case."""
    return _listed()["months"]


@lru_cache(maxsize=1)
def _listed() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {"languages": set(), "countries": set(), "months": set()}
    text = resources.files("pagereel.redaction.words").joinpath("choices.txt").read_text("utf-8")
    for line in text.splitlines():
        kind, colon, names = line.partition(": ")
        if colon and not line.startswith("#"):
            found[kind].update(name.strip() for name in names.split(";"))
    return {kind: frozenset(names) for kind, names in found.items()}
