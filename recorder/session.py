"""The session that ``record()`` returns: starts and ends the recording, and takes marks, screenshots and reports."""

from __future__ import annotations

import atexit
import hashlib
import os
import threading
import weakref
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pagereel.errors import UsageError
from pagereel.reel import Event

from .agent import Agent, AgentLog
from .agent_context import build_agent_field
from .ingest.script_source import ScriptSource
from .playwright_calls import record_playwright_calls
from .recording import Recording
from .replay_build import ReplayBuild
from .runtime.json_conversion import to_json_fields, to_text
from .runtime.options import Options
from .runtime.pictures import copy_picture, estimate_memory_size
from .runtime.recordable import Recordable
from .runtime.runner import AsyncRunner, PendingResult, run_as_own_call, run_without_suspending
from .runtime.screen_positions import TITLE_LIMIT, parse_boxes
from .runtime.trace_context import build_traceparent, create_span_id

_SEAL_PATIENCE = 10.0
_MARK_PATIENCE = 5.0
"""Seconds that a mark may wait for the pages' checkpoints and their pictures."""


_active: ContextVar[weakref.ref[Session] | None] = ContextVar("pagereel_session", default=None)
_opened: list[Session] = []


def get_active_session() -> Session | None:
    """Return the session that was started in this context; else the session that was started last; None if there is
    none.
    """
    known = _active.get()
    mine = known() if known is not None else None
    if mine is not None and mine in _opened:
        return mine
    return _opened[-1] if _opened else None


@dataclass(frozen=True, slots=True)
class Stats:
    """The figures of a recording so far."""

    events: int
    """Number of events written."""
    bytes_queued: int
    """Bytes that wait for the writer thread."""
    queue_peak: int
    """Largest number of bytes that ever waited."""
    dropped: int
    """Number of messages dropped because the queue was full."""
    gaps: dict[str, int]
    """Number of gaps, by reason."""
    checkpoints: int
    """Number of checkpoints: how often a page was serialized afresh."""
    equal: int
    """Number of checkpoints that equalled the page model."""
    resource_bytes: int
    """Bytes of resources that are kept."""
    writer_cpu: float
    """Seconds of CPU time spent in the writer thread."""


class MarkTime(float):
    """The time of a mark, in ms on the recording's clock.

    With the async API the pages' checkpoints of the mark are done a few ms after the call: ``await`` waits for them and
    returns the time at which they were done.
    """

    slot: PendingResult | None = None
    recording: Recording | None = None
    fields: Event | None = None
    """The event's fields until it is written; then None."""
    settled: float | None = None

    def write_mark(self) -> None:
        """Write the mark after everything that the pages sent before it. A second call does nothing."""
        if self.recording is not None and self.fields is not None:
            fields, self.fields = self.fields, None
            self.settled = self.recording.clock.now()
            self.recording.kit.writer.enqueue_event({"k": "mark", "t": self.settled, **fields})

    def __await__(self) -> Generator[object, None, float]:
        if self.slot is not None and self.recording is not None:
            yield from self.recording.runner.wait([self.slot], _MARK_PATIENCE).__await__()
            self.write_mark()
        return float(self) if self.settled is None else self.settled


class Session(Agent):
    """A recording, and the methods by which the agent reports its actions.

    ``record()`` returns a :class:`SyncSession` for ``with`` or an :class:`AsyncSession` for ``async with``;
    :meth:`start` and :meth:`stop` do the same without a block. All methods that write events may be called from any
    thread and never raise because of a value: a value that is not JSON is described, and a value that is too large is
    cut and marked as cut.
    """

    def __init__(self, target: Recordable, path: str | os.PathLike[str], options: Options) -> None:
        self._recording = Recording(target, path, options)
        self._target = target
        super().__init__(
            AgentLog(
                self._enqueue_event,
                lambda: self._recording.clock.now(),
                self._recording.flush_without_waiting,
                self._enqueue_resource,
                self._enqueue_screen,
            )
        )
        self._started = False
        self._replay = ReplayBuild.from_options(options)
        self._owner = 0

    # -- life ---------------------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """Return the recording's id, as in the reel's header."""
        return self._recording.id

    @property
    def trace(self) -> str:
        """Return the id of the trace that the run belongs to; the recording's own id if the caller named none."""
        return self._recording.trace

    def traceparent(self) -> str:
        """Return the ``TRACEPARENT`` value to pass to another process or request.

        A recording made there joins this trace. In a common replay (``pagereel build a.reel b.reel -o run.html``) it is
        shown under the step that is open now, and not before this time.
        """
        span = create_span_id()
        self._write_event("handed_on", {"span": span})
        return build_traceparent(self.trace, span)

    @property
    def now(self) -> float:
        """Return the ms since the recording began."""
        return self._recording.clock.now()

    @property
    def path(self) -> os.PathLike[str]:
        return self._recording.path

    def start(self) -> Awaitable[None] | None:
        """Begin the recording. With the async API this returns an awaitable. Raises
        :class:`~pagereel.errors.UsageError`.
        """
        return self._recording.runner.run(self._begin_recording())

    def stop(self, reason: str = "closed") -> Awaitable[None] | None:
        """Collect the pages' last state and seal the reel. With the async API this returns an awaitable. A second call
        does nothing.
        """
        return self._recording.runner.run(self._end_recording(reason))

    def end_outside_event_loop(self, reason: str = "abandoned") -> None:
        """End an async recording from outside of its event loop, as a test runner must.

        If the loop can still run, the pages' last state is recorded; else the reel ends with the last received events.
        """
        recording = self._recording
        runner = recording.runner
        if not (
            isinstance(runner, AsyncRunner) and runner.run_from_outside_loop(recording.stop(reason), _SEAL_PATIENCE)
        ):
            recording.thread = 0
            run_without_suspending(recording.stop(reason))
        if (replay := self._claim_replay_build()) is not None:
            replay.build(self._recording.place)

    def start_outside_event_loop(self) -> None:
        """Start an async recording from outside of its event loop, which must not be running."""
        runner = self._recording.runner
        if isinstance(runner, AsyncRunner):
            runner.run_from_outside_loop(self._begin_recording(), _SEAL_PATIENCE)

    async def _begin_recording(self) -> None:
        if self._started:
            raise UsageError("This session was started already; call record() again for a new recording.")
        self._started = True
        if self._replay is not None:
            self._replay.require_writable_path(self._recording.place)
        await self._recording.start()
        self._owner = os.getpid()
        if self._replay is not None:
            atexit.register(self._end_at_exit)
        _opened.append(self)
        self._recording.ending.append(lambda: _opened.remove(self))
        self._recording.last.append(lambda: self._log.models.stop_inferring_steps(self.now))
        _active.set(weakref.ref(self))
        for what, value in self._recording.options.versions.items():
            self.version(what, value)
        record_playwright_calls(self._recording, self._target, self._log)

    async def _end_recording(self, reason: str, *, failed: bool = False) -> None:
        """End the recording and build its replay. `failed`: an exception ended the recording; an interrupt of the build
        then does not replace that exception.
        """
        try:
            await self._recording.stop(reason)
        finally:
            if (replay := self._claim_replay_build()) is not None:
                try:
                    if self._recording.runner.is_async:
                        await replay.build_async(self._recording.place)
                    else:
                        replay.build(self._recording.place)
                except BaseException:
                    if not failed:
                        raise

    def _claim_replay_build(self) -> ReplayBuild | None:
        """Return the build of the replay, which is then no longer pending; None if it was returned before, and in a
        forked child process.
        """
        replay, self._replay = self._replay, None
        atexit.unregister(self._end_at_exit)
        return replay if os.getpid() == self._owner else None

    def _end_at_exit(self) -> None:
        """End a recording that the caller never ended, and build its replay."""
        if (replay := self._claim_replay_build()) is not None:
            self._recording.kit.writer.seal_at_process_end()
            replay.build(self._recording.place)

    def call_before_end(self, callback: Callable[[], None]) -> None:
        """Register a function to call when the recording ends, while events can still be written."""
        self._recording.closing.append(callback)

    def _enqueue_event(self, event: Event) -> None:
        if self._recording.running:
            self._recording.kit.writer.enqueue_event(event)

    def _enqueue_resource(self, content: bytes, mime: str) -> None:
        if self._recording.running:
            kit = self._recording.kit
            kit.writer.enqueue_call(kit.network.resources.store_content, content, mime, size=len(content))

    def _enqueue_screen(self, image: Any, event: Event) -> None:
        if self._recording.running:
            kit = self._recording.kit
            kit.writer.enqueue_call(
                kit.track.write_screen, image, event, size=256 if image is None else estimate_memory_size(image)
            )

    # -- moments -----------------------------------------------------------------------------------------------------

    def mark(self, name: str) -> MarkTime:
        """Name this moment. Return its time in ms on the recording's clock.

        All pages make a checkpoint. With the sync API the checkpoints are done when this returns; with the async API
        they begin at once, and ``await session.mark(…)`` waits for them.
        """
        recording = self._recording
        slot: PendingResult | None = None
        if recording.running and threading.get_ident() == recording.thread:
            if recording.runner.is_async:
                slot = recording.runner.spawn(recording.make_checkpoint(_MARK_PATIENCE))
            else:
                recording.runner.run(recording.make_checkpoint(_MARK_PATIENCE))
        fields: Event = {"name": to_text(name, TITLE_LIMIT)}
        if slot is None:
            return MarkTime(self._log.write("mark", fields))
        moment = MarkTime(recording.clock.now())
        moment.slot, moment.recording, moment.fields = slot, recording, fields
        recording.ending.append(moment.write_mark)
        slot.add_done_callback(moment.write_mark)
        return moment

    def screenshot(
        self, label: str = "", *, boxes: Sequence[Sequence[Any]] = (), image: bytes | None = None, page: Any = None,
        agent: str | None = None, **attributes: Any,
    ) -> int | Awaitable[int]:  # fmt: skip
        """Record what the model saw: ``image`` (PNG or JPEG bytes), or a screenshot of ``page`` (by default the page
        opened last) taken now.

        ``boxes``: ``[x, y, w, h, label?, confidence?, kind?]`` in CSS px; ``confidence`` from 0 to 1, ``kind``: what
        kind of element the model saw (``button``). ``attributes`` are stored beside the picture, for the text that the
        model was given (``accessibility=page.locator("body").aria_snapshot()``, a pruned DOM). Return the event's id;
        with the async API an awaitable of it.
        """
        return self._recording.runner.run(
            self._record_screenshot(label, boxes, image, page, agent, to_json_fields(attributes))
        )

    async def _record_screenshot(
        self,
        label: str,
        boxes: Sequence[Sequence[Any]],
        image: bytes | None,
        page: Any,
        agent: str | None,
        attributes: Event,
    ) -> int:
        recording = self._recording
        records = recording.list_open_pages() if recording.running else []
        record = next((r for r in records if r.page is page), records[-1] if records and page is None else None)
        number = self._log.assign_next_id()
        if not recording.running:
            return number
        looks: list[dict[ScriptSource, str]] = []
        if image is None and record is not None and record.tap is not None:
            try:
                looks.append(await record.tap.read_text_positions())
                image = await recording.runner.await_call(record.page.screenshot())
                looks.append(await record.tap.read_text_positions())
            except Exception as error:
                recording.kit.writer.report_error("screenshot", error)
        here = self._log.get_run_position(agent)
        fields: Event = {"id": number, "step": here.step, **build_agent_field(here.agent)}
        picture = copy_picture(image) if issubclass(type(image), bytes | bytearray | memoryview) else None
        if picture is None:
            told: Event = {
                "text": to_text(f"No picture: {to_text(label, TITLE_LIMIT)}"),
                "attributes": {"boxes": parse_boxes(boxes), **attributes},
            }
            self._log.write("note", fields | told)
            return number
        fields |= {
            "page": record.number if record else None,
            "label": to_text(label, TITLE_LIMIT),
            "boxes": parse_boxes(boxes),
        }
        if attributes:
            fields["attributes"] = attributes
        fields["body"] = hashlib.sha256(picture).hexdigest()
        mime = "image/jpeg" if picture[:2] == b"\xff\xd8" else "image/png"
        t = self._log.get_time()
        recording.kit.writer.enqueue_call(
            recording.kit.screens.write_screenshot,
            picture,
            mime,
            {"k": "screenshot", "t": t, **fields},
            size=len(picture),
        )
        if record is not None and len(looks) == 2:
            size = sum(len(text) for look in looks for text in look.values())
            documents = recording.kit.documents
            recording.kit.writer.enqueue_call(
                documents.write_text_positions, t, number, record.number, *looks, size=size
            )
        return number

    # -- figures ------------------------------------------------------------------------------------------------------

    @property
    def stats(self) -> Stats:
        """Return the figures of the recording so far; all are 0 before it starts."""
        kit = getattr(self._recording, "kit", None)
        if kit is None:
            return Stats(0, 0, 0, 0, {}, 0, 0, 0, 0.0)
        writer, documents = kit.writer, kit.documents
        return Stats(
            events=writer.events,
            bytes_queued=writer.bytes_queued,
            queue_peak=writer.peak,
            dropped=writer.dropped,
            gaps=dict(writer.gaps),
            checkpoints=documents.checkpoints.count,
            equal=documents.checkpoints.equal,
            resource_bytes=kit.network.resources.bytes,
            writer_cpu=writer.cpu,
        )


class SyncSession(Session):
    """The session for Playwright's sync API: ``with record(context, path) as session``."""

    if TYPE_CHECKING:  # As in Session, with the sync API's results.

        def start(self) -> None: ...

        def stop(self, reason: str = "closed") -> None: ...

        def screenshot(
            self, label: str = "", *, boxes: Sequence[Sequence[Any]] = (), image: bytes | None = None, page: Any = None,
            agent: str | None = None, **attributes: Any,
        ) -> int: ...  # fmt: skip

    else:  # The types refuse the other API's way; without a type check an error says so.

        async def __aenter__(self):
            raise UsageError("This is an object of Playwright's sync API; use `with record(...)`.")

        async def __aexit__(self, kind, error, trace): ...

    def __enter__(self) -> Self:
        self._log.places.mark_recording_start()
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        failed = kind is not None
        self._log.write_run_exception_note(error, trace)
        self._recording.runner.run(self._end_recording("error" if failed else "closed", failed=failed))


class AsyncSession(Session):
    """The session for Playwright's async API: ``async with record(context, path) as session``."""

    if TYPE_CHECKING:

        async def start(self) -> None: ...

        async def stop(self, reason: str = "closed") -> None: ...

        async def screenshot(
            self, label: str = "", *, boxes: Sequence[Sequence[Any]] = (), image: bytes | None = None, page: Any = None,
            agent: str | None = None, **attributes: Any,
        ) -> int: ...  # fmt: skip

    else:

        def __enter__(self):
            raise UsageError("This is an object of Playwright's async API; use `async with record(...)`.")

        def __exit__(self, kind, error, trace): ...

    async def __aenter__(self) -> Self:
        self._log.places.mark_recording_start()
        await run_as_own_call(self._begin_recording())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        failed = kind is not None
        self._log.write_run_exception_note(error, trace)
        await run_as_own_call(self._end_recording("error" if failed else "closed", failed=failed))
