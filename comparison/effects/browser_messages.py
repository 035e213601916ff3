"""Differences in messages of the browser: console errors and warnings, uncaught exceptions, dialogs and downloads."""

from __future__ import annotations

from collections import Counter
from typing import Final

from ..runs.run_items import BrowserMessage, ComparedRun
from .difference import FoundDifference, Kind, get_action, mark_quoted_value, shorten_value

_TOLD: Final = frozenset({"error", "warning", "warn", "assert", "uncaught"})


def find_message_differences(a: ComparedRun, b: ComparedRun, end: int) -> list[FoundDifference]:
    """Return each console line, exception, dialog and download that only one run has, once. `end`: the number of the
    first run's action from which on the second run has no more actions.
    """
    ours, theirs = _collect_first_messages(a), _collect_first_messages(b)
    return [
        *(_report_one_sided_message(b, key[0], line, is_new=True) for key, line in theirs.items() if key not in ours),
        *(
            _report_one_sided_message(a, key[0], line, is_new=False)
            for key, line in ours.items()
            if key not in theirs and line.place < end
        ),
    ]


def count_minor_console_changes(a: ComparedRun, b: ComparedRun) -> int:
    """Count the console lines of lower levels (log, info, debug) that only one run has; they are no differences."""
    ours, theirs = (
        Counter((line.level, line.key) for line in run.console if line.level not in _TOLD) for run in (a, b)
    )
    return ((ours - theirs) + (theirs - ours)).total()


def _collect_first_messages(run: ComparedRun) -> dict[tuple[Kind, str, str], BrowserMessage]:
    found: dict[tuple[Kind, str, str], BrowserMessage] = {}
    for line in run.console:
        if line.level in _TOLD:
            found.setdefault(("console", line.level, line.key), line)
    for line in run.windows:
        found.setdefault(("page", line.level, line.key), line)
    return found


def _report_one_sided_message(run: ComparedRun, kind: Kind, line: BrowserMessage, is_new: bool) -> FoundDifference:
    item, said, text = get_action(run, line.place), mark_quoted_value(line.text), shorten_value(line.text)
    if kind == "console":
        what = "the page throws" if line.level == "uncaught" else f"the console has the {line.level}"
        said = f"{what} {said}" if is_new else f"the {line.level} {said} does not come"
    elif line.level == "download":
        said = f"the file {said} {'is saved' if is_new else 'is not saved'}"
    else:
        said = f"the {line.level} dialog {said} {'opens' if is_new else 'does not open'}"
    where = f"console, {line.level}" if kind == "console" else f"beside the page, {line.level}"
    a, b = (None, text) if is_new else (text, None)
    t_a, t_b = (None, line.t) if is_new else (line.t, None)
    item_a, item_b = (None, item) if is_new else (item, None)
    identity = ("console" if kind == "console" else "window", line.level, line.key)
    return FoundDifference(kind, where, a, b, said, t_a, t_b, item_a, item_b, identity, line.key if is_new else None)
