"""Aligns two sequences.

1. Equal items at the beginning and end are paired.
2. Keys that occur once in each sequence are anchors, as far as they are in the same order (patience diff, longest
increasing subsequence).
3. Items between two anchors are aligned with affine gaps (Gotoh 1982): one long gap costs less than many short
ones. A stretch too long for that is first divided at its longest common subsequence (Myers 1986).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeVar

_Position = TypeVar("_Position", int, float)
Pairing = tuple[int | None, int | None]
"""Index in the first sequence and in the second; None where there is none."""
Score = Callable[[int, int], float]
"""The similarity of two items: 1 for equal ones, below 0 for items that should rather not be paired."""

OPEN: Final = -0.9
"""`OPEN` is the cost of a gap, `EXTEND` that of each further item in it."""
EXTEND: Final = -0.15
_CELLS: Final = 400_000
"""Largest product of lengths of a stretch that is aligned exactly: half a second."""
_EDITS: Final = 800
"""Largest number of differing items in two longer stretches for a longest common subsequence."""
_NEVER: Final = float("-inf")


def align_sequences(first: Sequence[Hashable], second: Sequence[Hashable], score: Score | None = None) -> list[Pairing]:
    """Return the pairs of two sequences of keys in order, with each index once.

    `score`: the similarity of two items whose keys differ; without it only equal keys are paired. Equal keys always
    score 1.
    """
    fits = _build_cached_score(first, second, score)
    out: list[Pairing] = []
    _align_range(first, second, 0, len(first), 0, len(second), fits, out)
    return out


def find_moved_items(
    pairs: Sequence[Pairing], first: Sequence[Hashable], second: Sequence[Hashable]
) -> list[tuple[int, int]]:
    """Return the pairs of items that stand at different places in both sequences: unpaired items with equal keys, in
    order.
    """
    waiting: dict[Hashable, list[int]] = {}
    for a, b in pairs:
        if b is None and a is not None:
            waiting.setdefault(first[a], []).append(a)
    found = []
    for a, b in pairs:
        if a is None and b is not None and waiting.get(second[b]):
            found.append((waiting[second[b]].pop(0), b))
    return found


def _build_cached_score(first: Sequence[Hashable], second: Sequence[Hashable], score: Score | None) -> Score:
    known: dict[tuple[Hashable, Hashable], float] = {}

    def score_pair(a: int, b: int) -> float:
        one, other = first[a], second[b]
        if one == other:
            return 1.0
        if score is None:
            return _NEVER
        found = known.get((one, other))
        if found is None:
            found = known[one, other] = min(score(a, b), 0.95)
        return found

    return score_pair


def _align_range(
    first: Sequence[Hashable], second: Sequence[Hashable], a0: int, a1: int, b0: int, b1: int, score: Score,
    pairs: list[Pairing],
) -> None:  # fmt: skip
    while a0 < a1 and b0 < b1 and first[a0] == second[b0]:
        pairs.append((a0, b0))
        a0, b0 = a0 + 1, b0 + 1
    tail: list[Pairing] = []
    while a0 < a1 and b0 < b1 and first[a1 - 1] == second[b1 - 1]:
        a1, b1 = a1 - 1, b1 - 1
        tail.append((a1, b1))
    if a0 == a1 or b0 == b1:
        pairs += [(a, None) for a in range(a0, a1)]
        pairs += [(None, b) for b in range(b0, b1)]
    elif anchors := _find_anchors(first, second, a0, a1, b0, b1):
        for a, b in anchors:
            if a0 < a or b0 < b:
                _align_range(first, second, a0, a, b0, b, score, pairs)
            pairs.append((a, b))
            a0, b0 = a + 1, b + 1
        _align_range(first, second, a0, a1, b0, b1, score, pairs)
    elif (a1 - a0) * (b1 - b0) <= _CELLS:
        pairs += _align_with_best_score(a0, a1, b0, b1, score)
    else:
        _align_long_range(first, second, a0, a1, b0, b1, score, pairs)
    pairs += reversed(tail)


def _find_anchors(
    first: Sequence[Hashable], second: Sequence[Hashable], a0: int, a1: int, b0: int, b1: int
) -> list[tuple[int, int]]:
    """Return the largest set of pairs of keys that occur once in each stretch and are in the same order in both."""
    beside = _find_anchors_in_place(first, second, a0, a1, b0, b1)
    if beside is not None:
        return beside
    often_a, often_b = Counter(first[a0:a1]), Counter(second[b0:b1])
    places = {second[b]: b for b in range(b0, b1) if often_b[second[b]] == 1}
    once = [(a, places[first[a]]) for a in range(a0, a1) if often_a[first[a]] == 1 and first[a] in places]
    return find_longest_ordered_subset(once)


def find_longest_ordered_subset(pairs: Sequence[tuple[_Position, _Position]]) -> list[tuple[_Position, _Position]]:
    """Return the largest subset of pairs in which the second items never decrease. `pairs`: sorted by their first items.
    Found by patience sorting.
    """
    ends: list[_Position] = []
    """For each length, the smallest second item that ends such a subset; `places` has the index of its pair."""
    places: list[int] = []
    before: list[int] = []
    for place, (_, second) in enumerate(pairs):
        pile = bisect_right(ends, second)
        before.append(places[pile - 1] if pile else -1)
        ends[pile : pile + 1], places[pile : pile + 1] = [second], [place]
    kept: list[tuple[_Position, _Position]] = []
    place = places[-1] if places else -1
    while place >= 0:
        kept.append(pairs[place])
        place = before[place]
    return kept[::-1]


def _find_anchors_in_place(
    first: Sequence[Hashable], second: Sequence[Hashable], a0: int, a1: int, b0: int, b1: int
) -> list[tuple[int, int]] | None:
    """Return the anchors of two stretches of equal length in which no key has moved: the unique keys at equal places.

    None where the lengths differ or a key has moved. This is the fast way for a large page with a few changed texts.
    """
    if a1 - a0 != b1 - b0:
        return None
    ours, theirs = first[a0:a1], second[b0:b1]
    apart = [n for n, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other]
    often = Counter(ours)
    if any(theirs[n] in often for n in apart) or not {ours[n] for n in apart}.isdisjoint(theirs):
        return None
    differs = set(apart)
    return [(a0 + n, b0 + n) for n, one in enumerate(ours) if often[one] == 1 and n not in differs]


def _align_long_range(
    first: Sequence[Hashable], second: Sequence[Hashable], a0: int, a1: int, b0: int, b1: int, score: Score,
    pairs: list[Pairing],
) -> None:  # fmt: skip
    """Align two long stretches without anchors piece by piece: they are divided at a common subsequence if they are
    similar, else into pieces of proportional length.
    """
    common = _find_common_subsequence(first, second, a0, a1, b0, b1)
    if not common:
        parts = -(-(a1 - a0) * (b1 - b0) // _CELLS) + 1
        common = [(a0 + (a1 - a0) * n // parts, b0 + (b1 - b0) * n // parts) for n in range(1, parts)]
        for a, b in [*common, (a1, b1)]:
            pairs += _align_with_best_score(a0, a, b0, b, score)
            a0, b0 = a, b
        return
    for a, b in [*common, (a1, b1)]:
        if (a - a0) * (b - b0) <= _CELLS:
            pairs += _align_with_best_score(a0, a, b0, b, score)
        else:
            pairs += [(x, None) for x in range(a0, a)] + [(None, y) for y in range(b0, b)]
        if a < a1:
            pairs.append((a, b))
        a0, b0 = a + 1, b + 1


def _find_common_subsequence(
    first: Sequence[Hashable], second: Sequence[Hashable], a0: int, a1: int, b0: int, b1: int
) -> list[tuple[int, int]]:
    """Return a longest common subsequence (Myers 1986); empty if the two differ in more than :data:`_EDITS` items."""
    n, m = a1 - a0, b1 - b0
    furthest = {1: 0}
    history: list[dict[int, int]] = []
    for edits in range(min(n + m, _EDITS) + 1):
        history.append(dict(furthest))
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and furthest.get(k - 1, -1) < furthest.get(k + 1, -1))
            x = furthest.get(k + 1, 0) if down else furthest[k - 1] + 1
            y = x - k
            while x < n and y < m and first[a0 + x] == second[b0 + y]:
                x, y = x + 1, y + 1
            furthest[k] = x
            if x >= n and y >= m:
                return _trace_back_edits(history, n, m, a0, b0)
    return []


def _trace_back_edits(history: list[dict[int, int]], x: int, y: int, a0: int, b0: int) -> list[tuple[int, int]]:
    """Return the matched indexes of Myers' algorithm by walking back from (`x`, `y`) to the start. `history`: for each
    number of edits, the furthest points before it.
    """
    found: list[tuple[int, int]] = []
    for edits in range(len(history) - 1, -1, -1):
        furthest, k = history[edits], x - y
        down = k == -edits or (k != edits and furthest.get(k - 1, -1) < furthest.get(k + 1, -1))
        before = k + 1 if down else k - 1
        began = furthest.get(before, 0)
        while x > began and y > began - before:
            x, y = x - 1, y - 1
            found.append((a0 + x, b0 + y))
        x, y = began, began - before
    return found[::-1]


def _align_with_best_score(a0: int, a1: int, b0: int, b1: int, score: Score) -> list[Pairing]:
    """Align two stretches with the best total score, by Gotoh's algorithm for affine gaps. With equal scores, removed
    items come before added ones.
    """
    n, m = a1 - a0, b1 - b0
    if not n or not m:
        return [(a, None) for a in range(a0, a1)] + [(None, b) for b in range(b0, b1)]
    paired, skipped, added = [0.0] + [_NEVER] * m, [_NEVER] * (m + 1), [_NEVER] * (m + 1)
    for j in range(1, m + 1):
        added[j] = OPEN + EXTEND * (j - 1)
    trace = [bytearray(m + 1) for _ in range(n + 1)]
    """Two bits for each state: the previous state."""
    for j in range(1, m + 1):
        trace[0][j] = (0 if j == 1 else 2) << 4
    for i in range(1, n + 1):
        row = trace[i]
        new_paired, new_skipped, new_added = [_NEVER] * (m + 1), [_NEVER] * (m + 1), [_NEVER] * (m + 1)
        new_skipped[0] = OPEN + EXTEND * (i - 1)
        row[0] = (0 if i == 1 else 1) << 2
        for j in range(1, m + 1):
            best, state = paired[j - 1], 0
            if added[j - 1] > best:
                best, state = added[j - 1], 2
            if skipped[j - 1] > best:
                best, state = skipped[j - 1], 1
            new_paired[j] = best + score(a0 + i - 1, b0 + j - 1)
            cell = state
            best, state = paired[j] + OPEN, 0
            if skipped[j] + EXTEND > best:
                best, state = skipped[j] + EXTEND, 1
            if added[j] + OPEN > best:
                best, state = added[j] + OPEN, 2
            new_skipped[j] = best
            cell |= state << 2
            best, state = new_paired[j - 1] + OPEN, 0
            if new_skipped[j - 1] + OPEN > best:
                best, state = new_skipped[j - 1] + OPEN, 1
            if new_added[j - 1] + EXTEND > best:
                best, state = new_added[j - 1] + EXTEND, 2
            new_added[j] = best
            row[j] = cell | state << 4
        paired, skipped, added = new_paired, new_skipped, new_added
    finals = {0: paired[m], 2: added[m], 1: skipped[m]}
    state, i, j = max(finals, key=lambda state: finals[state]), n, m
    out: list[Pairing] = []
    while i or j:
        cell = trace[i][j]
        if state == 0:
            i, j = i - 1, j - 1
            out.append((a0 + i, b0 + j))
            state = cell & 3
        elif state == 1:
            i -= 1
            out.append((a0 + i, None))
            state = cell >> 2 & 3
        else:
            j -= 1
            out.append((None, b0 + j))
            state = cell >> 4 & 3
    return out[::-1]
