"""Matches the steps and calls of two runs.

Steps are aligned first, then the actions in each pair of steps. A failed action and its successful repeat count as
one, and so do consecutive calls that only read or wait. An action that is in both runs at different places is
``moved``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pagereel.reading import to_value_key

from ..runs.run_items import ComparedRun, RunItem, RunRequest
from ..runs.run_reader import is_read_only_call
from .alignment import align_sequences, find_moved_items

PairKind = Literal["paired", "moved", "removed", "added"]
Couples = tuple[list[tuple[RunRequest, RunRequest]], list[RunRequest], list[RunRequest]]
"""The matched requests, and the unmatched ones of the first and second run."""


@dataclass(slots=True, eq=False)
class ItemPair:
    """A step or call of the first run and its match in the second; None where there is none."""

    a: RunItem | None
    b: RunItem | None
    kind: PairKind = "paired"
    depth: int = 0
    """Number of steps around it."""

    @property
    def present_item(self) -> RunItem:
        """Return the first run's item, or else the second's."""
        item = self.a or self.b
        assert item is not None
        return item


class ItemPairs(list[ItemPair]):
    """The pairs of two runs, in the order of the runs."""

    requests: Couples | None = None
    """The requests matched by them, once somebody asked: see :func:`.request_matching.match_requests`."""


_WORD: Final = re.compile(r"\w+|\{\w+\}")
_OTHER_KIND: Final = -3.0
_SAME_KIND_OF_TARGET: Final = 0.95
_OTHER: Final = {"step": -0.7, "tool": -0.2, "model": 0.9, "call": -0.9, "visit": -0.4, "press": -0.6}
"""The score of two items of one kind without a common word: below 0, but better than two gaps if exactly one is left
in each run.
"""


def pair_run_items(a: ComparedRun, b: ComparedRun) -> ItemPairs:
    """Pair the steps and calls of two runs. The pairs are in the order of the runs: a step, then the actions in it."""
    first, second = a.items, b.items
    if _has_steps(first) != _has_steps(second):
        first, second = list(a.done), list(b.done)
    pairs = ItemPairs(_pair_items_at_depth(first, second, 0))
    _pair_moved_actions(pairs)
    return pairs


def _has_steps(items: Sequence[RunItem]) -> bool:
    return any(item.kind == "step" for item in items)


def _pair_items_at_depth(first: Sequence[RunItem], second: Sequence[RunItem], depth: int) -> Iterator[ItemPair]:
    ours, theirs = _merge_repeated_items(first), _merge_repeated_items(second)
    words = {id(item): frozenset(_WORD.findall(item.key.casefold())) for item in (*ours, *theirs)}
    keys_a, keys_b = [_build_exact_key(item) for item in ours], [_build_exact_key(item) for item in theirs]

    def score_items(x: int, y: int) -> float:
        one, other = ours[x], theirs[y]
        if one.kind != other.kind:
            return _OTHER_KIND
        if one.key == other.key:
            return _SAME_KIND_OF_TARGET
        low = _OTHER[one.kind]
        if one.kind == "call" and one.key.split(" ", 1)[0] != other.key.split(" ", 1)[0]:
            low -= 0.5
        common, all_words = words[id(one)] & words[id(other)], words[id(one)] | words[id(other)]
        return low + (0.9 - low) * (len(common) / len(all_words) if all_words else 0)

    found = align_sequences(keys_a, keys_b, score_items)
    elsewhere = dict(find_moved_items(found, keys_a, keys_b))
    taken = set(elsewhere.values())
    for x, y in found:
        if x is not None and y is None and x in elsewhere:
            yield from _iter_paired_items(ours[x], theirs[elsewhere[x]], "moved", depth)
        elif x is None and y in taken:
            continue
        elif x is not None and y is not None:
            yield from _iter_paired_items(ours[x], theirs[y], "paired", depth)
        elif x is not None:
            yield from _iter_unpaired_items(ours[x], None, depth)
        elif y is not None:
            yield from _iter_unpaired_items(None, theirs[y], depth)


def _build_exact_key(item: RunItem) -> tuple[str, str]:
    """Return an item's key, and its target with the numbers that the key leaves out: ``Field 3`` is better paired with
    ``Field 3`` than with ``Field 4``.
    """
    params = item.event.get("params") if item.kind == "call" else None
    about = item.event.get("locator") or (params.get("selector") if isinstance(params, dict) else None)
    return item.key, to_value_key(str(about)) if item.kind == "call" and about else ""


def _iter_paired_items(a: RunItem, b: RunItem, kind: PairKind, depth: int) -> Iterator[ItemPair]:
    yield ItemPair(a, b, kind, depth)
    if a.items or b.items:
        for pair in _pair_items_at_depth(a.items, b.items, depth + 1):
            if kind == "moved" and pair.kind == "paired":
                pair.kind = "moved"
            yield pair


def _iter_unpaired_items(a: RunItem | None, b: RunItem | None, depth: int) -> Iterator[ItemPair]:
    yield ItemPair(a, b, "removed" if a is not None else "added", depth)
    for item in (a or b).items:  # type: ignore[union-attr]
        yield from _iter_unpaired_items(item if a is not None else None, item if a is None else None, depth + 1)


def _merge_repeated_items(items: Sequence[RunItem]) -> list[RunItem]:
    """Return the items, with failed attempts merged into the next attempt, and consecutive calls that only read into
    one.
    """
    out: list[RunItem] = []
    for item in items:
        if out and out[-1].key == item.key:
            before = out[-1]
            if before.error and item.kind in ("step", "call", "tool"):
                item.tries = [*before.tries, before]
                out[-1] = item
                continue
            if is_read_only_call(item):
                out[-1] = item
                continue
        out.append(item)
    return out


def _pair_moved_actions(pairs: list[ItemPair]) -> None:
    """Pair actions with the same key that are unpaired in both runs, in different steps."""
    removed: dict[str, list[ItemPair]] = {}
    for pair in pairs:
        if pair.kind == "removed" and pair.a is not None and pair.a.kind != "step" and not is_read_only_call(pair.a):
            removed.setdefault(pair.a.key, []).append(pair)
    gone = set()
    for pair in pairs:
        if pair.kind == "added" and pair.b is not None and removed.get(pair.b.key):
            other = removed[pair.b.key].pop(0)
            other.b, other.kind = pair.b, "moved"
            gone.add(id(pair))
    pairs[:] = [pair for pair in pairs if id(pair) not in gone]
