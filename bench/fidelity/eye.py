"""How the bench looks into a page: the serializer in isolated worlds, over a debugger session of its own.

Nothing that a page does to its own globals changes what is seen, closed shadow roots are seen too, and nothing is left in
the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SERIALIZE = Path(__file__).with_name("serialize.js").read_text(encoding="utf-8")
SERIALIZE = SERIALIZE[SERIALIZE.index("(options,") :].rstrip()

WORLD = "pagereel-bench"

Line = tuple[int, str]
"""Depth and text."""


class Eye:
    """Looks into one page of Playwright's sync API, as often as wanted."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._root = page.context.new_cdp_session(page)
        self._others: dict[str, Any] = {}

    def live(self, *, peer: bool = False) -> list[Line]:
        """The lines of the page's document with those of all its frames. `peer`: by the milder measure that rrweb is held to."""
        frame = self._root.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        return self._lines(self._root, frame, {"peer": peer})

    def within(self, expression: str, **options: bool) -> list[Line]:
        """The lines of the document that an <iframe> shows; `expression` gives that element, or null, in the page's main world."""
        found = self._root.send("Runtime.evaluate", {"expression": expression})["result"]
        if "objectId" not in found:
            return []
        frame = self._root.send("DOM.describeNode", {"objectId": found["objectId"]})["node"]["frameId"]
        return self._lines(self._root, frame, options)

    def _lines(self, session: Any, frame: str, options: dict[str, bool]) -> list[Line]:
        world = session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD})["executionContextId"]
        result = session.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": f"(...given) => ({SERIALIZE})(...given)",
                "executionContextId": world,
                "arguments": [{"value": options}, *({"objectId": root} for root in self._closed(session, world))],
                "returnByValue": True,
            },
        )
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"].get("exception", {}).get("description")))
        lines: list[Line] = []
        number = 0
        for depth, text in json.loads(result["result"]["value"]):
            if text != "frame":
                lines.append((depth, text))
                continue
            element = session.send("Runtime.evaluate", {"contextId": world, "expression": f"pagereelFrames[{number}]"})
            number += 1
            node = session.send("DOM.describeNode", {"objectId": element["result"]["objectId"]})["node"]
            inner = node.get("frameId")
            if inner is not None:
                lines += [(depth + below, line) for below, line in self._inner(session, inner, options)]
        return lines

    def _inner(self, session: Any, frame: str, options: dict[str, bool]) -> list[Line]:
        """The lines of a frame of another origin, be it in this process or in one of its own."""
        if frame in _frames(session.send("Page.getFrameTree")["frameTree"]):
            return self._lines(session, frame, options)
        self._others.clear()  # a frame that went and came back has another process
        for each in self._page.frames:
            try:
                other = self._page.context.new_cdp_session(each)
            except Exception:
                continue
            self._others[other.send("Page.getFrameTree")["frameTree"]["frame"]["id"]] = other
        return self._lines(self._others[frame], frame, options) if frame in self._others else []

    def _closed(self, session: Any, world: int) -> list[str]:
        """The closed shadow roots of all documents that this world can reach, as the debugger's names for them."""
        document = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
        names: list[str] = []
        for node in _nodes(document):
            if node.get("shadowRootType") != "closed":
                continue
            try:
                given = {"backendNodeId": node["backendNodeId"], "executionContextId": world}
                names.append(session.send("DOM.resolveNode", given)["object"]["objectId"])
            except Exception:
                continue
        session.send("DOM.disable")
        return names


def _frames(tree: dict[str, Any]) -> Iterator[str]:
    yield tree["frame"]["id"]
    for child in tree.get("childFrames", []):
        yield from _frames(child)


def _nodes(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        for name in ("children", "shadowRoots"):
            stack += node.get(name, [])
        for name in ("contentDocument", "templateContent"):
            if name in node:
                stack.append(node[name])
