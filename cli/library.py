"""`pagereel library`: many recordings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pagereel.cli.console import print_json, print_lines, progress, say
from pagereel.errors import UsageError

from .library_add import add, watch
from .library_figures import expect, parquet, stats
from .library_retention import audit, delete, expire, flag, keep

if TYPE_CHECKING:
    from pagereel.library import Library, SearchResult

_SHOWN = 110


@dataclass(frozen=True)
class LibraryArguments:
    """What the command line said. Names of options are their own."""

    words: list[str]
    json: bool
    link: bool
    masked: bool
    jobs: int
    executor: str
    limit: int
    cursor: str | None
    why: str
    until: str | None
    release: bool
    off: bool
    now: str | None
    dry_run: bool
    every: str | None
    once: bool
    by: str | None
    output: Path | None
    name: str | None


def library(verb: str, folder: Path, asked: LibraryArguments) -> int:
    """Do one of :data:`VERBS`. Gives 1 where a recording could not be added, or the log does not hold."""
    if verb not in VERBS:
        names = list(VERBS)
        raise UsageError(f"`pagereel library` takes {', '.join(names[:-1])} or {names[-1]}, not {verb!r}.")
    do, wants = VERBS[verb]
    if wants and not asked.words:
        raise UsageError(f"`pagereel library {verb} {folder}` asks for {wants}.")
    if wants is None and asked.words:
        raise UsageError(f"`pagereel library {verb}` takes a folder alone, not {asked.words[0]!r} as well.")
    from pagereel.library import Library

    with Library(folder, create=verb in ("add", "watch")) as opened:
        return do(opened, asked)


def _search(opened: Library, asked: LibraryArguments) -> int:
    answer = opened.search(" ".join(asked.words), limit=asked.limit, cursor=asked.cursor)
    print_json(asdict(answer)) if asked.json else print_lines(_lines(answer))
    return 0


def _show(opened: Library, asked: LibraryArguments) -> int:
    shown = [opened.show(word) for word in asked.words]
    if asked.json:
        print_json(shown if len(shown) > 1 else shown[0])
    else:
        print_lines(line for summary in shown for line in _summary(summary))
    return 0


def _rebuild(opened: Library, asked: LibraryArguments) -> int:
    with progress(f"Looking through {opened.folder.name}"):
        count = opened.rebuild()
    print_json({"runs": count}) if asked.json else print(f"{count} run{'' if count == 1 else 's'}")
    for id, error in opened.unread.items():
        say(f"left out: {id}: {error}")
    return 1 if opened.unread else 0


VERBS: Final[dict[str, tuple[Callable[[Any, Any], int], str | None]]] = {
    "add": (add, "recordings"),
    "watch": (watch, "folders, patterns or addresses"),
    "search": (_search, "a query"),
    "list": (_search, None),
    "show": (_show, "the ids of runs, or how they begin"),
    "stats": (stats, ""),
    "expect": (expect, "a list of what should be recorded"),
    "parquet": (parquet, ""),
    "keep": (keep, "the id of a run, or how it begins"),
    "flag": (flag, "the id of a run, and a word"),
    "delete": (delete, "the id of a run, or how it begins"),
    "expire": (expire, None),
    "rebuild": (_rebuild, None),
    "audit": (audit, None),
}
"""Verb → what does it, and what it asks for; empty: nothing that it must have; None: a folder alone."""


def _lines(answer: SearchResult) -> list[str]:
    lines = []
    for run in answer.runs:
        cost = f"  ${run.cost:.4f}" if run.cost else ""
        steps = f"{run.steps} step{'' if run.steps == 1 else 's'}" + (
            f", {run.recovered} recovered" if run.recovered else ""
        )
        lines.append(
            f"{run.id[:12]}  {_when(run.started)}  {run.outcome:<7}  {run.duration / 1_000:8.1f} s  {steps}{cost}  {run.agent or ''}".rstrip()
        )
        lines += [f"    {hit.t:>9.0f} {hit.kind}: {_short(hit.text)}" for hit in run.hits]
    count = f"{answer.total} run{'' if answer.total == 1 else 's'}"
    lines.append(f"{count}; more: --cursor {answer.next}" if answer.next else count)
    return lines


def _summary(summary: dict[str, Any]) -> list[str]:
    lines = [
        f"{summary['id']}  {_when(summary['started'] or 0)}  {summary['outcome']}  {summary['duration'] / 1_000:.1f} s  {summary['agent'] or ''}".rstrip()
    ]
    for step in summary["steps"]:
        ended = {True: "ok", False: "FAILED"}.get(step.get("success"), "")
        spent = f"  {step['tokens']} tokens, ${step['cost_usd']:.4f}" if step["model_calls"] else ""
        took = f"{step['duration'] / 1_000:.1f} s" if "duration" in step else "never ended"
        inner = "  " if "parent" in step else ""
        lines.append(f"  {inner}{step['number']}. {_short(step['title'])}  {took}{spent}  {ended}".rstrip())
    return [*lines, f"  {summary['path']}", "", summary["markdown"]]


def _when(started: float) -> str:
    from pagereel.reading import moment_text

    return (moment_text(started) if started else "") or "–"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
