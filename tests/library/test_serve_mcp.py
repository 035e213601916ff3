"""A coding agent asks a served library over MCP: what its role may see, and one line of the log for each call."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette")

from .server import MAIL, Answer, Served, filled, served, tokens


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("mcp")
    with served(filled(folder / "runs", folder), "--tokens", str(tokens(folder / "tokens.toml"))) as running:
        yield running


def post(site: Served, message: Any, role: str | None = "reader", **headers: str) -> Answer:
    return site.ask(
        "POST", "/mcp", role, json.dumps(message).encode(), **{"Content_Type": "application/json", **headers}
    )


def call(site: Served, tool: str, role: str = "reader", **arguments: Any) -> tuple[bool, str]:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    result = post(site, message, role).json()["result"]
    return bool(result.get("isError")), result["content"][0]["text"]


@pytest.mark.slow
def test_an_agent_searches_and_reads_what_its_role_may_see(site: Served) -> None:
    failed, found = call(site, "library_search", query='outcome:failed seen:"card was declined"')
    assert not failed and '"id": "run-0000"' in found and "1 of 1 runs" in found
    for role, raw in (("reader", False), ("internal", False), ("raw", True), ("admin", False)):
        failed, text = call(
            site, "replay_text", role, run="run-0000", **({"reason": "a test"} if role == "raw" else {})
        )
        assert not failed and (MAIL in text) == raw
    assert MAIL in call(site, "replay_text", "admin", run="run-0000", reason="a test")[1]
    failed, told = call(site, "replay_compare", run="run-0000", good="run-0001")
    assert not failed and '"divergence"' in told and MAIL not in told
    failed, said = call(site, "replay_text", "raw", run="run-0000")
    assert failed and "Give a reason" in said
    assert call(site, "replay_text", run="run-9999") == (True, "There is no run run-9999.")
    assert call(site, "replay_text")[0] and call(site, "library_search", query="a:b")[0]


def test_each_call_is_one_line_and_nothing_else_is(site: Served) -> None:
    before = len(site.log())
    assert (
        post(
            site, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
        ).status
        == 200
    )
    assert post(site, {"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202
    assert post(site, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).status == 200
    assert len(site.log()) == before
    call(site, "replay_steps", run="run-0001")
    call(site, "replay_steps", "raw", run="run-0001", reason="ticket 4711")
    call(site, "library_search", query="thank")
    told = [{k: v for k, v in line.items() if k not in ("when", "prev")} for line in site.log()[before:]]
    assert told == [
        {"who": "the reader", "did": "mcp", "tool": "replay_steps", "run": "run-0001", "redaction": "vendor"},
        {
            "who": "the raw",
            "did": "mcp",
            "tool": "replay_steps",
            "run": "run-0001",
            "redaction": "off",
            "reason": "ticket 4711",
        },
        {"who": "the reader", "did": "mcp", "tool": "library_search", "query": "thank"},
    ]


def test_who_is_nobody_or_of_another_page_is_refused(site: Served) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert post(site, message, None).status == 401
    assert post(site, message, "auditor").status == 403 and post(site, message, "writer").status == 403
    assert post(site, message, Origin="http://evil.example").status == 403
    assert post(site, message, Host="evil.example").status == 403
    assert post(site, message, Content_Type="text/plain").status == 415
    assert site.get("/mcp", "reader").status == 405, "there is no stream of the server's own"
    assert site.ask("DELETE", "/mcp", "reader").status == 405, "and no session"
    assert site.ask("POST", "/mcp", "reader", b" " * (2 << 20), Content_Type="application/json").status == 413


def test_the_protocols_own_sdk_reads_it(site: Served, no_sync_playwright: None) -> None:
    mcp = pytest.importorskip("mcp", reason="the SDK is not installed (pip install mcp)")

    async def ask() -> list[str]:
        given = {"Authorization": "Bearer reader"}
        transport = importlib.import_module("mcp.client.streamable_http").streamable_http_client
        http = importlib.import_module("mcp.shared._httpx_utils").create_mcp_http_client(headers=given)
        async with http, mcp.client.Client(transport(f"http://{site.pages}/mcp", http_client=http)) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            result = await client.call_tool("replay_overview", {"run": "run-0000"})
            return [str(client.protocol_version), *names, result.content[0].text]

    said = asyncio.run(ask())
    assert "library_search" in said and "checkout-bot" in said[-1]
    assert said[0] == "2026-07-28"
