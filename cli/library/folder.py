"""`pagereel library search`, `list`, `show` and `rebuild`: open a library, and print its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagereel.cli.checks import policy_or_none
from pagereel.cli.console import print_json, print_lines, progress, warn
from pagereel.durations import duration_text
from pagereel.shortening import shortened

if TYPE_CHECKING:
    from pagereel.library import Library, SearchResult, StepName

_SHOWN = 110


def open_library(folder: Path, *, create: bool = False, redaction: str | None = None) -> Library:
    """Open the library in a folder; use it as a context manager. `redaction`: the policy under which a new library
    masks what it indexes.
    """
    from pagereel.library import Library

    if redaction is not None:
        policy_or_none(redaction)
    return Library(folder, create=create, redaction=redaction)


def search(opened: Library, query: str, *, limit: int, cursor: str | None, json: bool) -> int:
    """Print the runs that match a query; all runs for an empty one."""
    from pagereel.library import step_names

    answer = opened.search(query, limit=limit, cursor=cursor)
    if json:
        print_json(asdict(answer))
    else:
        print_lines(_lines(answer, step_names(opened.catalogue, [run.id for run in answer.runs if run.hits])))
    return 0


def show(opened: Library, runs: list[str], *, json: bool) -> int:
    """Print the summaries of runs."""
    shown = [opened.show(run) for run in runs]
    if json:
        print_json(shown if len(shown) > 1 else shown[0])
    else:
        print_lines(line for summary in shown for line in _summary(summary))
    return 0


def rebuild(opened: Library, *, json: bool) -> int:
    """Rebuild the catalogue. Return 1 if a recording could not be read."""
    with progress(f"Looking through {opened.folder.name}"):
        count = opened.rebuild()
    print_json({"runs": count}) if json else print(f"{count} run{'' if count == 1 else 's'}")
    for id, error in opened.unread.items():
        warn(f"left out: {id}: {error}")
    return 1 if opened.unread else 0


def _lines(answer: SearchResult, names: Mapping[str, Sequence[StepName]]) -> list[str]:
    lines = []
    for run in answer.runs:
        cost = f"  ${run.cost:.4f}" if run.cost else ""
        steps = f"{run.steps} step{'' if run.steps == 1 else 's'}" + (
            f", {run.recovered} recovered" if run.recovered else ""
        )
        lines.append(
            f"{run.id[:12]}  {_when(run.started)}  {run.outcome:<7}  {duration_text(run.duration):>11}  {steps}{cost}  {run.agent or ''}".rstrip()
        )
        for hit in run.hits:
            # The innermost step that goes on then: of those that began, the last one.
            within = [step for step in names.get(run.id, ()) if step.began <= hit.t <= step.ended]
            step = f", step {within[-1].number} “{_short(within[-1].title)}”" if within else ""
            lines.append(f"    {duration_text(hit.t)}{step}  {hit.kind}: {_short(hit.text)}")
    count = f"{answer.total} run{'' if answer.total == 1 else 's'}"
    lines.append(f"{count}; more: --cursor {answer.next}" if answer.next else count)
    return lines


def _summary(summary: dict[str, Any]) -> list[str]:
    lines = [
        f"{summary['id']}  {_when(summary['started'] or 0)}  {summary['outcome']}  {duration_text(summary['duration'])}  {summary['agent'] or ''}".rstrip()
    ]
    for step in summary["steps"]:
        ended = {True: "ok", False: "FAILED"}.get(step.get("success"), "")
        spent = f"  {step['tokens']} tokens, ${step['cost_usd']:.4f}" if step["model_calls"] else ""
        took = duration_text(step["duration"]) if "duration" in step else "never ended"
        inner = "  " if "parent" in step else ""
        lines.append(f"  {inner}{step['number']}. {_short(step['title'])}  {took}{spent}  {ended}".rstrip())
    from pagereel.reading import paragraph

    return [*lines, f"  {summary['path']}", "", paragraph(summary, markdown=False)]


def _when(started: float) -> str:
    from pagereel.reading import moment_text

    return (moment_text(started) if started else "") or "–"


def _short(text: str) -> str:
    return shortened(text, _SHOWN)
