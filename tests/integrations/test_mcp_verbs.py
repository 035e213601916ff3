"""A coding agent asks over MCP what went wrong first, when an element changed, and what happened around a step."""

from __future__ import annotations

import json
from pathlib import Path

from pagereel.integrations.mcp import McpServer

from ..comparison.runs import purchase
from .test_fence import call


def test_the_verbs_are_tools(tmp_path: Path) -> None:
    server = McpServer(purchase(tmp_path / "bad.reel", status=409, total="0", button=False), "vendor")
    assert {"replay_first_failure", "replay_when_changed", "replay_around"} < {tool["name"] for tool in server.tools()}
    failed, text = call(server, "replay_first_failure")
    assert not failed and "/cart answered 409: “" in text and "Total 0" in text
    failed, text = call(server, "replay_when_changed", selector="p", limit=1)
    assert not failed and "1 of 7 changes, the latest first" in text
    (line,) = (line for line in text.split("\n") if line.startswith("{"))
    assert [each["kind"] for each in json.loads(line)["after"]] == ["answer", "call", "step"]
    failed, text = call(server, "replay_around", step=2)
    assert not failed and '"status": 409' in text
    assert call(server, "replay_when_changed")[0] and call(server, "replay_when_changed", selector="a b")[0]
    assert call(server, "replay_around", step="9")[0] and call(server, "replay_around")[0]
