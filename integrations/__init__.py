"""Connections to other tools: pytest, OpenTelemetry, agent frameworks, other formats.

pytest finds the pytest plugin by itself. All others are imported from here, each on first use:

- `record_cdp(url, path)`: records a browser that another program drives
- `BrowserUseWatch`: records browser-use: its steps, what the model saw and said, its actions
- `CuaWatch`: records cua-agent: its model's turns, its actions on the computer, and the screens after them
- `ReplayProcessor`: records OpenTelemetry's `gen_ai.*` spans, of any framework
- `ReplayCallbackHandler`: records LangChain and LangGraph
- `tool`: a decorator that records a function's calls as tool calls
- `models(session, client)`: records this process's model calls: of clients of OpenAI, Anthropic, Google, Ollama, or
  of all that read the environment
- `ModelProxy`: a proxy on loopback that records model traffic; `Answers` replays recorded answers
- `shared`: opens a masked copy of a recording, with a check that files made of it hold no known value
- `McpServer`: gives coding agents access to recordings over the Model Context Protocol
- `export`, `Exporter`: write a recording in another format: transcripts, HAR, rrweb, training pairs, films, and
  formats of other packages
- `make_film`: makes a film of a recording
- `draft_skill`, `run_skill_once`: make a skill for coding agents from several recordings of one task, and run its script
- `write_comparison`: writes two recordings as one page for comparison
- `build_many`: builds the replays of many recordings, on cores or on a cluster, from and to any fsspec store
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagereel.lazy_imports import import_attribute

if TYPE_CHECKING:
    from pagereel.comparison import write_comparison
    from pagereel.reading import QUERIES, RecordedRun, compile_grep, filter_records, to_text_line

    from .batch import Job, JobOutcome, build_many, run_job
    from .browser_use import BrowserUseWatch
    from .cdp import CdpRecording, record_cdp
    from .cua import CuaWatch
    from .desktop import describe_desktop_limits, record_desktop
    from .exports import EXPORTERS, FORMATS, Exporter, export, find_format_of_file, list_formats, parse_options
    from .fetching import FetchReport, fetch_missing_resources
    from .film import Film, FilmLayout, FilmSettings, make_film
    from .in_process import Models, models
    from .langchain import ReplayCallbackHandler
    from .mcp import McpServer, to_comparison_result
    from .mcp_http import MCP_HEADERS, McpHttpReply, answer_post
    from .mcp_tools import ToolResult, build_tool_description
    from .otel import ReplayProcessor
    from .proxy import Answers, Interceptor, ModelProxy, parse_upstreams, run_command
    from .replay_browser import screenshot_replay
    from .sharing import SharedRecording, open_shareable_reel, shared
    from .skill import draft_skill, run_skill_once
    from .suite import BundleReport, bundle_suite
    from .tools import tool
    from .untrusted_text import fence_text

__all__ = [
    "EXPORTERS",
    "FORMATS",
    "MCP_HEADERS",
    "QUERIES",
    "Answers",
    "BrowserUseWatch",
    "BundleReport",
    "CdpRecording",
    "CuaWatch",
    "Exporter",
    "FetchReport",
    "Film",
    "FilmLayout",
    "FilmSettings",
    "Interceptor",
    "Job",
    "JobOutcome",
    "McpHttpReply",
    "McpServer",
    "ModelProxy",
    "Models",
    "RecordedRun",
    "ReplayCallbackHandler",
    "ReplayProcessor",
    "SharedRecording",
    "ToolResult",
    "answer_post",
    "build_many",
    "build_tool_description",
    "bundle_suite",
    "compile_grep",
    "describe_desktop_limits",
    "draft_skill",
    "export",
    "fence_text",
    "fetch_missing_resources",
    "filter_records",
    "find_format_of_file",
    "list_formats",
    "make_film",
    "models",
    "open_shareable_reel",
    "parse_options",
    "parse_upstreams",
    "record_cdp",
    "record_desktop",
    "run_command",
    "run_job",
    "run_skill_once",
    "screenshot_replay",
    "shared",
    "to_comparison_result",
    "to_text_line",
    "tool",
    "write_comparison",
]

_HOMES = {
    **dict.fromkeys(
        ("QUERIES", "RecordedRun", "filter_records", "to_text_line", "compile_grep"), ".reading"
    ),  # these have moved
    "BrowserUseWatch": "browser_use",
    "FetchReport": "fetching",
    "fetch_missing_resources": "fetching",
    "Job": "batch",
    "JobOutcome": "batch",
    "build_many": "batch",
    "run_job": "batch",
    "write_comparison": ".comparison",  # this has moved
    "EXPORTERS": "exports",
    "Exporter": "exports",
    "FORMATS": "exports",
    "export": "exports",
    "find_format_of_file": "exports",
    "list_formats": "exports",
    "parse_options": "exports",
    **dict.fromkeys(("Film", "FilmLayout", "FilmSettings", "make_film"), "film"),
    "CdpRecording": "cdp",
    "CuaWatch": "cua",
    "McpServer": "mcp",
    "Models": "in_process",
    "models": "in_process",
    "screenshot_replay": "replay_browser",
    "to_comparison_result": "mcp",
    "McpHttpReply": "mcp_http",
    "MCP_HEADERS": "mcp_http",
    "answer_post": "mcp_http",
    "ToolResult": "mcp_tools",
    "build_tool_description": "mcp_tools",
    "fence_text": "untrusted_text",
    "SharedRecording": "sharing",
    "open_shareable_reel": "sharing",
    "shared": "sharing",
    "ReplayCallbackHandler": "langchain",
    "ReplayProcessor": "otel",
    **dict.fromkeys(("record_desktop", "describe_desktop_limits"), "desktop"),
    **dict.fromkeys(("Answers", "Interceptor", "ModelProxy", "run_command", "parse_upstreams"), "proxy"),
    "record_cdp": "cdp",
    "tool": "tools",
    **dict.fromkeys(("BundleReport", "bundle_suite"), "suite"),
    "draft_skill": "skill",
    "run_skill_once": "skill",
}


def __getattr__(name: str) -> Any:
    return import_attribute(__name__, _HOMES, name)
