"""Answers questions about recordings and exports recordings, for `pagereel query`, `export` and `mcp`."""

from __future__ import annotations

import json as jsonlib
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pagereel.cli.argument_requirements import (
    parse_redaction_option,
    require_no_existing_file,
    require_readable_file,
    require_writable_destination,
)
from pagereel.cli.argument_values import parse_moment, parse_size
from pagereel.cli.console import format_json, print_json, print_lines, print_message, print_written_file, show_progress
from pagereel.cli.query_output import format_first_failure, format_step_context, format_when_changed
from pagereel.cli.recording_state import print_unread_parts
from pagereel.cli.standard_streams import DASH
from pagereel.durations import format_duration
from pagereel.errors import UsageError

SIDES: Final = (64, 3840)
"""Smallest and largest side of a film in px."""


def print_query_answer(
    reel: Path,
    question: str,
    subject: str | None = None,
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
    """Print the answer to a question about a recording: as lines for people, or with `json` as one JSON value.

    `question`: the question's name, such as ``steps``. `subject`: the selector for ``when-changed``, the step for ``around``.
    `for_agent`: enclose the answer in marks that tell a coding agent not to follow instructions in it.
    """
    require_readable_file(reel)
    from pagereel.integrations import fence_text, shared
    from pagereel.reading import (
        RecordedRun,
        build_run_summary,
        compile_grep,
        describe_step,
        filter_records,
        find_element_changes,
        find_first_failure,
        run_query,
        to_summary_paragraph,
        to_text_line,
    )

    if grep:
        compile_grep(grep)  # raises at once for an invalid pattern

    policy = parse_redaction_option(redaction)
    with show_progress(f"Redacting {reel.name}"), shared(reel, policy) as shown:
        reading = RecordedRun(shown.path)
        answer: object
        if question == "overview":
            answer = overview = reading.overview()
            counted = overview | {"failed_steps": [reading.get_step_number(step) for step in overview["failed_steps"]]}
            lines = format_overview(counted)
        elif question == "summary":
            answer = build_run_summary(reading)
            lines = [to_summary_paragraph(answer, markdown=False)]
        elif question == "text":
            try:
                answer = pages = reading.text(None if at is None else reading.moment(at))
            except LookupError as error:
                raise UsageError(f"{error.args[0]}.") from None
            lines = [f"--- page {p['page']}: {p['title']} <{p['url']}>\n{p['text']}" for p in pages]
        elif question == "when-changed":
            answer = records = filter_records(
                find_element_changes(reading, subject or ""), grep=grep, start=start, end=end, limit=limit
            )
            lines = format_when_changed(records)
        elif question == "first-failure":
            answer = found = find_first_failure(reading)
            lines = format_first_failure(found)
        elif question == "around":
            try:
                answer = found = describe_step(reading, subject or "")
            except LookupError as error:
                raise UsageError(f"{error.args[0]}.") from None
            lines = format_step_context(found)
        else:
            answer = records = filter_records(
                run_query(reading, question, agent), grep=grep, start=start, end=end, limit=limit
            )
            lines = [to_text_line(record) for record in records]
        told = print_unread_parts(reel)
        text = format_json(_add_damage_sentences(answer, told)) if json else "\n".join(lines)
        shown.require_no_leak(text, "the answer")
    if for_agent:
        text = fence_text(text, f"The {question} of {reel.name}")
    if text:
        print_lines(text.split("\n"), link_places=question == "first-failure")
    return 0


def _add_damage_sentences(answer: object, damage_sentences: list[str]) -> object:
    """Return an answer with sentences about the unreadable parts of the recording.

    A dictionary gets them in the field ``damage``, a list in an additional last record.
    """
    if damage_sentences and isinstance(answer, dict):
        return {**answer, "damage": damage_sentences}
    return [*answer, {"damage": damage_sentences}] if damage_sentences and isinstance(answer, list) else answer


def export_reel(
    reel: Path,
    destination: Path | None,
    format_name: str | None,
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
    from pagereel.integrations import export, find_format_of_file, list_formats, parse_options, shared

    if destination == Path(DASH):
        destination = None
    if json and destination is None:
        raise UsageError("--json describes the file that is written; give --output FILE.")
    format_name = format_name or (find_format_of_file(destination.name) if destination else None)
    if format_name is None:
        known = f"with --format: {', '.join(list_formats())}."
        raise UsageError(
            f"{destination.name} does not end in a known format; end it in one of {known}"
            if destination
            else f"Name the format {known}"
        )
    given = parse_options(format_name, options)
    require_readable_file(reel)
    if destination is not None:
        require_writable_destination(destination, reel, accepts_device=True)
        require_no_existing_file(destination, force=force)
    with show_progress(f"Exporting {reel.name}"), shared(reel, parse_redaction_option(redaction)) as shown:
        try:
            unmasked = None if shown.path == reel else reel
            made = shown.require_no_leak(
                export(shown.path, format_name, page, unmasked=unmasked, **given), "the export"
            )
        except LookupError as error:
            raise UsageError(f"{reel.name}: {error.args[0]}.") from None
    print_unread_parts(reel)
    if destination is None:
        if isinstance(made, bytes):
            sys.stdout.buffer.write(made)
        else:
            print_lines(made.splitlines())
        return 0
    write_file_atomically(destination, made if isinstance(made, bytes) else made.encode("utf-8"))
    if json:
        print_json({"file": str(destination), "bytes": destination.stat().st_size})
    else:
        print_written_file(destination)
    return 0


def write_file_atomically(destination: Path, content: bytes) -> None:
    """Write the content `content` to a file, so that an existing file is either replaced completely or left unchanged.

    A device is written directly. Raises BuildError, or UsageError for a device that cannot be written.
    """
    if not destination.exists() or destination.is_file():
        from pagereel.player_build import write_whole

        write_whole(destination, (content,))
        return
    try:
        destination.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{destination} cannot be written: {error.strerror}.") from None


def export_film(
    reel: Path,
    destination: Path | None,
    film_format: str,
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
    """Write a film of a recording, and print its size and length.

    With `json`, print also the mapping from times of the film to times of the run.
    """
    destination = None if destination == Path(DASH) else destination
    if destination is None and (json or sys.stdout.isatty()):
        raise UsageError(f"Name the file to write the film to: run.{film_format}.")
    most, sides = None if max_size is None else parse_size(max_size), parse_film_size(size)
    require_readable_file(reel)
    if destination is not None:
        require_writable_destination(destination, reel, accepts_device=True)
        require_no_existing_file(destination, force=force)
    from pagereel.integrations import FilmLayout, FilmSettings, make_film, open_shareable_reel

    first, last = (parse_moment([reel], text, is_end=is_end) for text, is_end in ((start, False), (end, True)))
    settings = FilmSettings(first, last, most, sides, FilmLayout(drawn=not bare, story=story))
    with (
        show_progress(f"Filming {reel.name}") as advance,
        open_shareable_reel(reel, parse_redaction_option(redaction)) as shown,
    ):
        made = make_film(shown, film_format, settings, advance)
    print_unread_parts(reel)
    if destination is None:
        sys.stdout.buffer.write(made.data)
        return 0
    write_file_atomically(destination, made.data)
    if json:
        print_json(made.clock.to_json())
    else:
        width, height = made.size
        cut = sum(b - a for a, b in made.clock.list_skipped_spans())
        gone = f"; {format_duration(cut)} without a change are cut" if cut else ""
        print_written_file(destination, f"{format_duration(made.clock.length)}, {width} × {height}{gone}")
    return 0


def parse_film_size(text: str | None) -> tuple[int, int] | None:
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
    """Draft a skill from recordings, and write its SKILL.md and skill.py into a folder.

    The folder is the last of `paths` if that is no file, otherwise one named after the skill. Existing files are
    replaced only with `force`. `check`: the address of a site on which the script is run once; return 1 if that fails.
    """
    folder = paths.pop() if not paths[-1].is_file() and len(paths) > 1 else None
    if folder is not None and folder.suffix.lower() in (".reel", ".html", ".zip", ".json"):
        raise UsageError(f"There is no file {folder}.")
    for path in paths:
        require_readable_file(path)
    named = [option.removeprefix("name=") for option in options if option.startswith("name=")]
    if len(named) != len(options):
        raise UsageError("The format skill has one option, name (-O name='Order a vase').")
    from pagereel.integrations import draft_skill, run_skill_once

    with show_progress("Comparing the recordings"):
        skill = draft_skill(paths, name=named[-1] if named else "", redaction=parse_redaction_option(redaction))
    folder = folder or Path(skill.name)
    written = [folder / "SKILL.md", folder / "skill.py"]
    for path in written:
        require_no_existing_file(path, force=force)
    try:
        skill.write(folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}.") from None
    verdict = None
    if check is not None:
        with show_progress(f"Running {written[1]}"):
            verdict = run_skill_once(skill, folder, check)
    if json:
        checked = None if verdict is None else {"ok": verdict.ended_well, "said": verdict.said}
        print_json({"files": [str(path) for path in written], "check": checked})
    else:
        for path in written:
            print_written_file(path)
    if verdict is None:
        print_message("A draft: read it, then write it again with --force --check URL, which runs it.")
        return 0
    print_message(verdict.status)
    if not verdict.ended_well:
        print_message(verdict.said)
    return 0 if verdict.ended_well else 1


def serve_mcp(reel: Path | None, redaction: str) -> int:
    """Answer an MCP client on stdin and stdout until it disconnects."""
    if reel is not None:
        require_readable_file(reel)
    from pagereel.integrations import McpServer

    McpServer(reel, parse_redaction_option(redaction)).serve(sys.stdin, sys.stdout)
    return 0


def format_overview(fields: Mapping[str, Any]) -> list[str]:
    """Return the fields of :meth:`~pagereel.reading.RecordedRun.overview` as lines, without empty fields, and a line
    for each page.
    """
    lines = []
    for name, value in fields.items():
        shown = _SHOWN.get(name, _to_one_line)(value)
        for n, one in enumerate(shown if isinstance(shown, list) else [shown]):
            if one:
                lines.append(f"{'' if n else name + ':':>15} {one}")
    return lines


def _to_one_line(value: object) -> str:
    """Return a value as one line of text; "" for an empty value.

    A text with control characters, and any value that is no text, is written as JSON.
    """
    if value in (None, "", [], {}):
        return ""
    if isinstance(value, str) and value.isprintable():
        return value
    return jsonlib.dumps(value, ensure_ascii=False)


def _format_start_time(value: object) -> str:
    from pagereel.reading import to_utc_text

    moment = to_utc_text(value)
    return f"{moment} UTC" if moment else _to_one_line(value)


def _format_sealed(value: object) -> str:
    return "yes" if value else "no, it was cut off before its end"


def _format_metadata(value: object) -> str:
    if not isinstance(value, dict):
        return _to_one_line(value)
    return ", ".join(f"{_to_one_line(name)} {_to_one_line(one)}" for name, one in value.items())


_SHOWN: dict[str, Any] = {
    "started": _format_start_time,
    "duration": format_duration,
    "sealed": _format_sealed,
    "metadata": _format_metadata,
    "pages": lambda pages: [_to_one_line(url) for url in pages],
    "tokens": "{:,}".format,
    "cost_usd": lambda cost: f"{cost:.6f}".rstrip("0").rstrip("."),
    "marks": lambda marks: [f"{_to_one_line(mark['name'])} ({format_duration(mark['t'])})" for mark in marks],
}
