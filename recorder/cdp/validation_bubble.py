"""Detects the browser's validation bubble, its own message beside an invalid form field, over CDP.

The DOM does not contain it, only the accessibility tree.
"""

from __future__ import annotations

from ..ingest.transport import RecordingServices
from ..runtime.runner import PendingResult
from .frames import InjectorWorld

_PATIENCE = 5.0
"""Seconds that a query waits for another one to end."""


async def detect_validation_bubble(injector_world: InjectorWorld, services: RecordingServices) -> None:
    """Tell the injector whether its document shows a validation bubble. Queries run one at a time."""
    if injector_world.looking is not None:
        await services.runner.wait([injector_world.looking], _PATIENCE)
        return
    slot = injector_world.looking = PendingResult()
    stands = False
    try:
        stands = await _is_bubble_shown(injector_world)
    finally:
        injector_world.looking = None
        slot.set_result()
        await injector_world.evaluate(services.script.build_call(f"bubble({'true' if stands else 'false'})"))


async def _is_bubble_shown(injector_world: InjectorWorld) -> bool:
    """Return whether Chromium's accessibility tree has a validation bubble: an alert of the document without a DOM
    node. The browser computes the tree for this query and discards it afterwards.
    """
    send = injector_world.link.send
    await send("Accessibility.enable")
    try:
        root = (await send("Accessibility.getRootAXNode", {"frameId": injector_world.frame}))["node"]["nodeId"]
        nodes = (await send("Accessibility.getChildAXNodes", {"id": root, "frameId": injector_world.frame}))["nodes"]
    finally:
        await send("Accessibility.disable")
    return any(node.get("role", {}).get("value") == "alert" and "backendDOMNodeId" not in node for node in nodes)
