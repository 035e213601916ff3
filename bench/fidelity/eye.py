"""Serializes a page over a debugger session of its own, in isolated worlds.

What a page does to its own globals changes nothing of the result; closed shadow roots are included, and nothing is left in the page.
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
    """Serializes one page of Playwright's sync API, as often as wanted."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._root = page.context.new_cdp_session(page)
        self._others: dict[str, Any] = {}

    def live(self, *, peer: bool = False) -> list[Line]:
        """Return the page's document as lines, with the documents of all its iframes.

        `peer`: leave out what the peers rrweb and Playwright's trace change by design.
        """
        frame = self._root.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        return self._lines(self._root, frame, {"peer": peer})

    def within(self, expression: str, **options: bool) -> list[Line]:
        """Return the document in an iframe as lines, [] where there is none.

        `expression` is JavaScript for the page's main world that gives the iframe element or null.
        """
        found = self._root.send("Runtime.evaluate", {"expression": expression})["result"]
        if "objectId" not in found:
            return []
        frame = self._root.send("DOM.describeNode", {"objectId": found["objectId"]})["node"]["frameId"]
        return self._lines(self._root, frame, options)

    def _lines(self, session: Any, frame: str, options: dict[str, bool]) -> list[Line]:
        """Serialize a frame in an isolated world, and insert the lines of its iframes. Raises RuntimeError when the script fails."""
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
        """Return the lines of an iframe of another origin, also where it runs in another process; [] where it is gone."""
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
        """Return the closed shadow roots that an isolated world can reach, as object ids of the debugger."""
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
    """Yield the ids of all frames of a CDP frame tree."""
    yield tree["frame"]["id"]
    for child in tree.get("childFrames", []):
        yield from _frames(child)


def _nodes(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield all nodes of a CDP DOM tree, with shadow roots, iframes' documents and templates' contents."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        for name in ("children", "shadowRoots"):
            stack += node.get(name, [])
        for name in ("contentDocument", "templateContent"):
            if name in node:
                stack.append(node[name])
