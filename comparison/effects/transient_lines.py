"""Normalized lines of pages: finds those that only one page has, and notices, which disappear by themselves."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Final

from ..runs.run_items import ComparedRun, PageTextState
from ..runs.run_reader import list_changing_actions

BY_ITSELF: Final = 400.0
"""Ms after an action from which on a change counts as spontaneous."""
_NOTICE: Final = re.compile(
    r"(?:[.#]|[.#][\w-]*-)(?:toasts?|snackbars?|notices?|notifications?|flash(?:es)?)(?![\w])|\[(?:status|alert)\]",
    re.IGNORECASE,
)
"""Words in class names, ids and roles (WAI-ARIA's live regions) of notices, searched in a slot."""
Notice = tuple[str, bool]
"""A normalized line that disappears by itself, and whether the page still shows it elsewhere then."""


def find_one_sided_lines(ours: Sequence[str], theirs: Sequence[str]) -> tuple[Counter[str], Counter[str]]:
    """Return the lines that the first page has more often than the second, and those that the second has more often.

    Each line is counted. Equal lines at the beginning, at the end and at equal places are skipped first, because they
    are nearly all lines of most pages.
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


def is_spontaneous_change(action_times: Sequence[float], t: float) -> bool:
    """Return whether a change at `t` (ms) was spontaneous: no action came in the :data:`BY_ITSELF` ms before it.
    `action_times`: when the actions came, in ms, sorted.
    """
    done = bisect_right(action_times, t)
    return not done or t - action_times[done - 1] > BY_ITSELF


def find_notices(run: ComparedRun) -> set[Notice]:
    """Return the notices of a run: lines that disappeared when no action had come shortly before, and lines that
    disappeared from an element whose class, id or role says that it is a notice (``toast``, ``alert``).
    """
    times = [act.earliest_effect_time for act in list_changing_actions(run)]
    found: set[Notice] = set()
    before: dict[int, PageTextState] = {}
    for view in run.views:
        for page in view.ends:
            for shown in (*view.between.get(page, ()), view.ends[page]):
                last = before.get(page)
                before[page] = shown
                if last is None or shown is last or shown.url != last.url:
                    continue
                still = shown.line_key_set
                gone = find_one_sided_lines(last.keys, shown.keys)[0].keys()
                if is_spontaneous_change(times, shown.t):
                    found.update((line, line in still) for line in gone)
                elif gone:
                    said = zip(last.keys, last.slots, strict=False)
                    found.update((line, line in still) for line, slot in said if line in gone and _NOTICE.search(slot))
    return found
