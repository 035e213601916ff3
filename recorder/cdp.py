"""Chromium: the script in an isolated world over raw CDP.

The page cannot see it, forge its messages or break it. Per page one session of ours, opened through Playwright's public
``new_cdp_session``, and inside it one per out-of-process frame. ``waitForDebuggerOnStart`` stays off: a paused
frame goes on only when our code runs, and under Playwright's sync API that is not before the caller's next call, so
an agent that thinks for a minute would hold a payment form back for a minute.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from .cdp_network import NetworkTap, enable_network
from .console import Console
from .documents import Source
from .links import ChildLink, Link, PageLink, Params
from .runner import Slot, Work, gather
from .transport import Kit, PageRecord, gone

_PATIENCE = 5.0
"""Seconds to wait for a page while attaching to it."""
_LOOK_PATIENCE = 2.0
"""Seconds to wait for the places of what a picture shows."""
_NESTED = 8
"""Closed shadow roots inside each other that are looked for at a checkpoint."""
EVENTS = (
    "Runtime.bindingCalled",
    "Runtime.executionContextCreated",
    "Runtime.executionContextDestroyed",
    "Runtime.executionContextsCleared",
    "Runtime.consoleAPICalled",
    "Runtime.exceptionThrown",
    "Page.frameAttached",
    "Page.frameDetached",
    "Page.frameNavigated",
    "Page.javascriptDialogOpening",
    "Page.downloadWillBegin",
    "Target.attachedToTarget",
    "Target.detachedFromTarget",
    "Target.receivedMessageFromTarget",
    "Network.requestWillBeSent",
    "Network.responseReceived",
    "Network.requestServedFromCache",
    "Network.loadingFinished",
    "Network.loadingFailed",
)


@dataclass(slots=True, eq=False)
class Context:
    """Our world in one document."""

    target: Target
    id: int
    unique: str
    frame: str
    source: Source
    embedded: bool = False
    roots: set[int] = field(default_factory=set)
    """Closed shadow roots that our world was given, by the browser's number."""


class CdpTransport:
    """Every page has a session of its own: there is nothing to prepare."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    async def prepare(self, owner: Any) -> None:
        pass

    def tap(self, record: PageRecord) -> CdpTap:
        return CdpTap(self._kit, record)

    async def leave(self) -> None:
        pass


class CdpTap:
    """One page: its own target and those of its out-of-process frames."""

    def __init__(self, kit: Kit, record: PageRecord) -> None:
        self.kit = kit
        self.record = record
        self.network = NetworkTap(kit, record.number)
        self.console = Console(kit, record.number)
        self.parents: dict[str, str] = {}
        """Of each frame that is not the main one: its parent."""
        self.current: dict[str, Context] = {}
        """Of each frame: our world in its present document."""
        self._places: dict[str, tuple[Context, int]] = {}
        """Of each frame: the document and node in which it is shown. A frame keeps its element while it lives."""
        self._unplaced: dict[str, list[tuple[Source, Context]]] = {}
        self.attaching = True
        self._groups = count()
        self._session: PageLink | None = None
        self._root: Target | None = None
        self.targets: dict[str, Target] = {}

    async def attach(self) -> None:
        page = self.record.page
        session = await self.kit.runner.io(page.context.new_cdp_session(page))
        link = self._session = PageLink(self.kit.runner, session)
        root = self._root = Target(self, link, is_root=True)
        for name in EVENTS:
            link.listen(name, self._listener(root, name))
        await root.start()
        self.attaching = False

    def _listener(self, target: Target, method: str) -> Callable[[Params], None]:
        def on_event(params: Params) -> None:
            # A raise here would surface in the caller's next Playwright call.
            try:
                target.handle(method, params)
            except Exception as error:
                self.kit.sink.trouble(method, error)

        return on_event

    def adopt(self, parent: Target, session_id: str, info: Params) -> None:
        """An out-of-process frame joined."""
        if info.get("type") != "iframe":
            return
        frame = info["targetId"]
        if info.get("parentFrameId"):
            self.parents[frame] = info["parentFrameId"]

        def on_event(method: str, params: Params) -> None:
            target.handle(method, params)

        link = ChildLink(self.kit.runner, parent.link, session_id, on_event)
        target = self.targets[session_id] = Target(self, link, is_root=False)
        self.kit.runner.spawn(self.kit.guard("frame", target.start()))

    def leave(self, session_id: str) -> None:
        target = self.targets.pop(session_id, None)
        if target is not None:
            target.close()

    def tell(self, method: str) -> list[Work]:
        return [self.kit.guard(method, self._told(context, method)) for context in self.current.values()]

    async def _told(self, context: Context, method: str) -> None:
        if method == "checkpoint":
            await self.kit.guard("closed roots", self._all_closed_roots(context))
        await context.target.evaluate(context, self.kit.script.call(f"{method}()"))

    async def heal(self, source: Source, how: str) -> None:
        context = next((c for c in self.current.values() if c.source is source), None)
        if context is None:
            return
        if how in ("roots", "all roots"):
            await (self._all_closed_roots(context) if how == "all roots" else self._closed_roots(context, False))
            return
        if how.startswith("picture "):
            await self._picture(context, *how.split()[1:])
            return
        if how == "shoot":
            await self._shoot(context)
            return
        if how.startswith("read "):
            await context.target.evaluate(context, self.kit.script.call(f"read({json.dumps(how[5:])})"))
            return
        if how.startswith("fonts "):
            await context.target.evaluate(context, self.kit.script.call(f"fonts({how[6:]})"))
            return
        handle = f"globalThis['{self.kit.script.handle}']"
        if how == "lines":
            lines = await context.target.evaluate(context, f"{handle}?.flush(), {handle}?.lines()")
            if isinstance(lines, str):
                self.kit.sink.put(self.kit.documents.differ, source, lines, size=len(lines))
        await context.target.evaluate(context, f"{handle}?.snapshot('heal')")
        # The frames' elements have new ids now.
        self._places = {frame: place for frame, place in self._places.items() if place[0] is not context}
        for other in list(self.current.values()):
            if self.parents.get(other.frame) == context.frame:
                self.kit.runner.spawn(self.kit.guard("embed", self._embed(other, context)))

    async def places(self) -> dict[Source, str]:
        """What each frame's script says of the places of what can be read, closed shadow roots among it. A frame that
        does not answer in time is left out."""
        contexts = list(self.current.values())
        slots = await gather(self.kit.runner, [self._placed(context) for context in contexts], _LOOK_PATIENCE)
        found = zip(contexts, slots, strict=True)
        return {c.source: s.value for c, s in found if s.done and s.error is None and isinstance(s.value, str)}

    async def _placed(self, context: Context) -> Any:
        await self._all_closed_roots(context)
        return await context.target.evaluate(context, self.kit.script.call("places()"))

    async def _picture(self, context: Context, number: str, t: str) -> None:
        """A picture for a checkpoint. What the page did until then is told first, so that it can be seen to be too late."""
        params = {"format": "png", "captureBeyondViewport": False}
        data = (await context.target.link.send("Page.captureScreenshot", params))["data"]
        await context.target.evaluate(context, self.kit.script.call("flush()"))
        self.kit.sink.put(self.kit.documents.picture, context.source, int(number), float(t), data, size=len(data))

    async def _shoot(self, context: Context) -> None:
        """A picture of the viewport, for the script to cut out what it may not read. Nothing is emulated or resized."""
        picture = ""
        if self._root is not None and context.target is self._root:
            params = {"format": "webp", "quality": 95, "optimizeForSpeed": True, "captureBeyondViewport": False}
            try:
                picture = (await self._root.link.send("Page.captureScreenshot", params))["data"]
            except Exception as error:
                if gone(error):
                    raise
        await context.target.evaluate(context, self.kit.script.call(f"shot({json.dumps(picture)})"))

    async def _all_closed_roots(self, context: Context) -> None:
        for _ in range(_NESTED):
            if not await self._closed_roots(context, False):
                break
        await self._closed_roots(context, True)

    async def _closed_roots(self, context: Context, everywhere: bool) -> int:
        """Hands closed shadow roots, which no script can read from their hosts, to our own world."""
        send, script = context.target.link.send, self.kit.script
        group = f"{script.world}-{next(self._groups)}"

        async def resolved(node: Params) -> str:
            params = {"backendNodeId": node["backendNodeId"], "executionContextId": context.id, "objectGroup": group}
            return str((await send("DOM.resolveNode", params))["object"]["objectId"])

        expression = script.call("small()" if everywhere else "hosts()")
        found = 0
        params = {"expression": expression, "uniqueContextId": context.unique, "objectGroup": group, "silent": True}
        asked = (await send("Runtime.evaluate", params))["result"].get("objectId")
        if asked is None:
            return 0
        try:
            nodes: list[Params] = []
            if everywhere:
                nodes.append((await send("DOM.describeNode", {"objectId": asked, "depth": -1, "pierce": True}))["node"])
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
        return found

    async def settle(self) -> None:
        await self.network.settle(30.0)

    async def detach(self) -> None:
        if self._session is not None:
            await self._session.detach()

    def gone(self) -> None:
        if self._root is not None:
            self._root.close()
        for target in self.targets.values():
            target.close()
        self.targets.clear()

    def place(self, context: Context) -> None:
        """A document began: tell in which element of which document it is shown, and the same for frames inside it."""
        self.current[context.frame] = context
        for other in list(self.current.values()):
            if not other.embedded and (other is context or self.parents.get(other.frame) == context.frame):
                outer = self.current.get(self.parents.get(other.frame, ""))
                if outer is not None:
                    other.embedded = True
                    known = self._places.get(other.frame)
                    if known is not None and known[0] is outer:
                        self.kit.sink.put(self.kit.documents.embed, other.source, outer.source, known[1])
                        continue
                    self.kit.runner.spawn(self.kit.guard("embed", self._embed(other, outer)))

    async def _embed(self, inner: Context, outer: Context) -> None:
        link, script = outer.target.link, self.kit.script
        for attempt in range(8):
            if attempt:
                await self.kit.runner.wait([], 0.05 * 2**attempt)
            if self.current.get(outer.frame) is not outer:
                return
            if self.current.get(inner.frame) is not inner:
                # The frame went on to another document; this one was shown in the same element.
                self._unplaced.setdefault(inner.frame, []).append((inner.source, outer))
                return
            try:
                owner = await link.send("DOM.getFrameOwner", {"frameId": inner.frame})
            except Exception:  # a frame that lived for a moment is gone: we shall hear of it
                continue
            node = {"backendNodeId": owner["backendNodeId"], "executionContextId": outer.id}
            remote = (await link.send("DOM.resolveNode", node))["object"]["objectId"]
            declaration = f"function() {{ return {script.call('idOf(this)')} }}"
            call = {"functionDeclaration": declaration, "objectId": remote, "returnByValue": True, "silent": True}
            number = (await link.send("Runtime.callFunctionOn", call))["result"].get("value")
            await link.send("Runtime.releaseObject", {"objectId": remote})
            if number:
                self._places[inner.frame] = (outer, number)
                earlier = [source for source, where in self._unplaced.pop(inner.frame, ()) if where is outer]
                for source in (*earlier, inner.source):
                    self.kit.sink.put(self.kit.documents.embed, source, outer.source, number)
                return
        detail = {"page": self.record.number, "detail": "the iframe of a frame was not found"}
        self.kit.sink.put(self.kit.sink.gap, "detached", detail)


def _closed(nodes: list[Params]) -> Iterator[tuple[Params, Params]]:
    """Hosts and their closed roots in descriptions of nodes; frames inside are documents of their own."""
    while nodes:
        node = nodes.pop()
        for root in node.get("shadowRoots", ()):
            if root.get("shadowRootType") == "closed":
                yield node, root
            if root.get("shadowRootType") != "user-agent":
                nodes.append(root)
        nodes.extend(node.get("children", ()))


class Target:
    """One CDP target: a page, or an out-of-process frame of it."""

    def __init__(self, tap: CdpTap, link: Link, is_root: bool) -> None:
        self.tap = tap
        self.kit = tap.kit
        self.link = link
        self.is_root = is_root
        self._contexts: dict[int, Context] = {}

    async def start(self) -> None:
        """Everything at once: an out-of-process frame is told of about 30 ms before its document is committed, and a
        round trip of the sync API takes a few. Only the page itself is asked for its frames first: their parents tell
        which one is the main frame.
        """
        runner = self.kit.runner
        tree = self.link.send("Page.getFrameTree")
        if self.is_root:
            (slot,) = await gather(runner, [tree], _PATIENCE)
            self._know(slot)
            slots = await gather(runner, self._set_up(), _PATIENCE)
        else:
            *slots, slot = await gather(runner, [*self._set_up(), tree], _PATIENCE)
            self._know(slot)
            for context in list(self._contexts.values()):
                if not context.embedded:
                    self.tap.place(context)
        for slot in slots:
            if slot.error is not None and not gone(slot.error):
                self.kit.sink.trouble("attach", slot.error)
            elif not slot.done:
                self.kit.sink.trouble("attach", "the page does not answer")
                break

    def _set_up(self) -> list[Work]:
        script, send = self.kit.script, self.link.send
        source = {"source": script.source, "worldName": script.world, "runImmediately": True}
        auto_attach = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False}
        return [
            send("Page.enable"),
            send("Runtime.enable"),
            send("Runtime.addBinding", {"name": script.binding, "executionContextName": script.world}),
            send("Page.addScriptToEvaluateOnNewDocument", source),
            enable_network(self.link),
            send("Target.setAutoAttach", auto_attach),
        ]

    def _know(self, answer: Slot) -> None:
        if answer.error is not None:
            raise answer.error
        if not answer.done:
            raise TimeoutError("the page does not answer")
        trees = [answer.value["frameTree"]]
        while trees:
            tree = trees.pop()
            frame = tree["frame"]
            if frame.get("parentId"):
                self.tap.parents[frame["id"]] = frame["parentId"]
            trees.extend(tree.get("childFrames", ()))

    def handle(self, method: str, params: Params) -> None:
        """One CDP event, on the caller's thread."""
        if method == "Runtime.bindingCalled":
            context = self._contexts.get(params["executionContextId"])
            if context is not None and params["name"] == self.kit.script.binding:
                payload: str = params["payload"]
                sampled = len(payload) < 4000 and '"pointer"' in payload and '"ops"' not in payload
                documents, now = self.kit.documents, self.kit.clock.now()
                self.kit.sink.put(documents.batch, context.source, payload, now, size=len(payload), sampled=sampled)
                if (pace := self.kit.pace(context.source)) is not None:
                    asked = self.evaluate(context, self.kit.script.call(f"pace({pace})"))
                    self.kit.runner.spawn(self.kit.guard("pace", asked))
        elif method.startswith("Network."):
            here = self.tap.current.get(params.get("frameId", ""))
            self.tap.network.handle(self.link, method, params, here.source if here is not None else None)
        else:
            other = self._others.get(method)
            if other is not None:
                other(self, params)

    async def evaluate(self, context: Context, expression: str) -> Any:
        params = {"expression": expression, "uniqueContextId": context.unique, "returnByValue": True, "silent": True}
        result = await self.link.send("Runtime.evaluate", params)
        return result.get("result", {}).get("value")

    def close(self) -> None:
        for context in list(self._contexts.values()):
            self._drop(context)

    def _drop(self, context: Context) -> None:
        self._contexts.pop(context.id, None)
        if self.tap.current.get(context.frame) is context:
            del self.tap.current[context.frame]
        self.kit.sink.put(self.kit.documents.gone, context.source)

    def _context_created(self, params: Params) -> None:
        described = params["context"]
        if described.get("name") != self.kit.script.world:
            return
        frame = described["auxData"]["frameId"]
        top = self.is_root and frame not in self.tap.parents
        early = self.tap.attaching and self.tap.record.early
        source = Source(self.tap.record.number, frame, top, described.get("origin", ""), early)
        context = Context(self, described["id"], described["uniqueId"], frame, source)
        self._contexts[context.id] = context
        self.tap.place(context)

    def _frame_navigated(self, params: Params) -> None:
        """A new frame begins with an empty document, and when Playwright makes its own world there, ours comes into
        being too. Navigated within its origin, the frame then keeps its window (HTML, "initialise the Document object")
        and with it all worlds: scripts for new documents do not run a second time, and so ours is told to begin again.
        """
        context = self.tap.current.get(params["frame"]["id"])
        if context is not None and context.target is self and context.id in self._contexts:
            self.kit.runner.spawn(self.kit.guard("frame", self._again(context)))

    async def _again(self, context: Context) -> None:
        # Nothing is done where our script is in this very document already.
        await self.evaluate(context, self.kit.script.call("again()"))
        context.embedded = False
        self.tap.place(context)

    def _context_destroyed(self, params: Params) -> None:
        context = self._contexts.get(params["executionContextId"])
        if context is not None:
            self._drop(context)

    def _contexts_cleared(self, params: Params) -> None:
        self.close()

    def _frame_attached(self, params: Params) -> None:
        self.tap.parents[params["frameId"]] = params["parentFrameId"]

    def _frame_detached(self, params: Params) -> None:
        if params.get("reason") != "swap":
            self.tap.parents.pop(params["frameId"], None)

    def _attached(self, params: Params) -> None:
        self.tap.adopt(self, params["sessionId"], params["targetInfo"])

    def _detached(self, params: Params) -> None:
        self.tap.leave(params["sessionId"])

    def _received(self, params: Params) -> None:
        child = self.tap.targets.get(params["sessionId"])
        if child is not None and isinstance(child.link, ChildLink):
            child.link.received(params["message"])

    def _console(self, params: Params) -> None:
        self.tap.console.called(self.link, params)

    def _exception(self, params: Params) -> None:
        self.tap.console.thrown(params)

    def _dialog(self, params: Params) -> None:
        self.tap.console.dialog(params)

    def _download(self, params: Params) -> None:
        self.tap.console.download(params)

    _others: dict[str, Callable[[Target, Params], None]] = {  # noqa: RUF012
        "Runtime.executionContextCreated": _context_created,
        "Runtime.executionContextDestroyed": _context_destroyed,
        "Runtime.executionContextsCleared": _contexts_cleared,
        "Runtime.consoleAPICalled": _console,
        "Runtime.exceptionThrown": _exception,
        "Page.frameAttached": _frame_attached,
        "Page.frameDetached": _frame_detached,
        "Page.frameNavigated": _frame_navigated,
        "Page.javascriptDialogOpening": _dialog,
        "Page.downloadWillBegin": _download,
        "Target.attachedToTarget": _attached,
        "Target.detachedFromTarget": _detached,
        "Target.receivedMessageFromTarget": _received,
    }
