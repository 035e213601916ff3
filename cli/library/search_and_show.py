"""`pagereel library search`, `list`, `show` and `rebuild`: open a library, and print its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagereel.cli.argument_requirements import parse_redaction_option
from pagereel.cli.console import print_json, print_lines, print_warning, show_progress
from pagereel.durations import format_duration
from pagereel.text_truncation import truncate_text

if TYPE_CHECKING:
    from pagereel.library import Library, SearchResult, StepName

_SHOWN = 110


def open_library(folder: Path, *, create: bool = False, redaction: str | None = None) -> Library:
    """Return the library in a folder, for use with `with`.

    `redaction`: the policy by which a new library masks the texts that it indexes.
    """
    from pagereel.library import Library

    if redaction is not None:
        parse_redaction_option(redaction)
    return Library(folder, create=create, redaction=redaction)


def print_matches(opened: Library, query: str, *, limit: int, cursor: str | None, json: bool) -> int:
    """Print the runs that match a query; all runs for an empty one."""
    from pagereel.library import list_steps_of_runs

    answer = opened.search(query, limit=limit, cursor=cursor)
    if json:
        print_json(asdict(answer))
    else:
        print_lines(
            _format_matches(answer, list_steps_of_runs(opened.catalogue, [run.id for run in answer.runs if run.hits]))
        )
    return 0


def print_runs(opened: Library, runs: list[str], *, json: bool) -> int:
    """Print the summaries of runs."""
    shown = [opened.show(run) for run in runs]
    if json:
        print_json(shown if len(shown) > 1 else shown[0])
    else:
        print_lines(line for summary in shown for line in _format_summary(summary))
    return 0


def rebuild_catalogue(opened: Library, *, json: bool) -> int:
    """Rebuild the catalogue. Return 1 if a recording could not be read."""
    with show_progress(f"Looking through {opened.folder.name}"):
        count = opened.rebuild()
    print_json({"runs": count}) if json else print(f"{count} run{'' if count == 1 else 's'}")
    for id, error in opened.unread.items():
        print_warning(f"left out: {id}: {error}")
    return 1 if opened.unread else 0


def _format_matches(result: SearchResult, step_names: Mapping[str, Sequence[StepName]]) -> list[str]:
    lines = []
    for run in result.runs:
        cost = f"  ${run.cost:.4f}" if run.cost else ""
        steps = f"{run.steps} step{'' if run.steps == 1 else 's'}" + (
            f", {run.recovered} recovered" if run.recovered else ""
        )
        lines.append(
            f"{run.id[:12]}  {_format_time(run.started)}  {run.outcome:<7}  {format_duration(run.duration):>11}  {steps}{cost}  {run.agent or ''}".rstrip()
        )
        for hit in run.hits:
            # The innermost step that goes on then: of those that began, the last one.
            within = [step for step in step_names.get(run.id, ()) if step.began <= hit.t <= step.ended]
            step = f", step {within[-1].number} “{_shorten_text(within[-1].title)}”" if within else ""
            lines.append(f"    {format_duration(hit.t)}{step}  {hit.kind}: {_shorten_text(hit.text)}")
    count = f"{result.total} run{'' if result.total == 1 else 's'}"
    lines.append(f"{count}; more: --cursor {result.next}" if result.next else count)
    return lines


def _format_summary(summary: dict[str, Any]) -> list[str]:
    lines = [
        f"{summary['id']}  {_format_time(summary['started'] or 0)}  {summary['outcome']}  {format_duration(summary['duration'])}  {summary['agent'] or ''}".rstrip()
    ]
    for step in summary["steps"]:
        ended = {True: "ok", False: "FAILED"}.get(step.get("success"), "")
        spent = f"  {step['tokens']} tokens, ${step['cost_usd']:.4f}" if step["model_calls"] else ""
        took = format_duration(step["duration"]) if "duration" in step else "never ended"
        inner = "  " if "parent" in step else ""
        lines.append(f"  {inner}{step['number']}. {_shorten_text(step['title'])}  {took}{spent}  {ended}".rstrip())
    from pagereel.reading import to_summary_paragraph

    return [*lines, f"  {summary['path']}", "", to_summary_paragraph(summary, markdown=False)]


def _format_time(started: float) -> str:
    from pagereel.reading import to_utc_text

    return (to_utc_text(started) if started else "") or "–"


def _shorten_text(text: str) -> str:
    return truncate_text(text, _SHOWN)
