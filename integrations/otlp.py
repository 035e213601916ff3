"""Converts a recording to OpenTelemetry's spans, in OTLP's JSON, as a collector accepts at ``/v1/traces``.

The recording is one trace: the run contains its steps, and these contain model, tool and Playwright calls, named by
the semantic conventions for generative AI where these have names. Ids are derived from the recording's, so that
each export of a recording, raw or masked, has the same spans.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pagereel
from pagereel.reading import Record, RecordedRun

_CLIENT: Final = 3
_INTERNAL: Final = 1
_ERROR: Final = 2
_OK: Final = 1


def to_otlp(path: Path) -> dict[str, Any]:
    """Return the recording at `path` as the JSON of an ``ExportTraceServiceRequest``."""
    reading = RecordedRun(path)
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": list(_iter_otlp_attributes(_build_resource_attributes(reading)))},
                "scopeSpans": [
                    {
                        "scope": {"name": "pagereel", "version": pagereel.__version__},
                        "spans": list(_iter_spans(reading)),
                    }
                ],
            }
        ]
    }


def _build_resource_attributes(reading: RecordedRun) -> Record:
    return {"service.name": reading.header.get("agent") or "pagereel", "pagereel.session.id": reading.header.get("id")}


def _iter_spans(reading: RecordedRun) -> Iterator[Record]:
    ids = _SpanBuilder(reading)
    summary = reading.summary()
    ended = reading.outcome
    run: Record = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": reading.header.get("agent"),
        "pagereel.outcome": ended.outcome,
        "pagereel.outcome.recovered": ended.recovered,
        "pagereel.outcome.reason": ended.reason,
    }
    name, failed = str(reading.header.get("agent") or "run"), ended.outcome == "failed"
    yield ids.build_span("run", None, name, 0.0, summary["duration"], run, failed=failed, message=ended.reason)
    for step in reading.steps():
        summary = {"pagereel.step.number": step["number"], "pagereel.step.reasoning": step.get("reasoning")}
        yield ids.build_span(
            step["id"], step.get("parent"), str(step["title"]), step["t"], step.get("duration"), summary | _build_custom_attributes(step),
            failed=step.get("success") is False, message=step.get("error") or step.get("message"),
        )  # fmt: skip
    for call in reading.calls():
        yield _build_call_span(call, ids)


def _build_call_span(call: Record, ids: _SpanBuilder) -> Record:
    error = call.get("error")
    given: Record
    if call["kind"] == "model":
        name = f"chat {call.get('model') or ''}".strip()
        given = {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": call.get("model"),
            "gen_ai.provider.name": call.get("provider"),
            "gen_ai.usage.input_tokens": call.get("input_tokens"),
            "gen_ai.usage.output_tokens": call.get("output_tokens"),
            "gen_ai.usage.cost_usd": call.get("cost_usd"),
            "gen_ai.input.messages": _to_json(call.get("prompt")),
            "gen_ai.output.messages": _to_json(call.get("response")),
        }
    elif call["kind"] == "tool":
        name = f"execute_tool {call['name']}"
        given = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call["name"],
            "gen_ai.tool.call.arguments": _to_json(call.get("arguments")),
            "gen_ai.tool.call.result": _to_json(call.get("result")),
        }
    else:
        name = str(call["did"])
        given = {
            "playwright.method": call["method"],
            "playwright.locator": call.get("locator"),
            "playwright.params": _to_json(call.get("params")),
        }
    kind = _CLIENT if call["kind"] == "model" else _INTERNAL
    # The event of a model call is written at its end (docs/format.md); those of other calls at their beginning.
    began = float(call["t"]) - float(call.get("duration") or 0) if call["kind"] == "model" else float(call["t"])
    return ids.build_span(
        call["id"], call.get("step"), name, max(0.0, began), call.get("duration"), given | _build_custom_attributes(call),
        failed=error is not None, message=error, kind=kind,
    )  # fmt: skip


def _build_custom_attributes(record: Record) -> Record:
    """Return a call's custom attributes, with the prefix ``pagereel.``, and the name of its agent."""
    attributes = record.get("attributes")
    whose: Record = {"gen_ai.agent.name": record["agent"]} if record.get("agent") else {}
    if not isinstance(attributes, dict):
        return whose
    return whose | {f"pagereel.{name}": value for name, value in attributes.items()}


class _SpanBuilder:
    """Builds the spans of one recording, with ids derived from the recording's id."""

    def __init__(self, reading: RecordedRun) -> None:
        self._of = str(reading.header.get("id") or reading.header.get("started") or "")
        started = reading.header.get("started")
        self._started = float(started) if isinstance(started, int | float) else 0.0

    def build_span(
        self,
        own_key: object,
        parent_key: object,
        name: str,
        t: float,
        duration: float | None,
        attributes: Record,
        *,
        failed: bool,
        message: object = None,
        kind: int = _INTERNAL,
    ) -> Record:
        """Return a span of the recording's trace.

        `own_key` and `parent_key` are the values from which the ids of the span and its parent are derived; `t` and `duration`
        in ms.
        """
        status: Record = {"code": _ERROR if failed else _OK}
        if failed and message:
            status["message"] = str(message)
        found: Record = {
            "traceId": self._derive_id("trace", 32),
            "spanId": self._derive_id(f"span {own_key}", 16),
            "name": name,
            "kind": kind,
            "startTimeUnixNano": self._to_unix_nano(t),
            "endTimeUnixNano": self._to_unix_nano(t + (duration or 0)),
            "attributes": list(_iter_otlp_attributes(attributes)),
            "status": status,
        }
        if own_key != "run":
            found["parentSpanId"] = self._derive_id(f"span {parent_key or 'run'}", 16)
        return found

    def _derive_id(self, key: str, length: int) -> str:
        return hashlib.sha256(f"{self._of}\n{key}".encode()).hexdigest()[:length]

    def _to_unix_nano(self, t: float) -> str:
        return str(round((self._started + t) * 1e6))


def _iter_otlp_attributes(values: Record) -> Iterator[Record]:
    for name, value in values.items():
        if value is not None:
            yield {"key": name, "value": _to_otlp_value(value)}


def _to_otlp_value(value: Any) -> Record:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    return {"stringValue": value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}


def _to_json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)
