"""One CDP target: a page, or an out-of-process frame of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..ingest.script_source import ScriptSource
from ..runtime.runner import PendingResult, Work, spawn_and_wait
from .cdp_sessions import CdpSession, ChildCdpSession, Params
from .console_flood import ConsoleFloodLimit
from .earlier_resources import record_earlier_resources
from .frames import InjectorWorld
from .network import enable_network
from .traceparent_header import continue_request, find_origin, find_referrer, pause_requests_to

if TYPE_CHECKING:
    from .cdp_connection import CdpPageConnection

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


class CdpTarget:
    """Handles the events of one CDP target, and holds the injector's JavaScript worlds in its documents."""

    def __init__(self, tap: CdpPageConnection, link: CdpSession, is_root: bool) -> None:
        self.tap = tap
        self.kit = tap.kit
        self.link = link
        self.is_root = is_root
        self.met = False
        """The injector's world was created in one of the documents."""
        self.flood = ConsoleFloodLimit(self)
        self.contexts: dict[int, InjectorWorld] = {}
        self._asking: dict[str, str] = {}
        """Request → the URL of the document that makes it, where a traceparent is sent."""
        self._asked: set[tuple[str, str]] | None = set() if tap.kit.options.bodies else None
        """Frame and URL of each reported request, until the earlier requests are known."""

    async def set_up_target(self) -> None:
        """Send all set-up calls at once: an out-of-process frame is reported about 30 ms before its document is
        committed, and a round trip of the sync API takes a few ms. Only for the page itself the frame tree is requested
        first, which shows the main frame.
        """
        runner = self.kit.runner
        tree = self.link.send("Page.getFrameTree")
        if self.is_root:
            (slot,) = await spawn_and_wait(runner, [tree], _PATIENCE)
            self._add_frames_of_result(slot)
            slots = await spawn_and_wait(runner, self._build_setup_calls(), _PATIENCE)
        else:
            *slots, slot = await spawn_and_wait(runner, [*self._build_setup_calls(), tree], _PATIENCE)
            self._add_frames_of_result(slot)
            for context in list(self.contexts.values()):
                if not context.embedded:
                    self.tap.frames.find_embedding_elements(context)
        for slot in slots:
            if slot.error is not None:
                self.kit.writer.report_error("attach", slot.error)
            elif not slot.done:
                self.kit.writer.report_error("attach", "the page does not answer")
                break
        if self._asked is not None:
            earlier = self.kit.runner.spawn(
                self.kit.wrap_to_report_errors("earlier", self._record_earlier_resources(self._asked))
            )
            if self.is_root and self.tap.record.early:
                # Before the caller's first action, which may leave the page.
                await self.kit.runner.wait([earlier], _EARLIER_PATIENCE)

    async def _record_earlier_resources(self, recorded_requests: set[tuple[str, str]]) -> None:
        try:
            await record_earlier_resources(self.tap, self, recorded_requests)
        finally:
            self._asked = None

    def _build_setup_calls(self) -> list[Work]:
        send = self.link.send
        works: list[Work] = [
            send("Page.enable"),
            send("Runtime.enable"),
            send("Log.enable"),
            self.add_injector_binding(),
            send("Page.addScriptToEvaluateOnNewDocument", self._build_script_params()),
            enable_network(self.link),
        ]
        if self.kit.options.traceparent_to:
            works.append(pause_requests_to(self.link, self.kit.options.traceparent_to))
        if self.is_root:
            works.append(self.tap.discovery.start_discovery(self.link))
        return works

    def add_injector_binding(self) -> Work:
        """Return the CDP call that lets the injector call the recorder, in present and later documents."""
        script = self.kit.script
        return self.link.send("Runtime.addBinding", {"name": script.binding, "executionContextName": script.world})

    def _build_script_params(self) -> Params:
        return {"source": self.kit.script.source, "worldName": self.kit.script.world, "runImmediately": True}

    def _add_frames_of_result(self, answer: PendingResult) -> None:
        if answer.error is not None:
            raise answer.error
        if not answer.done:
            raise TimeoutError("the page does not answer")
        self._add_frame_tree(answer.value)

    def _add_frame_tree(self, answer: Params) -> None:
        trees = [answer["frameTree"]]
        while trees:
            tree = trees.pop()
            frame = tree["frame"]
            self.tap.discovery.add_frame(frame["id"], frame.get("parentId"))
            trees.extend(tree.get("childFrames", ()))

    def handle_event(self, method: str, params: Params) -> None:
        """Handle one CDP event, on the caller's thread."""
        self.flood.end_pause_on_event(method, params)
        if method == "Runtime.bindingCalled":
            context = self.contexts.get(params["executionContextId"])
            if context is not None and params["name"] == self.kit.script.binding:
                payload: str = params["payload"]
                if context.parked:
                    if '"b":0,' not in payload[:100]:
                        return
                    self.tap.frames.resume_cached_frame(context)
                sampled = len(payload) < 4000 and '"pointer"' in payload and '"ops"' not in payload
                documents, now = self.kit.documents, self.kit.clock.now()
                context.source.heard = now
                self.kit.writer.enqueue_call(
                    documents.handle_batch, context.source, payload, now, size=len(payload), sampled=sampled
                )
                if (pace := self.kit.update_sampling_pace(context.source)) is not None:
                    asked = context.evaluate(self.kit.script.build_call(f"pace({pace})"))
                    self.kit.runner.spawn(self.kit.wrap_to_report_errors("pace", asked))
        elif method.startswith("Network."):
            frame = params.get("frameId", "")
            if self._asked is not None and method == "Network.requestWillBeSent":
                self._asked.add((frame, params["request"]["url"]))
            if self.kit.options.traceparent_to and method == "Network.requestWillBeSent":
                self._asking[params["requestId"]] = params.get("documentURL", "")
                if len(self._asking) > _ASKING:  # Most requests go to other origins and are not paused.
                    del self._asking[next(iter(self._asking))]
            here = self.tap.frames.current.get(frame)
            self.tap.network.handle_event(self.link, method, params, here.source if here is not None else None)
        else:
            other = self._others.get(method)
            if other is not None:
                other(self, params)

    def drop_other_worlds(self, kept_worlds: set[int]) -> None:
        """Drop all JavaScript worlds except those with these ids."""
        for context in list(self.contexts.values()):
            if context.id not in kept_worlds:
                self._drop_world(context)

    def close(self) -> None:
        """Close a target that the browser has removed; calls that wait for an answer end."""
        self.flood.close()
        self._drop_all_worlds()
        if isinstance(self.link, ChildCdpSession):
            self.link.close()

    def _drop_all_worlds(self) -> None:
        for context in list(self.contexts.values()):
            self._drop_world(context)

    def _drop_world(self, injector_world: InjectorWorld) -> None:
        self.contexts.pop(injector_world.id, None)
        if self.tap.frames.current.get(injector_world.frame) is injector_world:
            del self.tap.frames.current[injector_world.frame]
        self.kit.writer.enqueue_call(self.kit.documents.end_document, injector_world.source)

    def _on_context_created(self, params: Params) -> None:
        described = params["context"]
        if described.get("name") != self.kit.script.world:
            return
        self.flood.remember_reported_world(described["id"])
        if described["id"] in self.contexts:
            return
        frame = described["auxData"]["frameId"]
        top = self.is_root and frame not in self.tap.frames.parents
        early = self.tap.attaching and self.tap.record.early
        unique = described["uniqueId"]
        source = ScriptSource(self.tap.record.number, frame, top, described.get("origin", ""), early, unique)
        context = InjectorWorld(self.link, described["id"], unique, frame, source)
        self.contexts[context.id] = context
        self.met = True
        self.tap.frames.find_embedding_elements(context)

    def _on_frame_navigated(self, params: Params) -> None:
        frame = params["frame"]
        self.tap.network.end_requests_of_replaced_documents(
            frame["id"], frame["loaderId"], self.is_root and "parentId" not in frame
        )
        self._restart_after_navigation(params)

    def _restart_after_navigation(self, params: Params) -> None:
        """Restart the script in a frame that kept its window.

        A new frame begins with an empty document, and when Playwright creates its own world there, the injector's is
        created too. When the frame is navigated within its origin, it keeps its window (HTML, "initialise the Document
        object") and with it all worlds: scripts for new documents do not run a second time.
        """
        if not (heard := self.flood.end_pause()).done:  # During the pause no event said which worlds ended.
            if "parentId" not in params["frame"]:
                self._on_contexts_cleared({})
            else:
                heard.add_done_callback(lambda: self._restart_after_navigation(params))
            return
        context = self.tap.frames.current.get(params["frame"]["id"])
        if context is None and params.get("type") == "BackForwardCacheRestore":
            self.kit.runner.spawn(self.kit.wrap_to_report_errors("frame", self._run_script_in_cached_page()))
        if context is not None and context.link is self.link and context.id in self.contexts:
            self.kit.runner.spawn(self.kit.wrap_to_report_errors("frame", self._restart_script(context)))

    async def _run_script_in_cached_page(self) -> None:
        """Run the script in a page that was in the back/forward cache when the recording began, because scripts for new
        documents do not run there.
        """
        self._add_frame_tree(await self.link.send("Page.getFrameTree"))
        await self.run_script_where_missing()

    async def run_script_where_missing(self) -> None:
        """Run the script in every open document that does not run it yet."""
        script = await self.link.send("Page.addScriptToEvaluateOnNewDocument", self._build_script_params())
        await self.link.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})

    async def _restart_script(self, injector_world: InjectorWorld) -> None:
        # The script does nothing where it already runs in this very document.
        await injector_world.evaluate(self.kit.script.build_call("again()"))
        injector_world.embedded = False
        self.tap.frames.find_embedding_elements(injector_world)

    def _on_context_destroyed(self, params: Params) -> None:
        context = self.contexts.get(params["executionContextId"])
        if context is not None:
            self._drop_world(context)

    def _on_contexts_cleared(self, params: Params) -> None:
        page = next((context.unique for context in self.contexts.values() if context.source.top), "")
        self._drop_all_worlds()
        if self.is_root:
            for target in self.tap.targets.values():
                self.tap.frames.suspend_cached_frames(target.contexts.values(), page)

    def _on_request_paused(self, params: Params) -> None:
        # A document's first requests come before its world exists: the frame still has the previous document's.
        asking = self._asking.pop(params.get("networkId", ""), "") or find_referrer(params)
        here = self.tap.frames.current.get(params.get("frameId", ""))
        if find_origin(asking) is None and here is not None:
            asking = here.source.url
        work = continue_request(self.link, params, asking, self.kit.traceparent)
        self.kit.runner.spawn(self.kit.wrap_to_report_errors("traceparent", work))

    def _on_frame_attached(self, params: Params) -> None:
        self.tap.discovery.add_frame(params["frameId"], params["parentFrameId"])

    def _on_frame_detached(self, params: Params) -> None:
        if params.get("reason") != "swap":
            self.tap.discovery.forget_frame(params["frameId"])

    def _on_target_created(self, params: Params) -> None:
        self.tap.discovery.on_target_created(params["targetInfo"])

    def _on_target_destroyed(self, params: Params) -> None:
        self.tap.discovery.on_target_destroyed(params["targetId"])

    def _on_target_attached(self, params: Params) -> None:
        self.tap.add_iframe_session(params["sessionId"], params["targetInfo"])

    def _on_target_detached(self, params: Params) -> None:
        self.tap.remove_iframe_session(params["sessionId"])

    def _on_message_from_target(self, params: Params) -> None:
        child = self.tap.targets.get(params["sessionId"])
        if child is not None and isinstance(child.link, ChildCdpSession):
            child.link.receive_message(params["message"])

    def _on_console_api_called(self, params: Params) -> None:
        if self.flood.accepts_message(params):
            self.tap.console.on_console_api_called(self.link, params)

    def _on_exception_thrown(self, params: Params) -> None:
        if self.flood.accepts_message(params):
            self.tap.console.on_exception_thrown(params)

    def _on_log_entry_added(self, params: Params) -> None:
        self.tap.console.on_log_entry_added(params)

    def _on_dialog_opening(self, params: Params) -> None:
        self.tap.console.on_dialog_opening(params)

    def _on_download(self, params: Params) -> None:
        self.tap.console.on_download(params)

    _others: dict[str, Callable[[CdpTarget, Params], None]] = {  # noqa: RUF012
        "Runtime.executionContextCreated": _on_context_created,
        "Runtime.executionContextDestroyed": _on_context_destroyed,
        "Runtime.executionContextsCleared": _on_contexts_cleared,
        "Runtime.consoleAPICalled": _on_console_api_called,
        "Runtime.exceptionThrown": _on_exception_thrown,
        "Log.entryAdded": _on_log_entry_added,
        "Fetch.requestPaused": _on_request_paused,
        "Page.frameAttached": _on_frame_attached,
        "Page.frameDetached": _on_frame_detached,
        "Page.frameNavigated": _on_frame_navigated,
        "Page.javascriptDialogOpening": _on_dialog_opening,
        "Page.downloadWillBegin": _on_download,
        "Target.targetCreated": _on_target_created,
        "Target.targetDestroyed": _on_target_destroyed,
        "Target.attachedToTarget": _on_target_attached,
        "Target.detachedFromTarget": _on_target_detached,
        "Target.receivedMessageFromTarget": _on_message_from_target,
    }
