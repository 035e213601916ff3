"""Converts the differences of two runs to records whose texts may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pagereel.reel import Json

from .divergence import build_chain, find_divergence, to_sentence
from .effects.difference import FoundDifference, Mask, Role, mask_marked_values, shorten_value
from .matching.item_pairing import ItemPair
from .race_conditions import find_race_conditions
from .records import Difference, Divergence, PairSummary, RunItemSummary, RunMoment
from .runs.run_items import ComparedRun, RunItem


def build_records(
    a: ComparedRun, b: ComparedRun, pairs: Sequence[ItemPair], found_differences: Sequence[FoundDifference], mask: Mask
) -> tuple[Divergence | None, list[Difference], list[PairSummary]]:
    """Return the records of the divergence, of all differences, and of the matched steps. Each text passes `mask`."""
    sure = [each for each in found_differences if each.is_sure]
    first = find_divergence(sure)
    linked = build_chain(first, sure) if first is not None else []
    chain = [said for said, _ in linked]
    links: list[int | None] = [
        next(n for n, each in enumerate(found_differences) if each is about) for _, about in linked
    ]
    before: list[str] = []
    if first is not None and a.outcome != b.outcome == "failed":
        before = [to_sentence(f"before it, {said}") for said in find_race_conditions(first, a, b, pairs)]
        chain[1:1] = before
        links[1:1] = [None] * len(before)
    differences = [
        Difference(
            each.kind, mask_marked_values(each.where, mask), _mask_value(each.a, each.role, mask), _mask_value(each.b, each.role, mask),
            {"a": each.t_a, "b": each.t_b}, f"{mask_marked_values(each.said, mask)}.", {"a": each.at_a, "b": each.at_b},
            each.confidence,
        )
        for each in found_differences
    ]  # fmt: skip
    divergence = None
    if first is not None:
        at_a, at_b = (
            _find_moment_of_difference(first, "a", a, pairs, mask),
            _find_moment_of_difference(first, "b", b, pairs, mask),
        )
        said = [mask_marked_values(sentence, mask) for sentence in chain]
        divergence = Divergence(first.kind, said[0], at_a, at_b, tuple(said), len(before), tuple(links))
    told = [
        PairSummary(
            pair.kind,
            _build_moment(pair.a, pair.a.t, mask) if pair.a else None,
            _build_moment(pair.b, pair.b.t, mask) if pair.b else None,
            (_build_item_summary(pair.a, mask), _build_item_summary(pair.b, mask)),
        )
        for pair in pairs
    ]
    return divergence, differences, told


def _mask_value(value: Json, role: Role, mask: Mask) -> Json:
    held = shorten_value(value)
    return held if held is None or isinstance(held, bool) else mask(held, role)


def _find_moment_of_difference(
    difference: FoundDifference, side: Literal["a", "b"], run: ComparedRun, pairs: Sequence[ItemPair], mask: Mask
) -> RunMoment:
    """Return when and at which item a difference showed in one run.

    If this run does not have the item, it is the last one before it that both runs have.
    """
    item, t = (difference.item_a, difference.t_a) if side == "a" else (difference.item_b, difference.t_b)
    if item is None:
        other = difference.item_b if side == "a" else difference.item_a
        item = _find_last_item_up_to(other, side, pairs)
    if t is None:
        t = item.t if item is not None else run.duration
    return _build_moment(item, t, mask)


def _find_last_item_up_to(other: RunItem | None, side: Literal["a", "b"], pairs: Sequence[ItemPair]) -> RunItem | None:
    """Return the last item of the run `side` that is in `pairs` at or before the pair of `other`, an item of the other run."""
    last: RunItem | None = None
    for pair in pairs:
        mine, theirs = (pair.a, pair.b) if side == "a" else (pair.b, pair.a)
        last = mine or last
        if theirs is other:
            return last
    return last if other is not None else None


def _build_item_summary(item: RunItem | None, mask: Mask) -> RunItemSummary | None:
    if item is None:
        return None
    shown = mask(item.title, "text" if item.kind == "step" else "code") if item.title else ""
    return RunItemSummary(
        item.kind, str(shown), round(item.t, 1), round(item.end, 1), item.depth, item.error is not None
    )


def _build_moment(item: RunItem | None, t: float, mask: Mask) -> RunMoment:
    step = item.enclosing_step if item is not None else None
    title = item.title if item is not None and item.kind != "step" else (step.title if step is not None else None)
    call = item.id if item is not None and item.kind != "step" else None
    if step is not None:
        title = step.title
    role: Role = "text" if step is not None else "code"
    shown = mask(title, role) if title else None
    return RunMoment(
        round(t, 1), step.id if step is not None else None, str(shown) if shown is not None else None, call
    )
