"""Runs the recorder's coroutines under Playwright's sync and async APIs.

The recorder's logic is written once, as coroutines. A *runner* starts them, waits for them and gives their results:

* :class:`AsyncRunner` makes them tasks on the caller's event loop.
* :class:`SyncRunner` runs them without such a loop. Playwright's sync API has an event loop of its own in a greenlet
  of the caller's thread, the *hub*; each call switches to the hub and returns with its answer. So a coroutine never
  suspends here: the call that it awaits has already returned. Background work runs in greenlets that the hub starts,
  so that several calls run at once and a caller can stop waiting for a page that hangs.

No private name of Playwright is used: the loop is the thread's running loop, and the hub is the greenlet that runs
its callbacks.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from typing import Any, Protocol, TypeVar, cast

from .own_calls import Ours

T = TypeVar("T")
Work = Coroutine[Any, Any, Any]


class Pending:
    """A result that is not known yet, like a future. It is set once, on the loop's thread."""

    __slots__ = ("_callbacks", "done", "error", "value")

    def __init__(self) -> None:
        self.done = False
        self.value: Any = None
        self.error: BaseException | None = None
        self._callbacks: list[Callable[[], None]] = []

    def set(self, value: Any = None) -> None:
        self._finish(value, None)

    def fail(self, error: BaseException) -> None:
        self._finish(None, error)

    def _finish(self, value: Any, error: BaseException | None) -> None:
        if self.done:
            return
        self.done, self.value, self.error = True, value, error
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def when_done(self, callback: Callable[[], None]) -> None:
        if self.done:
            callback()
        else:
            self._callbacks.append(callback)


class Runner(Protocol):
    """The operations that the recorder's coroutines may use. All but :meth:`post` must be called on Playwright's
    thread.
    """

    is_async: bool

    async def io(self, value: Any) -> Any:
        """Return the result of a Playwright call of either API."""

    def spawn(self, work: Work) -> Pending:
        """Start a coroutine in the background. Return its pending result, which also holds its error."""

    async def wait(self, slots: Sequence[Pending], timeout: float) -> bool:
        """Wait at most ``timeout`` seconds until all pending results are set. Return whether they are."""

    def post(self, make: Callable[[], Work]) -> None:
        """Start a coroutine from any thread. It runs when the loop runs next, which may never happen."""

    def run(self, work: Coroutine[Any, Any, T]) -> Any:
        """Run a coroutine for the public API: return its result (sync) or an awaitable of it (async)."""


async def as_ours(work: Awaitable[T]) -> T:
    """Await `work` and return its result, with its Playwright calls marked as the recorder's own."""
    with Ours():
        return await work


def drive(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends, without an event loop, and return its result."""
    try:
        work.send(None)
    except StopIteration as stop:
        return cast(T, stop.value)
    work.close()
    raise RuntimeError("a coroutine suspended under the sync runner")


class AsyncRunner:
    is_async = True

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    def bind(self) -> None:
        """Use the running event loop. Called when the recording begins."""
        self._loop = asyncio.get_running_loop()

    async def io(self, value: Any) -> Any:
        return await value if inspect.isawaitable(value) else value

    def spawn(self, work: Work) -> Pending:
        slot = Pending()
        if self._loop is None or self._loop.is_closed():
            work.close()
            slot.fail(RuntimeError("the event loop is closed"))
            return slot
        task = self._loop.create_task(_into(slot, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return slot

    async def wait(self, slots: Sequence[Pending], timeout: float) -> bool:
        done = asyncio.Event()
        waiting = [slot for slot in slots if not slot.done]

        def check() -> None:
            if all(slot.done for slot in slots):
                done.set()

        for slot in waiting:
            slot.when_done(check)
        if slots and not waiting:
            return True
        try:
            await asyncio.wait_for(done.wait(), timeout)
        except TimeoutError:
            return all(slot.done for slot in slots)
        return True

    def post(self, make: Callable[[], Work]) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(lambda: self.spawn(make()))

    def run(self, work: Coroutine[Any, Any, T]) -> Awaitable[T]:
        return as_ours(work)

    def run_outside(self, work: Coroutine[Any, Any, T], timeout: float) -> bool:
        """Run a coroutine from outside of the event loop. Return False if the loop is running or closed."""
        loop = self._loop
        if loop is None or loop.is_closed() or loop.is_running():
            work.close()
            return False
        loop.run_until_complete(asyncio.wait_for(as_ours(work), timeout))
        return True


class SyncRunner:
    is_async = False

    def __init__(self) -> None:
        import greenlet  # type: ignore[import-untyped,unused-ignore]  # comes with Playwright

        self._greenlet = greenlet
        self._loop: asyncio.AbstractEventLoop | None = None
        self._hub: Any = None

    def bind(self) -> None:
        """Find Playwright's loop. The hub is known once the loop has run a callback, with the first Playwright call."""
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # the rest works without it, without time limits
        self._loop.call_soon(self._learn)

    def _learn(self) -> None:
        self._hub = self._greenlet.getcurrent()

    def _alive(self) -> bool:
        return self._hub is not None and not self._hub.dead and self._loop is not None and not self._loop.is_closed()

    async def io(self, value: Any) -> Any:
        return value

    def spawn(self, work: Work) -> Pending:
        slot = Pending()
        if self._loop is None or self._loop.is_closed():
            drive(_into(slot, work))
            return slot

        def start() -> None:
            hub = self._greenlet.getcurrent()
            self._hub = hub
            self._greenlet.greenlet(lambda: drive(_into(slot, work)), parent=hub).switch()

        self._loop.call_soon(start)
        return slot

    async def wait(self, slots: Sequence[Pending], timeout: float) -> bool:
        if slots and all(slot.done for slot in slots):
            return True
        if not self._alive() or self._greenlet.getcurrent() is self._hub:
            return False
        assert self._loop is not None
        loop, me = self._loop, self._greenlet.getcurrent()
        waiting = True
        expired = False

        def wake() -> None:
            # Runs in the hub. A late wake-up must not enter a greenlet that has gone on to something else.
            if waiting:
                me.switch()

        def expire() -> None:
            nonlocal expired
            expired = True
            wake()

        timer = loop.call_later(timeout, expire)
        for slot in slots:
            slot.when_done(lambda: None if loop.is_closed() else cast(None, loop.call_soon(wake)))
        try:
            while not expired and not (slots and all(slot.done for slot in slots)) and not self._hub.dead:
                self._hub.switch()
        finally:
            waiting = False
            timer.cancel()
        return all(slot.done for slot in slots)

    def post(self, make: Callable[[], Work]) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(lambda: self.spawn(make()))

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return drive(as_ours(work))


def runner_for(is_async: bool) -> AsyncRunner | SyncRunner:
    """Return a runner for one of Playwright's two APIs. Call its `bind()` where Playwright's loop runs."""
    return AsyncRunner() if is_async else SyncRunner()


async def _into(slot: Pending, work: Work) -> None:
    try:
        slot.set(await as_ours(work))
    except BaseException as error:
        slot.fail(error)
        if not isinstance(error, Exception):
            raise


async def gather(runner: Runner, works: Iterable[Work], timeout: float) -> list[Pending]:
    """Run coroutines in parallel for at most ``timeout`` seconds. Return their pending results; a coroutine that hangs
    has none yet.
    """
    slots = [runner.spawn(work) for work in works]
    await runner.wait(slots, timeout)
    return slots
