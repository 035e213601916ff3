"""Records requests, console messages and errors of a page from Playwright's events, for the binding transport, which has no CDP."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pagereel.reel import Event

from ..ingest.console_format import format_console_text
from ..ingest.message_types import guess_message_type
from ..ingest.page_listeners import PageEventListeners
from ..ingest.playwright_exchanges import CUT_OFF, ResponseData, fetch_response, write_exchange
from ..runtime.runner import PendingResult

if TYPE_CHECKING:
    from ..ingest.script_source import ScriptSource
    from ..ingest.transport import PageRecord, RecordingServices

_TEXT_LIMIT = 20_000
_CUT_OFF_ELSEWHERE = frozenset({"NS_BINDING_ABORTED", "Load request cancelled", "cancelled"})
"""What Firefox and WebKit call it when a page breaks off a request."""


class PlaywrightEventRecorder:
    """Listens to Playwright's events of one page and records its requests, console messages and errors. A request is
    written when it ends, because Playwright reports its start time only then.
    """

    def __init__(self, kit: RecordingServices, record: PageRecord, source: Callable[[Any], ScriptSource]) -> None:
        self._kit = kit
        self._record = record
        self._source = source
        self._events = PageEventListeners(kit, record.page)
        self._open: dict[Any, float] = {}
        self._workers: list[PendingResult] = []

    def start_listening(self) -> None:
        self._events.start_listening(
            {
                "request": self._on_request_started,
                "requestfinished": self._on_request_finished,
                "requestfailed": self._on_request_failed,
                "console": self._on_console_message,
                "pageerror": self._on_page_error,
                "download": self._on_download,
                "websocket": self._follow_websocket,
            }
        )

    def stop_listening(self) -> None:
        self._events.stop_listening()
        self._end_open_requests({"why": "unfinished"})

    def end_requests_of_closed_page(self) -> None:
        """End the open requests of a closed page, about which Playwright reports nothing more."""
        self._end_open_requests({"error": CUT_OFF})

    def _end_open_requests(self, response_fields: Event) -> None:
        for request, began in self._open.items():
            self._write_exchange(request, began, ResponseData({"end": self._kit.clock.now(), **response_fields}))
        self._open.clear()

    async def wait_for_bodies(self, timeout: float) -> None:
        if self._workers:
            await self._kit.runner.wait(self._workers, timeout)

    def _on_request_started(self, request: Any) -> None:
        if not request.url.startswith("data:"):
            self._open[request] = self._kit.clock.now()

    def _on_request_finished(self, request: Any) -> None:
        began = self._open.pop(request, None)
        if began is not None:
            self._workers = [slot for slot in self._workers if not slot.done]
            work = self._fetch_and_write_response(request, began, self._kit.clock.now())
            self._workers.append(self._kit.runner.spawn(self._kit.wrap_to_report_errors("network", work)))

    def _on_request_failed(self, request: Any) -> None:
        began = self._open.pop(request, None)
        if began is not None:
            error = str(request.failure or "failed")
            fields: Event = {"end": self._kit.clock.now(), "error": CUT_OFF if error in _CUT_OFF_ELSEWHERE else error}
            self._write_exchange(request, began, ResponseData(fields))

    async def _fetch_and_write_response(self, request: Any, start_time: float, end_time: float) -> None:
        self._write_exchange(request, start_time, await fetch_response(self._kit, request, end_time))

    def _write_exchange(self, request: Any, start_time: float, exchange: ResponseData) -> None:
        source = None
        with suppress(Exception):
            source = self._source(request.frame)
        write_exchange(self._kit, self._record.number, source, request, start_time, exchange)

    def _on_console_message(self, message: Any) -> None:
        where = message.location
        text = format_console_text(list(map(str, message.args))) if "%" in message.text else message.text
        event: Event = {"level": message.type, "text": text[:_TEXT_LIMIT]}
        if where.get("url"):
            event.update(url=where["url"], line=where.get("lineNumber", 0) + 1, column=where.get("columnNumber", 0) + 1)
        self._enqueue_event("console", event)

    def _on_page_error(self, error: Any) -> None:
        event: Event = {"message": f"{getattr(error, 'name', None) or 'Error'}: {error.message}"[:_TEXT_LIMIT]}
        if error.stack:
            event["stack"] = error.stack[:_TEXT_LIMIT]
        self._enqueue_event("error", event)

    def _follow_websocket(self, socket: Any) -> None:
        """Record a WebSocket and its messages from its opening on. Playwright does not report the headers of its
        handshake.
        """
        kit, key = self._kit, (self._record.number, socket)
        network, put, clock = kit.network, kit.writer.enqueue_call, kit.clock
        limit, spoken = kit.options.message_limit, False

        def on_message(payload: str | bytes, sent: bool) -> None:
            nonlocal spoken
            spoken = True
            binary = isinstance(payload, bytes)
            content = payload if isinstance(payload, bytes) else payload.encode("utf-8", "replace")
            mime = "application/octet-stream" if binary else guess_message_type(content)
            told = (key, None, clock.now(), content, mime, sent, limit, "")
            put(network.write_stream_message, *told, size=len(content) + 200, sampled=True)

        def on_close(_: Any) -> None:
            put(network.finish_response, key, {}, clock.now(), None, "messages" if spoken else "empty", 0)

        def on_error(error: Any) -> None:
            put(network.fail_request, key, {"errorText": str(error)}, clock.now())

        asked = {"request": {"url": socket.url, "method": "GET"}, "type": "WebSocket"}
        put(network.record_request, key, self._record.number, None, asked, clock.now(), size=2000)
        for name, handler in (
            ("framesent", lambda payload: on_message(payload, True)),
            ("framereceived", lambda payload: on_message(payload, False)),
            ("close", on_close),
            ("socketerror", on_error),
        ):
            socket.on(name, self._events.make_handler_safe(name, handler))

    def _on_download(self, download: Any) -> None:
        self._enqueue_event("download", {"url": download.url, "filename": download.suggested_filename})

    def _enqueue_event(self, kind: str, fields: Event) -> None:
        self._kit.writer.enqueue_event(
            {"k": kind, "t": self._kit.clock.now(), "page": self._record.number, **fields}, size=1000
        )
