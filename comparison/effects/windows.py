"""Differences in the browser's own windows: dialogs and downloads in only one run."""

from __future__ import annotations

from ..runs.items import ComparedRun, NoticeLine
from .difference import FoundDifference, at_place, quoted, shortened


def window_differences(a: ComparedRun, b: ComparedRun, end: int) -> list[FoundDifference]:
    """Return each dialog and download that only one run has, once. `end`: as in :func:`.network.network_differences`."""
    ours, theirs = _first(a), _first(b)
    found = [_found(b, line, None, line) for key, line in theirs.items() if key not in ours]
    found += [_found(a, line, line, None) for key, line in ours.items() if key not in theirs and line.place < end]
    return found


def _first(run: ComparedRun) -> dict[tuple[str, str], NoticeLine]:
    found: dict[tuple[str, str], NoticeLine] = {}
    for line in run.windows:
        found.setdefault((line.level, line.key), line)
    return found


def _found(run: ComparedRun, line: NoticeLine, ours: NoticeLine | None, theirs: NoticeLine | None) -> FoundDifference:
    item = at_place(run, line.place)
    what = "the file" if line.level == "download" else f"the {line.level} dialog"
    came, missing = ("is saved", "is not saved") if line.level == "download" else ("opens", "does not open")
    return FoundDifference(
        "page", f"beside the page, {line.level}", shortened(ours.text) if ours else None, shortened(theirs.text) if theirs else None,
        f"{what} {quoted(line.text)} {came if theirs else missing}", ours.t if ours else None, theirs.t if theirs else None,
        item if ours else None, item if theirs else None, ("window", line.level, line.key), line.key if theirs else None,
    )  # fmt: skip
