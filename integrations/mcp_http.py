"""MCP over HTTP, as its specification has it (*Streamable HTTP*): one message in a POST, its reply as JSON.

There is no session and no stream of the server's own: each message is answered by itself, in the way of 2026-07-28, or in that of those before, after their
handshake. A message of 2026-07-28 says in headers too what it is, for what stands in between; where they say something else than the body, it is
refused.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from .mcp import METHOD, PARAMS, PARSE, PROTOCOLS, REQUEST, STATELESS, UNSUPPORTED, VERSION, McpServer, error_of

_MISMATCH: Final = -32020
_STATUS: Final = dict.fromkeys((PARSE, REQUEST, PARAMS, UNSUPPORTED, _MISMATCH), 400) | {METHOD: 404}
MCP_HEADERS: Final = ("content-type", "mcp-protocol-version", "mcp-method", "mcp-name")


@dataclass(frozen=True, slots=True)
class Exchanged:
    """What a POST is answered with. `called`: the tool that was called, and its arguments, where one was."""

    status: int
    reply: dict[str, Any] | None = None
    called: tuple[str, dict[str, Any]] | None = None


def exchange(server: McpServer, body: bytes, headers: Mapping[str, str]) -> Exchanged:
    """Answer a POST. `headers`: those of :data:`MCP_HEADERS`, by their names in small letters."""
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return Exchanged(415, error_of(None, REQUEST, "a message is application/json"))
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return Exchanged(400, error_of(None, PARSE, "not JSON"))
    number = message.get("id") if isinstance(message, dict) else None
    told = headers.get("mcp-protocol-version")
    if told is not None and told not in (*PROTOCOLS, *STATELESS):
        data = {"supported": list(STATELESS), "requested": told}
        return Exchanged(400, error_of(number, UNSUPPORTED, "Unsupported protocol version", data))
    stateless = told in STATELESS or _version(message) is not None
    if stateless and isinstance(message, dict) and "id" in message and (differs := _mismatch(message, headers)):
        return Exchanged(400, error_of(number, _MISMATCH, f"{differs} is not what the message says"))
    if told in STATELESS and isinstance(message, dict) and "id" in message and _version(message) is None:
        return Exchanged(400, error_of(number, PARAMS, f"a request says {VERSION} in _meta"))
    reply = server.reply(message)
    if reply is None:
        return Exchanged(202)
    code = reply["error"]["code"] if "error" in reply else 0
    # Before 2026-07-28 an error of a message was no error of the exchange, but for what is no message at all.
    status = _STATUS.get(code, 200) if stateless or code in (PARSE, REQUEST) else 200
    return Exchanged(status, reply, None if code else _called(message))


def _version(message: object) -> object:
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta.get(VERSION) if isinstance(meta, dict) else None


def _mismatch(message: dict[str, Any], headers: Mapping[str, str]) -> str | None:
    """Return the header that says something else than the message."""
    version = _version(message)
    if version is not None and headers.get("mcp-protocol-version") != version:
        return "MCP-Protocol-Version"
    if headers.get("mcp-method") != message.get("method"):
        return "Mcp-Method"
    params = message.get("params")
    if message.get("method") == "tools/call" and isinstance(params, dict):
        return None if _decoded(headers.get("mcp-name")) == params.get("name") else "Mcp-Name"
    return None


def _decoded(value: str | None) -> str | None:
    """Return what a header says; what does not fit into one stands in Base64 there."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[len("=?base64?") : -2], validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None


def _called(message: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    params = message.get("params")
    if message.get("method") != "tools/call" or not isinstance(params, dict):
        return None
    arguments = params.get("arguments")
    return str(params.get("name")), arguments if isinstance(arguments, dict) else {}
