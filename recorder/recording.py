"""One recording from start to stop: attaches to contexts and pages, collects their last state, and seals the reel."""

from __future__ import annotations

import os
import platform
import threading
import time
import uuid
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pagereel import __version__
from pagereel.errors import UsageError
from pagereel.reel import Event, stores

from .binding.tap import BindingTransport
from .cdp.tap import CdpTransport
from .ingest.documents import Documents
from .ingest.network import NetworkEvents
from .ingest.requests import Request
from .ingest.resources import ResourceStore
from .ingest.screen_track import ScreenTrack
from .ingest.screens import ScreenshotStore
from .ingest.sources import ScriptSource
from .ingest.transport import Kit, PageRecord, Transport
from .ingest.writer import Writer, issue_warning
from .runtime.clock import Clock
from .runtime.heartbeat import measures
from .runtime.jsonable import jsonable, words
from .runtime.options import Options
from .runtime.recordable import Recordable, claim, release
from .runtime.runner import Pending, gather, runner_for
from .runtime.script import RecorderScript
from .runtime.trace import header, id_of, inherited_trace
from .runtime.wrapped_methods import Wraps

_CLOSE_PATIENCE = 0.5
"""Seconds that a caller's ``page.close()`` may wait for the page's last messages."""
_CONTEXT_PATIENCE = 2.0
"""The same for closing a context or a browser."""
_BODIES_PATIENCE = 1.5
"""Seconds that the end of a recording may wait for response bodies."""
_ATTACH_PATIENCE = 6.0
_OWNER = 500
"""Longest name of a tenant or user, in characters."""


@dataclass(frozen=True, slots=True)
class _UnansweredFlush:
    """A request to a document to send its pending changes (flush) that was not answered in time. The answer, or the
    document's own last message, may still arrive.
    """

    source: ScriptSource
    answer: Pending
    asked: float
    waited: float

    @property
    def gap(self) -> Event:
        earlier = max(0.0, self.asked - self.source.heard) / 1000
        detail = f"a page did not tell what it showed last within {self.waited:.1f} s; what came before is from {earlier:.1f} s earlier"
        return {"t": self.asked, "page": self.source.page, "detail": detail}


class Recording:
    """A recording from ``start`` to ``stop``; its coroutines run on the caller's thread under a runner."""

    def __init__(self, target: Recordable, path: str | os.PathLike[str], options: Options) -> None:
        self._target = target
        self.path = Path(path)
        """The file on this disk, also while a recording for a store is written."""
        self.place = os.fspath(path)
        """The requested place: this file, or the address in a store to which it is uploaded at the end."""
        self.options = options
        self.runner = runner_for(target.is_async)
        self.clock = Clock()
        self.id = uuid.uuid4().hex
        self.trace = self.id
        """The trace that this recording belongs to; its own id where the caller named none."""
        self.thread = threading.get_ident()
        self.kit: Kit
        self.running = False
        self.pages: dict[Any, PageRecord] = {}
        self._contexts: list[Any] = []
        self._listeners: list[tuple[Any, str, Any]] = []
        self._wraps = Wraps(self.runner)
        self._flushes: list[Pending] = []
        self._unanswered: list[_UnansweredFlush] = []
        self.ending: list[Callable[[], None]] = []
        """Callbacks at the beginning of the end of the recording."""
        self.closing: list[Callable[[], None]] = []
        """Callbacks before those in `ending`, while events are still accepted."""
        self.last: list[Callable[[], None]] = []
        """Callbacks after those in `ending`: the last that may write events."""

    # -- start --------------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the reel and attach to the open pages. Raises :class:`~pagereel.errors.UsageError`."""
        self._target.check_open()
        if not self.options.shared:
            claim(self._target)
        try:
            self.thread = threading.get_ident()
            self.clock = Clock()
            self.runner.bind()
            name = self._transport_name()
            if self.options.traceparent_to and name != "cdp":
                raise UsageError("traceparent_to needs Chromium and its own transport.")
            script = RecorderScript(name, self.options.mask)
            if self.options.share_resources and stores.is_url(self.place):
                raise UsageError("A recording to a store cannot share resources; leave out share_resources.")
            replaced = self._replaced()
            writer = Writer(
                self.place, self._header(name), self.clock, self.options.queue_limit, self.options.encrypt_to
            )
        except BaseException:
            self._release()
            raise
        self.path = writer.path
        resources = ResourceStore(writer, self.clock, self.options.resource_total, self.options.share_resources)
        documents = Documents(writer, self.clock, resources, self._ask, trusted=name == "cdp")
        documents.checkpoints.pictures = self.options.checkpoint_screenshots and name == "cdp"
        network = NetworkEvents(writer, self.clock, resources, documents, self.options.post_limit)
        self.kit = Kit(
            self.runner,
            writer,
            self.clock,
            self.options,
            script,
            documents,
            network,
            ScreenshotStore(resources.keep, writer.write),
            ScreenTrack(resources.keep, writer.write),
            header(self.trace, self.id[:16]),
        )
        self._transport: Transport = CdpTransport(self.kit) if name == "cdp" else BindingTransport(self.kit)
        writer.start()
        if replaced:
            issue_warning(
                f"{self.place} was there already and is replaced; record(overwrite=True) does so without a word, overwrite=False never."
            )
        self.running = True
        await self.kit.guard("start", self._join_all())

    def _replaced(self) -> bool:
        """Return whether this recording replaces an earlier one although the caller did not ask for that. Raises
        UsageError if it must not be replaced.
        """
        if self.options.overwrite is False:
            with stores.reading(self.place) as there:
                if there is not None:
                    raise UsageError(f"{self.place} exists already; give another path, or leave out overwrite=False.")
        # An empty file is no recording; a store is not queried, because that may take long.
        path = Path(self.place)
        return self.options.overwrite is None and path.is_file() and path.stat().st_size > 0

    async def _join_all(self) -> None:
        for context in self._target.contexts:
            await self._join_context(context, early=True)
        browser = self._target.browser
        if browser is not None:
            self._wraps.wrap(browser, "close", before=self._before_close)
        if self._target.kind == "browser":
            self._wraps.wrap(browser, "new_context", after=self._new_context)
            self._wraps.wrap(browser, "new_page", after=self._new_page)

    def _transport_name(self) -> str:
        wanted = self.options.transport
        if wanted != "auto":
            return wanted
        browser = self._target.browser
        return "cdp" if browser is None or browser.browser_type.name == "chromium" else "binding"

    def _header(self, transport: str) -> Event:
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
            "metadata": jsonable(dict(self.options.metadata)),
            **self._owners(),
            "options": {
                "transport": self.options.transport,
                "mask": list(self.options.mask),
                "bodies": self.options.bodies,
                "beat": measures(),
                **({"world": True} if self.options.world else {}),
            },
        }

    def _owners(self) -> Event:
        """Return the header's fields for tenant, user, trace and parent."""
        options = self.options
        trace, parent = inherited_trace()
        if options.trace is not None:
            trace, parent = id_of(options.trace), None
        told = {
            "trace": trace, "parent": parent if options.parent is None else id_of(options.parent),
            "tenant": options.tenant and words(options.tenant, _OWNER), "user": options.user and words(options.user, _OWNER),
        }  # fmt: skip
        self.trace = trace or self.id
        return {name: value for name, value in told.items() if value}

    @property
    def contexts(self) -> list[Any]:
        """Return the browser contexts that are recorded."""
        return self._contexts

    # -- joining ------------------------------------------------------------------------------------------------------

    async def _join_context(self, context: Any, early: bool) -> None:
        if context in self._contexts:
            return
        self._contexts.append(context)
        self._on(context, "page", self._page_opened)
        self._wraps.wrap(context, "close", before=partial(self._before_close, context))
        if self._target.kind == "page":
            await self.kit.guard("prepare", self._transport.prepare(self._target.object))
            await self._join_page(self._target.object, early)
            return
        await self.kit.guard("prepare", self._transport.prepare(context))
        self._wraps.wrap(context, "new_page", after=self._new_page)
        for page in context.pages:
            await self._join_page(page, early)

    async def _join_page(self, page: Any, early: bool) -> None:
        """Attach to a page, or wait until a running attachment is done."""
        record = self.pages.get(page)
        if record is not None:
            await self.runner.wait([record.attached], _ATTACH_PATIENCE)
            return
        opener = None if early else await self.runner.io(page.opener())
        if page in self.pages:
            await self._join_page(page, early)
            return
        if self._target.kind == "page" and page is not self._target.object and opener not in self.pages:
            return
        record = self.pages[page] = PageRecord(len(self.pages) + 1, page, early)
        record.attached = Pending()
        try:
            record.tap = self._transport.tap(record)
            event: Event = {"k": "page", "t": self.clock.now(), "page": record.number, "event": "open", "url": page.url}
            if opener in self.pages:
                event["opener"] = self.pages[opener].number
            self.kit.writer.emit(event)
            self._on(page, "close", partial(self._page_closed, record, "close"))
            self._on(page, "crash", partial(self._page_closed, record, "crash"))
            self._wraps.wrap(page, "goto", before=self._before_goto)
            self._wraps.wrap(page, "close", before=partial(self._checkpoint_before_close, record))
            await self.kit.guard("attach", record.tap.attach())
            if page.is_closed():  # the page may have closed before anybody listened
                self._page_closed(record, "close")
        finally:
            record.attached.set()

    def _on(self, owner: Any, name: str, handler: Any) -> None:
        def safe(*args: Any) -> None:
            # An exception here would surface in the caller's next Playwright call.
            try:
                handler(*args)
            except Exception as error:
                self.kit.writer.trouble(name, error)

        owner.on(name, safe)
        self._listeners.append((owner, name, safe))

    def _page_opened(self, page: Any) -> None:
        if self.running:
            self.runner.spawn(self.kit.guard("popup", self._join_page(page, early=False)))

    def _page_closed(self, record: PageRecord, how: str, *_: Any) -> None:
        if record.closed:
            return
        record.closed = how == "close"
        self.kit.writer.emit({"k": "page", "t": self.clock.now(), "page": record.number, "event": how})
        if record.tap is not None:
            record.tap.gone()

    async def _new_page(self, page: Any) -> None:
        await self.kit.guard("new page", self._joined_by_caller(page))

    async def _joined_by_caller(self, page: Any) -> None:
        await self._join_context(page.context, early=False)
        await self._join_page(page, early=False)

    async def _new_context(self, context: Any) -> None:
        await self.kit.guard("new context", self._join_context(context, early=False))

    # -- talking to pages ---------------------------------------------------------------------------------------------

    def live(self, context: Any = None) -> list[PageRecord]:
        return [
            record
            for record in self.pages.values()
            if record.tap is not None and not record.closed and (context is None or record.page.context is context)
        ]

    async def call_script(self, method: str, timeout: float, records: list[PageRecord] | None = None) -> bool:
        """Call a method of the script in all frames, for at most ``timeout`` seconds. Return whether all answered."""
        slots = [slot for _, slot in self._call_script(method, self.live() if records is None else records)]
        return not slots or await self.runner.wait(slots, timeout)

    def _call_script(self, method: str, records: list[PageRecord]) -> list[tuple[ScriptSource, Pending]]:
        told = [each for record in records if record.tap is not None for each in record.tap.call(method)]
        return [(source, self.runner.spawn(work)) for source, work in told]

    def flush_soon(self) -> None:
        """Make the pages send their pending changes, without waiting. On the caller's thread only.

        The messages are sent before the caller's next Playwright call.
        """
        if self.running and threading.get_ident() == self.thread and all(slot.done for slot in self._flushes):
            try:
                self._flushes = [slot for _, slot in self._call_script("flush", self.live())]
            except Exception as error:
                self.kit.writer.trouble("flush", error)

    def _ask(self, source: ScriptSource, request: Request) -> None:
        """Start sending a request to a page. Called by the writer thread."""
        self.runner.post(partial(self._ask_now, source, request))

    def _ask_now(self, source: ScriptSource, request: Request) -> Coroutine[Any, Any, bool]:
        async def ask() -> None:
            for record in self.live():
                if record.number == source.page and record.tap is not None:
                    await record.tap.ask(source, request)

        return self.kit.guard(type(request).__name__, ask())

    async def _before_goto(self) -> None:
        # Not awaited: the messages are sent before the navigation is.
        self.flush_soon()

    async def _checkpoint_before_close(self, record: PageRecord) -> None:
        if not record.closed:
            await self.kit.guard("close", self._checkpoint([record], _CLOSE_PATIENCE))

    async def _before_close(self, context: Any = None) -> None:
        await self.kit.guard(
            "close", self._checkpoint(self.live(context), min(_CONTEXT_PATIENCE, self.options.end_timeout))
        )

    async def _checkpoint(self, records: list[PageRecord], timeout: float) -> None:
        """Collect the last state of pages, for at most ``timeout`` seconds. Frames that have not answered by then may
        still do so until the end of the recording.
        """
        began, asked = time.monotonic(), self.kit.clock.now()
        told = self._call_script("flush", records)
        slots = [slot for _, slot in (*told, *self._call_script("checkpoint", records))]
        if slots:
            await self.runner.wait(slots, timeout * 0.8)
        waited = time.monotonic() - began
        self._unanswered += [_UnansweredFlush(source, slot, asked, waited) for source, slot in told if not slot.done]
        settles = [self.runner.spawn(self.kit.guard("bodies", r.tap.drain())) for r in records if r.tap is not None]
        if settles:
            await self.runner.wait(settles, max(0.05, min(_BODIES_PATIENCE, timeout - waited)))

    def _report_unanswered(self) -> None:
        """Write a gap for each flush that was never answered. Runs on the writer thread, after all received messages."""
        for flush in self._unanswered:
            if not (flush.answer.done and flush.answer.value) and flush.source.left < flush.asked:
                self.kit.writer.gap("late", flush.gap)

    async def checkpoint(self, timeout: float) -> None:
        """Make a checkpoint of all pages for a mark, in at most ``timeout`` seconds. If a page has not answered by
        then, a gap says that its state is from a later time.
        """
        await self.kit.guard("checkpoint", self._checked(timeout))

    async def _checked(self, timeout: float) -> None:
        began = time.monotonic()
        if not await self.call_script("checkpoint", timeout) and time.monotonic() - began >= timeout:
            detail = f"a mark: a page did not tell all that it showed within {timeout:g} s"
            self.kit.writer.put(self.kit.writer.gap, "late", {"detail": detail})

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
                self.kit.writer.trouble("end", error)
        self.running = False
        try:
            for end in self.ending:
                end()
            self._wraps.restore()
            if threading.get_ident() == self.thread:
                await self._leave()
        except Exception as error:
            self.kit.writer.trouble("end", error)
        finally:
            self._release()
            self.kit.writer.put(self._report_unanswered)
            self.kit.writer.put(self.kit.network.unfinished)
            self.kit.writer.close(reason)

    def _release(self) -> None:
        if not self.options.shared:
            release(self._target)

    async def _leave(self) -> None:
        deadline = time.monotonic() + self.options.end_timeout
        records = self.live()
        await self._checkpoint(records, self.options.end_timeout * 0.9)
        left = max(0.1, deadline - time.monotonic())
        await self.call_script("stop", left / 2, records)
        for owner, name, handler in self._listeners:
            owner.remove_listener(name, handler)
        self._listeners.clear()
        works = [self.kit.guard("detach", record.tap.detach()) for record in records if record.tap is not None]
        works.append(self.kit.guard("detach", self._transport.leave()))
        await gather(self.runner, works, left / 2)
