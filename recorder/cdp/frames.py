"""Tracks the frames of a page over CDP: each one's parent, the injector's world in its present document, and the element that embeds it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..ingest.script_source import ScriptSource
from ..ingest.transport import RecordingServices
from ..runtime.runner import PendingResult
from .cdp_sessions import CdpSession

Place = list[float]
"""Where a frame's viewport is in the page's viewport, in CSS px: x, y; left, top, right and bottom of its visible
part; and the width of the page's viewport.
"""


@dataclass(slots=True, eq=False)
class InjectorWorld:
    """The injector's JavaScript world (execution context) in one document."""

    link: CdpSession
    """The session of the document's target."""
    id: int
    unique: str
    frame: str
    source: ScriptSource
    embedded: bool = False
    parked: bool = False
    """The page of this frame was left: the document may be in the back/forward cache."""
    page: str = ""
    """Unique name of the world in the main document of that page, once the page was left."""
    roots: set[int] = field(default_factory=set)
    """Closed shadow roots that the injector was given, by the browser's node number."""
    looking: PendingResult | None = None
    """The query under way for the browser's message beside a field."""

    async def evaluate(self, expression: str, *, await_promise: bool = False) -> Any:
        """Return an expression's value in this world; None if it throws or is not JSON. ``await_promise``: await a promise
        first.
        """
        params = {"expression": expression, "uniqueContextId": self.unique, "returnByValue": True, "silent": True}
        result = await self.link.send("Runtime.evaluate", {**params, "awaitPromise": await_promise})
        return result.get("result", {}).get("value")

    async def evaluate_on_node(self, node: int, expression: str) -> Any:
        """Return an expression's value in this world, with ``this`` as the element of the browser's node number `node`."""
        params = {"backendNodeId": node, "executionContextId": self.id}
        remote = (await self.link.send("DOM.resolveNode", params))["object"]["objectId"]
        call = {"functionDeclaration": f"function() {{ return {expression} }}", "objectId": remote}
        result = await self.link.send("Runtime.callFunctionOn", {**call, "returnByValue": True, "silent": True})
        await self.link.send("Runtime.releaseObject", {"objectId": remote})
        return result["result"].get("value")


class PageFrames:
    """The frames of one page, in all of Chromium's processes, and their injector worlds."""

    def __init__(self, kit: RecordingServices, page: int) -> None:
        self._kit = kit
        self._page = page
        self.parents: dict[str, str] = {}
        """Frame → its parent. The main frame is not in it."""
        self.current: dict[str, InjectorWorld] = {}
        """Frame → the injector's world in its present document."""
        self._places: dict[str, tuple[InjectorWorld, int]] = {}
        """Frame → the document and node in which it is shown. A frame keeps its element while it lives."""
        self._unplaced: dict[str, list[tuple[ScriptSource, InjectorWorld]]] = {}

    def find_injector_world(self, source: ScriptSource) -> InjectorWorld | None:
        """Return the world of this source; None if its document is no longer the present one of its frame."""
        return next((context for context in self.current.values() if context.source is source), None)

    def find_embedding_elements(self, injector_world: InjectorWorld) -> None:
        """Find and record the iframe element that embeds a new document, and the elements that embed the iframes inside
        it.
        """
        self.current[injector_world.frame] = injector_world
        for other in list(self.current.values()):
            if not other.embedded and (
                other is injector_world or self.parents.get(other.frame) == injector_world.frame
            ):
                outer = self.current.get(self.parents.get(other.frame, ""))
                if outer is not None:
                    other.embedded = True
                    known = self._places.get(other.frame)
                    if known is not None and known[0] is outer:
                        self._kit.writer.enqueue_call(
                            self._kit.documents.record_iframe_element, other.source, outer.source, known[1]
                        )
                        continue
                    self._kit.runner.spawn(
                        self._kit.wrap_to_report_errors("embed", self._record_iframe_element(other, outer))
                    )

    def suspend_cached_frames(self, injector_worlds: Iterable[InjectorWorld], page: str) -> None:
        """Stop sending requests to the frames of a page that the browser keeps in its back/forward cache, because a
        request would evict the page. If the page is shown again, its frames start anew; some do so before the browser
        reports that the other page was left.
        """
        for context in injector_worlds:
            if context.parked or context.page not in ("", page):
                continue
            if self.current.get(context.frame) is context:
                del self.current[context.frame]
            self._kit.writer.enqueue_call(self._kit.documents.end_document, context.source)
            context.source, context.embedded, context.parked = replace(context.source), False, True
            context.page = page

    def resume_cached_frame(self, injector_world: InjectorWorld) -> None:
        """Add a frame again whose page returned from the back/forward cache."""
        injector_world.parked = False
        self.find_embedding_elements(injector_world)

    def find_iframe_elements_again(self, parent_world: InjectorWorld) -> None:
        """Find and record the elements of a document's iframes again, because the document's nodes have new ids."""
        self._places = {frame: place for frame, place in self._places.items() if place[0] is not parent_world}
        for other in list(self.current.values()):
            if self.parents.get(other.frame) == parent_world.frame:
                self._kit.runner.spawn(
                    self._kit.wrap_to_report_errors("embed", self._record_iframe_element(other, parent_world))
                )

    async def find_viewport_position_in_page(self, injector_world: InjectorWorld) -> Place | None:
        """Return the position of a frame's viewport in the page's viewport; None if it is unknown."""
        script = self._kit.script
        x, y, clip = 0.0, 0.0, [-math.inf, -math.inf, math.inf, math.inf]
        while (outer := self.current.get(self.parents.get(injector_world.frame, ""))) is not None:
            owner = await outer.link.send("DOM.getFrameOwner", {"frameId": injector_world.frame})
            place = await outer.evaluate_on_node(owner["backendNodeId"], script.build_call("place(this)"))
            if place is None:
                return None
            dx, dy, *seen, _ = place
            x, y = x + dx, y + dy
            moved = [clip[0] + dx, clip[1] + dy, clip[2] + dx, clip[3] + dy]
            clip = [*map(max, moved[:2], seen[:2]), *map(min, moved[2:], seen[2:])]
            injector_world = outer
        if injector_world.frame in self.parents:
            return None
        place = await injector_world.evaluate(script.build_call("place()"))
        if place is None:
            return None
        return [x, y, *map(max, clip[:2], place[2:4]), *map(min, clip[2:], place[4:6]), place[6]]

    async def _record_iframe_element(self, child_world: InjectorWorld, parent_world: InjectorWorld) -> None:
        link, script = parent_world.link, self._kit.script
        for attempt in range(8):
            if attempt:
                await self._kit.runner.wait([], 0.05 * 2**attempt)
            if self.current.get(parent_world.frame) is not parent_world:
                if self.current.get(child_world.frame) is child_world:
                    # It came back from the back/forward cache before the page that embeds it.
                    child_world.embedded = False
                    self.find_embedding_elements(child_world)
                return
            if self.current.get(child_world.frame) is not child_world:
                # The frame went on to another document; this one was shown in the same element.
                self._unplaced.setdefault(child_world.frame, []).append((child_world.source, parent_world))
                return
            try:
                owner = await link.send("DOM.getFrameOwner", {"frameId": child_world.frame})
                number = await parent_world.evaluate_on_node(owner["backendNodeId"], script.build_call("idOf(this)"))
            except Exception:  # a short-lived frame, or its page, is gone: an event will report that
                continue
            if number:
                self._places[child_world.frame] = (parent_world, number)
                earlier = [
                    source for source, where in self._unplaced.pop(child_world.frame, ()) if where is parent_world
                ]
                for source in (*earlier, child_world.source):
                    self._kit.writer.enqueue_call(
                        self._kit.documents.record_iframe_element, source, parent_world.source, number
                    )
                return
        detail = {"page": self._page, "detail": "the iframe of a frame was not found"}
        self._kit.writer.enqueue_call(self._kit.writer.write_gap, "detached", detail)
