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

from ..ingest.requests import (
    CheckpointPicture,
    ClosedRoots,
    FindBubble,
    ReadBlob,
    Request,
    SetLoadedFonts,
    Snapshot,
    ViewportPicture,
)
from ..ingest.sources import ScriptSource
from ..ingest.transport import Kit, PageRecord
from ..runtime.closed_targets import gone
from ..runtime.runner import Work, gather
from ..runtime.script import places_script
from .bubble import look_for_bubble
from .console import Console
from .discovery import Discovery
from .frames import Context, PageFrames
from .links import ChildLink, PageLink, Params
from .missed import Missed
from .network import NetworkTap
from .roots import give_all_closed_roots, give_closed_roots
from .target import EVENTS, Target

_PICTURE: Params = {"format": "webp", "quality": 95, "optimizeForSpeed": True, "captureBeyondViewport": False}
_EXACT: Params = {"format": "png", "optimizeForSpeed": True, "captureBeyondViewport": False}
_LOOK_PATIENCE = 2.0
"""Seconds to wait for the places of the texts in a picture."""


class CdpTransport:
    """The transport for Chromium. Every page gets its own session, so :meth:`prepare` has nothing to do."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    async def prepare(self, owner: Any) -> None:
        pass

    def tap(self, record: PageRecord) -> CdpTap:
        return CdpTap(self._kit, record)

    async def leave(self) -> None:
        pass


class CdpTap:
    """The connection to one page: its own CDP target and those of its out-of-process frames."""

    def __init__(self, kit: Kit, record: PageRecord) -> None:
        self.kit = kit
        self.record = record
        self.network = NetworkTap(kit, record.number)
        self.missed = Missed(kit, record, self.network) if kit.options.world else None
        self.console = Console(kit, record.number)
        self.frames = PageFrames(kit, record.number)
        self.attaching = True
        self._session: PageLink | None = None
        self._root: Target | None = None
        self.targets: dict[str, Target] = {}
        self.discovery = Discovery(self)

    @property
    def page_link(self) -> PageLink | None:
        """Return the page's own CDP session; None until it is open."""
        return self._session

    async def attach(self) -> None:
        page = self.record.page
        if self.missed is not None:
            self.missed.listen()
        session = await self.kit.runner.io(page.context.new_cdp_session(page))
        link = self._session = PageLink(self.kit.runner, session)
        root = self._root = Target(self, link, is_root=True)
        for name in EVENTS:
            link.listen(name, self._listener(root, name))
        await root.start()
        self.attaching = False

    def _listener(self, target: Target, method: str) -> Callable[[Params], None]:
        def on_event(params: Params) -> None:
            # An exception here would surface in the caller's next Playwright call.
            try:
                target.handle(method, params)
            except Exception as error:
                self.kit.writer.trouble(method, error)

        return on_event

    def adopt(self, session_id: str, info: Params) -> None:
        """Add the session of an out-of-process frame."""
        if self._session is None or info.get("type") != "iframe":
            return

        def on_event(method: str, params: Params) -> None:
            target.handle(method, params)

        link = ChildLink(self.kit.runner, self._session, session_id, on_event)
        target = self.targets[session_id] = Target(self, link, is_root=False)
        self.kit.runner.spawn(self.kit.guard("frame", target.start()))

    def leave(self, session_id: str) -> None:
        target = self.targets.pop(session_id, None)
        if target is None:
            return
        if not target.met:
            self.note_lost_frame()
        self.network.note_gone(target.link)
        target.close()

    def note_lost_frame(self) -> None:
        """Write a gap for an out-of-process frame that was removed before it was recorded."""
        detail = "an iframe of another process was gone before it could be seen"
        self.kit.writer.put(self.kit.writer.gap, "late", {"page": self.record.number, "detail": detail})

    def call(self, method: str) -> list[tuple[ScriptSource, Work]]:
        contexts = self.frames.current.values()
        return [(context.source, self.kit.guard(method, self._call(context, method))) for context in contexts]

    async def _call(self, context: Context, method: str) -> None:
        given = ""
        if method == "checkpoint":
            await self.kit.guard("closed roots", give_all_closed_roots(context, self.kit.script))
            given = self.kit.documents.loaded_fonts(context.source)
        call = self.kit.script.call(f"{method}({given})")
        wanted = await context.evaluate(call, wait=method == "checkpoint")
        if wanted == "bubble":
            await look_for_bubble(context, self.kit)
            wanted = await context.evaluate(call, wait=True)
        if wanted is True:
            await self._shoot(context, _EXACT)

    async def ask(self, source: ScriptSource, request: Request) -> None:
        context = self.frames.of(source)
        if context is None:
            return
        match request:
            case ClosedRoots(everywhere=everywhere):
                await (give_all_closed_roots if everywhere else give_closed_roots)(context, self.kit.script)
            case CheckpointPicture(n=n, t=t):
                await self._picture(context, n, t)
            case ViewportPicture():
                await self._shoot(context)
            case FindBubble():
                await look_for_bubble(context, self.kit)
            case ReadBlob(url=url):
                await context.evaluate(self.kit.script.call(f"read({json.dumps(url)})"))
            case SetLoadedFonts(fonts=fonts):
                await context.evaluate(self.kit.script.call(f"fonts({fonts})"))
            case Snapshot(lines=lines):
                await self._fresh_snapshot(context, lines)

    async def _fresh_snapshot(self, context: Context, wants_lines: bool) -> None:
        """Request a fresh snapshot and, with `wants_lines`, first the document's canonical lines, which show how the
        model differs.
        """
        handle = f"globalThis['{self.kit.script.handle}']"
        if wants_lines:
            lines = await context.evaluate(f"{handle}?.flush(), {handle}?.lines()")
            if isinstance(lines, str):
                self.kit.writer.put(self.kit.documents.differ, context.source, lines, size=len(lines))
        await context.evaluate(f"{handle}?.snapshot('heal')")
        self.frames.place_again(context)

    async def places(self) -> dict[ScriptSource, str]:
        """Return the positions of readable text that each frame's script reports, also in closed shadow roots. A frame
        that does not answer in time is left out.
        """
        contexts = list(self.frames.current.values())
        slots = await gather(self.kit.runner, [self._placed(context) for context in contexts], _LOOK_PATIENCE)
        found = zip(contexts, slots, strict=True)
        return {c.source: s.value for c, s in found if s.done and s.error is None and isinstance(s.value, str)}

    async def _placed(self, context: Context) -> Any:
        await give_all_closed_roots(context, self.kit.script)
        told = await context.evaluate(self.kit.script.call("places()"))
        return await context.evaluate(self.kit.script.call(f"places({places_script()})")) if told is None else told

    async def _picture(self, context: Context, n: int, t: float) -> None:
        """Take a picture of the page for a checkpoint. The page's earlier changes are flushed first, which shows
        whether the picture is too late.
        """
        params = {"format": "png", "captureBeyondViewport": False}
        data = (await context.link.send("Page.captureScreenshot", params))["data"]
        await context.evaluate(self.kit.script.call("flush()"))
        self.kit.writer.put(self.kit.documents.picture, context.source, n, t, data, size=len(data))

    async def _shoot(self, context: Context, picture_of: Params = _PICTURE) -> None:
        """Take a picture of the viewport for canvases that the injector may not read; the injector cuts them out of it.
        Nothing is emulated or resized.
        """
        picture, place = "", None
        try:
            if self._root is not None:
                place = await self.frames.place_in_page(context)
                if place is not None:
                    picture = (await self._root.link.send("Page.captureScreenshot", picture_of))["data"]
                    if context.source.top is False and await self.frames.place_in_page(context) != place:
                        picture = ""
        except Exception as error:
            if gone(error):
                raise
        await context.evaluate(self.kit.script.call(f"shot({json.dumps(picture)}, {json.dumps(place)})"), wait=True)

    async def drain(self) -> None:
        floods = [target.flood for target in (self._root, *self.targets.values()) if target is not None]
        await self.kit.runner.wait([flood.unmute() for flood in floods], 30.0)
        for flood in floods:
            flood.write_gap()
        await self.network.drain(30.0)
        if self.missed is not None:
            await self.missed.drain(30.0)

    async def detach(self) -> None:
        if self.missed is not None:
            self.missed.leave()
        if self._session is not None:
            await self._session.detach()
        # Their sessions end with the page's, without an event.
        self._close_targets()

    def gone(self) -> None:
        self.network.note_gone()
        if self.record.closed and not (self._root and self._root.met):
            detail = "a page was gone before it could be seen"
            self.kit.writer.put(self.kit.writer.gap, "late", {"page": self.record.number, "detail": detail})
        self._close_targets()

    def _close_targets(self) -> None:
        if self._root is not None:
            self._root.close()
        for target in self.targets.values():
            target.close()
        self.targets.clear()
