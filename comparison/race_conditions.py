"""Finds race conditions: an effect came before the next action in one run, and only after it in the other.

Flaky tests often fail for this reason. :mod:`.effects.page_text` does not report such a difference, because it treats a
page that is only a little behind as equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pagereel.reading import to_url_key

from .effects.difference import FoundDifference, mark_quoted_value, select_action_pairs
from .effects.network import TALKS, format_request_name
from .effects.transient_lines import find_notices
from .matching.item_pairing import ItemPair
from .matching.request_matching import match_requests
from .runs.run_items import ComparedRun, PageTextState, RunItem
from .runs.run_reader import is_read_only_call

_BACK: Final = 3
"""Number of actions before the difference that are examined, the nearest first."""
_MOST: Final = 2
"""Largest number of sentences on one action."""
_MARGIN: Final = 20.0
"""Ms within which two times count as equal."""


def find_race_conditions(
    divergence: FoundDifference, a: ComparedRun, b: ComparedRun, pairs: Sequence[ItemPair]
) -> list[str]:
    """Return sentences, without full stops, about responses and lines that were too early or too late in the second
    run shortly before it diverged from the first; empty if there are none.
    """
    if said := list(_describe_unanswered_requests(divergence, a, b, pairs)):
        return said[:_MOST]
    until = divergence.order if divergence.item_b is None else max(divergence.order, divergence.item_b.t)
    acts = [
        (pair.a, pair.b)
        for pair in select_action_pairs(pairs)
        if pair.a and pair.b and pair.b.t <= until and pair.b.kind != "model" and not is_read_only_call(pair.b)
    ]
    for ours, theirs in reversed(acts[-_BACK:]):
        said = [*_find_late_responses(a, b, pairs, ours, theirs), *_find_late_lines(divergence, a, b, ours, theirs)]
        if said:
            return said[:_MOST]
    return []


def _describe_unanswered_requests(
    divergence: FoundDifference, a: ComparedRun, b: ComparedRun, pairs: Sequence[ItemPair]
) -> Iterator[str]:
    """Yield a sentence for each request that was unanswered when a call failed in the second run, and answered when the
    same call succeeded in the first.
    """
    if divergence.kind not in ("action", "page", "outcome"):
        return
    tried = (
        (pair.a, pair.b)
        for pair in select_action_pairs(pairs)
        if pair.a and pair.b and pair.b.end >= divergence.order - _MARGIN
    )
    ours, theirs = next((both for both in tried if both[1].error and not both[0].error), (None, None))
    if ours is None or theirs is None:
        return
    for one, other in match_requests(a, b, pairs)[0]:
        in_time = one.type in TALKS and one.answered and one.end <= ours.end
        if in_time and other.t < theirs.end and not (other.answered and other.end <= theirs.end):
            yield f"when {mark_quoted_value(theirs.title, 'code')} failed, {format_request_name(other)} had not been answered yet"


def _find_late_responses(
    a: ComparedRun, b: ComparedRun, pairs: Sequence[ItemPair], ours: RunItem, theirs: RunItem
) -> Iterator[str]:
    for one, other in match_requests(a, b, pairs)[0]:
        if one.type not in TALKS or not (one.answered and other.answered) or other.t > theirs.earliest_effect_time:
            continue
        if one.end < ours.earliest_effect_time - _MARGIN and other.end > theirs.earliest_effect_time + _MARGIN:
            yield f"when {_describe_action(theirs)}, {format_request_name(other)} had not been answered yet; the answer came {_format_delay(other.end - theirs.earliest_effect_time)} later"


def _find_late_lines(
    divergence: FoundDifference, a: ComparedRun, b: ComparedRun, ours: RunItem, theirs: RunItem
) -> Iterator[str]:
    """Yield a sentence for each line that the second run's page did not show yet, or still showed, at an action, unlike
    the first run's. Sentences with most words of the difference come first.
    """
    passing = {line for line, elsewhere in find_notices(a) | find_notices(b) if not elsewhere}
    about = set(f"{divergence.a} {divergence.b}".casefold().split())
    found: list[tuple[int, float, str]] = []
    for page, before_a in _get_pages_before_action(a, ours).items():
        before_b = _get_pages_before_action(b, theirs).get(page)
        if before_b is None or to_url_key(before_a.url) != to_url_key(before_b.url):
            continue
        lines_a, lines_b = before_a.keys, before_b.keys
        for number, line in enumerate(lines_a):
            came = (
                _find_first_shown_time(b, theirs, page, line) if line not in lines_b and line not in passing else None
            )
            if came is not None and came - theirs.earliest_effect_time > _MARGIN:
                text = before_a.lines[number]
                sentence = f"when {_describe_action(theirs)}, the page did not say {mark_quoted_value(text, 'outline')} yet; it came {_format_delay(came - theirs.earliest_effect_time)} later"
                found.append((-_count_common_words(about, text), came, sentence))
        for number, line in enumerate(lines_b):
            if (
                line not in lines_a
                and _was_shown_before(a, ours, page, line)
                and _find_first_shown_time(b, theirs, page, line) is None
            ):
                text = before_b.lines[number]
                found.append(
                    (
                        -_count_common_words(about, text),
                        0.0,
                        f"when {_describe_action(theirs)}, the page still said {mark_quoted_value(text, 'outline')}",
                    )
                )
    yield from (sentence for _, _, sentence in sorted(found))


def _get_pages_before_action(run: ComparedRun, item: RunItem) -> dict[int, PageTextState]:
    """Map each page to its state at the time when it could first react to an action."""
    shown = dict(run.views[item.place - 1].ends) if item.place > 0 else {}
    for page, states in run.views[item.place].between.items():
        shown.update((page, state) for state in states if state.t <= item.earliest_effect_time)
    return shown


def _find_first_shown_time(run: ComparedRun, item: RunItem, page: int, line: str) -> float | None:
    """Return when a page first showed a line, from an action on, in ms; None if it never did."""
    for view in run.views[item.place :]:
        for shown in (*view.between.get(page, ()), *([view.ends[page]] if page in view.ends else [])):
            if line in shown.line_key_set:
                return float(max(shown.t, item.earliest_effect_time))
    return None


def _was_shown_before(run: ComparedRun, item: RunItem, page: int, line: str) -> bool:
    """Return whether a page showed a line in any action before this one."""
    return any(
        line in shown.line_key_set
        for view in run.views[: item.place]
        for shown in (*view.between.get(page, ()), *([view.ends[page]] if page in view.ends else []))
    )


def _count_common_words(words: set[str], text: str) -> int:
    return len(words & set(text.casefold().split()))


def _describe_action(item: RunItem) -> str:
    return f"{mark_quoted_value(item.title, 'code')} was done"


def _format_delay(ms: float) -> str:
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{max(round(ms, -1), 10):.0f} ms"
