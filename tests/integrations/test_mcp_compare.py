"""A coding agent asks over MCP where a run parts from a good one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pagereel.integrations.mcp import McpServer

from ..comparison.runs import Made, purchase


def call(server: McpServer, tool: str = "replay_compare", **arguments: Any) -> tuple[bool, str]:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    reply = server.answer(json.dumps(message))
    assert reply is not None
    return bool(reply["result"].get("isError")), reply["result"]["content"][0]["text"]


@pytest.mark.slow
def test_the_divergence_and_the_differences_are_told(tmp_path: Path) -> None:
    good, bad = purchase(tmp_path / "good.reel"), purchase(tmp_path / "bad.reel", status=409, total="0")
    server = McpServer(bad, "vendor")
    assert "replay_compare" in {tool["name"] for tool in server.tools()}
    failed, text = call(server, good=str(good))
    assert not failed and "POST /cart answered 409 instead of 201." in text and '"pairs"' not in text
    assert "does not exist" in call(server, good=str(good), baseline=[str(tmp_path / "none-*.reel")])[1]
    assert call(server)[0] and call(server, good=str(tmp_path / "missing.reel"))[0]


def test_who_is_in_both_runs_is_one_person_in_what_is_asked_of_either_afterwards(tmp_path: Path) -> None:
    runs = []
    for name, city in (("good", "Leeds"), ("bad", "York")):
        made = Made(tmp_path / f"{name}.reel")
        made.open("/customers", "Customer Priya Raghunathan", f"Ships to Priya Raghunathan in {city} tomorrow")
        made.call("click", 'get_by_text("Done")')
        runs.append(str(made.end()))
    server = McpServer(None, "vendor")
    said = call(server, good=runs[0], reel=runs[1])[1]
    said += "".join(call(server, "replay_text", reel=run)[1] for run in runs)
    assert len(re.findall(r"Ships to \w+ \w+ in", said)) >= 3
    names = set(re.findall(r"Ships to (\w+ \w+) in", said))
    assert len(names) == 1 and "Priya Raghunathan" not in names
