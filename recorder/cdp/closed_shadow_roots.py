"""Passes closed shadow roots and partly filled form fields to the injector over CDP, because no script can read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count

from ..runtime.injector_script import InjectorScript
from .cdp_sessions import Params
from .frames import InjectorWorld

_NESTED = 8
"""Largest depth of closed shadow roots inside each other that are looked for at a checkpoint."""
_DEPTH = 50
"""Levels that the browser describes in one answer: it cannot serialize 300 nested levels, and a DOM level takes up to
four.
"""
_TEXT = 3
_BETWEEN = "-webkit-datetime-edit-text"
_TYPED, _PARTS = 1000, 20
"""Largest number of characters and parts of a field's text."""
_groups = count()
"""Numbers that separate the remote objects of two queries."""


async def pass_all_closed_roots_to_injector(injector_world: InjectorWorld, script: InjectorScript) -> None:
    """Pass all new closed shadow roots to the injector: those of new hosts at any depth, and in a small document also
    those that only a search of the whole document finds.
    """
    both = f"{script.build_call('hosts()')} ?? {script.build_call('small()')}"  # Mostly there are no new hosts, and one query is enough.
    for _ in range(_NESTED):
        found, everywhere = await _pass_roots_of_expression(injector_world, script, both)
        if everywhere:
            return
        if not found:
            break
    await _pass_roots_of_expression(injector_world, script, script.build_call("small()"))


async def pass_closed_roots_of_named_hosts(injector_world: InjectorWorld, script: InjectorScript) -> None:
    """Pass the closed shadow roots of the elements that the injector names to the injector."""
    await _pass_roots_of_expression(injector_world, script, script.build_call("hosts()"))


async def _pass_roots_of_expression(
    injector_world: InjectorWorld, script: InjectorScript, expression: str
) -> tuple[int, bool]:
    """Evaluate a JavaScript expression that gives a list of hosts, or a document, and pass the closed shadow roots in
    it to the injector. Return how many roots were new, and whether the value was not a list.
    """
    send = injector_world.link.send
    group = f"{script.world}-{next(_groups)}"

    async def resolve_node(node: Params) -> str:
        params = {"backendNodeId": node["backendNodeId"], "executionContextId": injector_world.id, "objectGroup": group}
        return str((await send("DOM.resolveNode", params))["object"]["objectId"])

    def build_root_call(host: str, root_reference: Params) -> Params:
        call = f"function(found) {{ {script.build_call('root(this, found)')} }}"
        return {"functionDeclaration": call, "objectId": host, "arguments": [root_reference], "silent": True}

    found = 0
    params = {"expression": expression, "uniqueContextId": injector_world.unique, "objectGroup": group, "silent": True}
    result = (await send("Runtime.evaluate", params))["result"]
    asked, everywhere = result.get("objectId"), result.get("subtype") != "array"
    if asked is None:
        return 0, True
    try:
        nodes: list[Params] = []
        if everywhere:
            whole = {"depth": _DEPTH, "pierce": True}
            nodes.append((await send("DOM.describeNode", {"objectId": asked, **whole}))["node"])
            for node in _iter_nodes_without_children(nodes):
                with suppress(Exception):  # The node has left the page since.
                    nodes.append(
                        (await send("DOM.describeNode", {"backendNodeId": node["backendNodeId"], **whole}))["node"]
                    )
        else:
            properties = await send("Runtime.getProperties", {"objectId": asked, "ownProperties": True})
            for entry in properties["result"]:
                host = entry.get("value", {}).get("objectId")
                if host is None or not entry["name"].isdigit():
                    continue
                node = (await send("DOM.describeNode", {"objectId": host, "depth": 0}))["node"]
                if node.get("localName") == "input":
                    field = (await send("DOM.describeNode", {"objectId": host, "depth": _DEPTH, "pierce": True}))[
                        "node"
                    ]
                    await send(
                        "Runtime.callFunctionOn", build_root_call(host, {"value": _split_displayed_field_text(field)})
                    )
                else:
                    nodes.append(node)
        for host_node, root_node in _iter_closed_roots(nodes):
            if root_node["backendNodeId"] in injector_world.roots:
                continue
            injector_world.roots.add(root_node["backendNodeId"])
            told = build_root_call(await resolve_node(host_node), {"objectId": await resolve_node(root_node)})
            await send("Runtime.callFunctionOn", told)
            found += 1
    finally:
        await send("Runtime.releaseObjectGroup", {"objectGroup": group})
    return found, everywhere


def _iter_closed_roots(nodes: Iterable[Params]) -> Iterator[tuple[Params, Params]]:
    """Yield each host and closed root in CDP's node descriptions. Frames are documents of their own, so their content
    is left out.
    """
    for top in nodes:
        for node in _iter_described_nodes(top):
            for root in node.get("shadowRoots", ()):
                if root.get("shadowRootType") == "closed":
                    yield node, root


def _split_displayed_field_text(field: Params) -> list[str]:
    """Return the parts of the text that an input shows, alternately the browser's own text and a part that a person
    filled in. A field without such parts has one text.
    """
    parts = [""]
    roots = (root for root in field.get("shadowRoots", ()) if root.get("shadowRootType") == "user-agent")
    stack = [(root, False) for root in roots]
    while stack:
        node, fills = stack.pop()
        value = node.get("attributes") or []
        attributes = dict(zip(value[::2], value[1::2], strict=False))
        if node.get("nodeType") == _TEXT:
            parts += [node["nodeValue"], ""] if fills else []
            parts[-1] += "" if fills else node["nodeValue"]
        elif attributes.get("pseudo") != "placeholder":
            fills = attributes.get("role") == "spinbutton"
            children = node.get("children", ())
            # The description of a text of one space is empty.
            parts[-1] += " " if attributes.get("pseudo") == _BETWEEN and not children else ""
            stack.extend((child, fills) for child in reversed(children))
    return [part[:_TYPED] for part in (parts if parts[-1] else parts[:-1])[:_PARTS]]


def _iter_nodes_without_children(nodes: list[Params]) -> Iterator[Params]:
    """Yield the nodes whose children are missing from CDP's description. While it iterates, the caller may add
    descriptions to `nodes`; their nodes are yielded too.
    """
    for top in nodes:
        for node in _iter_described_nodes(top):
            if node.get("childNodeCount") and "children" not in node:
                yield node


def _iter_described_nodes(top: Params) -> Iterator[Params]:
    """Yield a node in CDP's description and all nodes below it."""
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(root for root in node.get("shadowRoots", ()) if root.get("shadowRootType") != "user-agent")
        stack.extend(node.get("children", ()))
