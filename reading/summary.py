"""Summarizes a run from its recording: goal, outcome, first failure, pages, tools, models, cost and time by step, and gaps.

The summary includes the figures that AgentOS shows for a run (total duration, operations, highest iteration, tokens,
cost, distinct tools). No model is called.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from .failure import find_first_failure
from .record_fields import Record, drop_empty_fields
from .recorded_run import RecordedRun
from .run_failures import find_recovered_calls

_ITERATION: Final = ("iteration", "langgraph_step", "turn")
"""Attributes in which agents give the iteration of their loop for a step or a call."""
_VERSION: Final = ("prompt_version", "gen_ai.prompt.version", "langfuse.prompt.version", "prompt.version")
_SAME: Final = re.compile(r"(?<![\w@.])(?:[a-z]+|\d{1,4})(?![\w@])")
"""Words of a prompt that are no names and no ids: a redaction replaces others by different stand-ins in each
recording, but the version must stay the same.
"""


def build_run_summary(reading: RecordedRun) -> Record:
    """Return the summary of one run as plain values: times in ms, cost in US dollars.

    ``goal``: titles of the outermost steps. ``recovered``: how many steps failed before the run passed; ``reason``: why
    the run ended so, in the caller's words. ``failure``: the chain of :func:`find_first_failure`. ``steps``: each with its
    tokens, cost and calls, including those of the steps in it. ``operations``: calls of tools, of models and of
    Playwright. ``max_iteration``: the highest iteration of a step or call, or else the largest number of model calls in
    one outermost step. ``retries``: calls that failed and were repeated, steps that are a further attempt, and the
    test's own retries.
    """
    summary = reading.summary()
    steps, calls = reading.steps(), reading.calls()
    failure = find_first_failure(reading)
    tools = [call for call in calls if call["kind"] == "tool"]
    models = [call for call in calls if call["kind"] == "model"]
    metadata = summary["metadata"] if isinstance(summary["metadata"], dict) else {}
    gaps = reading.gaps()
    return {
        "agent": summary["agent"],
        "agents": summary["agents"],
        "started": summary["started"],
        "duration": summary["duration"],
        "kind": reading.kind,
        "sealed": summary["sealed"],
        "goal": [step["title"] for step in steps if step.get("parent") is None],
        "outcome": reading.outcome.outcome,
        "recovered": reading.outcome.recovered,
        "reason": reading.outcome.reason,
        "failure": failure["chain"],
        "failed_at": (failure.get("first") or {}).get("t"),
        "pages": list(dict.fromkeys(url for url in summary["pages"] if isinstance(url, str))),
        "operations": len(calls),
        "max_iteration": _find_highest_iteration(steps, calls),
        "retries": _count_retries(steps, calls, metadata),
        "tokens": summary["tokens"],
        "tokens_in": sum(call.get("input_tokens") or 0 for call in models),
        "tokens_out": sum(call.get("output_tokens") or 0 for call in models),
        "cost_usd": summary["cost_usd"],
        "unique_tools": len({call.get("name") for call in tools}),
        "tools": _count_usage_by_name(tools, "name", lambda call: {"failed": int(bool(call.get("error")))}),
        "models": _count_usage_by_name(models, "model", _read_tokens_and_cost),
        "versions": _list_versions(reading),
        "prompts": sorted({version for call in models if (version := find_prompt_version(call))}),
        "steps": _summarize_steps(steps, calls),
        "errors": summary["errors"],
        "gaps": _count_by_name(str(gap.get("reason")) for gap in gaps if gap.get("reason")),
        "unsupported": _count_by_name(str(gap.get("what")) for gap in gaps if gap.get("what")),
        "fidelity": {"checkpoints": reading.checkpoints, "equal": reading.equal},
        "redaction": _read_redaction_figures(reading.redaction),
        "metadata": summary["metadata"],
        **{name: summary[name] for name in ("tenant", "user", "trace", "parent") if name in summary},
    }


def find_prompt_version(call: Record) -> str | None:
    """Return the version of a model call's prompt: from its attributes, or else a hash of the system message with names
    and ids removed; None without a system message.
    """
    attributes = call.get("attributes") or {}
    value = next((attributes[name] for name in _VERSION if attributes.get(name)), None)
    if value is not None:
        return str(value)[:100]
    words = _SAME.findall("\n".join(_find_system_texts(call.get("prompt"))))
    return f"system-{hashlib.blake2b(' '.join(words).encode(), digest_size=4).hexdigest()}" if words else None


def _list_versions(reading: RecordedRun) -> list[Record]:
    """Return each version that the run recorded (of a prompt, a model, …) once, without its content."""
    told = [
        drop_empty_fields({name: note.get(name) for name in ("what", "name", "sha256", "agent")})
        for note in reading.notes()
        if note["kind"] == "version"
    ]
    return [version for place, version in enumerate(told) if version not in told[:place]]


def _find_highest_iteration(steps: Iterable[Record], calls: Iterable[Record]) -> int:
    steps, calls = list(steps), list(calls)
    told = [
        value
        for record in (*steps, *calls)
        for name in _ITERATION
        if isinstance(value := (record.get("attributes") or {}).get(name), int) and not isinstance(value, bool)
    ]
    if told:
        return max(told)
    outermost = _find_outermost_steps(steps)
    counts = _count_by_name(outermost.get(call.get("step")) for call in calls if call["kind"] == "model")
    return max(counts.values(), default=0)


def _count_retries(steps: Iterable[Record], calls: list[Record], metadata: Record) -> int:
    again = len(find_recovered_calls(calls)) + sum(
        isinstance(attempt := (step.get("attributes") or {}).get("attempt"), int) and attempt > 1 for step in steps
    )
    failed: set[str] = set()
    for call in calls:
        if call["kind"] != "tool":
            continue
        key = f"{call.get('name')} {call.get('arguments')!r}"
        again += key in failed
        failed.discard(key)
        if call.get("error"):
            failed.add(key)
    retry = metadata.get("retry")
    return again + (retry if isinstance(retry, int) and not isinstance(retry, bool) and retry > 0 else 0)


def _summarize_steps(steps: list[Record], calls: Iterable[Record]) -> list[Record]:
    parents = {step["id"]: step.get("parent") for step in steps}
    made: dict[Any, Record] = {}
    for step in steps:
        told = {
            name: step.get(name) for name in ("number", "id", "agent", "parent", "t", "duration", "title", "success")
        }
        made[step["id"]] = told | {"calls": 0, "model_calls": 0, "tokens": 0, "cost_usd": 0.0}
    for call in calls:
        id, above = call.get("step"), set()
        while id in made and id not in above:
            above.add(id)
            step = made[id]
            step["calls"] += 1
            if call["kind"] == "model":
                step["model_calls"] += 1
                step["tokens"] += (call.get("input_tokens") or 0) + (call.get("output_tokens") or 0)
                step["cost_usd"] = round(step["cost_usd"] + (call.get("cost_usd") or 0), 6)
            id = parents.get(id)
    return [drop_empty_fields(step) for step in made.values()]


def _find_outermost_steps(steps: Iterable[Record]) -> dict[Any, Any]:
    parents = {step["id"]: step.get("parent") for step in steps}
    found = {}
    for id in parents:
        top, above = id, set()
        while parents.get(top) in parents and top not in above:
            above.add(top)
            top = parents[top]
        found[id] = top
    return found


def _count_usage_by_name(
    calls: Iterable[Record], name_field: str, get_more_figures: Callable[[Record], Record]
) -> list[Record]:
    found: dict[str, Record] = {}
    for call in calls:
        told = found.setdefault(str(call.get(name_field) or "?"), {"count": 0, "ms": 0.0})
        told["count"] += 1
        told["ms"] = round(told["ms"] + (call.get("duration") or 0), 1)
        for field, value in get_more_figures(call).items():
            told[field] = round(told.get(field, 0) + value, 6)
    return [
        {"name": each, **told} for each, told in sorted(found.items(), key=lambda item: (-item[1]["count"], item[0]))
    ]


def _read_tokens_and_cost(call: Record) -> Record:
    return {
        "tokens_in": call.get("input_tokens") or 0,
        "tokens_out": call.get("output_tokens") or 0,
        "cost_usd": call.get("cost_usd") or 0,
    }


def _read_redaction_figures(report: Any) -> Record | None:
    if not isinstance(report, dict):
        return None
    return {
        "policy": str(report.get("policy")),
        "replacements": report.get("total") or 0,
        "entities": report.get("entities") or {},
        "dropped": report.get("dropped") or {},
    }


def _find_system_texts(prompt: Any) -> list[str]:
    """Return the texts of the system message in a prompt of OpenAI's or Anthropic's API."""
    if isinstance(prompt, dict):
        value = prompt.get("system") or prompt.get("instructions")
        return [*_read_content_texts(value), *_find_system_texts(prompt.get("messages"))]
    if isinstance(prompt, list):
        return [
            text
            for message in prompt
            if isinstance(message, dict) and message.get("role") in ("system", "developer")
            for text in _read_content_texts(message.get("content"))
        ]
    return []


def _read_content_texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]


def _count_by_name(names: Iterable[Any]) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return found
