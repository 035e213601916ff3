"""Serves `/mcp`, an endpoint of `pagereel serve`, by which coding agents read a library's runs.

The role of the caller's token decides which runs it may read, and how they are masked.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, Final

from pagereel.errors import UsageError
from pagereel.integrations import (
    MCP_HEADERS,
    McpServer,
    ToolResult,
    answer_post,
    build_tool_description,
    to_comparison_result,
)
from pagereel.library import serving
from pagereel.reading import RecordedRun

LARGEST: Final = 1 << 20
"""Largest message in bytes."""
_REASON: Final = {
    "reason": {
        "type": "string",
        "description": "Why the raw recording is looked at: the role raw says it, and it stands in the log.",
    }
}
_RUN: Final = {"run": {"type": "string", "description": "The id of the run, as library_search gives it."}, **_REASON}
_GOOD: Final = {"good": {"type": "string", "description": "The id of a run as it should be."}}
_SEARCH: Final = "library_search"
_TOOLS: Final = [
    build_tool_description(
        _SEARCH,
        "Runs of the library, the newest first, or those that fit a query, with the lines that say so and their moments (ms). Start here. "
        'Terms: agent: outcome:failed tool: model: host: path:/cart cost:>0.5 after:7d seen:"words on a page" said:"words of reasoning" gap:any; '
        "a bare word in any text; - before a term turns it round.",
        {
            "query": {"type": "string", "description": "A query; all runs without one."},
            "limit": {"type": "integer", "description": "Runs, 20 unless told, at most 200."},
            "cursor": {"type": "string", "description": "`next` of the answer before."},
            **_REASON,
        },
    )
]


class LibraryRecordings:
    """The runs of a library that one caller of the MCP server may read, masked as the caller's role demands."""

    recording_arguments = _RUN
    good_recording_arguments = _GOOD
    tools = _TOOLS

    def __init__(self, request: serving.ApiRequest) -> None:
        self._asked = request

    def open_run(self, arguments: dict[str, Any]) -> tuple[RecordedRun, Callable[[str, str], object]]:
        """Return the run that a call names, under the policy of the caller's role. Raises UsageError."""
        asked = self._build_api_request(arguments, path={"id": _get_run_id(arguments, "run")})
        return serving.open_requested_run(asked)[
            1
        ], lambda text, what: None  # an opened recording was masked and gated before

    def compare_with_good_run(self, arguments: dict[str, Any]) -> ToolResult:
        """Return the differences between a run and a good run, both masked jointly. Raises UsageError."""
        asked = self._build_api_request(
            arguments, query={"a": _get_run_id(arguments, "good"), "b": _get_run_id(arguments, "run")}
        )
        told = serving.compare_runs(asked)[2]
        return to_comparison_result(
            json.dumps({k: v for k, v in told.items() if k != "pairs"}, ensure_ascii=False, indent=1)
        )

    def run_own_tool(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Run the search, the only tool that local recordings do not have. Raises UsageError."""
        query = {
            "q": str(arguments.get("query") or ""),
            "limit": str(arguments.get("limit") or 20),
            "cursor": str(arguments.get("cursor") or ""),
            "reason": str(arguments.get("reason") or ""),
        }
        answer = serving.search_runs(replace(self._asked, query=query))
        lines = "\n".join(
            json.dumps({**asdict(run), "path": str(run.path)}, ensure_ascii=False, default=str) for run in answer.runs
        )
        more = f"\nnext: {answer.next}" if answer.next else ""
        return ToolResult(lines + more, f"{len(answer.runs)} of {answer.total} runs")

    def _build_api_request(
        self, arguments: dict[str, Any], path: dict[str, str] | None = None, query: dict[str, str] | None = None
    ) -> serving.ApiRequest:
        reason = str(arguments.get("reason") or "")
        asked = replace(self._asked, path=path or {}, query={**(query or {}), "reason": reason})
        if asked.caller.role == "raw" and asked.viewing_reason is None:
            raise UsageError(serving.NO_REASON)
        return asked


def _get_run_id(arguments: dict[str, Any], name: str) -> str:
    given = arguments.get(name)
    if not isinstance(given, str) or not given:
        raise UsageError(f"Give the run's id in `{name}`.")
    return given


def _answer_mcp_request(request: serving.ApiRequest) -> serving.ApiResponse:
    exchanged = answer_post(
        McpServer(None, None, LibraryRecordings(request)),
        request.body,
        {name: request.headers[name] for name in MCP_HEADERS if name in request.headers},
    )
    if exchanged.reply is None:
        return serving.ApiResponse(b"", status=exchanged.status, line=None)
    told = serving.build_json_response(exchanged.reply, exchanged.status)
    told.line = None if exchanged.called is None else _build_log_fields(request, *exchanged.called)
    return told


def _build_log_fields(request: serving.ApiRequest, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the log's line about a tool call, for calls that were answered and for refused ones."""
    fields = {name: str(arguments[name])[:200] for name in ("run", "good", "query") if arguments.get(name)}
    policy = request.caller.get_policy(" ".join(str(arguments.get("reason") or "").split()) or None)
    line = {"tool": tool, **fields} if tool == _SEARCH else {"tool": tool, **fields, "redaction": policy or "off"}
    if arguments.get("reason") and (tool == _SEARCH or policy is None):
        line["reason"] = str(arguments["reason"])[:500]
    return line


MCP: Final = serving.Endpoint(
    "POST", "/mcp", "Runs for coding agents: a message of the Model Context Protocol (Streamable HTTP, without sessions), answered as JSON.", _answer_mcp_request, serving.SHOWN,
    "mcp", body=LARGEST,
)  # fmt: skip
