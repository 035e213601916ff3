"""What lies behind a difference though it is none by itself: one run had something before the next thing was done, and the other had it only after. Tests that now and then fail do so for that.

A page that is a little behind is no other page, so :mod:`.effects.page` tells nothing of it. Where the runs part a moment later and the second fails, it is as a rule the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pagereel.reading import url_key

from .effects.difference import FoundDifference, leaf_pairs, quoted
from .effects.lines import notices_of
from .effects.network import TALKS, request_name
from .matching.pairing import Pair
from .matching.requests import couples
from .runs.items import ComparedRun, Item, ShownPage
from .runs.run import changes_nothing

_BACK: Final = 3
"""Acts before the difference that are looked at, the nearest first."""
_MOST: Final = 2
"""Sentences about one act."""
_MARGIN: Final = 20.0
"""Ms below which two things are at one moment."""


def behind(first: FoundDifference, a: ComparedRun, b: ComparedRun, pairs: Sequence[Pair]) -> list[str]:
    """Return what the second run did too early, or too late, before it parted from the first: sentences without full stops, none where there is nothing of the kind."""
    until = first.order if first.item_b is None else max(first.order, first.item_b.t)
    acts = [
        (pair.a, pair.b)
        for pair in leaf_pairs(pairs)
        if pair.a and pair.b and pair.b.t <= until and pair.b.kind != "model" and not changes_nothing(pair.b)
    ]
    for ours, theirs in reversed(acts[-_BACK:]):
        said = [*_answers(a, b, ours, theirs), *_lines(first, a, b, ours, theirs)]
        if said:
            return said[:_MOST]
    return []


def _answers(a: ComparedRun, b: ComparedRun, ours: Item, theirs: Item) -> Iterator[str]:
    for one, other in couples(a, b)[0]:
        if one.type not in TALKS or not (one.answered and other.answered) or other.t > theirs.t:
            continue
        if one.end < ours.t - _MARGIN and other.end > theirs.t + _MARGIN:
            yield f"when {_done(theirs)}, {request_name(other)} had not been answered yet; the answer came {_ms(other.end - theirs.t)} later"


def _lines(first: FoundDifference, a: ComparedRun, b: ComparedRun, ours: Item, theirs: Item) -> Iterator[str]:
    """Yield lines that stood in the first run's page and not yet in the second's, and those that still did; what has most in common with the difference comes first."""
    passing = {line for line, elsewhere in notices_of(a) | notices_of(b) if not elsewhere}
    about = set(f"{first.a} {first.b}".casefold().split())
    found: list[tuple[int, float, str]] = []
    for page, before_a in _before(a, ours).items():
        before_b = _before(b, theirs).get(page)
        if before_b is None or url_key(before_a.url) != url_key(before_b.url):
            continue
        lines_a, lines_b = before_a.keys, before_b.keys
        for number, line in enumerate(lines_a):
            came = _came(b, theirs, page, line) if line not in lines_b and line not in passing else None
            if came is not None:
                text = before_a.lines[number]
                said = f"when {_done(theirs)}, the page did not say {quoted(text, 'outline')} yet; it came {_ms(came - theirs.t)} later"
                found.append((-_common(about, text), came, said))
        for number, line in enumerate(lines_b):
            if line not in lines_a and _had(a, ours, page, line) and _came(b, theirs, page, line) is None:
                text = before_b.lines[number]
                found.append(
                    (-_common(about, text), 0.0, f"when {_done(theirs)}, the page still said {quoted(text, 'outline')}")
                )
    yield from (said for _, _, said in sorted(found))


def _before(run: ComparedRun, item: Item) -> dict[int, ShownPage]:
    """Return what each page showed when this was about to be done."""
    return run.views[item.place - 1].ends if item.place > 0 else {}


def _came(run: ComparedRun, item: Item, page: int, line: str) -> float | None:
    """Return when a page came to show a line from this on, in ms; None: it did not."""
    for view in run.views[item.place :]:
        for shown in (*view.between.get(page, ()), *([view.ends[page]] if page in view.ends else [])):
            if line in shown.key_set:
                return float(max(shown.t, item.t))
    return None


def _had(run: ComparedRun, item: Item, page: int, line: str) -> bool:
    """Return whether a page showed a line before this, and no more when it was done."""
    return any(
        line in shown.key_set
        for view in run.views[: item.place]
        for shown in (*view.between.get(page, ()), *([view.ends[page]] if page in view.ends else []))
    )


def _common(words: set[str], text: str) -> int:
    return len(words & set(text.casefold().split()))


def _done(item: Item) -> str:
    return f"{quoted(item.title, 'code')} was done"


def _ms(ms: float) -> str:
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{max(round(ms, -1), 10):.0f} ms"
