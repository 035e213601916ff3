"""Writes a recording as a transcript in Markdown, for people and for models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from pagereel.reading import Record, RecordedRun, build_story, to_record_text, to_utc_text

_LONG = 2_000
"""Longest value in the Markdown transcript, in characters."""


def iter_markdown_lines(reading: RecordedRun, replay: str | None = None) -> Iterator[str]:
    """Yield the lines of the transcript.

    `replay`: the address of the built file; if it is given, each time is a link to it.
    """
    when = _TimeFormatter(replay)
    overview = reading.overview()
    several = len(overview["agents"]) > 1
    yield f"# {overview['agent'] or 'Recording'}"
    yield ""
    if replay is not None:
        yield f"[The replay]({_escape_address(replay)})"
        yield ""
    if started := to_utc_text(overview["started"]):
        yield f"{started} UTC, {overview['duration'] / 1000:.1f} s."
    yield f"Outcome: {_to_one_line(reading.outcome)}."
    yield (
        f"{_format_count(overview['steps'], 'step')} ({len(overview['failed_steps'])} failed), {_format_count(overview['calls'], 'call')}, "
        f"{_format_count(overview['model_calls'], 'model call')}, {_format_count(overview['tokens'], 'token')}, {overview['cost_usd']} USD, {_format_count(overview['errors'], 'error')}."
    )
    depth: dict[Any, int] = {}
    for record in build_story(reading):
        if record["kind"] == "step":
            depth[record["id"]] = level = min(depth.get(record.get("parent"), 1) + 1, 6)
            # A step without an outcome that ended is done; one that raised has failed.
            verdict = "failed" if record.get("success") is False else "done" if record["ended"] else "never ended"
            yield ""
            who = f"{_to_one_line(record['agent'])}: " if several and record.get("agent") else ""
            yield f"{'#' * level} {who}{_to_one_line(record['title'])} (step {record['number']}, {when(record)}, {verdict})"
            for name in ("reasoning", "message", "error"):
                if record.get(name):
                    yield f"{name.capitalize()}: {_to_one_line(record[name])}"
            yield ""
        else:
            yield from _iter_record_lines(record, when)


def _format_count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _iter_record_lines(record: Record, format_time: _TimeFormatter) -> Iterator[str]:
    kind = record["kind"]
    if kind == "playwright":
        yield f"- {format_time(record)} {_to_one_line(record['did'])}{_format_json(record.get('locator'))}{_format_json(record.get('params'))}{_format_error(record)}"
    elif kind == "model":
        tokens = f"{record.get('input_tokens', '?')} → {record.get('output_tokens', '?')} tokens"
        yield f"- {format_time(record)} model {record.get('model', '')}, {tokens}"
        for name in ("prompt", "response"):
            if record.get(name) is not None:
                yield f"  - {name}:{_format_json(record[name])}"
    elif kind == "tool":
        yield f"- {format_time(record)} tool {record['name']}{_format_json(record.get('arguments'))}{_format_error(record)}"
        if "result" in record:
            yield f"  - result:{_format_json(record['result'])}"
    elif kind == "agent_message":
        sender, to = record.get("agent") or "the run", record.get("to") or "all"
        yield f"- {format_time(record)} {_to_one_line(sender)} to {_to_one_line(to)}: {_to_one_line(record['text'])}"
    else:
        who = f"{_to_one_line(record['agent'])}: " if record.get("agent") else ""
        yield f"- {format_time(record)} {kind}: {who}{_to_one_line(to_record_text(record))}"


class _TimeFormatter:
    """Formats an event's time in seconds, as a link if there is a replay."""

    def __init__(self, replay: str | None) -> None:
        self._replay = None if replay is None else _escape_address(replay)

    def __call__(self, record: Record) -> str:
        t = float(record["t"])
        words = f"{t / 1000:.2f} s"
        return words if self._replay is None else f"[{words}]({self._replay}#t={t:.0f})"


def _escape_address(replay: str) -> str:
    """Return the address of a replay without its fragment, escaped for a Markdown link."""
    return quote(replay.partition("#")[0], safe="/:?&=%@+,;~!$'*-._")


def _format_error(record: Record) -> str:
    return f" **{_to_one_line(record['error'])}**" if record.get("error") else ""


def _format_json(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f" `{_to_one_line(text).replace('`', 'ˋ')}`"


def _to_one_line(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _LONG else f"{text[:_LONG]}… [cut: {len(text):,} characters]"
