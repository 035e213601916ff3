"""Read the commonest names in scripts other than Latin, and define the characters of their words."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
"""Combining marks, for a character class."""
WORD = rf"[^\W\d_](?:[^\W\d_]|[{MARKS}]|['’׳״](?=[^\W\d_])|-(?=[^\W\d_]))*"
"""A word of a script with spaces, with the marks that Python's ``\\w`` leaves out."""

OTHER_LETTERS = re.compile(r"[\u0370-\u1dff\u2e80-\ud7ff\uf900-\ufdff\ufe70-\ufeff]+")
"""A run of letters of other scripts than Latin."""


@lru_cache(maxsize=1)
def read_name_lists() -> dict[str, frozenset[str]]:
    """Return section → words of `names_by_script.txt`."""
    sections: dict[str, set[str]] = {}
    words: set[str] = set()
    for line in (
        resources.files("pagereel.redaction.words").joinpath("names_by_script.txt").read_text("utf-8").splitlines()
    ):
        if line.startswith("["):
            words = sections.setdefault(line.strip("[]"), set())
        elif not line.startswith("#"):
            words.update(line.split())
    return {name: frozenset(found) for name, found in sections.items()}
