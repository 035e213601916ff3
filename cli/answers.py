"""The work of `pagereel query`, `export` and `mcp`: answers on recordings, and recordings in other formats."""

from __future__ import annotations

import json as jsonlib
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pagereel.cli.checks import check_destination, check_free, check_readable, policy_or_none
from pagereel.cli.console import json_text, print_json, print_lines, print_written, progress, say
from pagereel.cli.dashes import DASH
from pagereel.cli.recording_state import say_cut
from pagereel.cli.values import bytes_of, moment_of
from pagereel.cli.verbs import change_lines, failure_lines, step_context_lines
from pagereel.durations import duration_text
from pagereel.errors import UsageError

SIDES: Final = (64, 3840)
"""Smallest and largest side of a film in px."""


def answer_query(
    reel: Path,
    what: str,
    about: str | None = None,
    *,
    at: str | None = None,
    grep: str | None = None,
    agent: str | None = None,
    start: float | None = None,
    end: float | None = None,
    limit: int | None = None,
    redaction: str,
    for_agent: bool = False,
    json: bool,
) -> int:
    """Print the answer to a question of `pagereel query`: lines for people, or with `json` one JSON value.

    `what`: the question's word, such as ``steps``. `about`: the selector for ``when-changed``, the step for ``around``.
    `for_agent`: mark the answer as data that is no instruction.
    """
    check_readable(reel)
    from pagereel.integrations import fenced, shared
    from pagereel.reading import (
        RecordedRun,
        asked,
        chosen,
        describe_step,
        first_failure,
        line_of,
        matching,
        paragraph,
        run_summary,
        when_changed,
    )

    if grep:
        matching(grep)  # raises at once for an invalid pattern

    policy = policy_or_none(redaction)
    with progress(f"Redacting {reel.name}"), shared(reel, policy) as shown:
        reading = RecordedRun(shown.path)
        answer: object
        if what == "overview":
            answer = overview = reading.overview()
            counted = overview | {"failed_steps": [reading.number_of(step) for step in overview["failed_steps"]]}
            lines = overview_lines(counted)
        elif what == "summary":
            answer = run_summary(reading)
            lines = [paragraph(answer, markdown=False)]
        elif what == "text":
            try:
                answer = pages = reading.text(None if at is None else reading.moment(at))
            except LookupError as error:
                raise UsageError(f"{error.args[0]}.") from None
            lines = [f"--- page {p['page']}: {p['title']} <{p['url']}>\n{p['text']}" for p in pages]
        elif what == "when-changed":
            answer = records = chosen(when_changed(reading, about or ""), grep=grep, start=start, end=end, limit=limit)
            lines = change_lines(records)
        elif what == "first-failure":
            answer = found = first_failure(reading)
            lines = failure_lines(found)
        elif what == "around":
            try:
                answer = found = describe_step(reading, about or "")
            except LookupError as error:
                raise UsageError(f"{error.args[0]}.") from None
            lines = step_context_lines(found)
        else:
            answer = records = chosen(asked(reading, what, agent), grep=grep, start=start, end=end, limit=limit)
            lines = [line_of(record) for record in records]
        told = say_cut(reel)
        text = json_text(_with(answer, told)) if json else "\n".join(lines)
        shown.check(text, "the answer")
    if for_agent:
        text = fenced(text, f"The {what} of {reel.name}")
    if text:
        print_lines(text.split("\n"), places=what == "first-failure")
    return 0


def _with(answer: object, told: list[str]) -> object:
    """Return an answer with the sentences about what could not be read added: a dictionary gets the field ``damage``, a
    list a last record.
    """
    if told and isinstance(answer, dict):
        return {**answer, "damage": told}
    return [*answer, {"damage": told}] if told and isinstance(answer, list) else answer


def export_reel(
    reel: Path,
    destination: Path | None,
    form: str | None,
    page: int | None,
    options: list[str],
    redaction: str,
    *,
    force: bool,
    json: bool = False,
) -> int:
    """Write a recording in another format, to a file or to stdout. With `json`, print the file's path and size in bytes
    as JSON.
    """
    from pagereel.integrations import export, format_of, formats, options_from, shared

    if destination == Path(DASH):
        destination = None
    if json and destination is None:
        raise UsageError("--json describes the file that is written; give --output FILE.")
    form = form or (format_of(destination.name) if destination else None)
    if form is None:
        known = f"with --format: {', '.join(formats())}."
        raise UsageError(
            f"{destination.name} does not end in a known format; end it in one of {known}"
            if destination
            else f"Name the format {known}"
        )
    given = options_from(form, options)
    check_readable(reel)
    if destination is not None:
        check_destination(destination, reel, device=True)
        check_free(destination, force=force)
    with progress(f"Exporting {reel.name}"), shared(reel, policy_or_none(redaction)) as shown:
        try:
            unmasked = None if shown.path == reel else reel
            made = shown.check(export(shown.path, form, page, unmasked=unmasked, **given), "the export")
        except LookupError as error:
            raise UsageError(f"{reel.name}: {error.args[0]}.") from None
    say_cut(reel)
    if destination is None:
        if isinstance(made, bytes):
            sys.stdout.buffer.write(made)
        else:
            print_lines(made.splitlines())
        return 0
    save(destination, made if isinstance(made, bytes) else made.encode("utf-8"))
    if json:
        print_json({"file": str(destination), "bytes": destination.stat().st_size})
    else:
        print_written(destination)
    return 0


def save(destination: Path, made: bytes) -> None:
    """Write finished content to a file atomically: a file of that name is replaced as a whole, or stays as it was.

    A device is written directly. Raises BuildError, or UsageError for a device that cannot be written.
    """
    if not destination.exists() or destination.is_file():
        from pagereel.player_build import write_whole

        write_whole(destination, (made,))
        return
    try:
        destination.write_bytes(made)
    except OSError as error:
        raise UsageError(f"{destination} cannot be written: {error.strerror}.") from None


def export_film(
    reel: Path,
    destination: Path | None,
    form: str,
    *,
    start: str | None,
    end: str | None,
    max_size: str | None,
    size: str | None,
    story: bool,
    bare: bool,
    redaction: str,
    force: bool,
    json: bool,
) -> int:
    """Write a film of the recording, and print its size and length; with `json`, print how its times correspond to
    those of the run.
    """
    destination = None if destination == Path(DASH) else destination
    if destination is None and (json or sys.stdout.isatty()):
        raise UsageError(f"Name the file to write the film to: run.{form}.")
    most, sides = None if max_size is None else bytes_of(max_size), size_of(size)
    check_readable(reel)
    if destination is not None:
        check_destination(destination, reel, device=True)
        check_free(destination, force=force)
    from pagereel.integrations import FilmLook, FilmSettings, make_film, shareable

    first, last = (moment_of([reel], text, is_end=is_end) for text, is_end in ((start, False), (end, True)))
    settings = FilmSettings(first, last, most, sides, FilmLook(drawn=not bare, story=story))
    with progress(f"Filming {reel.name}") as advance, shareable(reel, policy_or_none(redaction)) as shown:
        made = make_film(shown, form, settings, advance)
    say_cut(reel)
    if destination is None:
        sys.stdout.buffer.write(made.data)
        return 0
    save(destination, made.data)
    if json:
        print_json(made.clock.to_json())
    else:
        width, height = made.size
        cut = sum(b - a for a, b in made.clock.skipped())
        gone = f"; {duration_text(cut)} without a change are cut" if cut else ""
        print_written(destination, f"{duration_text(made.clock.length)}, {width} × {height}{gone}")
    return 0


def size_of(text: str | None) -> tuple[int, int] | None:
    """Parse a film's size such as ``1280x720`` into width and height in px; None stays None. Raises UsageError."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text.strip().lower())
    if match is None or not all(SIDES[0] <= int(side) <= SIDES[1] for side in match.groups()):
        raise UsageError(
            f"{text!r} is not the size of a film; write it like 1280x720, each side from {SIDES[0]} to {SIDES[1]} px."
        )
    return int(match[1]), int(match[2])


def export_skill(
    paths: list[Path], options: list[str], check: str | None, redaction: str, *, force: bool = False, json: bool = False
) -> int:
    """Draft a skill from recordings, and write SKILL.md and skill.py into a folder: the last of `paths` if that is no
    file, else one named after the skill. Existing files are replaced only with `force`.

    `check`: the address of a site, against which the script is then run once. Return 1 if that fails.
    """
    folder = paths.pop() if not paths[-1].is_file() and len(paths) > 1 else None
    if folder is not None and folder.suffix.lower() in (".reel", ".html", ".zip", ".json"):
        raise UsageError(f"There is no file {folder}.")
    for path in paths:
        check_readable(path)
    named = [option.removeprefix("name=") for option in options if option.startswith("name=")]
    if len(named) != len(options):
        raise UsageError("The format skill has one option, name (-O name='Order a vase').")
    from pagereel.integrations import draft_skill, try_once

    with progress("Comparing the recordings"):
        skill = draft_skill(paths, name=named[-1] if named else "", redaction=policy_or_none(redaction))
    folder = folder or Path(skill.name)
    written = [folder / "SKILL.md", folder / "skill.py"]
    for path in written:
        check_free(path, force=force)
    try:
        skill.write(folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}.") from None
    verdict = None
    if check is not None:
        with progress(f"Running {written[1]}"):
            verdict = try_once(skill, folder, check)
    if json:
        checked = None if verdict is None else {"ok": verdict.ended_well, "said": verdict.said}
        print_json({"files": [str(path) for path in written], "check": checked})
    else:
        for path in written:
            print_written(path)
    if verdict is None:
        say("A draft: read it, then write it again with --force --check URL, which runs it.")
        return 0
    say(verdict.status)
    if not verdict.ended_well:
        say(verdict.said)
    return 0 if verdict.ended_well else 1


def serve_mcp(reel: Path | None, redaction: str) -> int:
    """Answer an MCP client on stdin and stdout until it disconnects."""
    if reel is not None:
        check_readable(reel)
    from pagereel.integrations import McpServer

    McpServer(reel, policy_or_none(redaction)).serve(sys.stdin, sys.stdout)
    return 0


def overview_lines(fields: Mapping[str, Any]) -> list[str]:
    """Return a line for each non-empty field of :meth:`~pagereel.reading.RecordedRun.overview`, and one for each page."""
    lines = []
    for name, value in fields.items():
        shown = _SHOWN.get(name, _plain)(value)
        for n, one in enumerate(shown if isinstance(shown, list) else [shown]):
            if one:
                lines.append(f"{'' if n else name + ':':>15} {one}")
    return lines


def _plain(value: object) -> str:
    """Return a value as one line of text; "" for an empty value. A text with control characters, and any value that is
    no text, is written as JSON.
    """
    if value in (None, "", [], {}):
        return ""
    if isinstance(value, str) and value.isprintable():
        return value
    return jsonlib.dumps(value, ensure_ascii=False)


def _started(value: object) -> str:
    from pagereel.reading import moment_text

    moment = moment_text(value)
    return f"{moment} UTC" if moment else _plain(value)


def _sealed(value: object) -> str:
    return "yes" if value else "no, it was cut off before its end"


def _metadata(value: object) -> str:
    if not isinstance(value, dict):
        return _plain(value)
    return ", ".join(f"{_plain(name)} {_plain(one)}" for name, one in value.items())


_SHOWN: dict[str, Any] = {
    "started": _started,
    "duration": duration_text,
    "sealed": _sealed,
    "metadata": _metadata,
    "pages": lambda pages: [_plain(url) for url in pages],
    "tokens": "{:,}".format,
    "cost_usd": lambda cost: f"{cost:.6f}".rstrip("0").rstrip("."),
    "marks": lambda marks: [f"{_plain(mark['name'])} ({duration_text(mark['t'])})" for mark in marks],
}
