"""`pagereel library`: many recordings."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagereel.cli.console import print_json, print_lines, progress, say
from pagereel.errors import PagereelError, UsageError

if TYPE_CHECKING:
    from pagereel.library import Answer

VERBS = ("add", "search", "list", "show", "rebuild", "audit")
_SHOWN = 110


def library(
    verb: str, folder: Path, words: list[str], *, link: bool, masked: bool, limit: int, cursor: str | None, json: bool
) -> int:
    """Do one of :data:`VERBS`. Gives 1 where a recording could not be added, or the log was changed."""
    if verb not in VERBS:
        raise UsageError(f"`pagereel library` takes {', '.join(VERBS[:-1])} or {VERBS[-1]}, not {verb!r}.")
    if verb in ("add", "search", "show") and not words:
        raise UsageError(f"`pagereel library {verb} {folder}` asks for {_ASKS[verb]}.")
    if verb in ("list", "rebuild", "audit") and words:
        raise UsageError(f"`pagereel library {verb}` takes a folder alone, not {words[0]!r} as well.")
    from pagereel.library import Library

    with Library(folder, create=verb == "add") as opened:
        if verb == "add":
            return _add(opened, words, link, masked, json)
        if verb in ("search", "list"):
            answer = opened.search(" ".join(words), limit=limit, cursor=cursor)
            if json:
                print_json(asdict(answer))
            else:
                print_lines(_lines(answer))
        elif verb == "show":
            shown = [opened.show(word) for word in words]
            if json:
                print_json(shown if len(shown) > 1 else shown[0])
            else:
                print_lines(line for summary in shown for line in _summary(summary))
        elif verb == "rebuild":
            with progress(f"Looking through {folder.name}"):
                count = opened.rebuild()
            print_json({"runs": count}) if json else print(f"{count} run{'' if count == 1 else 's'}")
        else:
            return _audit(opened.log(), json)
    return 0


_ASKS = {"add": "recordings", "search": "a query", "show": "the ids of runs, or how they begin"}


def _add(opened: Any, words: list[str], link: bool, masked: bool, json: bool) -> int:
    done: list[dict[str, Any]] = []
    with progress("Adding") as advance:
        for number, word in enumerate(words):
            try:
                added = opened.add(Path(word), link=link, masked=masked)
                done.append({"file": word, "id": added.id, "did": added.did, "error": None})
            except PagereelError as error:
                done.append({"file": word, "id": None, "did": "failed", "error": str(error)})
            advance(number + 1, len(words))
    if json:
        print_json(done)
    else:
        print_lines(f"{each['did']} {each['id']} {each['file']}" for each in done if not each["error"])
    for each in done:
        if each["error"]:
            say(f"not added: {each['error']}")
    return 1 if any(each["error"] for each in done) else 0


def _lines(answer: Answer) -> list[str]:
    lines = []
    for run in answer.runs:
        cost = f"  ${run.cost:.4f}" if run.cost else ""
        steps = f"{run.steps} step{'' if run.steps == 1 else 's'}"
        lines.append(
            f"{run.id[:12]}  {_when(run.started)}  {run.outcome:<7}  {run.duration / 1_000:8.1f} s  {steps}{cost}  {run.agent or ''}".rstrip()
        )
        lines += [f"    {hit.t:>9.0f} {hit.kind}: {_short(hit.text)}" for hit in run.hits]
    count = f"{answer.total} run{'' if answer.total == 1 else 's'}"
    lines.append(f"{count}; more: --cursor {answer.next}" if answer.next else count)
    return lines


def _summary(summary: dict[str, Any]) -> list[str]:
    steps = f"{summary['steps']} steps, {len(summary['failed_steps'])} failed" if summary["steps"] else "no steps"
    return [
        f"{summary['id']}  {_when(summary['started'] or 0)}  {summary['outcome']}  {summary['duration'] / 1_000:.1f} s  {summary['agent'] or ''}".rstrip(),
        f"  {steps}; {summary['calls']} calls, {summary['model_calls']} of models, {summary['tokens']} tokens, ${summary['cost_usd']}; "
        f"{summary['errors']} errors, {summary['gaps']} gaps",
        *(f"  {url}" for url in summary["pages"]),
        *(f"  {sentence}" for sentence in summary["failure"]),
        f"  {summary['path']}",
    ]


def _audit(log: tuple[list[Any], bool], json: bool) -> int:
    lines, whole = log
    if json:
        print_json({"log": lines, "intact": whole})
    else:
        for line in lines:
            told = {name: value for name, value in line.items() if name not in ("when", "who", "did", "prev", "sha256")}
            print(f"{line['when']} {line['who']} {line['did']} {' '.join(str(value) for value in told.values())}")
        print("the log is whole" if whole else "the log was changed: a line does not follow the one before it")
    return 0 if whole else 1


def _when(started: float) -> str:
    return datetime.fromtimestamp(started / 1_000, UTC).strftime("%Y-%m-%d %H:%M:%S") if started else "–"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
