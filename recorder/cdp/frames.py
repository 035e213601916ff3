"""The frames of a page over CDP: whose child each is, our world in its present document, and the element that shows it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..ingest.sources import ScriptSource
from ..ingest.transport import Kit
from ..runtime.runner import Pending
from .links import Link

Place = list[float]
"""Of a frame's viewport in the page's: x, y; left, top, right and bottom of what of it can be seen; and the width of the page's. CSS px."""


@dataclass(slots=True, eq=False)
class Context:
    """Our world in one document."""

    link: Link
    """The session of the target that the document is in."""
    id: int
    unique: str
    frame: str
    source: ScriptSource
    embedded: bool = False
    parked: bool = False
    """The page of which it is a frame was left: its document may lie in the back/forward cache."""
    page: str = ""
    """Our world in that page, by its unique name, once it was left."""
    roots: set[int] = field(default_factory=set)
    """Closed shadow roots that our world was given, by the browser's number."""
    looking: Pending | None = None
    """While the browser is asked what it shows beside a field."""

    async def evaluate(self, expression: str, *, wait: bool = False) -> Any:
        """Return an expression's value in our world; None when it throws or is none that JSON can say. ``wait``: for the promise that it is."""
        params = {"expression": expression, "uniqueContextId": self.unique, "returnByValue": True, "silent": True}
        result = await self.link.send("Runtime.evaluate", {**params, "awaitPromise": wait})
        return result.get("result", {}).get("value")

    async def ask(self, node: int, expression: str) -> Any:
        """Return an expression's value in our world, with an element of this document, by the browser's number, as ``this``."""
        params = {"backendNodeId": node, "executionContextId": self.id}
        remote = (await self.link.send("DOM.resolveNode", params))["object"]["objectId"]
        call = {"functionDeclaration": f"function() {{ return {expression} }}", "objectId": remote}
        result = await self.link.send("Runtime.callFunctionOn", {**call, "returnByValue": True, "silent": True})
        await self.link.send("Runtime.releaseObject", {"objectId": remote})
        return result["result"].get("value")


class PageFrames:
    """The frames of one page, of whichever process."""

    def __init__(self, kit: Kit, page: int) -> None:
        self._kit = kit
        self._page = page
        self.parents: dict[str, str] = {}
        """Of each frame that is not the main one: its parent."""
        self.current: dict[str, Context] = {}
        """Of each frame: our world in its present document."""
        self._places: dict[str, tuple[Context, int]] = {}
        """Of each frame: the document and node in which it is shown. A frame keeps its element while it lives."""
        self._unplaced: dict[str, list[tuple[ScriptSource, Context]]] = {}

    def of(self, source: ScriptSource) -> Context | None:
        """Return the world of this source, while its document is its frame's present one."""
        return next((context for context in self.current.values() if context.source is source), None)

    def place(self, context: Context) -> None:
        """Tell of a document that began in which element of which document it is shown, and the same for frames inside it."""
        self.current[context.frame] = context
        for other in list(self.current.values()):
            if not other.embedded and (other is context or self.parents.get(other.frame) == context.frame):
                outer = self.current.get(self.parents.get(other.frame, ""))
                if outer is not None:
                    other.embedded = True
                    known = self._places.get(other.frame)
                    if known is not None and known[0] is outer:
                        self._kit.writer.put(self._kit.documents.embed, other.source, outer.source, known[1])
                        continue
                    self._kit.runner.spawn(self._kit.guard("embed", self._embed(other, outer)))

    def park(self, contexts: Iterable[Context], page: str) -> None:
        """Ask nothing more of the frames of a page that was left, for a question throws it out of the back/forward cache.

        Should it return, its frames begin anew, some before the browser tells that the other page was left.
        """
        for context in contexts:
            if context.parked or context.page not in ("", page):
                continue
            if self.current.get(context.frame) is context:
                del self.current[context.frame]
            self._kit.writer.put(self._kit.documents.gone, context.source)
            context.source, context.embedded, context.parked = replace(context.source), False, True
            context.page = page

    def unpark(self, context: Context) -> None:
        """Take in a frame whose page is shown again."""
        context.parked = False
        self.place(context)

    def place_again(self, outer: Context) -> None:
        """Renew the places of frames in a document whose nodes have new numbers: find the elements of the frames in it once more."""
        self._places = {frame: place for frame, place in self._places.items() if place[0] is not outer}
        for other in list(self.current.values()):
            if self.parents.get(other.frame) == outer.frame:
                self._kit.runner.spawn(self._kit.guard("embed", self._embed(other, outer)))

    async def place_in_page(self, context: Context) -> Place | None:
        """Return where a frame's viewport stands in the page's; None where that cannot be told."""
        script = self._kit.script
        x, y, clip = 0.0, 0.0, [-math.inf, -math.inf, math.inf, math.inf]
        while (outer := self.current.get(self.parents.get(context.frame, ""))) is not None:
            owner = await outer.link.send("DOM.getFrameOwner", {"frameId": context.frame})
            place = await outer.ask(owner["backendNodeId"], script.call("place(this)"))
            if place is None:
                return None
            dx, dy, *seen, _ = place
            x, y = x + dx, y + dy
            moved = [clip[0] + dx, clip[1] + dy, clip[2] + dx, clip[3] + dy]
            clip = [*map(max, moved[:2], seen[:2]), *map(min, moved[2:], seen[2:])]
            context = outer
        if context.frame in self.parents:
            return None
        place = await context.evaluate(script.call("place()"))
        if place is None:
            return None
        return [x, y, *map(max, clip[:2], place[2:4]), *map(min, clip[2:], place[4:6]), place[6]]

    async def _embed(self, inner: Context, outer: Context) -> None:
        link, script = outer.link, self._kit.script
        for attempt in range(8):
            if attempt:
                await self._kit.runner.wait([], 0.05 * 2**attempt)
            if self.current.get(outer.frame) is not outer:
                if self.current.get(inner.frame) is inner:
                    # It came back from the back/forward cache before the page that it is in.
                    inner.embedded = False
                    self.place(inner)
                return
            if self.current.get(inner.frame) is not inner:
                # The frame went on to another document; this one was shown in the same element.
                self._unplaced.setdefault(inner.frame, []).append((inner.source, outer))
                return
            try:
                owner = await link.send("DOM.getFrameOwner", {"frameId": inner.frame})
                number = await outer.ask(owner["backendNodeId"], script.call("idOf(this)"))
            except Exception:  # a frame that lived for a moment is gone, or the page it was in: we shall hear of it
                continue
            if number:
                self._places[inner.frame] = (outer, number)
                earlier = [source for source, where in self._unplaced.pop(inner.frame, ()) if where is outer]
                for source in (*earlier, inner.source):
                    self._kit.writer.put(self._kit.documents.embed, source, outer.source, number)
                return
        detail = {"page": self._page, "detail": "the iframe of a frame was not found"}
        self._kit.writer.put(self._kit.writer.gap, "detached", detail)
