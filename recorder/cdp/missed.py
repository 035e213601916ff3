"""Requests that our sessions did not see: those of a frame of another process before we were there, and those of workers.

Playwright pauses such targets until it listens, so it knows of all of them. Only a recording of a whole world asks it: each
request costs a message more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from ..ingest.exchanges import answer, write
from ..ingest.page_events import PageEvents
from ..runtime.runner import Pending

if TYPE_CHECKING:
    from ..ingest.transport import Kit, PageRecord
    from .network import NetworkTap

_SENT_ON = frozenset({"script", "other"})
"""Types of requests whose answers may go to another session: a worker's script is asked for by the page and answered to the worker."""
_REMEMBERED = 1_000
"""Addresses whose last request is known."""
_PATIENCE = 0.5
"""Seconds to wait for our own session to hear of an answer."""


class Missed:
    """Counts a page's requests as Playwright tells of them, beside those that we saw, and writes down those that are over."""

    def __init__(self, kit: Kit, record: PageRecord, network: NetworkTap) -> None:
        self._kit = kit
        self._record = record
        self._network = network
        self.seen = network.counted = Counter[tuple[str, str]]()
        """Methods and addresses of the requests that we saw."""
        network.rescue = self._body
        self._last: dict[str, Any] = {}
        """Of addresses: the last request that is over."""
        self._told: Counter[tuple[str, str]] = Counter()
        self._began: dict[Any, float] = {}
        self._works: list[Pending] = []
        self._events = PageEvents(kit, record.page)

    def listen(self) -> None:
        """Hear of requests from now on."""
        self._events.listen({"request": self._asked, "requestfinished": self._finished})

    def leave(self) -> None:
        """Hear of no more."""
        self._events.leave()

    async def drain(self, timeout: float) -> None:
        """Wait until the bodies that are under way are here."""
        if self._works:
            await self._kit.runner.wait(self._works, timeout)

    def _asked(self, request: Any) -> None:
        self._began[request] = self._kit.clock.now()

    def _finished(self, request: Any) -> None:
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
            self._do(self._write(request, began, ended))
        elif request.resource_type in _SENT_ON:
            self._do(self._complete(request, key[1], ended))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        self._works = [slot for slot in self._works if not slot.done]
        self._works.append(self._kit.runner.spawn(self._kit.guard("network", work)))

    async def _complete(self, request: Any, url: str, ended: float) -> None:
        """Answer a request that we saw, where its answer goes to a session that is not ours: a worker's own script."""
        exchange = await answer(self._kit, request, ended)
        await self._kit.runner.wait([], _PATIENCE)
        self._network.complete(url, exchange, ended)

    async def _body(self, url: str) -> bytes | None:
        for attempt in range(4):
            request = self._last.get(url)
            if request is not None:
                return (await answer(self._kit, request, 0.0)).content
            await self._kit.runner.wait([], _PATIENCE / 2 * attempt)
        return None

    async def _write(self, request: Any, began: float, ended: float) -> None:
        exchange = await answer(self._kit, request, ended)
        write(self._kit, self._record.number, None, request, began, exchange)
