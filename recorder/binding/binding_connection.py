"""The binding transport: records any browser by ``add_init_script`` and ``expose_binding``, public names of Playwright only.

It is weaker than the CDP transport: the script runs in the page's own world, where the page can find it; a hostile page
can call the binding, or crash Playwright's driver through it (the driver's dispatcher parses what the page sends).
Dialogs are not recorded: with a ``dialog`` listener Playwright would no longer dismiss dialogs by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ingest.script_requests import ScriptCommand, TakeSnapshotCommand
from ..ingest.script_source import ScriptSource
from ..ingest.transport import PageRecord, RecordingServices
from ..runtime.runner import Work, spawn_and_wait
from .playwright_events import PlaywrightEventRecorder


class BindingTransport:
    """A transport that installs the injector's script in contexts or, if only one page is recorded, in that page."""

    def __init__(self, kit: RecordingServices) -> None:
        self.kit = kit
        self._taps: dict[Any, BindingPageConnection] = {}
        self._waiting: dict[Any, list[tuple[Any, str, float]]] = {}
        self._prepared: set[int] = set()
        self._disposables: list[Any] = []

    async def install_script(self, context_or_page: Any) -> None:
        """Install the script into ``context_or_page``, a context or a page, before its pages are attached."""
        io, script = self.kit.runner.await_call, self.kit.script
        self._prepared.add(id(context_or_page))
        install: list[Callable[[], Any]] = [
            lambda: context_or_page.expose_binding(script.binding, self._receive_binding_call),
            lambda: context_or_page.add_init_script(script.source),
        ]
        for step in install:
            installed = await io(step())
            if hasattr(installed, "dispose"):  # since Playwright 1.60
                self._disposables.append(installed)

    def is_script_installed_for(self, page: Any) -> bool:
        return id(page) in self._prepared or id(page.context) in self._prepared

    def connect_page(self, page_record: PageRecord) -> BindingPageConnection:
        tap = self._taps[page_record.page] = BindingPageConnection(self, page_record)
        for frame, payload, now in self._waiting.pop(page_record.page, []):
            tap.receive_payload(frame, payload, now)
        return tap

    def _receive_binding_call(self, source: Any, payload: object = None, *_: object) -> None:
        """Receive a call of the binding. Return nothing and raise nothing, whatever the page sends."""
        try:
            if not isinstance(payload, str):
                return
            page, frame, now = source["page"], source["frame"], self.kit.clock.now()
            tap = self._taps.get(page)
            if tap is not None:
                tap.receive_payload(frame, payload, now)
            elif len(self._waiting) < 100:  # a popup may send something before Playwright reports the popup
                self._waiting.setdefault(page, []).append((frame, payload, now))
        except Exception as error:
            self.kit.writer.report_error("binding", error)

    async def remove_script(self) -> None:
        for disposable in self._disposables:
            await self.kit.runner.await_call(disposable.dispose())
        self._disposables.clear()


class BindingPageConnection:
    """The connection to one page through its binding."""

    def __init__(self, transport: BindingTransport, record: PageRecord) -> None:
        self._transport = transport
        self.kit = transport.kit
        self.record = record
        self.requests = PlaywrightEventRecorder(self.kit, record, self.get_script_source_of_frame)
        self._sources: dict[Any, ScriptSource] = {}
        self._attaching = True

    async def attach(self) -> None:
        page = self.record.page
        self.requests.start_listening()
        if not self._transport.is_script_installed_for(page):
            await self._transport.install_script(page)
        # Documents that are already open; the script does nothing where it runs a second time.
        works = [self._evaluate_in_frame(frame, self.kit.script.source) for frame in page.frames]
        for slot in await spawn_and_wait(self.kit.runner, works, 5.0):
            if slot.error is not None:
                self.kit.writer.report_error("attach", slot.error)
        self._attaching = False

    def get_script_source_of_frame(self, frame: Any) -> ScriptSource:
        source = self._sources.get(frame)
        if source is None:
            name = f"{self.record.number}.{len(self._sources) + 1}"
            early = self._attaching and self.record.early
            source = ScriptSource(self.record.number, name, frame.parent_frame is None, frame.url, early)
            self._sources[frame] = source
        return source

    def receive_payload(self, frame: Any, payload: str, now: float) -> None:
        source = self.get_script_source_of_frame(frame)
        source.heard = now
        sampled = len(payload) < 4000 and '"pointer"' in payload and '"ops"' not in payload
        documents = self.kit.documents
        self.kit.writer.enqueue_call(documents.handle_batch, source, payload, now, size=len(payload), sampled=sampled)
        if not source.top and '"b":0,' in payload[:100]:
            self.kit.runner.spawn(self.kit.wrap_to_report_errors("embed", self._record_iframe_element(frame, source)))
        if (pace := self.kit.update_sampling_pace(source)) is not None:
            self.kit.runner.spawn(self.kit.wrap_to_report_errors("pace", self._set_sampling_pace(frame, pace)))

    async def _set_sampling_pace(self, frame: Any, pace: int) -> None:
        expression = "([handle, pace]) => globalThis[handle] && globalThis[handle].pace(pace)"
        await self.kit.runner.await_call(frame.evaluate(expression, [self.kit.script.handle, pace]))

    async def _record_iframe_element(self, frame: Any, frame_source: ScriptSource) -> None:
        io = self.kit.runner.await_call
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
            self.kit.writer.enqueue_call(
                self.kit.documents.record_iframe_element,
                frame_source,
                self.get_script_source_of_frame(frame.parent_frame),
                number,
            )

    async def _evaluate_in_frame(self, frame: Any, expression: str) -> Any:
        return await self.kit.runner.await_call(frame.evaluate(expression))

    def call_script_method(self, method: str) -> list[tuple[ScriptSource, Work]]:
        expression = f"void {self.kit.script.build_call(f'{method}()')}"
        frames = self.record.page.frames
        return [
            (
                self.get_script_source_of_frame(frame),
                self.kit.wrap_to_report_errors(method, self._evaluate_in_frame(frame, expression)),
            )
            for frame in frames
        ]

    async def send_script_command(self, source: ScriptSource, command: ScriptCommand) -> None:
        if not isinstance(command, TakeSnapshotCommand):
            return
        frame = next((f for f, s in self._sources.items() if s is source), None)
        if frame is None or frame.is_detached():
            return
        handle = f"globalThis['{self.kit.script.handle}']"
        if command.lines:
            lines = await self._evaluate_in_frame(frame, f"({handle}?.flush(), {handle}?.lines())")
            if isinstance(lines, str):
                self.kit.writer.enqueue_call(
                    self.kit.documents.write_checkpoint_difference, source, lines, size=len(lines)
                )
        await self._evaluate_in_frame(frame, f"void {handle}?.snapshot('heal')")
        # The frames' elements have new ids now.
        for child in frame.child_frames:
            inner = self._sources.get(child)
            if inner is not None:
                self.kit.runner.spawn(
                    self.kit.wrap_to_report_errors("embed", self._record_iframe_element(child, inner))
                )

    async def read_text_positions(self) -> dict[ScriptSource, str]:
        return {}  # closed shadow roots cannot be seen from here, and a page may answer in the script's place

    async def wait_for_bodies(self) -> None:
        await self.requests.wait_for_bodies(30.0)

    async def detach(self) -> None:
        self.requests.stop_listening()

    def handle_page_end(self) -> None:
        self.requests.end_requests_of_closed_page()
        for source in self._sources.values():
            self.kit.writer.enqueue_call(self.kit.documents.end_document, source)
        self._sources.clear()
