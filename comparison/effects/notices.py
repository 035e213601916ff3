"""Differences in messages of the browser: console errors and warnings, uncaught exceptions, dialogs and downloads."""

from __future__ import annotations

from collections import Counter
from typing import Final

from ..runs.items import ComparedRun, NoticeLine
from .difference import FoundDifference, Kind, at_place, quoted, shortened

_TOLD: Final = frozenset({"error", "warning", "warn", "assert", "uncaught"})


def notice_differences(a: ComparedRun, b: ComparedRun, end: int) -> list[FoundDifference]:
    """Return each console line, exception, dialog and download that only one run has, once. `end`: the number of the
    first run's action from which on the second run has no more actions.
    """
    ours, theirs = _first(a), _first(b)
    return [
        *(_found(b, key[0], line, came=True) for key, line in theirs.items() if key not in ours),
        *(_found(a, key[0], line, came=False) for key, line in ours.items() if key not in theirs and line.place < end),
    ]


def count_of_other_lines(a: ComparedRun, b: ComparedRun) -> int:
    """Count the console lines of lower levels (log, info, debug) that only one run has; they are no differences."""
    ours, theirs = (
        Counter((line.level, line.key) for line in run.console if line.level not in _TOLD) for run in (a, b)
    )
    return ((ours - theirs) + (theirs - ours)).total()


def _first(run: ComparedRun) -> dict[tuple[Kind, str, str], NoticeLine]:
    found: dict[tuple[Kind, str, str], NoticeLine] = {}
    for line in run.console:
        if line.level in _TOLD:
            found.setdefault(("console", line.level, line.key), line)
    for line in run.windows:
        found.setdefault(("page", line.level, line.key), line)
    return found


def _found(run: ComparedRun, kind: Kind, line: NoticeLine, came: bool) -> FoundDifference:
    item, said, text = at_place(run, line.place), quoted(line.text), shortened(line.text)
    if kind == "console":
        what = "the page throws" if line.level == "uncaught" else f"the console has the {line.level}"
        said = f"{what} {said}" if came else f"the {line.level} {said} does not come"
    elif line.level == "download":
        said = f"the file {said} {'is saved' if came else 'is not saved'}"
    else:
        said = f"the {line.level} dialog {said} {'opens' if came else 'does not open'}"
    where = f"console, {line.level}" if kind == "console" else f"beside the page, {line.level}"
    a, b = (None, text) if came else (text, None)
    t_a, t_b = (None, line.t) if came else (line.t, None)
    item_a, item_b = (None, item) if came else (item, None)
    identity = ("console" if kind == "console" else "window", line.level, line.key)
    return FoundDifference(kind, where, a, b, said, t_a, t_b, item_a, item_b, identity, line.key if came else None)
