"""A coding agent asks over MCP where a run parts from a good one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pagereel.integrations.mcp import McpServer

from ..comparison.runs import purchase


def call(server: McpServer, **arguments: Any) -> tuple[bool, str]:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "replay_compare", "arguments": arguments},
    }
    reply = server.answer(json.dumps(message))
    assert reply is not None
    return bool(reply["result"].get("isError")), reply["result"]["content"][0]["text"]


def test_the_divergence_and_the_differences_are_told(tmp_path: Path) -> None:
    good, bad = purchase(tmp_path / "good.reel"), purchase(tmp_path / "bad.reel", status=409, total="0")
    server = McpServer(bad, "vendor")
    assert "replay_compare" in {tool["name"] for tool in server.tools()}
    failed, text = call(server, good=str(good))
    assert not failed and "POST /cart answered 409 instead of 201." in text and '"pairs"' not in text
    assert "names no recording" in call(server, good=str(good), baseline=[str(tmp_path / "none-*.reel")])[1]
    assert call(server)[0] and call(server, good=str(tmp_path / "missing.reel"))[0]
