"""The binding transport: records any browser by ``add_init_script`` and ``expose_binding``, public names of Playwright only.

It is weaker than the CDP transport: the script runs in the page's own world, where the page can find it; a hostile page
can call the binding, or crash Playwright's driver through it (the driver's dispatcher parses what the page sends).
Dialogs are not recorded: with a ``dialog`` listener Playwright would no longer dismiss dialogs by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ingest.requests import Request, Snapshot
from ..ingest.sources import ScriptSource
from ..ingest.transport import Kit, PageRecord
from ..runtime.runner import Work, gather
from .network import RequestTap


class BindingTransport:
    """A transport that installs the injector's script in contexts or, if only one page is recorded, in that page."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self._taps: dict[Any, BindingTap] = {}
        self._waiting: dict[Any, list[tuple[Any, str, float]]] = {}
        self._prepared: set[int] = set()
        self._disposables: list[Any] = []

    async def prepare(self, owner: Any) -> None:
        """Install the script into ``owner``, a context or a page, before its pages are attached."""
        io, script = self.kit.runner.io, self.kit.script
        self._prepared.add(id(owner))
        install: list[Callable[[], Any]] = [
            lambda: owner.expose_binding(script.binding, self._called),
            lambda: owner.add_init_script(script.source),
        ]
        for step in install:
            installed = await io(step())
            if hasattr(installed, "dispose"):  # since Playwright 1.60
                self._disposables.append(installed)

    def prepared(self, page: Any) -> bool:
        return id(page) in self._prepared or id(page.context) in self._prepared

    def tap(self, record: PageRecord) -> BindingTap:
        tap = self._taps[record.page] = BindingTap(self, record)
        for frame, payload, now in self._waiting.pop(record.page, []):
            tap.received(frame, payload, now)
        return tap

    def _called(self, source: Any, payload: object = None, *_: object) -> None:
        """Receive a call of the binding. Return nothing and raise nothing, whatever the page sends."""
        try:
            if not isinstance(payload, str):
                return
            page, frame, now = source["page"], source["frame"], self.kit.clock.now()
            tap = self._taps.get(page)
            if tap is not None:
                tap.received(frame, payload, now)
            elif len(self._waiting) < 100:  # a popup may send something before Playwright reports the popup
                self._waiting.setdefault(page, []).append((frame, payload, now))
        except Exception as error:
            self.kit.writer.trouble("binding", error)

    async def leave(self) -> None:
        for disposable in self._disposables:
            await self.kit.runner.io(disposable.dispose())
        self._disposables.clear()


class BindingTap:
    """The connection to one page through its binding."""

    def __init__(self, transport: BindingTransport, record: PageRecord) -> None:
        self._transport = transport
        self.kit = transport.kit
        self.record = record
        self.requests = RequestTap(self.kit, record, self.source)
        self._sources: dict[Any, ScriptSource] = {}
        self._attaching = True

    async def attach(self) -> None:
        page = self.record.page
        self.requests.listen()
        if not self._transport.prepared(page):
            await self._transport.prepare(page)
        # Documents that are already open; the script does nothing where it runs a second time.
        works = [self._run(frame, self.kit.script.source) for frame in page.frames]
        for slot in await gather(self.kit.runner, works, 5.0):
            if slot.error is not None:
                self.kit.writer.trouble("attach", slot.error)
        self._attaching = False

    def source(self, frame: Any) -> ScriptSource:
        source = self._sources.get(frame)
        if source is None:
            name = f"{self.record.number}.{len(self._sources) + 1}"
            early = self._attaching and self.record.early
            source = ScriptSource(self.record.number, name, frame.parent_frame is None, frame.url, early)
            self._sources[frame] = source
        return source

    def received(self, frame: Any, payload: str, now: float) -> None:
        source = self.source(frame)
        source.heard = now
        sampled = len(payload) < 4000 and '"pointer"' in payload and '"ops"' not in payload
        documents = self.kit.documents
        self.kit.writer.put(documents.batch, source, payload, now, size=len(payload), sampled=sampled)
        if not source.top and '"b":0,' in payload[:100]:
            self.kit.runner.spawn(self.kit.guard("embed", self._embed(frame, source)))
        if (pace := self.kit.pace(source)) is not None:
            self.kit.runner.spawn(self.kit.guard("pace", self._ask(frame, pace)))

    async def _ask(self, frame: Any, pace: int) -> None:
        expression = "([handle, pace]) => globalThis[handle] && globalThis[handle].pace(pace)"
        await self.kit.runner.io(frame.evaluate(expression, [self.kit.script.handle, pace]))

    async def _embed(self, frame: Any, inner: ScriptSource) -> None:
        io = self.kit.runner.io
        element = await io(frame.frame_element())
        number = 0
        for attempt in range(8):
            if attempt:
                await self.kit.runner.wait([], 0.05 * 2**attempt)
            expression = "(element, handle) => globalThis[handle] ? globalThis[handle].idOf(element) : 0"
            number = await io(element.evaluate(expression, self.kit.script.handle))
            if number:
                break
        await io(element.dispose())
        if number:
            self.kit.writer.put(self.kit.documents.embed, inner, self.source(frame.parent_frame), number)

    async def _run(self, frame: Any, expression: str) -> Any:
        return await self.kit.runner.io(frame.evaluate(expression))

    def call(self, method: str) -> list[tuple[ScriptSource, Work]]:
        expression = f"void {self.kit.script.call(f'{method}()')}"
        frames = self.record.page.frames
        return [(self.source(frame), self.kit.guard(method, self._run(frame, expression))) for frame in frames]

    async def ask(self, source: ScriptSource, request: Request) -> None:
        if not isinstance(request, Snapshot):
            return
        frame = next((f for f, s in self._sources.items() if s is source), None)
        if frame is None or frame.is_detached():
            return
        handle = f"globalThis['{self.kit.script.handle}']"
        if request.lines:
            lines = await self._run(frame, f"({handle}?.flush(), {handle}?.lines())")
            if isinstance(lines, str):
                self.kit.writer.put(self.kit.documents.differ, source, lines, size=len(lines))
        await self._run(frame, f"void {handle}?.snapshot('heal')")
        # The frames' elements have new ids now.
        for child in frame.child_frames:
            inner = self._sources.get(child)
            if inner is not None:
                self.kit.runner.spawn(self.kit.guard("embed", self._embed(child, inner)))

    async def places(self) -> dict[ScriptSource, str]:
        return {}  # closed shadow roots cannot be seen from here, and a page may answer in the script's place

    async def drain(self) -> None:
        await self.requests.drain(30.0)

    async def detach(self) -> None:
        self.requests.leave()

    def gone(self) -> None:
        self.requests.gone()
        for source in self._sources.values():
            self.kit.writer.put(self.kit.documents.gone, source)
        self._sources.clear()
