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

from .own_calls import OwnCalls

T = TypeVar("T")
Work = Coroutine[Any, Any, Any]


class PendingResult:
    """A result that is not known yet, like a future. It is set once, on the loop's thread."""

    __slots__ = ("_callbacks", "done", "error", "value")

    def __init__(self) -> None:
        self.done = False
        self.value: Any = None
        self.error: BaseException | None = None
        self._callbacks: list[Callable[[], None]] = []

    def set_result(self, value: Any = None) -> None:
        self._set_once(value, None)

    def set_error(self, error: BaseException) -> None:
        self._set_once(None, error)

    def _set_once(self, value: Any, error: BaseException | None) -> None:
        if self.done:
            return
        self.done, self.value, self.error = True, value, error
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def add_done_callback(self, callback: Callable[[], None]) -> None:
        if self.done:
            callback()
        else:
            self._callbacks.append(callback)


class Runner(Protocol):
    """The operations that the recorder's coroutines may use. All but :meth:`spawn_from_any_thread` must be called on Playwright's
    thread.
    """

    is_async: bool

    async def await_call(self, value: Any) -> Any:
        """Return the result of a Playwright call of either API."""

    def spawn(self, coroutine: Work) -> PendingResult:
        """Start a coroutine in the background. Return its pending result, which also holds its error."""

    async def wait(self, results: Sequence[PendingResult], timeout: float) -> bool:
        """Wait at most ``timeout`` seconds until all pending results are set. Return whether they are."""

    def spawn_from_any_thread(self, create_coroutine: Callable[[], Work]) -> None:
        """Start a coroutine from any thread. It runs when the loop runs next, which may never happen."""

    def run(self, coroutine: Coroutine[Any, Any, T]) -> Any:
        """Run a coroutine for the public API: return its result (sync) or an awaitable of it (async)."""


async def run_as_own_call(coroutine: Awaitable[T]) -> T:
    """Await `coroutine` and return its result; its Playwright calls are marked as the recorder's own, so that they are not
    recorded.
    """
    with OwnCalls():
        return await coroutine


def run_without_suspending(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends, without an event loop, and return its result."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return cast(T, stop.value)
    coroutine.close()
    raise RuntimeError("a coroutine suspended under the sync runner")


class AsyncRunner:
    is_async = True

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    def bind_to_loop(self) -> None:
        """Use the event loop that is running now. It must be called when the recording begins."""
        self._loop = asyncio.get_running_loop()

    async def await_call(self, value: Any) -> Any:
        return await value if inspect.isawaitable(value) else value

    def spawn(self, coroutine: Work) -> PendingResult:
        slot = PendingResult()
        if self._loop is None or self._loop.is_closed():
            coroutine.close()
            slot.set_error(RuntimeError("the event loop is closed"))
            return slot
        task = self._loop.create_task(_run_and_set_result(slot, coroutine))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return slot

    async def wait(self, results: Sequence[PendingResult], timeout: float) -> bool:
        done = asyncio.Event()
        waiting = [slot for slot in results if not slot.done]

        def resolve_if_done() -> None:
            if all(slot.done for slot in results):
                done.set()

        for slot in waiting:
            slot.add_done_callback(resolve_if_done)
        if results and not waiting:
            return True
        try:
            await asyncio.wait_for(done.wait(), timeout)
        except TimeoutError:
            return all(slot.done for slot in results)
        return True

    def spawn_from_any_thread(self, create_coroutine: Callable[[], Work]) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(lambda: self.spawn(create_coroutine()))

    def run(self, coroutine: Coroutine[Any, Any, T]) -> Awaitable[T]:
        return run_as_own_call(coroutine)

    def run_from_outside_loop(self, coroutine: Coroutine[Any, Any, T], timeout: float) -> bool:
        """Run a coroutine from outside of the event loop. Return False if the loop is running or closed."""
        loop = self._loop
        if loop is None or loop.is_closed() or loop.is_running():
            coroutine.close()
            return False
        loop.run_until_complete(asyncio.wait_for(run_as_own_call(coroutine), timeout))
        return True


class SyncRunner:
    is_async = False

    def __init__(self) -> None:
        import greenlet  # type: ignore[import-untyped,unused-ignore]  # comes with Playwright

        self._greenlet = greenlet
        self._loop: asyncio.AbstractEventLoop | None = None
        self._hub: Any = None

    def bind_to_loop(self) -> None:
        """Remember the running event loop of Playwright's sync API, and schedule a callback that remembers the greenlet
        in which the loop runs (the hub). The loop runs that callback at the first Playwright call. Without a running
        loop there are no time limits.
        """
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # the rest works without it, without time limits
        self._loop.call_soon(self._remember_hub_greenlet)

    def _remember_hub_greenlet(self) -> None:
        self._hub = self._greenlet.getcurrent()

    def _is_hub_greenlet_alive(self) -> bool:
        return self._hub is not None and not self._hub.dead and self._loop is not None and not self._loop.is_closed()

    async def await_call(self, value: Any) -> Any:
        return value

    def spawn(self, coroutine: Work) -> PendingResult:
        slot = PendingResult()
        if self._loop is None or self._loop.is_closed():
            run_without_suspending(_run_and_set_result(slot, coroutine))
            return slot

        def start() -> None:
            hub = self._greenlet.getcurrent()
            self._hub = hub
            self._greenlet.greenlet(
                lambda: run_without_suspending(_run_and_set_result(slot, coroutine)), parent=hub
            ).switch()

        self._loop.call_soon(start)
        return slot

    async def wait(self, results: Sequence[PendingResult], timeout: float) -> bool:
        if results and all(slot.done for slot in results):
            return True
        if not self._is_hub_greenlet_alive() or self._greenlet.getcurrent() is self._hub:
            return False
        assert self._loop is not None
        loop, me = self._loop, self._greenlet.getcurrent()
        waiting = True
        expired = False

        def wake() -> None:
            # Runs in the hub. A late wake-up must not enter a greenlet that has gone on to something else.
            if waiting:
                me.switch()

        def wake_on_timeout() -> None:
            nonlocal expired
            expired = True
            wake()

        timer = loop.call_later(timeout, wake_on_timeout)
        for slot in results:
            slot.add_done_callback(lambda: None if loop.is_closed() else cast(None, loop.call_soon(wake)))
        try:
            while not expired and not (results and all(slot.done for slot in results)) and not self._hub.dead:
                self._hub.switch()
        finally:
            waiting = False
            timer.cancel()
        return all(slot.done for slot in results)

    def spawn_from_any_thread(self, create_coroutine: Callable[[], Work]) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(lambda: self.spawn(create_coroutine()))

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return run_without_suspending(run_as_own_call(coroutine))


def choose_runner(is_async: bool) -> AsyncRunner | SyncRunner:
    """Return the runner for Playwright's async or sync API. Call its ``bind_to_loop()`` on the thread on which
    Playwright's event loop runs.
    """
    return AsyncRunner() if is_async else SyncRunner()


async def _run_and_set_result(result: PendingResult, coroutine: Work) -> None:
    try:
        result.set_result(await run_as_own_call(coroutine))
    except BaseException as error:
        result.set_error(error)
        if not isinstance(error, Exception):
            raise


async def spawn_and_wait(runner: Runner, coroutines: Iterable[Work], timeout: float) -> list[PendingResult]:
    """Run coroutines in parallel for at most ``timeout`` seconds. Return their pending results; a coroutine that hangs
    has none yet.
    """
    slots = [runner.spawn(work) for work in coroutines]
    await runner.wait(slots, timeout)
    return slots
