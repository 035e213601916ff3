"""Serves MCP over HTTP (*Streamable HTTP* of the specification): a POST has one message, and its reply is JSON.

There are no sessions, and the server sends no stream: each message is answered independently, in the protocol's form of
2026-07-28 or in the earlier form, which begins with a handshake. A message of 2026-07-28 repeats some fields in
headers, for proxies; if header and body differ, the message is refused.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from .mcp import (
    METHOD,
    PARAMS,
    PARSE,
    PROTOCOLS,
    REQUEST,
    STATELESS,
    UNSUPPORTED,
    VERSION,
    McpServer,
    build_error_reply,
)

_MISMATCH: Final = -32020
_STATUS: Final = dict.fromkeys((PARSE, REQUEST, PARAMS, UNSUPPORTED, _MISMATCH), 400) | {METHOD: 404}
MCP_HEADERS: Final = ("content-type", "mcp-protocol-version", "mcp-method", "mcp-name")


@dataclass(frozen=True, slots=True)
class McpHttpReply:
    """The HTTP response to an MCP message. `called`: the tool that was called and its arguments, if any."""

    status: int
    reply: dict[str, Any] | None = None
    called: tuple[str, dict[str, Any]] | None = None


def answer_post(server: McpServer, body: bytes, headers: Mapping[str, str]) -> McpHttpReply:
    """Answer the POST request with an MCP message as `body`. `headers`: those in :data:`MCP_HEADERS`, names in lower
    case.
    """
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return McpHttpReply(415, build_error_reply(None, REQUEST, "a message is application/json"))
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return McpHttpReply(400, build_error_reply(None, PARSE, "not JSON"))
    number = message.get("id") if isinstance(message, dict) else None
    version = headers.get("mcp-protocol-version")
    if version is not None and version not in (*PROTOCOLS, *STATELESS):
        data = {"supported": list(STATELESS), "requested": version}
        return McpHttpReply(400, build_error_reply(number, UNSUPPORTED, "Unsupported protocol version", data))
    stateless = version in STATELESS or _read_version(message) is not None
    if (
        stateless
        and isinstance(message, dict)
        and "id" in message
        and (differs := _find_header_mismatch(message, headers))
    ):
        return McpHttpReply(400, build_error_reply(number, _MISMATCH, f"{differs} is not what the message says"))
    if version in STATELESS and isinstance(message, dict) and "id" in message and _read_version(message) is None:
        return McpHttpReply(400, build_error_reply(number, PARAMS, f"a request says {VERSION} in _meta"))
    reply = server.build_reply(message)
    if reply is None:
        return McpHttpReply(202)
    code = reply["error"]["code"] if "error" in reply else 0
    # Before 2026-07-28 an error reply had status 200, except for an invalid message.
    status = _STATUS.get(code, 200) if stateless or code in (PARSE, REQUEST) else 200
    return McpHttpReply(status, reply, None if code else _read_tool_call(message))


def _read_version(message: object) -> object:
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta.get(VERSION) if isinstance(meta, dict) else None


def _find_header_mismatch(message: dict[str, Any], headers: Mapping[str, str]) -> str | None:
    """Return the name of a header that contradicts the message; None where all agree."""
    version = _read_version(message)
    if version is not None and headers.get("mcp-protocol-version") != version:
        return "MCP-Protocol-Version"
    if headers.get("mcp-method") != message.get("method"):
        return "Mcp-Method"
    params = message.get("params")
    if message.get("method") == "tools/call" and isinstance(params, dict):
        return None if _decode_header(headers.get("mcp-name")) == params.get("name") else "Mcp-Name"
    return None


def _decode_header(value: str | None) -> str | None:
    """Return an HTTP header's value, decoded from ``=?base64?…?=`` if it is encoded so."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[len("=?base64?") : -2], validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None


def _read_tool_call(message: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    params = message.get("params")
    if message.get("method") != "tools/call" or not isinstance(params, dict):
        return None
    arguments = params.get("arguments")
    return str(params.get("name")), arguments if isinstance(arguments, dict) else {}
