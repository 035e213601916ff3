"""Finds the first difference beyond noise and its consequences, as a chain of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from .effects.difference import FoundDifference, rank_as_cause
from .runs.run_items import ComparedRun

LONGEST: Final = 7
"""Largest number of sentences of a chain."""
_EACH: Final = 2
"""Largest number of sentences of one kind, besides the first difference and the failure."""
_AFTER: Final = 300.0
"""Ms after a response within which its effects appear."""
_ECHO: Final = 2
"""What says nothing but what was typed: see :func:`.effects.difference.rank_as_cause`."""
_END: Final = ("outcome",)
"""The identity of the difference in how the runs ended; a step that failed has another one."""
_AT_ONCE: Final = 20.0
"""Ms within which two events count as simultaneous."""


def find_outcome_difference(a: ComparedRun, b: ComparedRun) -> list[FoundDifference]:
    """Return the difference in the runs' outcomes, if there is one."""
    if a.outcome == b.outcome:
        return []
    said = f"the run ends {b.outcome} instead of {a.outcome}"
    return [
        FoundDifference("outcome", "outcome", a.outcome, b.outcome, said, a.duration, b.duration, None, None, _END, b.outcome)
    ]  # fmt: skip


def find_divergence(differences: Sequence[FoundDifference]) -> FoundDifference | None:
    """Return the difference at which the runs diverge; None where `differences` is empty.

    A difference in time is chosen only if nothing else differs, or if something else differs before the slow action
    has ended: a later difference is not caused by the delay, because everything done until then was in time.
    """
    first = next((each for each in differences if not each.minor), None) or next(iter(differences), None)
    if first is not None and rank_as_cause(first) == _ECHO:
        near = (
            each
            for each in differences
            if not each.minor and each.order <= first.order + _AFTER and rank_as_cause(each) < _ECHO
        )
        first = next((each for each in near if each.kind not in ("time", "cost", "outcome")), first)
    if first is not None and first.kind == "page" and first.identity[0] == "standing":
        first = next((each for each in differences if _explains_longer_stay(each, first)), first)
    if first is None or first.kind != "time":
        return first
    until = first.order + float(first.b if isinstance(first.b, int | float) else 0.0) + _AFTER
    others = [each for each in differences if each.kind not in ("time", "cost", "outcome") and not each.minor]
    if others and others[0].order > until:
        return others[0]
    same = (each for each in others if each.order <= until and each.item_b is first.item_b)
    return next((each for each in same if each.kind in ("network", "action")), first)


def _explains_longer_stay(slow_response: FoundDifference, long_shown_text: FoundDifference) -> bool:
    """Return whether the text `long_shown_text` stayed on a page longer because the response `slow_response` took longer."""
    if (
        slow_response.kind != "time"
        or slow_response.t_b is None
        or long_shown_text.t_b is None
        or not isinstance(slow_response.b, int | float)
    ):
        return False
    answered = slow_response.t_b + slow_response.b + _AFTER
    went = (
        long_shown_text.until is not None and slow_response.t_b + slow_response.b <= long_shown_text.until <= answered
    )
    return went or slow_response.t_b <= long_shown_text.t_b <= answered


def build_chain(first: FoundDifference, differences: Sequence[FoundDifference]) -> list[tuple[str, FoundDifference]]:
    """Return the chain of sentences, each with the difference that it describes.

    The first sentence is about the difference `first`; those on its effects, on failures and on the outcome follow in
    the order of time.
    """
    links, often = [first], Counter({first.kind: 1})
    later = [
        each
        for each in differences
        if each is not first and (each.order, id(each)) >= (first.order, 0) and each.identity != _END
    ]
    ends = [each for each in differences if each.identity == _END and each is not first]
    failures = [
        each for each in later if each.kind in ("action", "outcome") and each.b and each.identity[-1] == "error"
    ]
    kept = failures[:2]
    for each in sorted(later, key=rank_as_cause):  # each kind has few places: they are for what says why
        if (
            each not in kept
            and not each.minor
            and rank_as_cause(each) < _ECHO
            and often[each.kind] < _EACH
            and len(links) + len(kept) + len(ends) < LONGEST
        ):
            often[each.kind] += 1
            links.append(each)
    links = [first, *sorted((*links[1:], *kept), key=lambda each: each.order), *ends]
    said: list[tuple[str, FoundDifference]] = []
    before = first
    for each in links:
        passed = max(_get_shown_time(each) - _get_shown_time(before), 0.0)
        delay = "" if each is first or each.identity == _END else _format_delay(passed)
        said.append((to_sentence(f"{delay}{each.said}"), each))
        before = each
    return said


def _get_shown_time(difference: FoundDifference) -> float:
    """Return when a difference showed, in ms on the second run's clock."""
    return difference.t_b if difference.t_b is not None else difference.order


def _format_delay(ms: float) -> str:
    if ms < _AT_ONCE:
        return "at once "
    return f"{ms / 1000:.1f} s later " if ms >= 1000 else f"{round(ms, -1):.0f} ms later "


def to_sentence(text: str) -> str:
    """Return a text with a capital letter at its beginning and a full stop at its end."""
    return f"{text[:1].upper()}{text[1:]}."
