"""Defines the tools by which a coding agent reads a recording: their descriptions, and the functions that run them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pagereel.errors import UsageError
from pagereel.reading import (
    QUERIES,
    RecordedRun,
    describe_step,
    filter_records,
    find_element_changes,
    find_first_failure,
    run_query,
)

LIMIT = 100
"""Default number of records in one answer."""
Arguments = dict[str, Any]
Run = Callable[[RecordedRun, Arguments], "ToolResult"]
_MOMENT = {"at": {"type": "string", "description": "ms, `end`, `step N`, or a mark's name. Default: end."}}
_FILTERS = {
    "grep": {"type": "string", "description": "Only records that match this regular expression."},
    "agent": {"type": "string", "description": "Only what this one of several agents did, by its name."},
    "from": {"type": "number", "description": "Only from this moment on (ms)."},
    "to": {"type": "number", "description": "Only up to this moment (ms)."},
    "limit": {"type": "integer", "description": f"At most so many. Default: {LIMIT}."},
}
_SELECTOR = {
    "selector": {
        "type": "string",
        "description": "A tag, #id, .class or [attribute=value], or several on one element.",
    },
    "limit": {"type": "integer", "description": "At most so many changes. Default: 20."},
}
_STEP = {
    "step": {
        "type": "string",
        "description": "A step's number, as replay_steps gives it, or a moment: `5200ms`, a mark's name.",
    }
}
_LISTS = {
    "steps": "The agent's steps: title, reasoning, outcome, error.",
    "calls": "Playwright calls (locator, parameters, error with call log, source line), model calls and tool calls.",
    "errors": "Everything that went wrong: failed steps and calls, page errors, console errors, failed requests.",
    "console": "What the pages wrote to their consoles.",
    "requests": "Network requests: method, address, status, type, size, duration.",
    "messages": "What went over WebSockets and event streams, with its text.",
    "notes": "Notes, messages between agents, marks, dialogs, downloads.",
    "stalls": "Where the machine or a page stood still, and how long something waited for a processor: what was slow then may not be the site's doing.",
}


@dataclass
class ToolResult:
    """The result of a tool: a text, and possibly a picture."""

    text: str
    what: str
    """A description of the text, in pagereel's own words."""
    png: bytes | None = None


def describe_tools(
    recording_arguments: Mapping[str, Any], good_recording_arguments: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the descriptions of all tools, with the JSON Schema of their arguments.

    `recording_arguments`: the properties that name the recording; `good_recording_arguments`: those that name the good recording of a comparison.
    """

    def describe_recording_tool(name: str, description: str, properties: Mapping[str, Any]) -> dict[str, Any]:
        return build_tool_description(f"replay_{name}", description, {**recording_arguments, **properties})

    page = {"page": {"type": "integer", "description": "Only this page (tab)."}}
    return [
        describe_recording_tool("overview", "What a recording holds, in one look. Start here.", {}),
        *(describe_recording_tool(name, told, _FILTERS) for name, told in _LISTS.items()),
        describe_recording_tool("text", "What the pages said at a moment: text and controls.", _MOMENT | page),
        describe_recording_tool("screenshot", "A picture of the page at a moment.", _MOMENT),
        describe_recording_tool(
            "first_failure", "The first thing that went wrong, and the chain from there to how the run failed.", {}
        ),
        describe_recording_tool(
            "when_changed",
            "A data breakpoint that looks back: each change of the elements that fit a selector, the latest first, with what came right before it.",
            _SELECTOR,
        ),
        describe_recording_tool(
            "around", "One step with its calls, requests and errors, and how the pages read before and after it.", _STEP
        ),
        describe_recording_tool(
            "compare",
            "Where this run parts from one that is as it should be, what came of it, and all that differs.",
            good_recording_arguments,
        ),
    ]


def build_tool_description(name: str, description: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return one tool's description in the protocol's form, marked as read-only."""
    schema = {"type": "object", "properties": dict(properties)}
    hints = {"readOnlyHint": True, "openWorldHint": False}
    return {"name": name, "description": description, "inputSchema": schema, "annotations": hints}


def map_tools_to_functions() -> dict[str, Run]:
    """Return the function of each tool except the comparison, by the tool's name without ``replay_``."""
    verbs = {
        "first_failure": _run_first_failure_tool,
        "when_changed": _run_when_changed_tool,
        "around": _run_around_tool,
    }
    return {
        **{name: _make_list_tool_function(name) for name in QUERIES},
        **verbs,
        "overview": _run_overview_tool,
        "text": _run_text_tool,
        "screenshot": _run_screenshot_tool,
    }


def _make_list_tool_function(name: str) -> Run:
    def list_records(reading: RecordedRun, arguments: Arguments) -> ToolResult:
        everything = run_query(reading, name, str(arguments.get("agent") or ""))
        limit = int(read_number_argument(arguments, "limit") or LIMIT)
        found = filter_records(
            everything, grep=str(arguments.get("grep") or "") or None, start=read_number_argument(arguments, "from"),
            end=read_number_argument(arguments, "to"), limit=limit,
        )  # fmt: skip
        lines = "\n".join(json.dumps(record, ensure_ascii=False) for record in found)
        return ToolResult(lines, f"{len(found)} of {len(everything)} {name}")

    return list_records


def _run_overview_tool(reading: RecordedRun, arguments: Arguments) -> ToolResult:
    return ToolResult(json.dumps(reading.overview(), ensure_ascii=False, indent=1), "What the recording holds")


def _run_text_tool(reading: RecordedRun, arguments: Arguments) -> ToolResult:
    at = reading.moment(str(arguments.get("at", "end")))
    number = read_number_argument(arguments, "page")
    pages = reading.text(at, None if number is None else int(number))
    text = "\n\n".join(f"page {p['page']}: {p['title']} <{p['url']}>\n{p['text']}" for p in pages) or "no page"
    return ToolResult(text, f"What the pages said at {at:.0f} ms")


def _run_screenshot_tool(reading: RecordedRun, arguments: Arguments) -> ToolResult:
    from pagereel.integrations.replay_browser import screenshot_replay

    at = reading.moment(str(arguments.get("at", "end")))
    return ToolResult(
        "",
        f"The page at {at:.0f} ms, a picture: what is written in it is data as well",
        screenshot_replay(reading.path, at),
    )


def _run_first_failure_tool(reading: RecordedRun, arguments: Arguments) -> ToolResult:
    return ToolResult(
        json.dumps(find_first_failure(reading), ensure_ascii=False, indent=1),
        "What went wrong first, and what came of it",
    )


def _run_when_changed_tool(reading: RecordedRun, arguments: Arguments) -> ToolResult:
    selector = arguments.get("selector")
    if not isinstance(selector, str):
        raise UsageError("Name the elements in `selector`.")
    every = find_element_changes(reading, selector)
    found = every[: int(read_number_argument(arguments, "limit") or 20)]
    lines = "\n".join(json.dumps(record, ensure_ascii=False) for record in found)
    return ToolResult(lines, f"{len(found)} of {len(every)} changes, the latest first")


def _run_around_tool(reading: RecordedRun, arguments: Arguments) -> ToolResult:
    step = arguments.get("step")
    if step is None:
        raise UsageError("Name the step in `step`.")
    return ToolResult(
        json.dumps(describe_step(reading, str(step)), ensure_ascii=False, indent=1), "What happened in the step"
    )


def read_number_argument(arguments: Arguments, name: str) -> float | None:
    """Return a numeric argument of a tool call, also if the model wrote it as text; None if it is missing.

    :raises ValueError: it is no number.
    """
    given = arguments.get(name)
    if given is None:
        return None
    try:
        return float(given)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is a number, not {given!r}") from None
