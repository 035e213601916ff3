"""`pagereel mcp` asked over stdin and stdout by the client of the protocol's own SDK. (Over HTTP: tests/library/test_serve_mcp.py.)"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pagereel import record
from tests.command import PAGEREEL


def test_the_protocols_own_sdk_reads_a_recording(tmp_path: Path) -> None:
    mcp = pytest.importorskip("mcp", reason="the SDK is not installed (pip install mcp)")
    reel = tmp_path / "run.reel"
    with record(None, reel, agent="checkout-bot"):
        pass

    async def ask() -> tuple[set[str], str, bool]:
        command = [*PAGEREEL, "mcp", str(reel), "--redaction", "off"]
        server = mcp.StdioServerParameters(command=command[0], args=command[1:])
        async with mcp.stdio_client(server) as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            offered = {tool.name for tool in (await session.list_tools()).tools}
            told = await session.call_tool("replay_overview", {})
            wrong = await session.call_tool("replay_overview", {"reel": str(tmp_path / "none.reel")})
            return offered, told.content[0].text, wrong.is_error

    offered, told, wrong = asyncio.run(ask())
    assert {"replay_overview", "replay_errors", "replay_steps"} <= offered
    assert "checkout-bot" in told and wrong
