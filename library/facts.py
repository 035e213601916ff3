"""What a library knows of one run: fields, what it used, and every line that it showed or said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from pagereel.reading import Record, lines_shown, open_recording, outcome_of

LONGEST: Final = 2_000
"""Characters of a line that are looked through; the rest of a longer one is not found."""
_LINES: Final = 20_000
"""Lines that one text (a prompt, a body of a message) may have."""


@dataclass(frozen=True, slots=True)
class Line:
    """A text and where it stood. `kind`: ``page``, ``step``, ``reasoning``, ``prompt``, ``answer``, ``note``, ``console``, ``request``, ``error``;
    `page` is 0 where there is none; times in ms.
    """

    kind: str
    text: str
    begin: float
    end: float
    page: int = 0


@dataclass(slots=True)
class Facts:
    """One run. `started` in ms since 1970, UTC; `duration` in ms; `cost` in US dollars."""

    started: float
    duration: float
    agent: str | None
    outcome: str
    sealed: bool
    kind: str
    steps: int
    calls: int
    model_calls: int
    tokens: int
    cost: float
    errors: int
    gaps: int
    uses: dict[tuple[str, str], int] = field(default_factory=dict)
    """(operator of the query, value in small letters) → how often."""
    lines: list[Line] = field(default_factory=list)


def facts_of(path: Path) -> Facts:
    """Read a recording, as it is: give the masked one where its text must be.

    :raises ReelError: the file is no recording; LockedError: it is encrypted, and its key is not given.
    """
    reading = open_recording(path)
    summary = reading.summary()
    steps, calls, requests, notes = reading.steps(), reading.calls(), reading.requests(), reading.notes()
    metadata = reading.header.get("metadata")
    outcome = outcome_of((s.get("success") for s in steps if s.get("parent") is None), reading.reason, metadata)
    facts = Facts(
        started=float(summary["started"] or 0), duration=reading.duration, agent=summary["agent"], outcome=outcome,
        sealed=reading.sealed, kind=reading.kind, steps=len(steps), calls=summary["calls"], model_calls=summary["model_calls"],
        tokens=summary["tokens"], cost=summary["cost_usd"], errors=summary["errors"], gaps=summary["gaps"],
    )  # fmt: skip
    told = metadata if isinstance(metadata, dict) else {}
    _use(facts, "outcome", outcome)
    for operator, value in (("agent", summary["agent"]), ("tenant", told.get("tenant")), ("test", told.get("test"))):
        _use(facts, operator, value)
    for call in calls:
        if call["kind"] == "model":
            _use(facts, "model", call.get("model"))
        elif call["kind"] == "tool":
            _use(facts, "tool", call.get("name"))
    for url in (*summary["pages"], *(request.get("url") for request in requests)):
        _address(facts, url)
    for gap in reading.gaps():
        _use(facts, "gap", gap.get("reason") or gap.get("what"))
    if not reading.sealed:
        _use(facts, "gap", "unsealed")
    facts.lines = list(dict.fromkeys(_lines(path, steps, calls, requests, notes, reading.console(), reading.errors())))
    return facts


def _use(facts: Facts, operator: str, value: object) -> None:
    if isinstance(value, str) and value:
        key = operator, value[:LONGEST].casefold()
        facts.uses[key] = facts.uses.get(key, 0) + 1


def _address(facts: Facts, url: object) -> None:
    if not isinstance(url, str):
        return
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return
    if parts.scheme in ("http", "https", "ws", "wss") and host:
        _use(facts, "host", host)
        _use(facts, "path", unquote(parts.path) or "/")


def _lines(
    path: Path,
    steps: Iterable[Record],
    calls: Iterable[Record],
    requests: Iterable[Record],
    notes: Iterable[Record],
    console: Iterable[Record],
    errors: Iterable[Record],
) -> Iterator[Line]:
    for span in lines_shown(path):
        yield Line("page", span.text[:LONGEST], span.begin, span.end, span.page)
    for step in steps:
        end = step["t"] + (step.get("duration") or 0)
        yield from _text("step", step["title"], step["t"], end)
        yield from _text("reasoning", step.get("reasoning"), step["t"], end)
    for call in calls:
        end = call["t"] + (call.get("duration") or 0)
        if call["kind"] == "model":
            yield from _text("prompt", call.get("prompt"), call["t"], end)
            yield from _text("answer", call.get("response"), call["t"], end)
        elif call["kind"] == "tool":
            yield from _text("prompt", call.get("arguments"), call["t"], end)
            yield from _text("answer", call.get("result"), call["t"], end)
    for note in notes:
        if note["kind"] in ("note", "memory", "mark", "dialog"):
            for name in ("text", "value", "name", "message"):
                yield from _text("note", note.get(name), note["t"], note["t"])
    for line in console:
        yield from _text("console", line.get("text"), line["t"], line["t"])
    for request in requests:
        said = (
            f"{request.get('method')} {request.get('url')} {request.get('status') or ''} {request.get('failed') or ''}"
        )
        yield from _text("request", said, request["t"], request["t"] + (request.get("duration") or 0))
    for error in errors:
        if error["kind"] != "console":
            yield from _text("error", error.get("message"), error["t"], error["t"])


def _text(kind: str, value: Any, begin: float, end: float) -> Iterator[Line]:
    """Yield the lines of all texts in a value, in order, without recursion: what a page or a model said nests as it likes."""
    stack = [value]
    left = _LINES
    while stack and left > 0:
        inner = stack.pop()
        if isinstance(inner, str):
            for line in inner.splitlines()[:left]:
                said = " ".join(line.split())[:LONGEST]
                left -= 1
                if said:
                    yield Line(kind, said, begin, end)
        elif isinstance(inner, dict):
            stack.extend(reversed(list(inner.values())))
        elif isinstance(inner, list | tuple):
            stack.extend(reversed(inner))
        elif isinstance(inner, int | float) and not isinstance(inner, bool):
            left -= 1
            yield Line(kind, str(inner), begin, end)
