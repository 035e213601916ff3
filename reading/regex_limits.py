"""Limits the size of regular expressions from untrusted sources, before they are compiled."""

from __future__ import annotations

import re
from typing import Final

from pagereel.errors import UsageError

LONGEST: Final = 1000
MOST: Final = 50_000
"""Largest number of parts of a pattern with its repeats written out: ``(?:a{1000}){1000}`` has a million, and each is
compiled.
"""
_PIECE: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<open>\()|(?P<close>\))|\{(?P<least>\d*+),?(?P<most>\d*+)\}|(?P<other>.)",
    re.DOTALL,
)


def require_small_regex(pattern: str) -> str:
    """Return a regular expression unchanged. Raises UsageError if it is too long or its counted repeats expand to too
    many parts.
    """
    if len(pattern) > LONGEST:
        raise UsageError(f"A regular expression of {len(pattern):,} characters is too long; give at most {LONGEST:,}.")
    if count_expanded_parts(pattern) > MOST:
        raise UsageError(
            f"The regular expression repeats its parts more than {MOST:,} times; give smaller numbers in braces, or * and +."
        )
    return pattern


def count_expanded_parts(pattern: str) -> int:
    """Return about how many parts a regular expression has once its counted repeats (``a{5}``) are expanded."""
    totals, last = [0], [0]
    for piece in _PIECE.finditer(pattern):
        if piece["open"]:
            totals.append(0)
            last.append(0)
        elif piece["close"] and len(totals) > 1:
            size = totals.pop() + 1
            last.pop()
            totals[-1] += size
            last[-1] = size
        elif piece["least"] or piece["most"]:
            times = max(int((piece["most"] or piece["least"])[:9]), 1)
            totals[-1] += last[-1] * (times - 1)
            last[-1] *= times
        else:
            totals[-1] += 1
            last[-1] = 1
    return sum(totals)
