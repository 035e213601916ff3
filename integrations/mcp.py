"""An MCP server: gives coding agents access to recordings, over stdin and stdout, or over HTTP (:mod:`.mcp_http`).

The protocol (Model Context Protocol, JSON-RPC 2.0) is small enough to be implemented here without an SDK. It has
two forms: since 2026-07-28 each request carries its own version and capabilities (``_meta``); before that a
handshake did (``initialize``). Both forms are answered, message by message. The tools' results are redacted unless
the server was started with `redaction=None`.
"""

from __future__ import annotations

import base64
import contextlib
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final, Protocol

from pagereel import __version__
from pagereel.errors import PagereelError, UsageError
from pagereel.integrations.sharing import SharedRecording, shared
from pagereel.integrations.untrusted_text import INSTRUCTIONS, fence_text
from pagereel.options import Redaction
from pagereel.reading import RecordedRun

from .mcp_tools import ToolResult, describe_tools, map_tools_to_functions

PROTOCOLS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions of the protocol with a handshake, newest first."""
STATELESS: Final = ("2026-07-28",)
"""Versions of the protocol without a handshake: each request is complete in itself."""
VERSION: Final = "io.modelcontextprotocol/protocolVersion"
_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
_SERVER: Final = "io.modelcontextprotocol/serverInfo"
TEXT_LIMIT: Final = 60_000
"""Longest answer, in characters."""
_CACHED_MS: Final = 3_600_000
"""Ms for which a client may cache the server's description."""
PARSE, REQUEST, METHOD, PARAMS, UNSUPPORTED = -32700, -32600, -32601, -32602, -32022
"""Error codes: JSON-RPC's, and the protocol's own for an unsupported version."""

Check = Callable[[str, str], object]
"""A function that raises GateError if a text made from a recording contains a known value."""
_NAMED: Final = {
    "reel": {"type": "string", "description": "Path of the recording; may be left out when the server has one."}
}
_GOOD: Final = {
    "good": {"type": "string", "description": "Path of the run as it should be."},
    "baseline": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Paths or patterns of more such runs: what differs among them is no difference.",
    },
}


class RecordingProvider(Protocol):
    """The interface of a set of recordings that an MCP server can open, with the arguments by which a tool call names
    one.
    """

    @property
    def recording_arguments(self) -> Mapping[str, Any]:
        """Return the JSON Schema properties of the arguments that name a recording."""

    @property
    def good_recording_arguments(self) -> Mapping[str, Any]:
        """Return the JSON Schema properties of the arguments that name the good recording of a comparison."""

    @property
    def tools(self) -> Sequence[dict[str, Any]]:
        """Return the descriptions of the tools that only this source has."""

    def open_run(self, arguments: dict[str, Any]) -> tuple[RecordedRun, Check]:
        """Open the recording that a tool call names, and return it with the function that checks texts for known
        values.

        :raises UsageError: no recording is named, or it does not exist.
        """

    def compare_with_good_run(self, arguments: dict[str, Any]) -> ToolResult:
        """Return the differences between the recording that a tool call names and the good one, which it names too.

        :raises UsageError: one of them is not named, or does not exist.
        """

    def run_own_tool(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Run one of the tools that only this source has."""


class LocalRecordings:
    """The recordings on this machine, which tool calls name by path. `reel`: the recording for calls that name none."""

    recording_arguments = _NAMED
    good_recording_arguments = _GOOD
    tools: Sequence[dict[str, Any]] = ()

    def __init__(self, reel: Path | None, redaction: Redaction, stack: contextlib.ExitStack) -> None:
        self._reel = reel
        self._redaction = redaction
        self._open: dict[tuple[Path, float], tuple[RecordedRun, SharedRecording]] = {}
        self._stack = stack

    def open_run(self, arguments: dict[str, Any]) -> tuple[RecordedRun, Check]:
        path = self._find_recording(arguments)
        key = _compute_cache_key(path)
        if key not in self._open:
            shown = self._stack.enter_context(shared(path, self._redaction))
            self._open[key] = RecordedRun(shown.path), shown
        reading, source = self._open[key]
        return reading, source.require_no_leak

    def compare_with_good_run(self, arguments: dict[str, Any]) -> ToolResult:
        from pagereel.comparison import compare

        good, baseline = arguments.get("good"), arguments.get("baseline") or []
        if not isinstance(good, str) or not isinstance(baseline, list):
            raise UsageError("Give the run to compare with in `good`; `baseline` is a list of paths or patterns.")
        bad = self._find_recording(arguments)
        result = compare(good, bad, baseline=[str(each) for each in baseline], redaction=self._redaction)
        # Later questions about either run use these copies: separately masked copies would have different stand-ins
        # for the same people.
        halves = result.halves(Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="pagereel-"))))
        for path, half in ((Path(good), halves.a), (bad, halves.b)):
            self._open[_compute_cache_key(path)] = RecordedRun(half), SharedRecording(half, halves.gate)
        fields = {name: value for name, value in result.to_json().items() if name != "pairs"}
        return to_comparison_result(result.check(json.dumps(fields, ensure_ascii=False, indent=1)))

    def run_own_tool(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        raise UnknownToolError(f"there is no tool {name!r}")

    def _find_recording(self, arguments: dict[str, Any]) -> Path:
        """Return the path of the recording that a call names.

        :raises UsageError: no recording is named, or the file does not exist.
        """
        named = arguments.get("reel")
        path = Path(str(named)) if named else self._reel
        if path is None:
            raise UsageError("Name the recording in `reel`.")
        if not path.is_file():
            raise UsageError(f"There is no file {path}.")
        return path


def to_comparison_result(comparison_json: str) -> ToolResult:
    """Return a comparison, given as JSON text, as a tool's result."""
    return ToolResult(comparison_json, "What differs from the run as it should be")


class McpServer:
    """An MCP server over stdin and stdout.

    `reel`: the recording for calls that name none. `source`: recordings that are not files on this machine.
    """

    def __init__(self, reel: Path | None, redaction: Redaction, source: RecordingProvider | None = None) -> None:
        self._stack = contextlib.ExitStack()
        self._source: RecordingProvider = source or LocalRecordings(reel, redaction, self._stack)

    def serve(self, lines: Iterable[str], out: IO[str]) -> None:
        """Answer each message in `lines` on `out` until the input ends."""
        with self._stack:
            for line in lines:
                if line.strip():
                    reply = self.answer(line)
                    if reply is not None:
                        out.write(json.dumps(reply, ensure_ascii=False, separators=(",", ":")) + "\n")
                        out.flush()

    def answer(self, line: str) -> dict[str, Any] | None:
        """Parse one message and return the reply; None for a notification."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return build_error_reply(None, PARSE, "not JSON")
        return self.build_reply(message)

    def build_reply(self, message: object) -> dict[str, Any] | None:
        """Return the reply to one parsed message; None for a notification and for a response."""
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            answers = isinstance(message, dict) and ("result" in message or "error" in message)
            return None if answers else build_error_reply(None, REQUEST, "not a request")
        if "id" not in message:
            return None
        number, method, given = message["id"], message["method"], message.get("params")
        params: dict[str, Any] = given if isinstance(given, dict) else {}
        meta = params.get("_meta")
        stateless = method == "server/discover" or (isinstance(meta, dict) and VERSION in meta)
        if stateless and (wrong := _find_meta_error(number, meta)) is not None:
            return wrong
        calls = {"tools/list": lambda _: {"tools": self.tools()}, "tools/call": self._call_tool}
        if stateless:
            handler = {"server/discover": lambda _: self._build_discovery_result(), **calls}.get(method)
        else:
            handler = {"initialize": self._build_handshake_result, "ping": lambda _: {}, **calls}.get(method)
        if handler is None:
            return build_error_reply(number, METHOD, f"there is no method {method}")
        try:
            result = handler(params)
        except UnknownToolError as error:
            return build_error_reply(number, PARAMS, str(error))
        if stateless:
            result |= {"resultType": "complete", "_meta": {_SERVER: _get_server_info()}}
            if method != "tools/call":
                result |= {"ttlMs": _CACHED_MS, "cacheScope": "private"}
        return {"jsonrpc": "2.0", "id": number, "result": result}

    def tools(self) -> list[dict[str, Any]]:
        """Return the descriptions of all tools, with the JSON Schema of their arguments."""
        return [
            *self._source.tools,
            *describe_tools(self._source.recording_arguments, self._source.good_recording_arguments),
        ]

    def _build_handshake_result(self, params: dict[str, Any]) -> dict[str, Any]:
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in PROTOCOLS else PROTOCOLS[0],
            "capabilities": {"tools": {}},
            "serverInfo": _get_server_info(),
            "instructions": _INSTRUCTIONS,
        }

    def _build_discovery_result(self) -> dict[str, Any]:
        return {"supportedVersions": list(STATELESS), "capabilities": {"tools": {}}, "instructions": _INSTRUCTIONS}

    def _call_tool(self, params: dict[str, Any]) -> dict[str, Any]:
        name = str(params.get("name") or "")
        given = params.get("arguments")
        arguments: dict[str, Any] = given if isinstance(given, dict) else {}
        if name not in {tool["name"] for tool in self.tools()}:
            raise UnknownToolError(f"there is no tool {name!r}")
        try:
            answer = self._run_tool(name, arguments)
        except (PagereelError, LookupError, ValueError, OSError) as error:
            return _build_error_result(str(error))
        except Exception as error:  # A failed call must not end the server.
            return _build_error_result(f"{type(error).__name__}: {error}")
        content: list[dict[str, Any]] = [
            {"type": "text", "text": fence_text(_truncate_long_text(answer.text), answer.what)}
        ]
        if answer.png is not None:
            data = base64.b64encode(answer.png).decode()
            content.append({"type": "image", "data": data, "mimeType": "image/png"})
        return {"content": content}

    def _run_tool(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        if name == "replay_compare":
            return self._source.compare_with_good_run(arguments)
        run = map_tools_to_functions().get(name.removeprefix("replay_")) if name.startswith("replay_") else None
        if run is None:
            return self._source.run_own_tool(name, arguments)
        reading, check = self._source.open_run(arguments)
        answer = run(reading, arguments)
        check(answer.text, "the answer")
        return answer


class UnknownToolError(UsageError):
    """The error for a call of a tool that does not exist."""


_INSTRUCTIONS: Final = (
    "Read a recorded browser run: overview first, then errors, then steps, calls and requests "
    f"around the failure, then text or screenshot at that moment. Times are ms. {INSTRUCTIONS}"
)


def build_error_reply(request_id: Any, code: int, text: str, data: Any = None) -> dict[str, Any]:
    """Return a JSON-RPC error reply."""
    told = {"code": code, "message": text}
    return {"jsonrpc": "2.0", "id": request_id, "error": {**told, "data": data} if data is not None else told}


def _find_meta_error(request_id: Any, meta: object) -> dict[str, Any] | None:
    """Return an error reply if the `_meta` of a request is incomplete; None if it is complete."""
    said = meta if isinstance(meta, dict) else {}
    version = said.get(VERSION)
    if not isinstance(version, str) or not isinstance(said.get(_CAPABILITIES), dict):
        return build_error_reply(request_id, PARAMS, f"a request says {VERSION} and {_CAPABILITIES} in _meta")
    if version not in STATELESS:
        return build_error_reply(
            request_id,
            UNSUPPORTED,
            "Unsupported protocol version",
            {"supported": list(STATELESS), "requested": version},
        )
    return None


def _get_server_info() -> dict[str, str]:
    return {"name": "pagereel", "version": __version__}


def _compute_cache_key(path: Path) -> tuple[Path, float]:
    return path.resolve(), path.stat().st_mtime


def _build_error_result(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": True}


def _truncate_long_text(text: str) -> str:
    if len(text) <= TEXT_LIMIT:
        return text
    return f"{text[:TEXT_LIMIT]}\n… [cut: {len(text):,} characters; ask for less with grep, from, to or limit]"
