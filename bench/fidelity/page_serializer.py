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


class PageSerializer:
    """Serializes one page of Playwright's sync API, as often as wanted."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._root = page.context.new_cdp_session(page)
        self._others: dict[str, Any] = {}

    def serialize_page(self, *, peer: bool = False) -> list[Line]:
        """Return the page's document as lines, with the documents of all its iframes.

        `peer`: leave out what the peers rrweb and Playwright's trace change by design.
        """
        frame = self._root.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        return self._serialize_frame(self._root, frame, {"peer": peer})

    def serialize_iframe(self, expression: str, **options: bool) -> list[Line]:
        """Return the document in an iframe as lines, [] where there is none.

        `expression` is JavaScript for the page's main world that gives the iframe element or null.
        """
        found = self._root.send("Runtime.evaluate", {"expression": expression})["result"]
        if "objectId" not in found:
            return []
        frame = self._root.send("DOM.describeNode", {"objectId": found["objectId"]})["node"]["frameId"]
        return self._serialize_frame(self._root, frame, options)

    def _serialize_frame(self, session: Any, frame: str, options: dict[str, bool]) -> list[Line]:
        """Serialize a frame in an isolated world, and insert the lines of its iframes. Raises RuntimeError when the script fails."""
        world = session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD})["executionContextId"]
        result = session.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": f"(...given) => ({SERIALIZE})(...given)",
                "executionContextId": world,
                "arguments": [
                    {"value": options},
                    *({"objectId": root} for root in self._find_closed_roots(session, world)),
                ],
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
                lines += [
                    (depth + below, line) for below, line in self._serialize_foreign_frame(session, inner, options)
                ]
        return lines

    def _serialize_foreign_frame(self, session: Any, frame: str, options: dict[str, bool]) -> list[Line]:
        """Return the lines of an iframe of another origin, also where it runs in another process; [] where it is gone."""
        if frame in _iter_frame_ids(session.send("Page.getFrameTree")["frameTree"]):
            return self._serialize_frame(session, frame, options)
        self._others.clear()  # a frame that went and came back has another process
        for each in self._page.frames:
            try:
                other = self._page.context.new_cdp_session(each)
            except Exception:
                continue
            self._others[other.send("Page.getFrameTree")["frameTree"]["frame"]["id"]] = other
        return self._serialize_frame(self._others[frame], frame, options) if frame in self._others else []

    def _find_closed_roots(self, session: Any, world: int) -> list[str]:
        """Return the closed shadow roots that an isolated world can reach, as object ids of the debugger."""
        document = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
        names: list[str] = []
        for node in _iter_nodes(document):
            if node.get("shadowRootType") != "closed":
                continue
            try:
                given = {"backendNodeId": node["backendNodeId"], "executionContextId": world}
                names.append(session.send("DOM.resolveNode", given)["object"]["objectId"])
            except Exception:
                continue
        session.send("DOM.disable")
        return names


def _iter_frame_ids(tree: dict[str, Any]) -> Iterator[str]:
    """Yield the ids of all frames of a CDP frame tree."""
    yield tree["frame"]["id"]
    for child in tree.get("childFrames", []):
        yield from _iter_frame_ids(child)


def _iter_nodes(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
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
