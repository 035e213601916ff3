"""Finds the first line in which a page and its model differ."""

from __future__ import annotations

from itertools import zip_longest


def first_difference(page: list[str], model: list[str]) -> str | None:
    """Return the first line that differs, as one sentence; None when all are equal."""
    for number, (theirs, ours) in enumerate(zip_longest(page, model)):
        if theirs != ours:
            return f"line {number}: page {_short(theirs)}, model {_short(ours)}"
    return None


def _short(line: str | None) -> str:
    if line is None:
        return "ends"
    return repr(line if len(line) <= 120 else line[:120] + "…")
