"""The facts of a run that a library indexes: figures, what the run used, its steps, and its lines of text."""

from __future__ import annotations

import hashlib
from dataclasses import astuple, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from pagereel.reading import (
    LONGEST,
    Record,
    RecordedRun,
    TimedTextLine,
    build_run_summary,
    find_prompt_version,
    open_recording,
    read_run_lines,
    to_value_key,
)

_SIGNATURE: Final = 160
"""Longest signature of an error, in characters."""


@dataclass(slots=True)
class UsageFigures:
    """How often a run used one thing (a model, a tool, a host), for how many ms, how often that failed, and for a model
    the tokens and the cost in US dollars.
    """

    count: int = 0
    ms: float = 0.0
    failed: int = 0
    tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class StepFacts:
    """A step of a run. `began` and `duration` are in ms; `parent` is the number of the step around it; tokens and cost
    include those of the steps in it.
    """

    number: int
    parent: int | None
    began: float
    duration: float | None
    title: str
    success: bool | None
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


@dataclass(slots=True)
class IndexedRunFacts:
    """The facts of one run.

    `started` is in ms since 1970, UTC; `duration` in ms; `cost` in US dollars. The other figures are those of
    ``pagereel.reading.build_run_summary``.
    """

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
    recovered: int = 0
    failed_steps: int = 0
    operations: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    retries: int = 0
    max_iteration: int = 0
    unique_tools: int = 0
    unsupported: int = 0
    checkpoints: int = 0
    equal: int = 0
    policy: str | None = None
    """The policy of the masked copy that was indexed; None: the raw recording was indexed."""
    masked: int = 0
    """Number of places with a stand-in."""
    expires: float | None = None
    """When the recording expires by its own header, in ms since 1970."""
    used: dict[tuple[str, str], UsageFigures] = field(default_factory=dict)
    """(operator of the query, value in lower case) → how often, and at what cost."""
    each: list[StepFacts] = field(default_factory=list)
    """The steps."""
    lines: list[TimedTextLine] = field(default_factory=list)


RUN: Final = tuple(each for each in fields(IndexedRunFacts) if each.name not in ("used", "each", "lines"))
"""The fields that are columns of the table ``run``."""


def read_run_facts(path: Path) -> IndexedRunFacts:
    """Read the facts of a recording without masking them: pass the masked copy where they must be masked.

    :raises ReelError: the file is no recording; LockedError: it is encrypted, and its key is not given.
    """
    reading = open_recording(path)
    facts = build_facts_without_lines(reading, build_run_summary(reading))
    facts.lines = read_run_lines(path, reading)
    return facts


def build_facts_without_lines(reading: RecordedRun, summary: Record) -> IndexedRunFacts:
    """Return the facts of an opened recording without its lines. `summary`: the result of ``build_run_summary`` for it."""
    overview = reading.summary()
    redaction = summary["redaction"] or {}
    numbers = {step["id"]: step["number"] for step in summary["steps"]}
    facts = IndexedRunFacts(
        started=float(summary["started"] or 0), duration=summary["duration"], agent=summary["agent"], outcome=summary["outcome"],
        sealed=reading.sealed, kind=reading.kind, steps=len(summary["steps"]), calls=overview["calls"], model_calls=overview["model_calls"],
        tokens=summary["tokens"], cost=summary["cost_usd"], errors=summary["errors"], gaps=sum(summary["gaps"].values()),
        recovered=summary["recovered"], failed_steps=len(overview["failed_steps"]), operations=summary["operations"], tokens_in=summary["tokens_in"], tokens_out=summary["tokens_out"],
        retries=summary["retries"], max_iteration=summary["max_iteration"], unique_tools=summary["unique_tools"],
        unsupported=sum(summary["unsupported"].values()), checkpoints=summary["fidelity"]["checkpoints"], equal=summary["fidelity"]["equal"],
        policy=redaction.get("policy"), masked=redaction.get("replacements") or 0, expires=_parse_time(reading.header.get("expires")),
    )  # fmt: skip
    facts.each = [
        StepFacts(
            step["number"], numbers.get(step.get("parent")), step["t"], step.get("duration"), step["title"], step.get("success"),
            step["calls"], step["tokens"], step["cost_usd"],
        )
        for step in summary["steps"]
    ]  # fmt: skip
    told = summary["metadata"] if isinstance(summary["metadata"], dict) else {}
    _add_usage(facts, "outcome", summary["outcome"])
    for agent in dict.fromkeys((summary["agent"], *summary["agents"])):
        _add_usage(facts, "agent", agent)
    for operator in ("tenant", "test", "ci", "version", "trace"):
        _add_usage(facts, operator, told.get(operator))
    for operator in ("tenant", "trace"):
        if summary.get(operator) != told.get(operator):
            _add_usage(facts, operator, summary.get(operator))
    for version in summary["versions"]:
        for value in (version.get("name"), version["sha256"]):
            _add_usage(facts, "version", value)
            if version["what"] == "prompt":
                _add_usage(facts, "prompt", value)
    for call in reading.calls():
        if call["kind"] == "model":
            tokens = (call.get("input_tokens") or 0) + (call.get("output_tokens") or 0)
            spent = UsageFigures(1, call.get("duration") or 0.0, 0, tokens, call.get("cost_usd") or 0.0)
            _add_usage(facts, "model", call.get("model"), spent)
            _add_usage(facts, "prompt", find_prompt_version(call), spent)
        elif call["kind"] == "tool":
            _add_usage(
                facts,
                "tool",
                call.get("name"),
                UsageFigures(1, call.get("duration") or 0.0, int(bool(call.get("error")))),
            )
    for record in (*reading.steps(), *reading.calls()):
        _add_usage(facts, "trace", (record.get("attributes") or {}).get("otel.trace_id"))
    for url in (*overview["pages"], *(request.get("url") for request in reading.requests())):
        _add_host_usage(facts, url)
    for error in reading.errors():
        _add_usage(facts, "error", build_error_signature(error))
    for gap in reading.gaps():
        _add_usage(facts, "gap", gap.get("reason") or gap.get("what"))
    if not reading.sealed:
        _add_usage(facts, "gap", "unsealed")
    return facts


def build_error_signature(error: Record) -> str:
    """Return a signature that is equal for similar errors: a hash, the error's kind, and its first line without numbers
    and ids.
    """
    words = to_value_key(str(error.get("message") or "").strip().partition("\n")[0])
    hashed = hashlib.blake2b(
        f"{error['kind']} {words}".casefold().encode("utf-8", "replace"), digest_size=4
    ).hexdigest()
    return f"{hashed} {error['kind']}: {words}"[:_SIGNATURE]


def drop_facts_texts(facts: IndexedRunFacts) -> IndexedRunFacts:
    """Return the facts that a thinned run keeps: errors only as hash and kind, no paths, and no lines."""
    used = {
        (operator, value.partition(":")[0] if operator == "error" else value): each
        for (operator, value), each in facts.used.items()
        if operator != "path"
    }
    return IndexedRunFacts(**{each.name: getattr(facts, each.name) for each in RUN}, used=used, each=facts.each)


def facts_to_dictionary(facts: IndexedRunFacts) -> dict[str, Any]:
    """Return the facts, without the lines, as a dictionary that can be written as JSON."""
    told: dict[str, Any] = {each.name: getattr(facts, each.name) for each in RUN}
    told["used"] = [[*key, *astuple(used)] for key, used in facts.used.items()]
    told["each"] = [list(astuple(step)) for step in facts.each]
    return told


def facts_from_dictionary(plain: dict[str, Any]) -> IndexedRunFacts:
    """Return the facts that :func:`facts_to_dictionary` converted. Raises ValueError, TypeError or KeyError for other
    values.
    """
    names = {each.name for each in RUN}
    facts = IndexedRunFacts(**{name: value for name, value in plain.items() if name in names})
    facts.used = {(str(operator), str(value)): UsageFigures(*figures) for operator, value, *figures in plain["used"]}
    facts.each = [StepFacts(*values) for values in plain["each"]]
    return facts


def _add_usage(facts: IndexedRunFacts, operator: str, value: object, duration: UsageFigures | None = None) -> None:
    if not isinstance(value, str) or not value:
        return
    used = facts.used.setdefault((operator, value[:LONGEST].casefold()), UsageFigures())
    each = duration or UsageFigures(1)
    used.count += each.count
    used.ms = round(used.ms + each.ms, 1)
    used.failed += each.failed
    used.tokens += each.tokens
    used.cost = round(used.cost + each.cost, 6)


def _add_host_usage(facts: IndexedRunFacts, url: object) -> None:
    if not isinstance(url, str):
        return
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return
    if parts.scheme in ("http", "https", "ws", "wss") and host:
        _add_usage(facts, "host", host)
        _add_usage(facts, "path", unquote(parts.path) or "/")


def _parse_time(text: object) -> float | None:
    if not isinstance(text, str):
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1_000
