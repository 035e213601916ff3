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
- `draft_skill`, `try_once`: make a skill for coding agents from several recordings of one task, and run its script
- `write_comparison`: writes two recordings as one page for comparison
- `build_many`: builds the replays of many recordings, on cores or on a cluster, from and to any fsspec store
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagereel.lazy import lazy_attribute

if TYPE_CHECKING:
    from pagereel.comparison import write_comparison
    from pagereel.reading import QUERIES, RecordedRun, chosen, line_of, matching

    from .batch import Job, JobOutcome, build_many, run_job
    from .browser_use import BrowserUseWatch
    from .cdp import CdpRecording, record_cdp
    from .cua import CuaWatch
    from .desktop import record_desktop, what_works
    from .exports import EXPORTERS, FORMATS, Exporter, export, format_of, formats, options_from
    from .fence import fenced
    from .fetching import Fetched, fetch_into
    from .film import Film, FilmLook, FilmSettings, make_film
    from .in_process import Models, models
    from .langchain import ReplayCallbackHandler
    from .mcp import McpServer, difference
    from .mcp_http import MCP_HEADERS, Exchanged, exchange
    from .mcp_tools import ToolResult, described
    from .otel import ReplayProcessor
    from .proxy import Answers, Interceptor, ModelProxy, run_command, upstreams_of
    from .render import picture
    from .sharing import SharedRecording, shareable, shared
    from .skill import draft_skill, try_once
    from .suite import BundleReport, bundle
    from .tools import tool

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
    "Exchanged",
    "Exporter",
    "Fetched",
    "Film",
    "FilmLook",
    "FilmSettings",
    "Interceptor",
    "Job",
    "JobOutcome",
    "McpServer",
    "ModelProxy",
    "Models",
    "RecordedRun",
    "ReplayCallbackHandler",
    "ReplayProcessor",
    "SharedRecording",
    "ToolResult",
    "build_many",
    "bundle",
    "chosen",
    "described",
    "difference",
    "draft_skill",
    "exchange",
    "export",
    "fenced",
    "fetch_into",
    "format_of",
    "formats",
    "line_of",
    "make_film",
    "matching",
    "models",
    "options_from",
    "picture",
    "record_cdp",
    "record_desktop",
    "run_command",
    "run_job",
    "shareable",
    "shared",
    "tool",
    "try_once",
    "upstreams_of",
    "what_works",
    "write_comparison",
]

_HOMES = {
    **dict.fromkeys(("QUERIES", "RecordedRun", "chosen", "line_of", "matching"), ".reading"),  # these have moved
    "BrowserUseWatch": "browser_use",
    "Fetched": "fetching",
    "fetch_into": "fetching",
    "Job": "batch",
    "JobOutcome": "batch",
    "build_many": "batch",
    "run_job": "batch",
    "write_comparison": ".comparison",  # this has moved
    "EXPORTERS": "exports",
    "Exporter": "exports",
    "FORMATS": "exports",
    "export": "exports",
    "format_of": "exports",
    "formats": "exports",
    "options_from": "exports",
    **dict.fromkeys(("Film", "FilmLook", "FilmSettings", "make_film"), "film"),
    "CdpRecording": "cdp",
    "CuaWatch": "cua",
    "McpServer": "mcp",
    "Models": "in_process",
    "models": "in_process",
    "picture": "render",
    "difference": "mcp",
    "Exchanged": "mcp_http",
    "MCP_HEADERS": "mcp_http",
    "exchange": "mcp_http",
    "ToolResult": "mcp_tools",
    "described": "mcp_tools",
    "fenced": "fence",
    "SharedRecording": "sharing",
    "shareable": "sharing",
    "shared": "sharing",
    "ReplayCallbackHandler": "langchain",
    "ReplayProcessor": "otel",
    **dict.fromkeys(("record_desktop", "what_works"), "desktop"),
    **dict.fromkeys(("Answers", "Interceptor", "ModelProxy", "run_command", "upstreams_of"), "proxy"),
    "record_cdp": "cdp",
    "tool": "tools",
    **dict.fromkeys(("BundleReport", "bundle"), "suite"),
    "draft_skill": "skill",
    "try_once": "skill",
}


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _HOMES, name)
