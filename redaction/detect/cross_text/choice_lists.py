"""Drop findings that are entries of a list to choose from: countries, languages, currencies, months.

One country alone may be where somebody lives. A dozen of them, each a text of its own, are choices that the program
offers to everybody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...contracts.entities import PLACED
from ...contracts.findings import Finding
from ...words.word_lists import given_names, read_lists_by_kind
from .program_strings import are_program_strings

_LEAST = {"countries": 12, "months": 6, "languages": 4, "currencies": 4, "units": 4, "scripts": 4}
"""Least number of different entries that make a list."""
_LEAST_OF_PROGRAM = {"countries": 2, "months": 1, "languages": 1, "currencies": 1, "units": 1, "scripts": 1}
"""The same for texts that are strings of a program."""
_BARE = re.compile(r"<[^<>]*>|[:_&…]|\(.{0,60}\)|\.\.\.")


def drop_list_entries(texts: Sequence[str], findings: Sequence[list[Finding]]) -> list[list[Finding]]:
    """Return the findings of each text without those that are entries of a list to choose from."""
    plain = [" ".join(_BARE.sub(" ", text).split()).lower() if len(text) < 60 else "" for text in texts]
    out = list(findings)
    least = _LEAST_OF_PROGRAM if are_program_strings(texts) else _LEAST
    for name in least:
        listed = (read_lists_by_kind("choices.txt", ";")[name] - given_names()) & set(plain)
        if len(listed) < least[name]:
            continue
        out = [
            [f for f in found if f.entity not in PLACED] if text in listed else found
            for text, found in zip(plain, out, strict=True)
        ]
    return out
