"""The browser's own message beside an invalid field, over CDP: it is no part of the page, and only the accessibility tree tells of it."""

from __future__ import annotations

from ..ingest.transport import Kit
from ..runtime.runner import Pending
from .frames import Context

_PATIENCE = 5.0
"""Seconds that a look waits for another one."""


async def look_for_bubble(context: Context, kit: Kit) -> None:
    """Tell our world whether the message stands in its document. One look at a time."""
    if context.looking is not None:
        await kit.runner.wait([context.looking], _PATIENCE)
        return
    slot = context.looking = Pending()
    stands = False
    try:
        stands = await _is_shown(context)
    finally:
        context.looking = None
        slot.set()
        await context.evaluate(kit.script.call(f"bubble({'true' if stands else 'false'})"))


async def _is_shown(context: Context) -> bool:
    """Return whether Chromium's accessibility tree has the message: an alert of the document's that stands for no node of it.
    The tree is made for this question and thrown away after it.
    """
    send = context.link.send
    await send("Accessibility.enable")
    try:
        root = (await send("Accessibility.getRootAXNode", {"frameId": context.frame}))["node"]["nodeId"]
        nodes = (await send("Accessibility.getChildAXNodes", {"id": root, "frameId": context.frame}))["nodes"]
    finally:
        await send("Accessibility.disable")
    return any(node.get("role", {}).get("value") == "alert" and "backendDOMNodeId" not in node for node in nodes)
