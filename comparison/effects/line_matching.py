"""Matches the lines of a page that changed between two runs: a removed line with the line in its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from pagereel.reading import to_text_key

from ..matching.alignment import align_sequences
from ..runs.run_items import PageTextState

_ENOUGH: Final = 0.3
"""Smallest share of common words in two versions of a line."""
_SAME: Final = (None, None)
_SHAPE: Final = re.compile(r"\{\w+\}")


class PageLine(NamedTuple):
    """The normalized text of a line, and its place on the page if known, because several lines may have the same text."""

    key: str
    at: tuple[PageTextState, int] | None = None


def get_page_line(state: PageTextState, index: int | None) -> PageLine | None:
    """Return the line of a page with this index; None for None."""
    return PageLine(state.keys[index], (state, index)) if index is not None else None


def match_changed_lines(
    lines_a: Sequence[str], lines_b: Sequence[str], removed: Counter[str], added: Counter[str]
) -> list[tuple[int | None, int | None]]:
    """Return pairs of a removed and an added line, matched if they have words in common and are in the same part of
    the page.
    """
    # A large page is mostly equal at its beginning and end.
    most = min(len(lines_a), len(lines_b))
    begin = next((n for n in range(most) if lines_a[n] != lines_b[n]), most)
    most -= begin
    end = next((n for n in range(most) if lines_a[-1 - n] != lines_b[-1 - n]), most)
    ours, theirs = lines_a[begin : len(lines_a) - end], lines_b[begin : len(lines_b) - end]
    words = {line: set(line.casefold().split()) for line in (*removed, *added)}

    def score_line_pair(x: int, y: int) -> float:
        if ours[x] not in removed or theirs[y] not in added:
            return -9.0
        one, other = words[ours[x]], words[theirs[y]]
        return -1.2 + 2.0 * len(one & other) / max(len(one | other), 1)

    out: list[tuple[int | None, int | None]] = []
    for x, y in align_sequences(ours, theirs, score_line_pair):
        if x is not None and y is not None and ours[x] == theirs[y]:
            out.append(_SAME)
        else:
            lost = begin + x if x is not None and ours[x] in removed else None
            came = begin + y if y is not None and theirs[y] in added else None
            out.append((lost, came))
    return _match_adjacent_changes(out)


def _match_adjacent_changes(pairs: list[tuple[int | None, int | None]]) -> list[tuple[int | None, int | None]]:
    """Drop pairs of equal lines, and join a removed line with an added one.

    They are joined if the added line comes right after the removed one, and the lines before and after both are equal.
    """
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


def find_similar_line(line: PageLine, others: set[str]) -> PageLine | None:
    """Return the text in `others` that has most words in common with a line; None if their share is too small."""
    words = set(line.key.casefold().split())
    best = max(sorted(others), key=lambda other: _score_common_words(words, other), default=None)
    return PageLine(best) if best is not None and _score_common_words(words, best) >= _ENOUGH else None


def _score_common_words(words: set[str], other: str) -> float:
    theirs = set(other.casefold().split())
    return len(words & theirs) / max(len(words | theirs), 1)


def build_line_name(line: str) -> str:
    """Return a line without its times and numbers: the name by which it is found again in other runs."""
    return " ".join(_SHAPE.sub(" ", to_text_key(line)).split())
