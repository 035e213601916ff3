"""Extracts every line of text of a run (pages, steps, prompts, console, errors), with its times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .record_fields import pick_new_messages
from .recorded_run import RecordedRun
from .visible_lines import iter_shown_lines

LONGEST: Final = 2_000
"""Characters of a line that are kept; the rest of a longer line cannot be found."""
_LINES: Final = 20_000
"""Largest number of lines of one text (a prompt, a body of a message)."""


@dataclass(frozen=True, slots=True)
class TimedTextLine:
    """A line of text and its times. `kind`: ``page``, ``step``, ``reasoning``, ``prompt``, ``answer``, ``note``,
    ``console``, ``request``, ``error``; `page`: the page's number, or 0; times in ms.
    """

    kind: str
    text: str
    begin: float
    end: float
    page: int = 0


def read_run_lines(path: Path, reading: RecordedRun) -> list[TimedTextLine]:
    """Return all lines of a recording, one for each time that a line appeared."""
    return list(dict.fromkeys(_iter_run_lines(path, reading)))


def _iter_run_lines(path: Path, reading: RecordedRun) -> Iterator[TimedTextLine]:
    for span in iter_shown_lines(path):
        yield TimedTextLine("page", span.text[:LONGEST], span.begin, span.end, span.page)
    for step in reading.steps():
        end = step["t"] + (step.get("duration") or 0)
        yield from iter_lines_of_value("step", step["title"], step["t"], end)
        yield from iter_lines_of_value("reasoning", step.get("reasoning"), step["t"], end)
    seen: set[int] = set()
    for call in reading.calls():
        end = call["t"] + (call.get("duration") or 0)
        if call["kind"] == "model":
            yield from iter_lines_of_value("prompt", pick_new_messages(call, seen), call["t"], end)
            yield from iter_lines_of_value("reasoning", call.get("reasoning"), call["t"], end)
            yield from iter_lines_of_value("answer", call.get("response"), call["t"], end)
        elif call["kind"] == "tool":
            yield from iter_lines_of_value("prompt", call.get("arguments"), call["t"], end)
            yield from iter_lines_of_value("answer", call.get("result"), call["t"], end)
    for note in reading.notes():
        if note["kind"] in (
            "note",
            "memory",
            "mark",
            "dialog",
            "ask",
            "answer",
            "artifact",
            "score",
            "outcome",
            "agent_message",
        ):
            for name in ("text", "value", "name", "message"):
                yield from iter_lines_of_value("note", note.get(name), note["t"], note["t"])
    for line in reading.console():
        yield from iter_lines_of_value("console", line.get("text"), line["t"], line["t"])
    for request in reading.requests():
        said = (
            f"{request.get('method')} {request.get('url')} {request.get('status') or ''} {request.get('failed') or ''}"
        )
        yield from iter_lines_of_value("request", said, request["t"], request["t"] + (request.get("duration") or 0))
    for error in reading.errors():
        if error["kind"] != "console":
            yield from iter_lines_of_value("error", error.get("message"), error["t"], error["t"])


def iter_lines_of_value(kind: str, value: Any, begin: float, end: float) -> Iterator[TimedTextLine]:
    """Yield the lines of all texts in a nested value, in order. It does not recurse, because values of pages and models
    may nest deeply.
    """
    stack = [value]
    left = _LINES
    while stack and left > 0:
        inner = stack.pop()
        if isinstance(inner, str):
            for line in inner.splitlines()[:left]:
                text = " ".join(line.split())[:LONGEST]
                left -= 1
                if text:
                    yield TimedTextLine(kind, text, begin, end)
        elif isinstance(inner, dict):
            stack.extend(reversed(list(inner.values())))
        elif isinstance(inner, list | tuple):
            stack.extend(reversed(inner))
        elif isinstance(inner, int | float) and not isinstance(inner, bool):
            left -= 1
            yield TimedTextLine(kind, str(inner), begin, end)
