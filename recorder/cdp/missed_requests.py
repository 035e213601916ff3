"""Records requests that no CDP session of the recorder reported: those of new out-of-process frames and of workers.

Playwright pauses such targets until it listens to them, so it knows all their requests. Only a recording with the
option ``world`` does this, because it costs one more message for each request.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from ..ingest.page_listeners import PageEventListeners
from ..ingest.playwright_exchanges import fetch_response, write_exchange
from ..runtime.runner import PendingResult

if TYPE_CHECKING:
    from ..ingest.transport import PageRecord, RecordingServices
    from .network import CdpRequestRecorder

_SENT_ON = frozenset({"script", "other"})
"""Types of requests whose responses may go to another session: a page requests a worker's script, and the worker gets
the response.
"""
_REMEMBERED = 1_000
"""Largest number of URLs whose last request is remembered."""
_PATIENCE = 0.5
"""Seconds to wait for the recorder's own session to report a response."""


class MissedRequestRecorder:
    """Compares the requests that Playwright reports with those that CDP reported, and writes the missing ones."""

    def __init__(self, kit: RecordingServices, record: PageRecord, network: CdpRequestRecorder) -> None:
        self._kit = kit
        self._record = record
        self._network = network
        self.seen = network.counted = Counter[tuple[str, str]]()
        """How often CDP reported each method and URL."""
        network.rescue = self._find_response_body
        self._last: dict[str, Any] = {}
        """URL → the last finished request."""
        self._told: Counter[tuple[str, str]] = Counter()
        self._began: dict[Any, float] = {}
        self._works: list[PendingResult] = []
        self._events = PageEventListeners(kit, record.page)

    def start_listening(self) -> None:
        """Start listening to requests."""
        self._events.start_listening(
            {"request": self._on_request_started, "requestfinished": self._on_request_finished}
        )

    def stop_listening(self) -> None:
        """Stop listening."""
        self._events.stop_listening()

    async def wait_for_bodies(self, timeout: float) -> None:
        """Wait until the response bodies that are being fetched have arrived."""
        if self._works:
            await self._kit.runner.wait(self._works, timeout)

    def _on_request_started(self, request: Any) -> None:
        self._began[request] = self._kit.clock.now()

    def _on_request_finished(self, request: Any) -> None:
        began = self._began.pop(request, self._kit.clock.now())
        key = (request.method, request.url.partition("#")[0])
        if key[1].startswith(("data:", "blob:")):
            return
        self._told[key] += 1
        self._last.pop(key[1], None)
        self._last[key[1]] = request
        if len(self._last) > _REMEMBERED:
            del self._last[next(iter(self._last))]
        ended = self._kit.clock.now()
        if self._told[key] > self.seen[key]:
            self.seen[key] += 1
            self._run_in_background(self._write_missed_request(request, began, ended))
        elif request.resource_type in _SENT_ON:
            self._run_in_background(self._complete_open_request(request, key[1], ended))

    def _run_in_background(self, coroutine: Coroutine[Any, Any, None]) -> None:
        self._works = [slot for slot in self._works if not slot.done]
        self._works.append(self._kit.runner.spawn(self._kit.wrap_to_report_errors("network", coroutine)))

    async def _complete_open_request(self, request: Any, url: str, end_time: float) -> None:
        """Write the response to a recorded request that another session received: that of a worker's own script."""
        exchange = await fetch_response(self._kit, request, end_time)
        await self._kit.runner.wait([], _PATIENCE)
        self._network.add_missing_response(url, exchange, end_time)

    async def _find_response_body(self, url: str) -> bytes | None:
        for attempt in range(4):
            request = self._last.get(url)
            if request is not None:
                return (await fetch_response(self._kit, request, 0.0)).content
            await self._kit.runner.wait([], _PATIENCE / 2 * attempt)
        return None

    async def _write_missed_request(self, request: Any, start_time: float, end_time: float) -> None:
        exchange = await fetch_response(self._kit, request, end_time)
        write_exchange(self._kit, self._record.number, None, request, start_time, exchange)
