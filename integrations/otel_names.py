"""Reads OpenTelemetry spans by the attribute names of different frameworks.

It knows OpenTelemetry's `gen_ai.*`, present and former, OpenLLMetry (`traceloop.*`, `llm.*`) and OpenInference
(`openinference.*`, `llm.*`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MODEL_CALLS = frozenset(
    "chat text_completion completion generate_content embeddings rerank responses message llm embedding reranker".split()  # noqa: SIM905
)
TOOL_CALLS = frozenset({"execute_tool", "tool", "running tool", "function"})
STEPS = frozenset(
    "invoke_agent create_agent invoke_workflow agent workflow task chain crew retrieval retriever".split()  # noqa: SIM905
)
"""Values of the kind attributes that mean model calls, tool calls and steps. Other kinds are ignored."""

KINDS = ("gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind", "llm.request.type")
MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "llm.response.model", "llm.request.model")
PROVIDER = ("gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system", "llm.vendor")
INPUT_TOKENS = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.usage.prompt_tokens",
    "llm.token_count.prompt",
)
OUTPUT_TOKENS = (
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.usage.completion_tokens",
    "llm.token_count.completion",
)
COST = ("gen_ai.usage.cost", "gen_ai.usage.cost_usd", "operation.cost", "llm.usage.total_cost", "llm.cost.total")
PROMPT = ("gen_ai.input.messages", "gen_ai.prompt", "llm.prompts", "input.value", "traceloop.entity.input")
RESPONSE = ("gen_ai.output.messages", "gen_ai.completion", "llm.completions", "output.value", "traceloop.entity.output")
PROMPT_LISTS = ("gen_ai.prompt", "llm.prompts", "llm.input_messages")
RESPONSE_LISTS = ("gen_ai.completion", "llm.completions", "llm.output_messages")
"""Prefixes of attributes that hold a list item by item: `gen_ai.prompt.0.role`, `gen_ai.prompt.0.content`…"""
TOOL_NAME = ("gen_ai.tool.name", "tool.name", "traceloop.entity.name")
TOOL_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "tool.parameters",
    "input.value",
    "traceloop.entity.input",
)
TOOL_RESULT = ("gen_ai.tool.call.result", "tool_response", "output.value", "traceloop.entity.output")
STEP_NAME = ("gen_ai.agent.name", "gen_ai.workflow.name", "agent_name", "traceloop.entity.name")
AGENT = ("gen_ai.agent.name", "agent_name")
"""Attributes with the agent's name."""
REASONING = ("gen_ai.agent.description",)
PROMPT_EVENTS = (
    "gen_ai.content.prompt",
    "gen_ai.system.message",
    "gen_ai.user.message",
    "gen_ai.assistant.message",
    "gen_ai.tool.message",
)
RESPONSE_EVENTS = ("gen_ai.content.completion", "gen_ai.choice")
"""Span events that contained messages until 2025."""
LONG = frozenset(
    {*PROMPT, *RESPONSE, *TOOL_ARGUMENTS, *TOOL_RESULT, *MODEL, *PROVIDER, *INPUT_TOKENS, *OUTPUT_TOKENS, *COST, *KINDS}
)
"""Attributes that are read into a field, and so are left out of the other attributes."""


@dataclass
class SpanContent:
    """The content of an OpenTelemetry span, as a model call, a tool call or a step of the recording."""

    kind: str
    """`llm`, `tool`, `step`, or empty: the span is not recorded."""
    name: str
    fields: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)


def find_span_kind(attributes: Mapping[str, Any]) -> str:
    """Return what a span with these attributes is: `llm`, `tool`, `step`, or "" for a span that is not recorded."""
    for name in KINDS:
        value = str(attributes.get(name) or "").lower()
        for kind, values in (("llm", MODEL_CALLS), ("tool", TOOL_CALLS), ("step", STEPS)):
            if value in values:
                return kind
    # Older instrumentations name no kind, only the tokens that were used.
    if get_first_attribute(attributes, INPUT_TOKENS) is not None or (
        get_first_attribute(attributes, PROVIDER) is not None and get_first_attribute(attributes, MODEL) is not None
    ):
        return "llm"
    return "tool" if attributes.get("gen_ai.tool.name") else ""


def read_span(name: str, attributes: Mapping[str, Any], events: Sequence[Any] = ()) -> SpanContent:
    """Return the content of a span as a model call, tool call or step. `events`: its span events, with `name` and
    `attributes`.
    """
    reading = SpanContent(find_span_kind(attributes), name)
    if reading.kind == "llm":
        reading.fields = {
            "model": get_first_attribute(attributes, MODEL),
            "provider": get_first_attribute(attributes, PROVIDER),
            "input_tokens": _to_int(get_first_attribute(attributes, INPUT_TOKENS)),
            "output_tokens": _to_int(get_first_attribute(attributes, OUTPUT_TOKENS)),
            "cost_usd": _to_float(get_first_attribute(attributes, COST)),
            "prompt": _read_messages(attributes, PROMPT, PROMPT_LISTS, events, PROMPT_EVENTS),
            "response": _read_messages(attributes, RESPONSE, RESPONSE_LISTS, events, RESPONSE_EVENTS),
        }
    elif reading.kind == "tool":
        reading.name = str(
            get_first_attribute(attributes, TOOL_NAME) or re.sub(r"^(execute_tool|running tool:?)\s+", "", name)
        )
        reading.fields = {
            "arguments": decode_json(get_first_attribute(attributes, TOOL_ARGUMENTS)),
            "result": decode_json(get_first_attribute(attributes, TOOL_RESULT)),
        }
    elif reading.kind == "step":
        label = get_first_attribute(attributes, STEP_NAME)
        reading.name = name if label is None or str(label) in name else f"{name} {label}"
        reading.fields = {"reasoning": get_first_attribute(attributes, REASONING)}
    if reading.kind and (agent := get_first_attribute(attributes, AGENT)) is not None:
        reading.fields["agent"] = str(agent)
    spelled = tuple(f"{prefix}." for prefix in (*PROMPT_LISTS, *RESPONSE_LISTS))
    reading.attributes = {n: v for n, v in attributes.items() if n not in LONG and not n.startswith(spelled)}
    return reading


def get_first_attribute(attributes: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the value of the first name in `names` that the attributes contain; None if they contain none."""
    return next((attributes[name] for name in names if attributes.get(name) is not None), None)


def decode_json(value: Any) -> Any:
    """Return a value, parsed if it is JSON text.

    Span attributes cannot hold objects, so they hold JSON text instead.
    """
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _read_messages(
    attributes: Mapping[str, Any],
    names: Sequence[str],
    prefixes: Sequence[str],
    events: Sequence[Any],
    event_names: Sequence[str],
) -> Any:
    for prefix in prefixes:
        if spelled := _read_indexed_list(attributes, prefix):
            return spelled
    found = decode_json(get_first_attribute(attributes, names))
    if found is not None:
        return found
    told = [
        {"event": event.name, **{key: decode_json(value) for key, value in (event.attributes or {}).items()}}
        for event in events
        if event.name in event_names
    ]
    return told or None


def _read_indexed_list(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """Return the list whose items are spread over attributes such as `gen_ai.prompt.0.content`."""
    found: dict[int, dict[str, Any]] = {}
    for name, value in attributes.items():
        if name.startswith(f"{prefix}."):
            number, _, rest = name[len(prefix) + 1 :].partition(".")
            if number.isdecimal():
                found.setdefault(int(number), {})[rest.removeprefix("message.") or "value"] = decode_json(value)
    return [found[number] for number in sorted(found)]


def _to_int(value: Any) -> int | None:
    number = _to_float(value)
    return None if number is None else int(number)


def _to_float(value: Any) -> float | None:
    try:
        return None if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None
