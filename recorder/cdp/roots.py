"""Closed shadow roots over CDP: no script can read them from their hosts, and so the browser hands them to our world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count

from ..runtime.script import Script
from .frames import Context
from .links import Params

_NESTED = 8
"""Closed shadow roots inside each other that are looked for at a checkpoint."""
_DEPTH = 50
"""Levels that the browser is asked to describe at once: what nests 300 deep it cannot write down, and a level takes up to four."""
_groups = count()
"""Numbers that keep the remote objects of two looks apart."""


async def give_all_closed_roots(context: Context, script: Script) -> None:
    """Hand over those in new hosts, however deep in each other, then, in a small document, those that only a search of all of it finds."""
    both = f"{script.call('hosts()')} ?? {script.call('small()')}"  # Mostly there are no new hosts, and it is one question.
    for _ in range(_NESTED):
        found, everywhere = await _give(context, script, both)
        if everywhere:
            return
        if not found:
            break
    await _give(context, script, script.call("small()"))


async def give_closed_roots(context: Context, script: Script) -> None:
    """Hand over those whose hosts the script names."""
    await _give(context, script, script.call("hosts()"))


async def _give(context: Context, script: Script, expression: str) -> tuple[int, bool]:
    """Hand over those in what an expression gives, hosts or a whole document; how many were new, and whether it was no list of hosts."""
    send = context.link.send
    group = f"{script.world}-{next(_groups)}"

    async def resolved(node: Params) -> str:
        params = {"backendNodeId": node["backendNodeId"], "executionContextId": context.id, "objectGroup": group}
        return str((await send("DOM.resolveNode", params))["object"]["objectId"])

    found = 0
    params = {"expression": expression, "uniqueContextId": context.unique, "objectGroup": group, "silent": True}
    result = (await send("Runtime.evaluate", params))["result"]
    asked, everywhere = result.get("objectId"), result.get("subtype") != "array"
    if asked is None:
        return 0, True
    try:
        nodes: list[Params] = []
        if everywhere:
            whole = {"depth": _DEPTH, "pierce": True}
            nodes.append((await send("DOM.describeNode", {"objectId": asked, **whole}))["node"])
            for node in _cut(nodes):
                with suppress(Exception):  # It has left the page since.
                    nodes.append(
                        (await send("DOM.describeNode", {"backendNodeId": node["backendNodeId"], **whole}))["node"]
                    )
        else:
            properties = await send("Runtime.getProperties", {"objectId": asked, "ownProperties": True})
            for entry in properties["result"]:
                host = entry.get("value", {}).get("objectId")
                if host is not None and entry["name"].isdigit():
                    nodes.append((await send("DOM.describeNode", {"objectId": host, "depth": 0}))["node"])
        for host_node, root_node in _closed(nodes):
            if root_node["backendNodeId"] in context.roots:
                continue
            context.roots.add(root_node["backendNodeId"])
            call = {
                "functionDeclaration": f"function(root) {{ {script.call('root(this, root)')} }}",
                "objectId": await resolved(host_node),
                "arguments": [{"objectId": await resolved(root_node)}],
                "silent": True,
            }
            await send("Runtime.callFunctionOn", call)
            found += 1
    finally:
        await send("Runtime.releaseObjectGroup", {"objectGroup": group})
    return found, everywhere


def _closed(nodes: Iterable[Params]) -> Iterator[tuple[Params, Params]]:
    """Hosts and their closed roots in descriptions of nodes; frames inside are documents of their own."""
    for top in nodes:
        for node in _below(top):
            for root in node.get("shadowRoots", ()):
                if root.get("shadowRootType") == "closed":
                    yield node, root


def _cut(nodes: list[Params]) -> Iterator[Params]:
    """Nodes of which a description has no children though there are some; also of descriptions that come meanwhile."""
    for top in nodes:
        for node in _below(top):
            if node.get("childNodeCount") and "children" not in node:
                yield node


def _below(top: Params) -> Iterator[Params]:
    """Yield a described node, and all that its description holds."""
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(root for root in node.get("shadowRoots", ()) if root.get("shadowRootType") != "user-agent")
        stack.extend(node.get("children", ()))
