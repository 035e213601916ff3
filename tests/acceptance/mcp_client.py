"""Asks a server with the Model Context Protocol's own SDK: ``python mcp_client.py TOOLS.json COMMAND…`` prints each tool's answer.

It runs in an environment that has the SDK, and imports nothing of pagereel. TOOLS.json: pairs of a tool's name and its arguments.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path


async def main(tools: Path, command: str, *arguments: str) -> None:
    from mcp import ClientSession, StdioServerParameters, stdio_client  # type: ignore[import-not-found]

    answers = []
    server = StdioServerParameters(command=command, args=list(arguments))
    async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
        await session.initialize()
        offered = {tool.name for tool in (await session.list_tools()).tools}
        for name, given in json.loads(tools.read_text("utf-8")):
            assert name in offered, name
            result = await session.call_tool(name, given)
            answers.append([part.text if part.type == "text" else part.type for part in result.content])
    print(json.dumps(answers))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
