"""Which line of a page became which, between two runs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from pagereel.reading import text_key

from ..matching.alignment import align
from ..runs.items import ShownPage

_ENOUGH: Final = 0.3
"""Share of words that a line has in common with what it was before."""
_SAME: Final = (None, None)
_SHAPE: Final = re.compile(r"\{\w+\}")


class PageLine(NamedTuple):
    """What a page says, and which of its lines says it, where that is known: several may say the same."""

    key: str
    at: tuple[ShownPage, int] | None = None


def line_of(shown: ShownPage, number: int | None) -> PageLine | None:
    """Return a line of a page by its number."""
    return PageLine(shown.keys[number], (shown, number)) if number is not None else None


def line_couples(
    lines_a: Sequence[str], lines_b: Sequence[str], gone: Counter[str], new: Counter[str]
) -> list[tuple[int | None, int | None]]:
    """Return which line that is gone became which new one: those that have words in common, in the same stretch of the page."""
    # What both begin and end with is the same, and is most of a large page.
    most = min(len(lines_a), len(lines_b))
    begin = next((n for n in range(most) if lines_a[n] != lines_b[n]), most)
    most -= begin
    end = next((n for n in range(most) if lines_a[-1 - n] != lines_b[-1 - n]), most)
    ours, theirs = lines_a[begin : len(lines_a) - end], lines_b[begin : len(lines_b) - end]
    words = {line: set(line.casefold().split()) for line in (*gone, *new)}

    def fits(x: int, y: int) -> float:
        if ours[x] not in gone or theirs[y] not in new:
            return -9.0
        one, other = words[ours[x]], words[theirs[y]]
        return -1.2 + 2.0 * len(one & other) / max(len(one | other), 1)

    out: list[tuple[int | None, int | None]] = []
    for x, y in align(ours, theirs, fits):
        if x is not None and y is not None and ours[x] == theirs[y]:
            out.append(_SAME)
        else:
            lost = begin + x if x is not None and ours[x] in gone else None
            came = begin + y if y is not None and theirs[y] in new else None
            out.append((lost, came))
    return _neighbours(out)


def _neighbours(pairs: list[tuple[int | None, int | None]]) -> list[tuple[int | None, int | None]]:
    """Leave out what is the same, and join a line that is gone with the new one right after it, where each stands alone: one became the other."""
    out: list[tuple[int | None, int | None]] = []
    joined = -1
    for number in [number for number, pair in enumerate(pairs) if pair != _SAME]:
        if number == joined:
            continue
        here, after = pairs[number], pairs[number + 1] if number + 1 < len(pairs) else _SAME
        alone = here[0] is not None and here[1] is None and after[0] is None and after[1] is not None
        around = (pairs[number - 1] if number else _SAME, pairs[number + 2] if number + 2 < len(pairs) else _SAME)
        lonely = around == (_SAME, _SAME)
        if alone and lonely:
            out.append((here[0], after[1]))
            joined = number + 1
        else:
            out.append(here)
    return out


def near_to(line: PageLine, others: set[str]) -> PageLine | None:
    """Return the one of other lines that has most words in common with this one, if it has enough."""
    words = set(line.key.casefold().split())
    best = max(sorted(others), key=lambda other: _common(words, other), default=None)
    return PageLine(best) if best is not None and _common(words, best) >= _ENOUGH else None


def _common(words: set[str], other: str) -> float:
    theirs = set(other.casefold().split())
    return len(words & theirs) / max(len(words | theirs), 1)


def named(line: str) -> str:
    """Return what names a line among those of its page, with or without the times and numbers that come and go in it."""
    return " ".join(_SHAPE.sub(" ", text_key(line)).split())
