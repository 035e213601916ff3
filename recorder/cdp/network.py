"""Records requests and responses over CDP: passes events to the writer thread, and fetches the bodies that the options ask for."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ingest.body_limits import find_body_limit
from ..ingest.playwright_exchanges import CUT_OFF, ResponseData
from ..runtime.closed_targets import is_closed_target_error
from ..runtime.runner import PendingResult
from .cdp_sessions import CdpSession, Params
from .sockets import SocketRecorder
from .streamed_bodies import Key, StreamedBodies

if TYPE_CHECKING:
    from ..ingest.script_source import ScriptSource
    from ..ingest.transport import RecordingServices

_PARALLEL = 4
"""Bodies fetched at a time from one page."""
_BUFFER = 100_000_000
"""Bytes of bodies that the browser buffers, also over a navigation."""


async def enable_network(cdp_session: CdpSession) -> None:
    """Enable CDP's Network domain with durable messages, so that bodies can be read after the next navigation. Older
    browsers ignore that option.
    """
    sizes = {"maxTotalBufferSize": _BUFFER, "maxResourceBufferSize": _BUFFER // 2}
    try:
        await cdp_session.send("Network.enable", {**sizes, "enableDurableMessages": True})
    except Exception as error:
        if is_closed_target_error(error):
            raise
        await cdp_session.send("Network.enable", sizes)


@dataclass(slots=True)
class _OpenRequest:
    kind: str = "other"
    url: str = ""
    link: CdpSession | None = None
    """The session that reports it."""
    frame: str = ""
    loader: str = ""
    """CDP's id of the document that makes it; of a navigation, the document that it loads."""
    mime: str = ""
    status: int = 0


class CdpRequestRecorder:
    """Records all requests of one page, over the page's CDP session and those of its out-of-process iframes."""

    def __init__(self, kit: RecordingServices, page: int) -> None:
        self._kit = kit
        self._page = page
        self.counted: Counter[tuple[str, str]] | None = None
        """Where the method and URL of each request are counted; None: nowhere."""
        self.rescue: Callable[[str], Awaitable[bytes | None]] | None = None
        """A fallback that returns the body of the last response from a URL."""
        self._seen: dict[str, _OpenRequest] = {}
        """The open requests."""
        self._validators: dict[str, tuple[object, Key]] = {}
        """URL → what identifies the content of its last fetched body, and the request of that body."""
        self._cached: set[str] = set()
        self._arriving = StreamedBodies(kit)
        self._queue: deque[tuple[CdpSession, Key, Params, int, float, str]] = deque()
        self._workers: list[PendingResult] = []
        self._posts: list[PendingResult] = []
        self._headers: dict[str, object] = {}
        self._link: CdpSession | None = None
        self.sockets = SocketRecorder(kit, page)

    def handle_event(self, cdp_session: CdpSession, method: str, params: Params, source: ScriptSource | None) -> None:
        """Handle one event of CDP's Network domain. Runs in the caller's thread and never waits."""
        now = self._kit.clock.now()
        if self._link is None:
            self._link = cdp_session  # the page's own session comes first
        if method.startswith(("Network.webSocket", "Network.eventSource")):
            self.sockets.handle_event(method, params, source, now)
            return
        if method == "Network.responseReceivedExtraInfo":
            if self._kit.options.world:
                self._kit.writer.enqueue_call(
                    self._kit.network.record_cookies, (self._page, params["requestId"]), params, size=1000
                )
            return
        request_id = params.get("requestId", "")
        key = (self._page, request_id)
        network, put = self._kit.network, self._kit.writer.enqueue_call
        if method == "Network.requestWillBeSent":
            if params["request"]["url"].startswith("data:"):
                return
            self._seen[request_id] = _OpenRequest(
                str(params.get("type", "Other")).lower(),
                params["request"]["url"],
                cdp_session,
                params.get("frameId", ""),
                params.get("loaderId", ""),
            )
            if self.counted is not None:
                self.counted[(params["request"]["method"], params["request"]["url"])] += 1
            asks = self._kit.options.world and _has_unreported_body(params["request"])
            size = len(params["request"].get("postData", "")) + 2000
            put(network.record_request, key, self._page, source, params, now, asks, size=size)
            if asks:
                self._posts = [slot for slot in self._posts if not slot.done]
                self._posts.append(
                    self._kit.runner.spawn(
                        self._kit.wrap_to_report_errors("network", self._fetch_request_body(cdp_session, key))
                    )
                )
        elif request_id not in self._seen:
            return
        elif method == "Network.responseReceived":
            response, request = params["response"], self._seen[request_id]
            request.kind, request.url = str(params.get("type", "Other")).lower(), response["url"]
            request.mime, request.status = response.get("mimeType", ""), response.get("status", 0)
            if response.get("fromDiskCache"):
                self._cached.add(request_id)
            self._headers[request_id] = _build_cache_validator(response.get("headers") or {})
            put(network.record_response, key, params, now, source, size=4000)
            self._arriving.record_response_in_pieces(cdp_session, key, request.kind, response)
        elif method == "Network.dataReceived":
            self._arriving.add_received_piece(key, params, now)
        elif method == "Network.requestServedFromCache":
            self._cached.add(request_id)
            put(network.mark_response_as_cached, key)
        elif method == "Network.loadingFailed":
            self._forget_request(request_id)
            self._arriving.end_aborted_response(key, params, now)
        elif method == "Network.loadingFinished":
            self._on_loading_finished(cdp_session, key, params, now)

    def _on_loading_finished(self, cdp_session: CdpSession, key: Key, params: Params, now: float) -> None:
        request_id = key[1]
        self._arriving.forget_response(request_id)
        cached = request_id in self._cached
        validator = self._headers.get(request_id)
        request = self._forget_request(request_id)
        status, url = request.status, request.url
        limit, why = find_body_limit(request.kind, request.mime, status, self._kit.options)
        if limit and request_id in self.sockets.streams:
            limit, why = 0, "messages"
        network, put = self._kit.network, self._kit.writer.enqueue_call
        if limit == 0:
            put(network.finish_response, key, params, now, None, why, 0)
            return
        if params.get("encodedDataLength", 0) > limit:
            put(network.finish_response, key, params, now, None, "cap", 0)
            return
        known = self._validators.get(url) if status != 206 else None
        if cached and validator is not None and known is not None and known[0] == validator:
            put(network.finish_cached_response, key, known[1], params, now)
            return
        if status != 206:
            self._validators[url] = (validator, key)
        self._queue.append((cdp_session, key, params, limit, now, url))
        self._workers = [slot for slot in self._workers if not slot.done]
        if len(self._workers) < _PARALLEL:
            self._workers.append(
                self._kit.runner.spawn(self._kit.wrap_to_report_errors("network", self._fetch_queued_bodies()))
            )

    async def _fetch_request_body(self, cdp_session: CdpSession, key: Key) -> None:
        """Fetch the body of a request whose event lacks it, such as files and blobs."""
        data, packed = "", False
        with suppress(Exception):  # The request is over, or its page has gone.
            answer = await cdp_session.send("Network.getRequestPostData", {"requestId": key[1]})
            data, packed = str(answer.get("postData") or ""), bool(answer.get("base64Encoded"))
        self._kit.writer.enqueue_call(self._kit.network.add_request_body, key, data, packed, size=len(data))

    async def _fetch_queued_bodies(self) -> None:
        while self._queue:
            link, key, params, limit, now, url = self._queue.popleft()
            network, put = self._kit.network, self._kit.writer.enqueue_call
            body: Params | None
            try:
                body = await link.send("Network.getResponseBody", {"requestId": key[1]})
            except Exception:
                # The browser has no data, evicted it, or the target is gone.
                content = await self.rescue(url) if self.rescue is not None else None
                body = None if content is None else {"body": b64encode(content).decode(), "base64Encoded": True}
            if body is None:
                put(network.finish_response, key, params, now, None, "gone", 0)
                continue
            if not put(network.finish_response, key, params, now, body, None, limit, size=len(body.get("body", ""))):
                put(network.finish_response, key, params, now, None, "overload", 0)

    def add_missing_response(self, url: str, exchange: ResponseData, now: float) -> None:
        """Record the response to the open request of a URL that has no response yet. Do nothing if there is no such
        request.
        """
        open_ones = (known for known, each in self._seen.items() if each.url == url and not each.status)
        request_id = next(open_ones, None)
        if request_id is None:
            return
        self._forget_request(request_id)
        key, told = (self._page, request_id), exchange.told
        network, put = self._kit.network, self._kit.writer.enqueue_call
        answered = {"status": told.get("status"), "headers": told.get("headers") or {}, "mimeType": exchange.mime}
        put(network.record_response, key, {"response": answered}, now)
        content = exchange.content
        body = None if content is None else {"body": b64encode(content).decode(), "base64Encoded": True}
        why = None if content is not None else str(told.get("why") or "gone")
        put(network.finish_response, key, {}, now, body, why, exchange.limit, size=len(content or b""))

    async def wait_for_bodies(self, timeout: float) -> None:
        """Wait until the response bodies that are being fetched have arrived."""
        for request_id, request in list(self._seen.items()):
            # The end of an out-of-process frame's document may have come before its session listened.
            if request.kind == "document" and request.status and self._link is not None:
                self._on_loading_finished(self._link, (self._page, request_id), {}, self._kit.clock.now())
        if self._workers:
            await self._kit.runner.wait(self._workers, timeout)
        if self._posts:
            await self._kit.runner.wait(self._posts, timeout)
        await self._arriving.wait_for_earlier_bytes(timeout)

    def end_requests_of_replaced_documents(self, frame: str, loader: str, is_page: bool) -> None:
        """End the requests of the documents that the document `loader` replaces, in a frame or in the whole page; the
        browser reports nothing more about them.
        """
        for request_id, request in list(self._seen.items()):
            # A navigation belongs to no document yet, and its end is always reported.
            if (
                request.loader not in ("", loader)
                and request.kind != "document"
                and (is_page or request.frame == frame)
            ):
                self._end_request_as_cut_off(request_id)
        if is_page:
            self.sockets.close_all_websockets()

    def end_open_requests(self, cdp_session: CdpSession | None = None) -> None:
        """End the open requests of a closed CDP session of an iframe; without `cdp_session`, those of the whole page."""
        for request_id, request in list(self._seen.items()):
            if cdp_session is None or request.link is cdp_session:
                self._end_request_as_cut_off(request_id)
        if cdp_session is None:
            self.sockets.close_all_websockets()

    def _end_request_as_cut_off(self, request_id: str) -> None:
        self._forget_request(request_id)
        self._arriving.end_aborted_response((self._page, request_id), {"errorText": CUT_OFF}, self._kit.clock.now())

    def _forget_request(self, request_id: str) -> _OpenRequest:
        self._cached.discard(request_id)
        self._headers.pop(request_id, None)
        return self._seen.pop(request_id, _OpenRequest())


def _has_unreported_body(request: Params) -> bool:
    """Return whether a request sends bytes that its event does not include."""
    entries = request.get("postDataEntries") or [{}]
    return bool(request.get("hasPostData")) and not all("bytes" in entry for entry in entries)


def _build_cache_validator(headers: dict[str, Any]) -> object:
    """Return a key from a response's cache headers that is the same for responses with the same content; None if it has
    no such headers.
    """
    low = {name.lower(): value for name, value in headers.items()}
    if "etag" not in low and "last-modified" not in low:
        return None
    return (low.get("etag"), low.get("last-modified"), low.get("content-length"), low.get("content-type"))
