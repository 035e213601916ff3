"""Messages over HTTP: in the way of each version of the protocol, with the status and the headers that it asks for."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from pagereel.integrations import McpServer, answer_post
from pagereel.integrations.mcp import PROTOCOLS

from ..comparison.runs import purchase

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
PLAIN = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> McpServer:
    return McpServer(purchase(tmp_path_factory.mktemp("mcp") / "run.reel"), None)


def asked(server: McpServer, method: str, headers: dict[str, str] | None = None, **params: Any) -> tuple[int, Any]:
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode()
    found = answer_post(server, body, PLAIN | (headers or {}))
    return found.status, found.reply


def stateless(method: str, name: str | None = None) -> dict[str, str]:
    return {"mcp-protocol-version": "2026-07-28", "mcp-method": method, **({"mcp-name": name} if name else {})}


def test_a_request_of_today_stands_for_itself(server: McpServer) -> None:
    status, told = asked(server, "server/discover", stateless("server/discover"), _meta=META)
    result = told["result"]
    assert (status, result["resultType"], result["supportedVersions"]) == (200, "complete", ["2026-07-28"])
    assert result["capabilities"] == {"tools": {}} and "overview first" in result["instructions"]
    assert result["ttlMs"] > 0 and result["cacheScope"] == "private"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "pagereel"
    status, told = asked(server, "tools/list", stateless("tools/list"), _meta=META)
    assert status == 200 and "replay_overview" in {tool["name"] for tool in told["result"]["tools"]}
    for name in ("replay_overview", f"=?base64?{base64.b64encode(b'replay_overview').decode()}?="):
        status, told = asked(server, "tools/call", stateless("tools/call", name), _meta=META, name="replay_overview")
        assert (status, told["result"]["resultType"]) == (200, "complete") and "isError" not in told["result"]


@pytest.mark.parametrize(
    ("method", "headers", "meta", "status", "code"),
    [
        ("initialize", stateless("initialize"), META, 404, -32601),
        ("ping", stateless("ping"), META, 404, -32601),
        ("tools/list", stateless("tools/call"), META, 400, -32020),
        ("tools/list", {"mcp-method": "tools/list"}, META, 400, -32020),
        ("tools/list", {**stateless("tools/list"), "mcp-protocol-version": "2025-06-18"}, META, 400, -32020),
        ("tools/call", stateless("tools/call", "replay_text"), META, 400, -32020),
        ("tools/list", stateless("tools/list"), None, 400, -32602),
        ("server/discover", {}, None, 400, -32602),
        ("tools/list", {**stateless("tools/list"), "mcp-protocol-version": "2030-01-01"}, META | {"io.modelcontextprotocol/protocolVersion": "2030-01-01"}, 400, -32022),
        ("tools/list", {"mcp-protocol-version": "of old"}, None, 400, -32022),
    ],
)  # fmt: skip
def test_what_does_not_hold_together_is_refused_with_its_own_code(
    server: McpServer, method: str, headers: dict[str, str], meta: Any, status: int, code: int
) -> None:
    params = {"name": "replay_overview", **({"_meta": meta} if meta else {})}
    answered, told = asked(server, method, headers, **params)
    assert (answered, told["error"]["code"]) == (status, code) or (
        method == "server/discover" and told["error"]["code"] == code
    )
    if code == -32022:
        assert told["error"]["data"]["supported"] == ["2026-07-28"]


@pytest.mark.parametrize("version", PROTOCOLS)
def test_a_client_of_before_begins_with_a_handshake_and_has_no_session(server: McpServer, version: str) -> None:
    status, told = asked(
        server, "initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "x", "version": "1"}
    )
    assert (status, told["result"]["protocolVersion"]) == (200, version)
    body = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()
    assert answer_post(server, body, PLAIN | {"mcp-protocol-version": version}).status == 202
    status, told = asked(server, "tools/call", {"mcp-protocol-version": version}, name="replay_steps")
    assert status == 200 and "resultType" not in told["result"]
    assert asked(server, "nothing", {"mcp-protocol-version": version})[0] == 200


def test_what_is_no_message_is_refused(server: McpServer) -> None:
    assert answer_post(server, b"{", PLAIN).status == 400
    assert answer_post(server, b"[" * 100_000, PLAIN).status == 400
    assert answer_post(server, b"[]", PLAIN).status == 400
    assert answer_post(server, b"{}", {"content-type": "text/plain"}).status == 415, (
        "as a page of another origin could send it"
    )
    assert answer_post(server, b'{"jsonrpc": "2.0", "id": 1, "result": {}}', PLAIN).status == 202


def test_over_stdin_both_ways_are_answered_too(tmp_path: Path) -> None:
    server = McpServer(purchase(tmp_path / "run.reel"), None)
    said = server.answer(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}))
    assert said is not None and said["result"]["resultType"] == "complete"
    said = server.answer(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}))
    assert said is not None and "resultType" not in said["result"]
