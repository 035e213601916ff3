"""One recording from start to stop: attaches to contexts and pages, collects their last state, and seals the reel."""

from __future__ import annotations

import os
import platform
import threading
import time
import uuid
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from pagereel import __version__
from pagereel.errors import UsageError
from pagereel.reel import Event, remote_stores

from .binding.binding_connection import BindingTransport
from .cdp.cdp_connection import CdpTransport
from .ingest.documents import RecordedDocuments
from .ingest.network_event_writer import NetworkEventWriter
from .ingest.resources import ResourceStore
from .ingest.screen_store import ScreenStore
from .ingest.screenshots import ScreenshotStore
from .ingest.script_requests import ScriptCommand
from .ingest.script_source import ScriptSource
from .ingest.transport import PageRecord, RecordingServices, Transport
from .ingest.unanswered_flush import UnansweredFlush
from .ingest.writer_thread import WriterThread, issue_warning
from .runtime.clock import Clock
from .runtime.injector_script import InjectorScript
from .runtime.json_conversion import to_json, to_text
from .runtime.options import Options
from .runtime.recordable import Recordable, claim_target, release_target
from .runtime.runner import PendingResult, choose_runner, spawn_and_wait
from .runtime.stall_monitor import find_stall_measurement
from .runtime.trace_context import build_traceparent, parse_trace_id, read_inherited_trace
from .runtime.wrapped_methods import WrappedMethods

_CLOSE_PATIENCE = 0.5
"""Seconds that a caller's ``page.close()`` may wait for the page's last messages."""
_CONTEXT_PATIENCE = 2.0
"""The same for closing a context or a browser."""
_BODIES_PATIENCE = 1.5
"""Seconds that the end of a recording may wait for response bodies."""
_ATTACH_PATIENCE = 6.0
_OWNER = 500
"""Longest name of a tenant or user, in characters."""


class Recording:
    """A recording from ``start`` to ``stop``; its coroutines run on the caller's thread under a runner."""

    def __init__(self, target: Recordable, path: str | os.PathLike[str], options: Options) -> None:
        self._target = target
        self.path = Path(path)
        """The file on this disk, also while a recording for a store is written."""
        self.place = os.fspath(path)
        """The requested place: this file, or the address in a store to which it is uploaded at the end."""
        self.options = options
        self.runner = choose_runner(target.is_async)
        self.clock = Clock()
        self.id = uuid.uuid4().hex
        self.trace = self.id
        """The trace that this recording belongs to; its own id where the caller named none."""
        self.thread = threading.get_ident()
        self.kit: RecordingServices
        self.running = False
        self.pages: dict[Any, PageRecord] = {}
        self._contexts: list[Any] = []
        self._listeners: list[tuple[Any, str, Any]] = []
        self._wraps = WrappedMethods(self.runner)
        self._flushes: list[PendingResult] = []
        self._unanswered: list[UnansweredFlush] = []
        self.ending: list[Callable[[], None]] = []
        """Callbacks at the beginning of the end of the recording."""
        self.closing: list[Callable[[], None]] = []
        """Callbacks before those in `ending`, while events are still accepted."""
        self.last: list[Callable[[], None]] = []
        """Callbacks after those in `ending`: the last that may write events."""

    # -- start --------------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the reel and attach to the open pages. Raises :class:`~pagereel.errors.UsageError`."""
        self._target.raise_if_closed()
        if not self.options.shared:
            claim_target(self._target)
        try:
            self.thread = threading.get_ident()
            self.clock = Clock()
            self.runner.bind_to_loop()
            name = self._choose_transport()
            if self.options.traceparent_to and name != "cdp":
                raise UsageError("traceparent_to needs Chromium and its own transport.")
            script = InjectorScript(name, self.options.mask)
            if self.options.share_resources and remote_stores.is_url(self.place):
                raise UsageError("A recording to a store cannot share resources; leave out share_resources.")
            replaced = self._is_replacing_recording()
            writer = WriterThread(
                self.place, self._build_header(name), self.clock, self.options.queue_limit, self.options.encrypt_to
            )
        except BaseException:
            self._release_target()
            raise
        self.path = writer.path
        resources = ResourceStore(writer, self.clock, self.options.resource_total, self.options.share_resources)
        documents = RecordedDocuments(
            writer, self.clock, resources, self._send_command_from_writer, trusted=name == "cdp"
        )
        documents.checkpoints.pictures = self.options.checkpoint_screenshots and name == "cdp"
        network = NetworkEventWriter(writer, self.clock, resources, documents, self.options.request_body_limit)
        self.kit = RecordingServices(
            self.runner,
            writer,
            self.clock,
            self.options,
            script,
            documents,
            network,
            ScreenshotStore(resources.store_content, writer.write_event),
            ScreenStore(resources.store_content, writer.write_event),
            build_traceparent(self.trace, self.id[:16]),
        )
        self._transport: Transport = CdpTransport(self.kit) if name == "cdp" else BindingTransport(self.kit)
        writer.start()
        if replaced:
            issue_warning(
                f"{self.place} was there already and is replaced; record(overwrite=True) does so without a word, overwrite=False never."
            )
        self.running = True
        await self.kit.wrap_to_report_errors("start", self._attach_to_open_pages())

    def _is_replacing_recording(self) -> bool:
        """Return whether a file exists at the path that this recording replaces without being asked to. Raises
        UsageError if the file must not be replaced.
        """
        if self.options.overwrite is False:
            with remote_stores.open_for_reading(self.place) as there:
                if there is not None:
                    raise UsageError(f"{self.place} exists already; give another path, or leave out overwrite=False.")
        # An empty file is no recording; a store is not queried, because that may take long.
        path = Path(self.place)
        return self.options.overwrite is None and path.is_file() and path.stat().st_size > 0

    async def _attach_to_open_pages(self) -> None:
        for context in self._target.contexts:
            await self._attach_to_context(context, was_already_open=True)
        browser = self._target.browser
        if browser is not None:
            self._wraps.wrap_method(browser, "close", before=self._collect_context_state_before_close)
        if self._target.kind == "browser":
            self._wraps.wrap_method(browser, "new_context", after=self._attach_to_new_context)
            self._wraps.wrap_method(browser, "new_page", after=self._attach_to_new_page)

    def _choose_transport(self) -> str:
        wanted = self.options.transport
        if wanted != "auto":
            return wanted
        browser = self._target.browser
        return "cdp" if browser is None or browser.browser_type.name == "chromium" else "binding"

    def _build_header(self, transport: str) -> Event:
        browser = self._target.browser
        described: Event | None = None
        if self._target.kind != "nothing":
            described = {
                "name": browser.browser_type.name if browser is not None else "chromium",
                "transport": transport,
            }
        if browser is not None and described is not None:
            described["version"] = browser.version
        return {
            "id": self.id,
            "started": self.clock.started,
            "recorder": {"name": "pagereel", "version": __version__},
            **({} if described is None else {"browser": described}),
            "python": platform.python_version(),
            "platform": platform.platform(terse=True),
            "agent": self.options.agent,
            "metadata": to_json(dict(self.options.metadata)),
            **self._build_identity_fields(),
            "options": {
                "transport": self.options.transport,
                "mask": list(self.options.mask),
                "bodies": self.options.bodies,
                "beat": find_stall_measurement(),
                **({"world": True} if self.options.world else {}),
            },
        }

    def _build_identity_fields(self) -> Event:
        """Return the header's fields for tenant, user, trace and parent."""
        options = self.options
        trace, parent = read_inherited_trace()
        if options.trace is not None:
            trace, parent = parse_trace_id(options.trace), None
        told = {
            "trace": trace, "parent": parent if options.parent is None else parse_trace_id(options.parent),
            "tenant": options.tenant and to_text(options.tenant, _OWNER), "user": options.user and to_text(options.user, _OWNER),
        }  # fmt: skip
        self.trace = trace or self.id
        return {name: value for name, value in told.items() if value}

    @property
    def contexts(self) -> list[Any]:
        """Return the browser contexts that are recorded."""
        return self._contexts

    # -- joining ------------------------------------------------------------------------------------------------------

    async def _attach_to_context(self, context: Any, was_already_open: bool) -> None:
        if context in self._contexts:
            return
        self._contexts.append(context)
        self._add_listener(context, "page", self._on_page_opened)
        self._wraps.wrap_method(context, "close", before=partial(self._collect_context_state_before_close, context))
        if self._target.kind == "page":
            await self.kit.wrap_to_report_errors("prepare", self._transport.install_script(self._target.object))
            await self._attach_to_page(self._target.object, was_already_open)
            return
        await self.kit.wrap_to_report_errors("prepare", self._transport.install_script(context))
        self._wraps.wrap_method(context, "new_page", after=self._attach_to_new_page)
        for page in context.pages:
            await self._attach_to_page(page, was_already_open)

    async def _attach_to_page(self, page: Any, was_already_open: bool) -> None:
        """Attach to a page, or wait until a running attachment is done."""
        record = self.pages.get(page)
        if record is not None:
            await self.runner.wait([record.attached], _ATTACH_PATIENCE)
            return
        opener = None if was_already_open else await self.runner.await_call(page.opener())
        if page in self.pages:
            await self._attach_to_page(page, was_already_open)
            return
        if self._target.kind == "page" and page is not self._target.object and opener not in self.pages:
            return
        record = self.pages[page] = PageRecord(len(self.pages) + 1, page, was_already_open)
        record.attached = PendingResult()
        try:
            record.tap = self._transport.connect_page(record)
            event: Event = {"k": "page", "t": self.clock.now(), "page": record.number, "event": "open", "url": page.url}
            if opener in self.pages:
                event["opener"] = self.pages[opener].number
            self.kit.writer.enqueue_event(event)
            self._add_listener(page, "close", partial(self._on_page_closed, record, "close"))
            self._add_listener(page, "crash", partial(self._on_page_closed, record, "crash"))
            self._wraps.wrap_method(page, "goto", before=self._flush_before_goto)
            self._wraps.wrap_method(page, "close", before=partial(self._collect_page_state_before_close, record))
            await self.kit.wrap_to_report_errors("attach", record.tap.attach())
            if page.is_closed():  # the page may have closed before anybody listened
                self._on_page_closed(record, "close")
        finally:
            record.attached.set_result()

    def _add_listener(self, owner: Any, name: str, handler: Any) -> None:
        def run_handler(*args: Any) -> None:
            # An exception here would surface in the caller's next Playwright call.
            try:
                handler(*args)
            except Exception as error:
                self.kit.writer.report_error(name, error)

        owner.on(name, run_handler)
        self._listeners.append((owner, name, run_handler))

    def _on_page_opened(self, page: Any) -> None:
        if self.running:
            self.runner.spawn(
                self.kit.wrap_to_report_errors("popup", self._attach_to_page(page, was_already_open=False))
            )

    def _on_page_closed(self, page_record: PageRecord, page_event: str, *_: Any) -> None:
        if page_record.closed:
            return
        page_record.closed = page_event == "close"
        self.kit.writer.enqueue_event(
            {"k": "page", "t": self.clock.now(), "page": page_record.number, "event": page_event}
        )
        if page_record.tap is not None:
            page_record.tap.handle_page_end()

    async def _attach_to_new_page(self, page: Any) -> None:
        await self.kit.wrap_to_report_errors("new page", self._attach_to_page_of_caller(page))

    async def _attach_to_page_of_caller(self, page: Any) -> None:
        await self._attach_to_context(page.context, was_already_open=False)
        await self._attach_to_page(page, was_already_open=False)

    async def _attach_to_new_context(self, context: Any) -> None:
        await self.kit.wrap_to_report_errors("new context", self._attach_to_context(context, was_already_open=False))

    # -- talking to pages ---------------------------------------------------------------------------------------------

    def list_open_pages(self, context: Any = None) -> list[PageRecord]:
        return [
            record
            for record in self.pages.values()
            if record.tap is not None and not record.closed and (context is None or record.page.context is context)
        ]

    async def call_script_method(self, method: str, timeout: float, records: list[PageRecord] | None = None) -> bool:
        """Call a method of the script in all frames, for at most ``timeout`` seconds. Return whether all answered."""
        slots = [
            slot for _, slot in self._start_script_calls(method, self.list_open_pages() if records is None else records)
        ]
        return not slots or await self.runner.wait(slots, timeout)

    def _start_script_calls(self, method: str, records: list[PageRecord]) -> list[tuple[ScriptSource, PendingResult]]:
        told = [each for record in records if record.tap is not None for each in record.tap.call_script_method(method)]
        return [(source, self.runner.spawn(work)) for source, work in told]

    def flush_without_waiting(self) -> None:
        """Make the pages send their pending changes, without waiting for them. It must be called on the caller's
        thread; the messages are sent before the caller's next Playwright call.
        """
        if self.running and threading.get_ident() == self.thread and all(slot.done for slot in self._flushes):
            try:
                self._flushes = [slot for _, slot in self._start_script_calls("flush", self.list_open_pages())]
            except Exception as error:
                self.kit.writer.report_error("flush", error)

    def _send_command_from_writer(self, source: ScriptSource, command: ScriptCommand) -> None:
        """Start sending a request to a page. Called by the writer thread."""
        self.runner.spawn_from_any_thread(partial(self._create_command_coroutine, source, command))

    def _create_command_coroutine(self, source: ScriptSource, command: ScriptCommand) -> Coroutine[Any, Any, bool]:
        async def send_command_to_page() -> None:
            for record in self.list_open_pages():
                if record.number == source.page and record.tap is not None:
                    await record.tap.send_script_command(source, command)

        return self.kit.wrap_to_report_errors(type(command).__name__, send_command_to_page())

    async def _flush_before_goto(self) -> None:
        # Not awaited: the messages are sent before the navigation is.
        self.flush_without_waiting()

    async def _collect_page_state_before_close(self, page_record: PageRecord) -> None:
        if not page_record.closed:
            await self.kit.wrap_to_report_errors(
                "close", self._collect_last_page_states([page_record], _CLOSE_PATIENCE)
            )

    async def _collect_context_state_before_close(self, context: Any = None) -> None:
        await self.kit.wrap_to_report_errors(
            "close",
            self._collect_last_page_states(
                self.list_open_pages(context), min(_CONTEXT_PATIENCE, self.options.end_timeout)
            ),
        )

    async def _collect_last_page_states(self, records: list[PageRecord], timeout: float) -> None:
        """Collect the last changes of pages, for at most ``timeout`` seconds. Frames that have not answered by then may
        still do so until the end of the recording.
        """
        began, asked = time.monotonic(), self.kit.clock.now()
        told = self._start_script_calls("flush", records)
        slots = [slot for _, slot in (*told, *self._start_script_calls("checkpoint", records))]
        if slots:
            await self.runner.wait(slots, timeout * 0.8)
        waited = time.monotonic() - began
        self._unanswered += [UnansweredFlush(source, slot, asked, waited) for source, slot in told if not slot.done]
        settles = [
            self.runner.spawn(self.kit.wrap_to_report_errors("bodies", r.tap.wait_for_bodies()))
            for r in records
            if r.tap is not None
        ]
        if settles:
            await self.runner.wait(settles, max(0.05, min(_BODIES_PATIENCE, timeout - waited)))

    def _write_unanswered_flush_gaps(self) -> None:
        """Write a gap for each flush that was never answered. Runs on the writer thread, after all received messages."""
        for flush in self._unanswered:
            if not (flush.answer.done and flush.answer.value) and flush.source.left < flush.asked:
                self.kit.writer.write_gap("late", flush.gap_fields)

    async def make_checkpoint(self, timeout: float) -> None:
        """Make a checkpoint of all pages for a mark, in at most ``timeout`` seconds. If a page has not answered by
        then, a gap says that its state is from a later time.
        """
        await self.kit.wrap_to_report_errors("checkpoint", self._make_checkpoint_for_mark(timeout))

    async def _make_checkpoint_for_mark(self, timeout: float) -> None:
        began = time.monotonic()
        if not await self.call_script_method("checkpoint", timeout) and time.monotonic() - began >= timeout:
            detail = f"a mark: a page did not tell all that it showed within {timeout:g} s"
            self.kit.writer.enqueue_call(self.kit.writer.write_gap, "late", {"detail": detail})

    # -- end ----------------------------------------------------------------------------------------------------------

    async def stop(self, reason: str) -> None:
        """Collect the last state, detach from the pages, seal the reel. Never raises except on Ctrl-C."""
        if not self.running:
            return
        closing, self.closing, self.last = [*self.closing, *self.last], [], []
        for close in closing:
            try:
                close()
            except Exception as error:
                self.kit.writer.report_error("end", error)
        self.running = False
        try:
            for end in self.ending:
                end()
            self._wraps.restore_methods()
            if threading.get_ident() == self.thread:
                await self._detach_from_pages()
        except Exception as error:
            self.kit.writer.report_error("end", error)
        finally:
            self._release_target()
            self.kit.writer.enqueue_call(self._write_unanswered_flush_gaps)
            self.kit.writer.enqueue_call(self.kit.network.write_unfinished_requests)
            self.kit.writer.close(reason)

    def _release_target(self) -> None:
        if not self.options.shared:
            release_target(self._target)

    async def _detach_from_pages(self) -> None:
        deadline = time.monotonic() + self.options.end_timeout
        records = self.list_open_pages()
        await self._collect_last_page_states(records, self.options.end_timeout * 0.9)
        left = max(0.1, deadline - time.monotonic())
        await self.call_script_method("stop", left / 2, records)
        for owner, name, handler in self._listeners:
            owner.remove_listener(name, handler)
        self._listeners.clear()
        works = [
            self.kit.wrap_to_report_errors("detach", record.tap.detach())
            for record in records
            if record.tap is not None
        ]
        works.append(self.kit.wrap_to_report_errors("detach", self._transport.remove_script()))
        await spawn_and_wait(self.runner, works, left / 2)
