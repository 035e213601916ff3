"""Writes a recording as a transcript in Markdown, for people and for models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from pagereel.reading import Record, RecordedRun, moment_text, story, words_of

_LONG = 2_000
"""Longest value in the Markdown transcript, in characters."""


def markdown(reading: RecordedRun, replay: str | None = None) -> Iterator[str]:
    """Yield the lines of the transcript. `replay`: the address of the built file, to which each time is then a link."""
    when = _Times(replay)
    overview = reading.overview()
    several = len(overview["agents"]) > 1
    yield f"# {overview['agent'] or 'Recording'}"
    yield ""
    if replay is not None:
        yield f"[The replay]({_address(replay)})"
        yield ""
    if started := moment_text(overview["started"]):
        yield f"{started} UTC, {overview['duration'] / 1000:.1f} s."
    yield f"Outcome: {_line(reading.outcome)}."
    yield (
        f"{_count(overview['steps'], 'step')} ({len(overview['failed_steps'])} failed), {_count(overview['calls'], 'call')}, "
        f"{_count(overview['model_calls'], 'model call')}, {_count(overview['tokens'], 'token')}, {overview['cost_usd']} USD, {_count(overview['errors'], 'error')}."
    )
    depth: dict[Any, int] = {}
    for record in story(reading):
        if record["kind"] == "step":
            depth[record["id"]] = level = min(depth.get(record.get("parent"), 1) + 1, 6)
            # A step without an outcome that ended is done; one that raised has failed.
            verdict = "failed" if record.get("success") is False else "done" if record["ended"] else "never ended"
            yield ""
            who = f"{_line(record['agent'])}: " if several and record.get("agent") else ""
            yield f"{'#' * level} {who}{_line(record['title'])} (step {record['number']}, {when(record)}, {verdict})"
            for name in ("reasoning", "message", "error"):
                if record.get(name):
                    yield f"{name.capitalize()}: {_line(record[name])}"
            yield ""
        else:
            yield from _item(record, when)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _item(record: Record, when: _Times) -> Iterator[str]:
    kind = record["kind"]
    if kind == "playwright":
        yield f"- {when(record)} {_line(record['did'])}{_json(record.get('locator'))}{_json(record.get('params'))}{_trouble(record)}"
    elif kind == "model":
        tokens = f"{record.get('input_tokens', '?')} → {record.get('output_tokens', '?')} tokens"
        yield f"- {when(record)} model {record.get('model', '')}, {tokens}"
        for name in ("prompt", "response"):
            if record.get(name) is not None:
                yield f"  - {name}:{_json(record[name])}"
    elif kind == "tool":
        yield f"- {when(record)} tool {record['name']}{_json(record.get('arguments'))}{_trouble(record)}"
        if "result" in record:
            yield f"  - result:{_json(record['result'])}"
    elif kind == "agent_message":
        sender, to = record.get("agent") or "the run", record.get("to") or "all"
        yield f"- {when(record)} {_line(sender)} to {_line(to)}: {_line(record['text'])}"
    else:
        who = f"{_line(record['agent'])}: " if record.get("agent") else ""
        yield f"- {when(record)} {kind}: {who}{_line(words_of(record))}"


class _Times:
    """Formats an event's time in seconds, as a link if there is a replay."""

    def __init__(self, replay: str | None) -> None:
        self._replay = None if replay is None else _address(replay)

    def __call__(self, record: Record) -> str:
        t = float(record["t"])
        words = f"{t / 1000:.2f} s"
        return words if self._replay is None else f"[{words}]({self._replay}#t={t:.0f})"


def _address(replay: str) -> str:
    """Return the address of a replay without its fragment, escaped for a Markdown link."""
    return quote(replay.partition("#")[0], safe="/:?&=%@+,;~!$'*-._")


def _trouble(record: Record) -> str:
    return f" **{_line(record['error'])}**" if record.get("error") else ""


def _json(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f" `{_line(text).replace('`', 'ˋ')}`"


def _line(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _LONG else f"{text[:_LONG]}… [cut: {len(text):,} characters]"
