"""Lines that a person reads, without what is never twice the same: which are notices, and what a run had shown when something was done."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from pagereel.reading import url_key

from ..matching.pairing import Pair
from ..runs.items import ComparedRun, ShownPage
from ..runs.run import acts_of
from .difference import leaf_pairs

BY_ITSELF: Final = 400.0
"""Ms after something was done from which on what changes does so by itself."""
_NOTICE: Final = re.compile(
    r"(?:[.#]|[.#][\w-]*-)(?:toasts?|snackbars?|notices?|notifications?|flash(?:es)?)(?![\w])|\[(?:status|alert)\]",
    re.IGNORECASE,
)
"""Names, and roles (WAI-ARIA's live regions), that notices have, in what leads to an element."""
Place = tuple[int, int, str]
"""Number of what the first run did, page, key of its address."""
Notice = tuple[str, bool]
"""A line, folded, that goes by itself; and whether the page went on to say it elsewhere."""


def stood_of(pairs: Sequence[Pair], other: ComparedRun) -> Iterator[tuple[Place, frozenset[str]]]:
    """Yield what a run's pages showed, folded, when it had done what the first run did, and they had not come to rest: it is usual there, and nothing else tells it."""
    for pair in leaf_pairs(pairs):
        assert pair.a is not None and pair.b is not None
        view = other.views[pair.b.place]
        for page, shown in view.ends.items():
            if not view.rests.get(page, False):
                yield (pair.a.place, page, url_key(shown.url)), shown.key_set


def only_in(ours: Sequence[str], theirs: Sequence[str]) -> tuple[Counter[str], Counter[str]]:
    """Return the lines that only the one page has, and those that only the other has, as often as they are more there.

    What stands beside its like is no matter, which is nearly all of a page that differs in a line or two.
    """
    most = min(len(ours), len(theirs))
    begin = next((n for n, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), most)
    ours, theirs = ours[begin:], theirs[begin:]
    most -= begin
    end = next((n for n in range(most) if ours[-1 - n] != theirs[-1 - n]), most)
    ours, theirs = ours[: len(ours) - end], theirs[: len(theirs) - end]
    if len(ours) == len(theirs):
        apart = [n for n, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other]
        ours, theirs = [ours[n] for n in apart], [theirs[n] for n in apart]
    one, other = Counter(ours), Counter(theirs)
    return one - other, other - one


def by_itself(times: Sequence[float], t: float) -> bool:
    """Return whether what changed at `t` did so though nothing had been done for a while. `times`: of what was done, in their order, in ms."""
    done = bisect_right(times, t)
    return not done or t - times[done - 1] > BY_ITSELF


def notices_of(run: ComparedRun) -> set[Notice]:
    """Return what a page says for a moment: what went away though nothing had been done for a while; and what went away where notices are said, by its name,
    whatever had been done meanwhile.
    """
    times = [act.felt for act in acts_of(run)]
    found: set[Notice] = set()
    before: dict[int, ShownPage] = {}
    for view in run.views:
        for page in view.ends:
            for shown in (*view.between.get(page, ()), view.ends[page]):
                last = before.get(page)
                before[page] = shown
                if last is None or shown is last or shown.url != last.url:
                    continue
                still = shown.key_set
                gone = only_in(last.keys, shown.keys)[0].keys()
                if by_itself(times, shown.t):
                    found.update((line, line in still) for line in gone)
                elif gone:
                    said = zip(last.keys, last.slots, strict=False)
                    found.update((line, line in still) for line, slot in said if line in gone and _NOTICE.search(slot))
    return found
