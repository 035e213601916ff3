"""Records requests, console messages and errors of a page from Playwright's events, for the binding transport, which has no CDP."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pagereel.reel import Event

from ..ingest.exchanges import CUT_OFF, RequestEnd, answer, write
from ..ingest.messages import kind_of_text
from ..ingest.page_events import PageEvents
from ..runtime.runner import Pending

if TYPE_CHECKING:
    from ..ingest.sources import ScriptSource
    from ..ingest.transport import Kit, PageRecord

_TEXT_LIMIT = 20_000
_CUT_OFF_ELSEWHERE = frozenset({"NS_BINDING_ABORTED", "Load request cancelled", "cancelled"})
"""What Firefox and WebKit call it when a page breaks off a request."""


class RequestTap:
    """The listener for one page's events. A request is written when it ends, because Playwright reports its start time
    only then.
    """

    def __init__(self, kit: Kit, record: PageRecord, source: Callable[[Any], ScriptSource]) -> None:
        self._kit = kit
        self._record = record
        self._source = source
        self._events = PageEvents(kit, record.page)
        self._open: dict[Any, float] = {}
        self._workers: list[Pending] = []

    def listen(self) -> None:
        self._events.listen(
            {
                "request": self._began,
                "requestfinished": self._finished,
                "requestfailed": self._failed,
                "console": self._console,
                "pageerror": self._error,
                "download": self._download,
                "websocket": self._websocket,
            }
        )

    def leave(self) -> None:
        self._events.leave()
        self._end_open({"why": "unfinished"})

    def gone(self) -> None:
        """End the open requests of a closed page, about which Playwright reports nothing more."""
        self._end_open({"error": CUT_OFF})

    def _end_open(self, told: Event) -> None:
        for request, began in self._open.items():
            self._write(request, began, RequestEnd({"end": self._kit.clock.now(), **told}))
        self._open.clear()

    async def drain(self, timeout: float) -> None:
        if self._workers:
            await self._kit.runner.wait(self._workers, timeout)

    def _began(self, request: Any) -> None:
        if not request.url.startswith("data:"):
            self._open[request] = self._kit.clock.now()

    def _finished(self, request: Any) -> None:
        began = self._open.pop(request, None)
        if began is not None:
            self._workers = [slot for slot in self._workers if not slot.done]
            work = self._fetch(request, began, self._kit.clock.now())
            self._workers.append(self._kit.runner.spawn(self._kit.guard("network", work)))

    def _failed(self, request: Any) -> None:
        began = self._open.pop(request, None)
        if began is not None:
            error = str(request.failure or "failed")
            fields: Event = {"end": self._kit.clock.now(), "error": CUT_OFF if error in _CUT_OFF_ELSEWHERE else error}
            self._write(request, began, RequestEnd(fields))

    async def _fetch(self, request: Any, began: float, ended: float) -> None:
        self._write(request, began, await answer(self._kit, request, ended))

    def _write(self, request: Any, began: float, exchange: RequestEnd) -> None:
        source = None
        with suppress(Exception):
            source = self._source(request.frame)
        write(self._kit, self._record.number, source, request, began, exchange)

    def _console(self, message: Any) -> None:
        where = message.location
        event: Event = {"level": message.type, "text": message.text[:_TEXT_LIMIT]}
        if where.get("url"):
            event.update(url=where["url"], line=where.get("lineNumber", 0) + 1, column=where.get("columnNumber", 0) + 1)
        self._emit("console", event)

    def _error(self, error: Any) -> None:
        event: Event = {"message": f"{getattr(error, 'name', None) or 'Error'}: {error.message}"[:_TEXT_LIMIT]}
        if error.stack:
            event["stack"] = error.stack[:_TEXT_LIMIT]
        self._emit("error", event)

    def _websocket(self, socket: Any) -> None:
        """Record a WebSocket and its messages from its opening on. Playwright does not report the headers of its
        handshake.
        """
        kit, key = self._kit, (self._record.number, socket)
        network, put, clock = kit.network, kit.writer.put, kit.clock
        limit, spoken = kit.options.message_limit, False

        def message(payload: str | bytes, sent: bool) -> None:
            nonlocal spoken
            spoken = True
            binary = isinstance(payload, bytes)
            content = payload if isinstance(payload, bytes) else payload.encode("utf-8", "replace")
            mime = "application/octet-stream" if binary else kind_of_text(content)
            told = (key, None, clock.now(), content, mime, sent, limit, "")
            put(network.message, *told, size=len(content) + 200, sampled=True)

        def closed(_: Any) -> None:
            put(network.finished, key, {}, clock.now(), None, "messages" if spoken else "empty", 0)

        def failed(error: Any) -> None:
            put(network.failed, key, {"errorText": str(error)}, clock.now())

        asked = {"request": {"url": socket.url, "method": "GET"}, "type": "WebSocket"}
        put(network.will_send, key, self._record.number, None, asked, clock.now(), size=2000)
        for name, handler in (
            ("framesent", lambda payload: message(payload, True)),
            ("framereceived", lambda payload: message(payload, False)),
            ("close", closed),
            ("socketerror", failed),
        ):
            socket.on(name, self._events.safe(name, handler))

    def _download(self, download: Any) -> None:
        self._emit("download", {"url": download.url, "filename": download.suggested_filename})

    def _emit(self, kind: str, fields: Event) -> None:
        self._kit.writer.emit({"k": kind, "t": self._kit.clock.now(), "page": self._record.number, **fields}, size=1000)
