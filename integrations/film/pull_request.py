"""Writes a pull request comment about a recording: title, outcome, first cause, a picture, and the steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from pagereel.durations import format_duration
from pagereel.reading import Record, RecordedRun, find_first_failure, get_failure_time

MOST: Final = 65_000
"""Characters of a comment: GitHub takes 65,536."""
_LONG: Final = 300
_TITLE: Final = 120
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]()!|~$])")
_HTML: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MENTION: Final = re.compile(r"(?<=[@#])(?=\w)|(?<=://)(?=\w)|(?<=\bwww\.)", re.IGNORECASE)
_JOINER: Final = "\u2060"
"""Nobody sees it; behind it a name is no mention, a number no issue, and an address no link."""
_SEEN: Final = (".png", ".gif", ".webp", ".jpg")
_MARKS: Final = {True: "passed", False: "**failed**", None: "done"}


def write_pull_request_comment(recording: Path, replay: str | None = None, picture: str | None = None) -> str:
    """Return a comment about a recording as Markdown, at most 65,000 characters.

    `replay`: the address of the built file, to which the times are links. `picture`: the address of a strip or film to
    show. The recording is not masked here: redact it before (`open_shareable_reel`).
    """
    run = RecordedRun(recording)
    outcome, steps = run.outcome, run.steps()
    failure = find_first_failure(run)
    goals = [str(step["title"]) for step in steps if step.get("parent") is None]
    title = str(
        run.header.get("title") or (goals[0] if len(goals) == 1 else run.header.get("agent") or "A recorded run")
    )
    word = {"passed": "Passed", "failed": "Failed"}.get(outcome.outcome, "Ended")
    head = [f"### {word}: {escape_markdown(title, _TITLE)}", ""]
    failed = sum(step.get("success") is False for step in steps)
    said = f"{word} after {format_duration(run.duration)}, {len(steps):,} step{'' if len(steps) == 1 else 's'}"
    said += f", {failed:,} of them failed" if failed else ""
    said += f", {outcome.recovered:,} recovered" if outcome.recovered else ""
    head.append(f"{said}.{f' {escape_markdown(outcome.reason)}' if outcome.reason else ''}")
    if failure["chain"] and outcome.outcome != "passed":
        head += [
            "",
            f"**First cause:** {escape_markdown(failure['chain'][0])}",
            *(f"- {escape_markdown(each)}" for each in failure["chain"][1:4]),
        ]
    if picture is not None:
        shows = picture.lower().endswith(_SEEN)
        head += [
            "",
            f"{'!' if shows else ''}[{'What the run showed' if shows else 'A film of the run'}]({_quote_url(picture)})",
        ]
    if replay is not None:
        at = f"#t={get_failure_time(failure):.0f}" if failure["chain"] and outcome.outcome == "failed" else ""
        head += ["", f"[The replay{', at the failure' if at else ''}]({_quote_url(replay)}{at})"]
    text = "\n".join(head) + "\n"
    if steps:
        text += _write_folded_steps(steps, replay, MOST - len(text))
    return text


def _write_folded_steps(steps: list[Record], replay: str | None, max_length: int) -> str:
    """Return the steps as a collapsed `<details>` element of at most `max_length` characters, if needed without the last
    steps.
    """
    begin, end = f"\n<details><summary>Steps ({len(steps):,})</summary>\n\n", "\n</details>\n"
    max_length -= len(begin) + len(end) + 80
    lines: list[str] = []
    for line in _iter_step_lines(steps, replay):
        max_length -= len(line) + 1
        if max_length < 0:
            lines.append(f"- … and {len(steps) - len(lines):,} more")
            break
        lines.append(line)
    return begin + "\n".join(lines) + "\n" + end


def _iter_step_lines(steps: list[Record], replay: str | None) -> Iterator[str]:
    depth: dict[object, int] = {}
    for step in steps:
        depth[step["id"]] = level = min(depth.get(step.get("parent"), -1) + 1, 6)
        when = f"{step['t'] / 1000:.1f} s"
        when = when if replay is None else f"[{when}]({_quote_url(replay)}#t={step['t']:.0f})"
        verdict = _MARKS[step.get("success")] if step["ended"] else "never ended"
        why = step.get("error") or step.get("message") if step.get("success") is False else None
        yield f"{'  ' * level}- {step['number']}: {escape_markdown(step['title'], _TITLE)} ({when}, {verdict})" + (
            f": {escape_markdown(why)}" if why else ""
        )


def escape_markdown(text: object, max_length: int = _LONG) -> str:
    """Return a text of the recording as one line of Markdown, in which markup, mentions, issue numbers and links have
    no effect.
    """
    line = " ".join(str(text).split())
    line = line if len(line) <= max_length else f"{line[:max_length]}…"
    line = _MENTION.sub(_JOINER, line)
    line = _SPECIAL.sub(r"\\\1", line)
    return re.sub("[&<>]", lambda found: _HTML[found[0]], line)


def _quote_url(address: str) -> str:
    return quote(address.partition("#")[0], safe="/:?&=%@+,;~!$'*-._")
