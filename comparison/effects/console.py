"""Differences in the pages' consoles: errors, warnings, and uncaught exceptions in only one run."""

from __future__ import annotations

from collections import Counter
from typing import Final

from ..runs.items import ComparedRun, NoticeLine
from .difference import FoundDifference, at_place, quoted, shortened

_TOLD: Final = frozenset({"error", "warning", "warn", "assert", "uncaught"})


def console_differences(a: ComparedRun, b: ComparedRun, end: int) -> list[FoundDifference]:
    """Return each such line that only one run has, once. `end`: as in :func:`.network.network_differences`."""
    ours, theirs = _lines(a), _lines(b)
    found = [_found(b, line, None, line) for key, line in theirs.items() if key not in ours]
    found += [_found(a, line, line, None) for key, line in ours.items() if key not in theirs and line.place < end]
    return found


def count_of_other_lines(a: ComparedRun, b: ComparedRun) -> int:
    """Return how many other console lines differ; log output for developers is no effect by itself."""
    ours, theirs = (
        Counter((line.level, line.key) for line in run.console if line.level not in _TOLD) for run in (a, b)
    )
    return ((ours - theirs) + (theirs - ours)).total()


def _lines(run: ComparedRun) -> dict[tuple[str, str], NoticeLine]:
    found: dict[tuple[str, str], NoticeLine] = {}
    for line in run.console:
        if line.level in _TOLD:
            found.setdefault((line.level, line.key), line)
    return found


def _found(run: ComparedRun, line: NoticeLine, ours: NoticeLine | None, theirs: NoticeLine | None) -> FoundDifference:
    item = at_place(run, line.place)
    what = "the page throws" if line.level == "uncaught" else f"the console has the {line.level}"
    said = f"{what} {quoted(line.text)}" if theirs else f"the {line.level} {quoted(line.text)} does not come"
    return FoundDifference(
        "console", f"console, {line.level}", shortened(ours.text) if ours else None, shortened(theirs.text) if theirs else None, said,
        ours.t if ours else None, theirs.t if theirs else None, item if ours else None, item if theirs else None,
        ("console", line.level, line.key), line.key if theirs else None,
    )  # fmt: skip
