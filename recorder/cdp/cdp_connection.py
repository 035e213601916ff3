"""The CDP transport: records Chromium with the script in an isolated world.

The page cannot see the script, forge its messages or break it. The recorder has one session for each page, opened
through Playwright's public ``new_cdp_session``, and inside it one for each out-of-process frame. The recorder pauses no
frame until the script is installed: a paused frame is resumed only when the recorder's code runs, and with Playwright's
sync API that is not before the caller's next call, so that an agent that thinks for a minute would block a payment form
for a minute.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..ingest.script_requests import (
    FindValidationBubbleCommand,
    PassClosedRootsCommand,
    ReadBlobCommand,
    ScriptCommand,
    SetLoadedFontsCommand,
    TakeCheckpointPictureCommand,
    TakeSnapshotCommand,
    TakeViewportPictureCommand,
)
from ..ingest.script_source import ScriptSource
from ..ingest.transport import PageRecord, RecordingServices
from ..runtime.closed_targets import is_closed_target_error
from ..runtime.injector_script import build_text_positions_script
from ..runtime.runner import Work, spawn_and_wait
from .cdp_sessions import ChildCdpSession, PageCdpSession, Params
from .closed_shadow_roots import pass_all_closed_roots_to_injector, pass_closed_roots_of_named_hosts
from .console import CdpConsoleRecorder
from .frame_discovery import FrameTargetDiscovery
from .frames import InjectorWorld, PageFrames
from .missed_requests import MissedRequestRecorder
from .network import CdpRequestRecorder
from .target import EVENTS, CdpTarget
from .validation_bubble import detect_validation_bubble

_PICTURE: Params = {"format": "webp", "quality": 95, "optimizeForSpeed": True, "captureBeyondViewport": False}
_EXACT: Params = {"format": "png", "optimizeForSpeed": True, "captureBeyondViewport": False}
_LOOK_PATIENCE = 2.0
"""Seconds to wait for the places of the texts in a picture."""


class CdpTransport:
    """The transport for Chromium. Every page gets its own session, so :meth:`install_script` has nothing to do."""

    def __init__(self, kit: RecordingServices) -> None:
        self._kit = kit

    async def install_script(self, context_or_page: Any) -> None:
        pass

    def connect_page(self, page_record: PageRecord) -> CdpPageConnection:
        return CdpPageConnection(self._kit, page_record)

    async def remove_script(self) -> None:
        pass


class CdpPageConnection:
    """The connection to one page: its own CDP target and those of its out-of-process frames."""

    def __init__(self, kit: RecordingServices, record: PageRecord) -> None:
        self.kit = kit
        self.record = record
        self.network = CdpRequestRecorder(kit, record.number)
        self.missed = MissedRequestRecorder(kit, record, self.network) if kit.options.world else None
        self.console = CdpConsoleRecorder(kit, record.number)
        self.frames = PageFrames(kit, record.number)
        self.attaching = True
        self._session: PageCdpSession | None = None
        self._root: CdpTarget | None = None
        self.targets: dict[str, CdpTarget] = {}
        self.discovery = FrameTargetDiscovery(self)

    @property
    def page_session(self) -> PageCdpSession | None:
        """Return the page's own CDP session; None until it is open."""
        return self._session

    async def attach(self) -> None:
        page = self.record.page
        if self.missed is not None:
            self.missed.start_listening()
        session = await self.kit.runner.await_call(page.context.new_cdp_session(page))
        link = self._session = PageCdpSession(self.kit.runner, session)
        root = self._root = CdpTarget(self, link, is_root=True)
        for name in EVENTS:
            link.listen(name, self._build_cdp_event_handler(root, name))
        await root.set_up_target()
        self.attaching = False

    def _build_cdp_event_handler(self, target: CdpTarget, method: str) -> Callable[[Params], None]:
        def handle_event_safely(params: Params) -> None:
            # An exception here would surface in the caller's next Playwright call.
            try:
                target.handle_event(method, params)
            except Exception as error:
                self.kit.writer.report_error(method, error)

        return handle_event_safely

    def add_iframe_session(self, session_id: str, info: Params) -> None:
        """Add the session of an out-of-process frame."""
        if self._session is None or info.get("type") != "iframe":
            return

        def handle_event_safely(method: str, params: Params) -> None:
            target.handle_event(method, params)

        link = ChildCdpSession(self.kit.runner, self._session, session_id, handle_event_safely)
        target = self.targets[session_id] = CdpTarget(self, link, is_root=False)
        self.kit.runner.spawn(self.kit.wrap_to_report_errors("frame", target.set_up_target()))

    def remove_iframe_session(self, session_id: str) -> None:
        target = self.targets.pop(session_id, None)
        if target is None:
            return
        if not target.met:
            self.write_lost_iframe_gap()
        self.network.end_open_requests(target.link)
        target.close()

    def write_lost_iframe_gap(self) -> None:
        """Write a gap event for an out-of-process iframe that was removed before the recorder had attached to it."""
        detail = "an iframe of another process was gone before it could be seen"
        self.kit.writer.enqueue_call(self.kit.writer.write_gap, "late", {"page": self.record.number, "detail": detail})

    def call_script_method(self, method: str) -> list[tuple[ScriptSource, Work]]:
        contexts = self.frames.current.values()
        return [
            (context.source, self.kit.wrap_to_report_errors(method, self._call_script_method_in_world(context, method)))
            for context in contexts
        ]

    async def _call_script_method_in_world(self, injector_world: InjectorWorld, method: str) -> None:
        given = ""
        if method == "checkpoint":
            await self.kit.wrap_to_report_errors(
                "closed roots", pass_all_closed_roots_to_injector(injector_world, self.kit.script)
            )
            given = self.kit.documents.list_loaded_fonts(injector_world.source)
        call = self.kit.script.build_call(f"{method}({given})")
        wanted = await injector_world.evaluate(call, await_promise=method == "checkpoint")
        if wanted == "bubble":
            await detect_validation_bubble(injector_world, self.kit)
            wanted = await injector_world.evaluate(call, await_promise=True)
        if wanted is True:
            await self._take_viewport_picture(injector_world, _EXACT)

    async def send_script_command(self, source: ScriptSource, command: ScriptCommand) -> None:
        context = self.frames.find_injector_world(source)
        if context is None:
            return
        match command:
            case PassClosedRootsCommand(everywhere=everywhere):
                await (pass_all_closed_roots_to_injector if everywhere else pass_closed_roots_of_named_hosts)(
                    context, self.kit.script
                )
            case TakeCheckpointPictureCommand(n=n, t=t):
                await self._take_checkpoint_picture(context, n, t)
            case TakeViewportPictureCommand():
                await self._take_viewport_picture(context)
            case FindValidationBubbleCommand():
                await detect_validation_bubble(context, self.kit)
            case ReadBlobCommand(url=url):
                await context.evaluate(self.kit.script.build_call(f"read({json.dumps(url)})"))
            case SetLoadedFontsCommand(fonts=fonts):
                await context.evaluate(self.kit.script.build_call(f"fonts({fonts})"))
            case TakeSnapshotCommand(lines=lines):
                await self._request_snapshot(context, lines)

    async def _request_snapshot(self, injector_world: InjectorWorld, wants_lines: bool) -> None:
        """Request a fresh snapshot and, with `wants_lines`, first the document's canonical lines, which show how the
        model differs.
        """
        handle = f"globalThis['{self.kit.script.handle}']"
        if wants_lines:
            lines = await injector_world.evaluate(f"{handle}?.flush(), {handle}?.lines()")
            if isinstance(lines, str):
                self.kit.writer.enqueue_call(
                    self.kit.documents.write_checkpoint_difference, injector_world.source, lines, size=len(lines)
                )
        await injector_world.evaluate(f"{handle}?.snapshot('heal')")
        self.frames.find_iframe_elements_again(injector_world)

    async def read_text_positions(self) -> dict[ScriptSource, str]:
        """Return the positions of readable text that each frame's script reports, also in closed shadow roots. A frame
        that does not answer in time is left out.
        """
        contexts = list(self.frames.current.values())
        slots = await spawn_and_wait(
            self.kit.runner, [self._read_text_positions_in_world(context) for context in contexts], _LOOK_PATIENCE
        )
        found = zip(contexts, slots, strict=True)
        return {c.source: s.value for c, s in found if s.done and s.error is None and isinstance(s.value, str)}

    async def _read_text_positions_in_world(self, injector_world: InjectorWorld) -> Any:
        await pass_all_closed_roots_to_injector(injector_world, self.kit.script)
        told = await injector_world.evaluate(self.kit.script.build_call("places()"))
        return (
            await injector_world.evaluate(self.kit.script.build_call(f"places({build_text_positions_script()})"))
            if told is None
            else told
        )

    async def _take_checkpoint_picture(self, injector_world: InjectorWorld, message_number: int, t: float) -> None:
        """Take a picture of the page for a checkpoint and store it. After the picture is taken, the page sends the
        changes that it made before; if there are any, the picture does not show the checkpoint's state and is not
        stored.
        """
        params = {"format": "png", "captureBeyondViewport": False}
        data = (await injector_world.link.send("Page.captureScreenshot", params))["data"]
        await injector_world.evaluate(self.kit.script.build_call("flush()"))
        self.kit.writer.enqueue_call(
            self.kit.documents.store_checkpoint_picture, injector_world.source, message_number, t, data, size=len(data)
        )

    async def _take_viewport_picture(self, injector_world: InjectorWorld, screenshot_params: Params = _PICTURE) -> None:
        """Take a picture of the viewport and pass it to the injector, which cuts out the canvases that no script may
        read. The viewport is neither emulated nor resized.
        """
        picture, place = "", None
        try:
            if self._root is not None:
                place = await self.frames.find_viewport_position_in_page(injector_world)
                if place is not None:
                    picture = (await self._root.link.send("Page.captureScreenshot", screenshot_params))["data"]
                    if (
                        injector_world.source.top is False
                        and await self.frames.find_viewport_position_in_page(injector_world) != place
                    ):
                        picture = ""
        except Exception as error:
            if is_closed_target_error(error):
                raise
        await injector_world.evaluate(
            self.kit.script.build_call(f"shot({json.dumps(picture)}, {json.dumps(place)})"), await_promise=True
        )

    async def wait_for_bodies(self) -> None:
        floods = [target.flood for target in (self._root, *self.targets.values()) if target is not None]
        await self.kit.runner.wait([flood.end_pause() for flood in floods], 30.0)
        for flood in floods:
            flood.write_dropped_messages_gap()
        await self.network.wait_for_bodies(30.0)
        if self.missed is not None:
            await self.missed.wait_for_bodies(30.0)

    async def detach(self) -> None:
        if self.missed is not None:
            self.missed.stop_listening()
        if self._session is not None:
            await self._session.detach()
        # Their sessions end with the page's, without an event.
        self._close_targets()

    def handle_page_end(self) -> None:
        self.network.end_open_requests()
        if self.record.closed and not (self._root and self._root.met):
            detail = "a page was gone before it could be seen"
            self.kit.writer.enqueue_call(
                self.kit.writer.write_gap, "late", {"page": self.record.number, "detail": detail}
            )
        self._close_targets()

    def _close_targets(self) -> None:
        if self._root is not None:
            self._root.close()
        for target in self.targets.values():
            target.close()
        self.targets.clear()
