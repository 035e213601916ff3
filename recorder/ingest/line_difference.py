"""Finds the first canonical line in which a page and its page model differ."""

from __future__ import annotations

from itertools import zip_longest


def describe_first_difference(page_lines: list[str], model_lines: list[str]) -> str | None:
    """Return the first line that differs, as a sentence; None if all lines are equal."""
    for number, (theirs, ours) in enumerate(zip_longest(page_lines, model_lines)):
        if theirs != ours:
            return f"line {number}: page {_quote_line(theirs)}, model {_quote_line(ours)}"
    return None


def _quote_line(line: str | None) -> str:
    if line is None:
        return "ends"
    return repr(line if len(line) <= 120 else line[:120] + "…")
