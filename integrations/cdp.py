"""Records a browser that another program drives: Puppeteer, Selenium, browser-use, an MCP server, or a person.

The recorder connects to the browser's debugging port as an additional client, and changes nothing for the program that
drives it (`no_defaults`, Playwright 1.60 and newer). It runs in a thread with its own event loop, so that new tabs are
recorded even while that program's code blocks.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import inspect
import os
import threading
from collections.abc import Coroutine, Sequence
from types import TracebackType
from typing import Any, Unpack

from pagereel.errors import UsageError
from pagereel.recorder import AsyncSession, RecordOptions, Step, record

CONNECT_PATIENCE = 30.0
"""Seconds to wait for the browser."""
END_PATIENCE = 30.0


def record_cdp(url: str, path: str | os.PathLike[str], **options: Unpack[RecordOptions]) -> CdpRecording:
    """Record every page of the Chromium whose debugging address is `url` (`http://127.0.0.1:9222`, or `ws://…`).

    >>> with record_cdp("http://127.0.0.1:9222", "run.reel") as session:  # doctest: +SKIP
    ...     with session.step("Search"):
    ...         driver.find_element(By.NAME, "q").send_keys("kettle")

    Open tabs are recorded from now on, new ones from their beginning. Use it with `with`, with `async with`, or by
    `start()` and `stop()`; the browser stays open. Options are those of `record()`. Raises UsageError when nothing
    answers at `url`, or for what `record()` refuses.
    """
    return CdpRecording(url, path, options)


class CdpRecording:
    """A recording, in its own thread, of a browser that another program drives. It has the methods of `Session`, which
    may be called from any thread.
    """

    def __init__(self, url: str, path: str | os.PathLike[str], options: RecordOptions) -> None:
        self._url = url
        self._path = path
        self._options = options
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._session: AsyncSession | None = None
        self._playwright: Any = None
        self._gone = threading.Event()

    # -- life ---------------------------------------------------------------------------------------------------------

    def start(self) -> CdpRecording:
        """Connect and start recording."""
        if self._thread is not None:
            raise UsageError("This recording was started already; call record_cdp() again for a new one.")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="pagereel-cdp", daemon=True)
        self._thread.start()
        try:
            self._session = self._run_in_loop(self._connect(), CONNECT_PATIENCE + 5)
        except BaseException:
            self._disconnect()
            raise
        return self

    def stop(self, reason: str = "closed") -> None:
        """Record the pages' last state, seal the reel and disconnect. A second call does nothing."""
        session, loop = self._session, self._loop
        if session is None or loop is None or loop.is_closed():
            return
        try:
            self._run_in_loop(session.stop(reason), END_PATIENCE)
        finally:
            self._disconnect()

    @property
    def is_connected(self) -> bool:
        """Return whether the browser is still connected."""
        return self._session is not None and not self._gone.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the browser has closed, at most `timeout` seconds. Return whether it has."""
        return self._gone.wait(timeout)

    def __enter__(self) -> CdpRecording:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop("closed" if kind is None else "error")

    async def __aenter__(self) -> CdpRecording:
        return await asyncio.to_thread(self.start)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.stop, "closed" if kind is None else "error")

    async def _connect(self) -> AsyncSession:
        from playwright.async_api import Error, async_playwright

        self._playwright = await async_playwright().start()
        connect = self._playwright.chromium.connect_over_cdp
        quiet = {"no_defaults": True} if "no_defaults" in inspect.signature(connect).parameters else {}
        try:
            browser = await connect(self._url, timeout=CONNECT_PATIENCE * 1000, **quiet)
        except Error as error:
            raise UsageError(
                f"No browser answers at {self._url} ({error.message.splitlines()[0]}); "
                "start it with --remote-debugging-port=9222."
            ) from None
        browser.on("disconnected", lambda *_: self._gone.set())
        session: AsyncSession = record(browser, self._path, **self._options)
        await session.start()
        return session

    def _run_in_loop(self, work: Coroutine[Any, Any, Any], timeout: float) -> Any:
        assert self._loop is not None
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(timeout)
        except concurrent.futures.TimeoutError:
            future.cancel()
            raise UsageError(f"{self._url} did not answer within {timeout:.0f} seconds.") from None

    def _disconnect(self) -> None:
        """Disconnect from the browser, which keeps running with its tabs, and end the thread."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        if self._playwright is not None:
            playwright, self._playwright = self._playwright, None
            try:
                self._run_in_loop(playwright.stop(), 10.0)
            except Exception as error:
                if self._session is not None:
                    self._session.note(f"The recorder did not disconnect cleanly: {error}")
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10.0)
        if not loop.is_running():
            loop.close()

    # -- the agent: as in Session -------------------------------------------------------------------------------------

    @property
    def session(self) -> AsyncSession:
        """Return the recorder's session that runs in the thread, for the methods that this class does not have.

        :raises UsageError: the recording has not been started.
        """
        if self._session is None:
            raise UsageError("This recording has not been started.")
        return self._session

    def step(self, title: str, *, reasoning: str | None = None, **attributes: Any) -> Step:
        return self.session.step(title, reasoning=reasoning, **attributes)

    def message(self, sender: str | None, to: str | None, text: str, **attributes: Any) -> int:
        return self.session.message(sender, to, text, **attributes)

    def llm_call(self, **fields: Any) -> int:
        return self.session.llm_call(**fields)

    def tool_call(self, name: str, arguments: Any = None, **attributes: Any) -> int:
        return self.session.tool_call(name, arguments, **attributes)

    def tool_result(self, call: int, result: Any = None, *, error: Any = None, duration: float | None = None) -> int:
        return self.session.tool_result(call, result, error=error, duration=duration)

    def memory_op(self, op: str, key: Any = None, value: Any = None) -> int:
        return self.session.memory_op(op, key, value)

    def note(self, text: str, **attributes: Any) -> int:
        return self.session.note(text, **attributes)

    def mark(self, name: str) -> float:
        """Add a mark with this name, after a checkpoint of all pages. Return its time in ms on the recording's
        clock.
        """

        async def record_mark() -> float:
            return await self.session.mark(name)

        return float(self._run_in_loop(record_mark(), 10.0))

    def screenshot(
        self, label: str = "", *, boxes: Sequence[Sequence[Any]] = (), image: bytes | None = None, **attributes: Any
    ) -> int:
        """Record a picture that the model was given: `image`, or by default a screenshot of the page opened last.
        Return the event's id.
        """
        number: int = self._run_in_loop(self.session.screenshot(label, boxes=boxes, image=image, **attributes), 60.0)
        return number
