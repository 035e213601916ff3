"""One CDP target: a page, or an out-of-process frame of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..ingest.sources import ScriptSource
from ..runtime.runner import Pending, Work, gather
from .earlier import record_earlier_resources
from .flood import Flood
from .frames import Context
from .links import ChildLink, Link, Params
from .network import enable_network
from .propagate import continue_request, enable, origin_of, referrer_of

if TYPE_CHECKING:
    from .tap import CdpTap

_PATIENCE = 5.0
"""Seconds to wait for a page while attaching to it."""
_EARLIER_PATIENCE = 1.0
"""Seconds that the beginning of a recording may wait for what its pages had loaded before."""
_ASKING = 1000
"""Largest number of requests under way whose document is remembered."""
EVENTS = (
    "Runtime.bindingCalled",
    "Runtime.executionContextCreated",
    "Runtime.executionContextDestroyed",
    "Runtime.executionContextsCleared",
    "Runtime.consoleAPICalled",
    "Runtime.exceptionThrown",
    "Log.entryAdded",
    "Page.frameAttached",
    "Page.frameDetached",
    "Page.frameNavigated",
    "Page.javascriptDialogOpening",
    "Page.downloadWillBegin",
    "Target.targetCreated",
    "Target.targetDestroyed",
    "Target.attachedToTarget",
    "Target.detachedFromTarget",
    "Target.receivedMessageFromTarget",
    "Fetch.requestPaused",
    "Network.requestWillBeSent",
    "Network.responseReceived",
    "Network.responseReceivedExtraInfo",
    "Network.requestServedFromCache",
    "Network.dataReceived",
    "Network.loadingFinished",
    "Network.loadingFailed",
    "Network.webSocketCreated",
    "Network.webSocketWillSendHandshakeRequest",
    "Network.webSocketHandshakeResponseReceived",
    "Network.webSocketFrameSent",
    "Network.webSocketFrameReceived",
    "Network.webSocketFrameError",
    "Network.webSocketClosed",
    "Network.eventSourceMessageReceived",
)


class Target:
    """One CDP target: handles its events, and holds the injector's worlds in its documents."""

    def __init__(self, tap: CdpTap, link: Link, is_root: bool) -> None:
        self.tap = tap
        self.kit = tap.kit
        self.link = link
        self.is_root = is_root
        self.met = False
        """The injector's world was created in one of the documents."""
        self.flood = Flood(self)
        self.contexts: dict[int, Context] = {}
        self._asking: dict[str, str] = {}
        """Request → the URL of the document that makes it, where a traceparent is sent."""
        self._asked: set[tuple[str, str]] | None = set() if tap.kit.options.bodies else None
        """Frame and URL of each reported request, until the earlier requests are known."""

    async def start(self) -> None:
        """Send all set-up calls at once: an out-of-process frame is reported about 30 ms before its document is
        committed, and a round trip of the sync API takes a few ms. Only for the page itself the frame tree is requested
        first, which shows the main frame.
        """
        runner = self.kit.runner
        tree = self.link.send("Page.getFrameTree")
        if self.is_root:
            (slot,) = await gather(runner, [tree], _PATIENCE)
            self._add_frame(slot)
            slots = await gather(runner, self._set_up(), _PATIENCE)
        else:
            *slots, slot = await gather(runner, [*self._set_up(), tree], _PATIENCE)
            self._add_frame(slot)
            for context in list(self.contexts.values()):
                if not context.embedded:
                    self.tap.frames.place(context)
        for slot in slots:
            if slot.error is not None:
                self.kit.writer.trouble("attach", slot.error)
            elif not slot.done:
                self.kit.writer.trouble("attach", "the page does not answer")
                break
        if self._asked is not None:
            earlier = self.kit.runner.spawn(self.kit.guard("earlier", self._record_earlier(self._asked)))
            if self.is_root and self.tap.record.early:
                # Before the caller's first action, which may leave the page.
                await self.kit.runner.wait([earlier], _EARLIER_PATIENCE)

    async def _record_earlier(self, asked: set[tuple[str, str]]) -> None:
        try:
            await record_earlier_resources(self.tap, self, asked)
        finally:
            self._asked = None

    def _set_up(self) -> list[Work]:
        send = self.link.send
        works: list[Work] = [
            send("Page.enable"),
            send("Runtime.enable"),
            send("Log.enable"),
            self.add_binding(),
            send("Page.addScriptToEvaluateOnNewDocument", self._script()),
            enable_network(self.link),
        ]
        if self.kit.options.traceparent_to:
            works.append(enable(self.link, self.kit.options.traceparent_to))
        if self.is_root:
            works.append(self.tap.discovery.begin(self.link))
        return works

    def add_binding(self) -> Work:
        """Return the CDP call that lets the injector call the recorder, in present and later documents."""
        script = self.kit.script
        return self.link.send("Runtime.addBinding", {"name": script.binding, "executionContextName": script.world})

    def _script(self) -> Params:
        return {"source": self.kit.script.source, "worldName": self.kit.script.world, "runImmediately": True}

    def _add_frame(self, answer: Pending) -> None:
        if answer.error is not None:
            raise answer.error
        if not answer.done:
            raise TimeoutError("the page does not answer")
        self._add_frames(answer.value)

    def _add_frames(self, answer: Params) -> None:
        trees = [answer["frameTree"]]
        while trees:
            tree = trees.pop()
            frame = tree["frame"]
            self.tap.discovery.know(frame["id"], frame.get("parentId"))
            trees.extend(tree.get("childFrames", ()))

    def handle(self, method: str, params: Params) -> None:
        """Handle one CDP event, on the caller's thread."""
        self.flood.end_pause_on(method, params)
        if method == "Runtime.bindingCalled":
            context = self.contexts.get(params["executionContextId"])
            if context is not None and params["name"] == self.kit.script.binding:
                payload: str = params["payload"]
                if context.parked:
                    if '"b":0,' not in payload[:100]:
                        return
                    self.tap.frames.unpark(context)
                sampled = len(payload) < 4000 and '"pointer"' in payload and '"ops"' not in payload
                documents, now = self.kit.documents, self.kit.clock.now()
                context.source.heard = now
                self.kit.writer.put(documents.batch, context.source, payload, now, size=len(payload), sampled=sampled)
                if (pace := self.kit.pace(context.source)) is not None:
                    asked = context.evaluate(self.kit.script.call(f"pace({pace})"))
                    self.kit.runner.spawn(self.kit.guard("pace", asked))
        elif method.startswith("Network."):
            frame = params.get("frameId", "")
            if self._asked is not None and method == "Network.requestWillBeSent":
                self._asked.add((frame, params["request"]["url"]))
            if self.kit.options.traceparent_to and method == "Network.requestWillBeSent":
                self._asking[params["requestId"]] = params.get("documentURL", "")
                if len(self._asking) > _ASKING:  # Most requests go to other origins and are not paused.
                    del self._asking[next(iter(self._asking))]
            here = self.tap.frames.current.get(frame)
            self.tap.network.handle(self.link, method, params, here.source if here is not None else None)
        else:
            other = self._others.get(method)
            if other is not None:
                other(self, params)

    def keep(self, worlds: set[int]) -> None:
        """Drop all other JavaScript worlds than these."""
        for context in list(self.contexts.values()):
            if context.id not in worlds:
                self._drop(context)

    def close(self) -> None:
        """Close a target that the browser has removed; calls that wait for an answer end."""
        self.flood.close()
        self._clear()
        if isinstance(self.link, ChildLink):
            self.link.close()

    def _clear(self) -> None:
        for context in list(self.contexts.values()):
            self._drop(context)

    def _drop(self, context: Context) -> None:
        self.contexts.pop(context.id, None)
        if self.tap.frames.current.get(context.frame) is context:
            del self.tap.frames.current[context.frame]
        self.kit.writer.put(self.kit.documents.gone, context.source)

    def _context_created(self, params: Params) -> None:
        described = params["context"]
        if described.get("name") != self.kit.script.world:
            return
        self.flood.note_world(described["id"])
        if described["id"] in self.contexts:
            return
        frame = described["auxData"]["frameId"]
        top = self.is_root and frame not in self.tap.frames.parents
        early = self.tap.attaching and self.tap.record.early
        unique = described["uniqueId"]
        source = ScriptSource(self.tap.record.number, frame, top, described.get("origin", ""), early, unique)
        context = Context(self.link, described["id"], unique, frame, source)
        self.contexts[context.id] = context
        self.met = True
        self.tap.frames.place(context)

    def _frame_navigated(self, params: Params) -> None:
        frame = params["frame"]
        self.tap.network.note_navigated(frame["id"], frame["loaderId"], self.is_root and "parentId" not in frame)
        self._restart_after_navigation(params)

    def _restart_after_navigation(self, params: Params) -> None:
        """Restart the script in a frame that kept its window.

        A new frame begins with an empty document, and when Playwright creates its own world there, the injector's is
        created too. When the frame is navigated within its origin, it keeps its window (HTML, "initialise the Document
        object") and with it all worlds: scripts for new documents do not run a second time.
        """
        if not (heard := self.flood.unmute()).done:  # During the pause no event said which worlds ended.
            if "parentId" not in params["frame"]:
                self._contexts_cleared({})
            else:
                heard.when_done(lambda: self._restart_after_navigation(params))
            return
        context = self.tap.frames.current.get(params["frame"]["id"])
        if context is None and params.get("type") == "BackForwardCacheRestore":
            self.kit.runner.spawn(self.kit.guard("frame", self._begin_in_cached_page()))
        if context is not None and context.link is self.link and context.id in self.contexts:
            self.kit.runner.spawn(self.kit.guard("frame", self._restart(context)))

    async def _begin_in_cached_page(self) -> None:
        """Run the script in a page that was in the back/forward cache when the recording began, because scripts for new
        documents do not run there.
        """
        self._add_frames(await self.link.send("Page.getFrameTree"))
        await self.begin_late()

    async def begin_late(self) -> None:
        """Run the script in every open document that does not run it yet."""
        script = await self.link.send("Page.addScriptToEvaluateOnNewDocument", self._script())
        await self.link.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})

    async def _restart(self, context: Context) -> None:
        # The script does nothing where it already runs in this very document.
        await context.evaluate(self.kit.script.call("again()"))
        context.embedded = False
        self.tap.frames.place(context)

    def _context_destroyed(self, params: Params) -> None:
        context = self.contexts.get(params["executionContextId"])
        if context is not None:
            self._drop(context)

    def _contexts_cleared(self, params: Params) -> None:
        page = next((context.unique for context in self.contexts.values() if context.source.top), "")
        self._clear()
        if self.is_root:
            for target in self.tap.targets.values():
                self.tap.frames.park(target.contexts.values(), page)

    def _paused(self, params: Params) -> None:
        # A document's first requests come before its world exists: the frame still has the previous document's.
        asking = self._asking.pop(params.get("networkId", ""), "") or referrer_of(params)
        here = self.tap.frames.current.get(params.get("frameId", ""))
        if origin_of(asking) is None and here is not None:
            asking = here.source.url
        work = continue_request(self.link, params, asking, self.kit.traceparent)
        self.kit.runner.spawn(self.kit.guard("traceparent", work))

    def _frame_attached(self, params: Params) -> None:
        self.tap.discovery.know(params["frameId"], params["parentFrameId"])

    def _frame_detached(self, params: Params) -> None:
        if params.get("reason") != "swap":
            self.tap.discovery.detached(params["frameId"])

    def _created(self, params: Params) -> None:
        self.tap.discovery.met(params["targetInfo"])

    def _destroyed(self, params: Params) -> None:
        self.tap.discovery.destroyed(params["targetId"])

    def _attached(self, params: Params) -> None:
        self.tap.adopt(params["sessionId"], params["targetInfo"])

    def _detached(self, params: Params) -> None:
        self.tap.leave(params["sessionId"])

    def _received(self, params: Params) -> None:
        child = self.tap.targets.get(params["sessionId"])
        if child is not None and isinstance(child.link, ChildLink):
            child.link.received(params["message"])

    def _console(self, params: Params) -> None:
        if self.flood.accepts(params):
            self.tap.console.called(self.link, params)

    def _exception(self, params: Params) -> None:
        if self.flood.accepts(params):
            self.tap.console.thrown(params)

    def _logged(self, params: Params) -> None:
        self.tap.console.logged(params)

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
        "Log.entryAdded": _logged,
        "Fetch.requestPaused": _paused,
        "Page.frameAttached": _frame_attached,
        "Page.frameDetached": _frame_detached,
        "Page.frameNavigated": _frame_navigated,
        "Page.javascriptDialogOpening": _dialog,
        "Page.downloadWillBegin": _download,
        "Target.targetCreated": _created,
        "Target.targetDestroyed": _destroyed,
        "Target.attachedToTarget": _attached,
        "Target.detachedFromTarget": _detached,
        "Target.receivedMessageFromTarget": _received,
    }
