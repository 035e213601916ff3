"""Writes ``request`` and ``response`` events from the events of CDP's Network domain, on the writer thread.

A ``response`` is written when it has ended and its body, if it is kept, has arrived. CDP gives times in seconds on a
monotonic clock and, once per request, the Unix time for one of them; the difference converts every other timestamp to
the recording's clock.
"""

from __future__ import annotations

from base64 import b64decode
from typing import Any, cast

from pagereel.reel import Event, Json

from ..runtime.clock import Clock
from .body_limits import ANSWERS
from .cdp_exchanges import read_content_type, read_request_body, read_timing, read_url, to_utf8
from .documents import RecordedDocuments
from .open_exchange import OpenExchange
from .partial_resources import PartialResources, parse_content_range
from .received_body import ReceivedBody
from .resources import ResourceStore
from .script_source import ScriptSource
from .writer_thread import WriterThread

Params = dict[str, Any]
_FONTS = (b"wOFF", b"wOF2", b"OTTO", b"\0\1\0\0\0", b"ttcf")
_MESSAGES = 50_000
"""Largest number of messages written for one connection: an hour of fourteen a second. A price ticker with thousands a
second would fill the disk.
"""


class NetworkEventWriter:
    """Writes the requests and responses that the transports report. ``key``: any hashable value that identifies one
    request of one page.
    """

    def __init__(
        self,
        writer: WriterThread,
        clock: Clock,
        resources: ResourceStore,
        documents: RecordedDocuments,
        post_limit: int,
    ) -> None:
        self._writer = writer
        self._clock = clock
        self.resources = resources
        self._documents = documents
        self._post_limit = post_limit
        self._open: dict[object, OpenExchange] = {}
        self._bodies: dict[object, tuple[str, str]] = {}
        self._cookies: dict[object, list[str]] = {}
        """Cookies of requests that have not been reported yet."""
        self._unposted: dict[object, list[OpenExchange]] = {}
        """Requests whose body has been asked for."""
        self._partial_resources = PartialResources(resources)
        self._last = 0
        self._offset: float | None = None
        """Unix seconds minus CDP's monotonic seconds."""

    # -- CDP ----------------------------------------------------------------------------------------------------------

    def record_request(
        self,
        key: object,
        page: int,
        source: ScriptSource | None,
        params: Params,
        arrival: float,
        body_follows: bool = False,
    ) -> None:
        """Record a request.

        :param params: the parameters of CDP's ``Network.requestWillBeSent``, or the same fields from another source.
        :param body_follows: True if the request's body is reported later; then the request's event is written only after that.
        """
        wall, stamp = params.get("wallTime"), params.get("timestamp")
        if isinstance(wall, int | float) and isinstance(stamp, int | float):
            self._offset = wall - stamp
        redirect = params.get("redirectResponse")
        if redirect is not None and key in self._open:
            self.record_response(key, {"response": redirect, "timestamp": stamp}, arrival)
            self._write_response(key, self._to_recording_time(stamp, arrival), missing_body_reason="redirect")
        request = params["request"]
        self._last += 1
        exchange = self._open[key] = OpenExchange(self._last, page=page, cookies=self._cookies.pop(key, []))
        kind = str(params.get("type", "Other")).lower()
        event: Event = {
            "k": "request",
            "t": self._to_recording_time(stamp, arrival),
            "id": exchange.id,
            "page": page,
            "method": request.get("method"),
            "url": read_url(request),
            "type": kind,
            "headers": request.get("headers") or {},
        }
        if params.get("frameId"):
            event["frame"] = params["frameId"]
        number = self._documents.get_document_number(source) if kind != "document" else None
        if number is not None:
            event["d"] = number
        exchange.kind, exchange.url, exchange.document = (kind, str(request.get("url", "")), number)
        if source is not None and str(request.get("url")).startswith("blob:"):
            exchange.blob = (source, request["url"])
            self._documents.blobs.add((page, request["url"]))
        if body_follows:
            exchange.unwritten.append(event)
            self._unposted.setdefault(key, []).append(exchange)
            return
        content = read_request_body(request)
        if content is not None:
            event |= self._store_request_body(content, request.get("headers") or {})
        self._writer.write_event(event)

    def add_request_body(self, key: object, data: str, is_base64: bool) -> None:
        """Add a request's body, as text or as base64 (`is_base64`), and write the request."""
        waiting = self._unposted.pop(key, [])
        for exchange in waiting:
            request = exchange.unwritten[0]
            content = b64decode(data) if is_base64 else to_utf8(data)
            if content:
                request |= self._store_request_body(content, cast(Params, request["headers"]))
            for event in exchange.unwritten:
                self._writer.write_event(event)
            exchange.unwritten.clear()

    def record_response(self, key: object, params: Params, arrival: float, source: ScriptSource | None = None) -> None:
        exchange = self._open.get(key)
        if exchange is None:
            return
        response = params["response"]
        # What comes from memory has the times of the response that was kept, which was before this request.
        timing = response.get("timing") if not exchange.cached else None
        stamp = params.get("timestamp")
        if timing and timing.get("requestTime", 0) > 0 and timing.get("receiveHeadersEnd", -1) >= 0:
            # The event's own timestamp is when the renderer got it, sometimes after the last byte.
            stamp = timing["requestTime"] + timing["receiveHeadersEnd"] / 1000
        exchange.mime = str(response.get("mimeType") or "")
        event: Event = {
            "t": self._to_recording_time(stamp, arrival),
            "status": response.get("status"),
            "headers": response.get("headers") or {},
            "mime": exchange.mime,
        }
        if response.get("statusText"):
            event["status_text"] = response["statusText"]
        origin = (
            "worker"
            if response.get("fromServiceWorker")
            else "memory"
            if exchange.cached
            else "cache"
            if response.get("fromDiskCache") or response.get("fromPrefetchCache")
            else None
        )
        if origin:
            event["from"] = origin
        if timing:
            event["timing"] = read_timing(timing)
        if exchange.document is None and exchange.kind != "document":
            # The first requests come before the injector runs in the document.
            number = exchange.document = self._documents.get_document_number(source)
            if number is not None:
                event["d"] = number
        exchange.response = event
        headers = {str(name).lower(): str(value) for name, value in (response.get("headers") or {}).items()}
        length = headers.get("content-length", "")
        if response.get("status") == 206:
            exchange.part = parse_content_range(headers.get("content-range", ""))
        elif response.get("status") == 200 and "content-encoding" not in headers and length.isdecimal():
            exchange.part = (0, int(length[:15]))
        exchange.version = headers.get("etag") or headers.get("last-modified") or ""

    def record_cookies(self, key: object, params: Params) -> None:
        """Record the cookies that a server sets. Only this CDP event has them; it may come before the request itself."""
        set_cookie = next((v for k, v in (params.get("headers") or {}).items() if k.lower() == "set-cookie"), None)
        if not isinstance(set_cookie, str):
            return
        exchange = self._open.get(key)
        if exchange is not None:
            exchange.cookies.append(set_cookie)
        elif len(self._cookies) < 1000:
            self._cookies.setdefault(key, []).append(set_cookie)

    def mark_response_as_cached(self, key: object) -> None:
        exchange = self._open.get(key)
        if exchange is not None:
            exchange.cached = True

    def finish_response(
        self,
        key: object,
        params: Params,
        arrival: float,
        body: Params | None,
        missing_body_reason: str | None,
        limit: int,
    ) -> None:
        """Write a response that is complete. ``body``: the result of CDP's ``Network.getResponseBody``; without it,
        ``missing_body_reason`` is the reason.
        """
        exchange = self._open.get(key)
        if exchange is None:
            return
        fields: Event = {"size": int(params.get("encodedDataLength") or 0)}
        if body is not None:
            content = b64decode(body["body"]) if body.get("base64Encoded") else to_utf8(body["body"])
            if exchange.response.get("status") == 206 and exchange.kind not in ANSWERS:
                fields |= self._partial_resources.build_body_fields(exchange, content, limit)
            else:
                digest, reason = self.resources.store_content(content, exchange.mime, limit)
                self._remember_body_hash(key, digest, reason)
                if digest is not None:
                    fields["body"] = digest
                    self._remember_font_body(exchange, content)
                missing_body_reason = reason or None
        elif missing_body_reason == "gone" and exchange.came is not None and exchange.kind != "media":
            told = self._build_incomplete_fields(exchange)
            missing_body_reason = cast(str | None, told.pop("why", None))
            fields |= told
        if exchange.blob is not None and "body" not in fields and missing_body_reason == "gone":
            self._documents.request_blob(*exchange.blob)
        self._write_response(
            key,
            self._to_recording_time(params.get("timestamp"), arrival),
            missing_body_reason=missing_body_reason,
            fields=fields,
        )

    def finish_cached_response(self, key: object, earlier_key: object, params: Params, arrival: float) -> None:
        """Write a response that came from a cache; its body is that of the request ``earlier_key``."""
        digest, why = self._bodies.get(earlier_key, ("", "gone"))
        fields: Event = {"size": int(params.get("encodedDataLength") or 0)}
        if digest:
            fields["body"] = digest
            self._remember_font_body(self._open.get(key), b"")
        self._write_response(
            key,
            self._to_recording_time(params.get("timestamp"), arrival),
            missing_body_reason=why or None,
            fields=fields,
        )

    def stop_waiting_for_media(self, key: object, total: int) -> None:
        """Stop waiting for a video or sound that is larger than the limit. `total`: its size in bytes."""
        exchange = self._open.get(key)
        if exchange is not None and self._partial_resources.get_resource(exchange, total).stop_waiting_for_parts():
            self._write_gap(exchange.page, exchange.document, "cap", f"a film or sound of {total} bytes")

    def _write_gap(self, page: int, document: int | None, reason: str, detail: str) -> None:
        where: Event = {"page": page} if document is None else {"d": document, "page": page}
        self._writer.write_gap(reason, {**where, "detail": detail})

    def keep_response_pieces(self, key: object, limit: int) -> None:
        """Store the bytes of a response that arrive from now on, at most `limit` bytes."""
        exchange = self._open.get(key)
        if exchange is not None:
            exchange.came, exchange.limit = ReceivedBody(), limit

    def add_response_piece(
        self, key: object, cdp_time: object, arrival: float, offset: int, length: int, data: str
    ) -> None:
        """Record a piece of a response: `length` bytes from the byte `offset` on. ``data``: the bytes as base64, or ""
        if the browser leaves them out.
        """
        exchange = self._open.get(key)
        if exchange is not None and exchange.came is not None:
            exchange.came.add_piece(
                self._to_recording_time(cdp_time, arrival), offset, length, b64decode(data), exchange.limit
            )

    def add_earlier_response_bytes(self, key: object, data: str) -> None:
        """Record the bytes, as base64, that had arrived before the recorder asked the browser for them."""
        exchange = self._open.get(key)
        if exchange is not None and exchange.came is not None:
            exchange.came.before = b64decode(data)

    def fail_request(self, key: object, params: Params, arrival: float) -> None:
        """Write the response event of a request that was aborted or failed, with the bytes that had arrived."""
        exchange = self._open.get(key)
        fields = self._build_incomplete_fields(exchange) if exchange is not None else {}
        error = str(params.get("blockedReason") or params.get("errorText") or "failed")
        if params.get("canceled"):
            error = "cancelled"
        self._write_response(key, self._to_recording_time(params.get("timestamp"), arrival), error=error, fields=fields)

    def _build_incomplete_fields(self, exchange: OpenExchange) -> Event:
        """Return the fields of an incomplete response."""
        if exchange.came is None:
            return {}
        content, why = exchange.came.join_content(exchange.limit)
        if exchange.kind == "media":
            return self._partial_resources.build_body_fields(exchange, content, exchange.limit) if content else {}
        digest = None
        if content is not None:
            digest, why = self.resources.store_content(content, exchange.mime, exchange.limit)
        return {"body": digest} if digest is not None else {"why": why}

    def write_stream_message(
        self,
        key: object,
        cdp_time: object,
        arrival: float,
        content: bytes,
        mime: str,
        sent: bool,
        limit: int,
        name: str,
    ) -> None:
        """Write one message of an open WebSocket or event stream. ``limit``: how many bytes of it are kept at most; 0:
        none, by the options.
        """
        exchange = self._open.get(key)
        if exchange is None:
            return
        exchange.messages += 1
        if exchange.messages > _MESSAGES:
            if exchange.messages == _MESSAGES + 1:
                detail = f"more than {_MESSAGES:,} messages came and went over one connection: {exchange.url[:200]}"
                self._write_gap(exchange.page, exchange.document, "cap", detail)
            return
        event: Event = {
            "k": "message",
            "t": self._to_recording_time(cdp_time, arrival),
            "id": exchange.id,
            "sent": sent,
            "size": len(content),
        }
        if name:
            event["name"] = name
        body, why = self.resources.store_content(content, mime, limit) if limit else (None, "policy")
        event |= {"body": body} if body is not None else {"why": why}
        self._writer.write_event(event)

    def write_unfinished_requests(self, match: object = None) -> None:
        """Write response events for the requests that never ended. Their keys are ``(target, request id)``; ``match``
        selects those of one target.
        """
        for key in list(self._open):
            if match is None or cast(tuple[object, ...], key)[0] == match:
                exchange = self._open[key]
                fields = self._build_incomplete_fields(exchange) if exchange.kind != "media" else {}
                self._write_response(key, self._clock.now(), missing_body_reason="unfinished", fields=fields)
        if match is None:
            for key in list(self._unposted):
                self.add_request_body(key, "", False)
            for whole in self._partial_resources.list_resources():
                if whole.missing_bytes and whole.stop_waiting_for_parts():
                    detail = f"{whole.missing_bytes} of {whole.total} bytes of a film or sound: the page did not ask for more"
                    self._write_gap(whole.page, whole.document, "part", detail)

    # -- Playwright's events -------------------------------------------------------------------------------------------

    def write_finished_exchange(
        self,
        source: ScriptSource | None,
        request_fields: Event,
        response_fields: Event,
        request_body: bytes | None,
        content: bytes | None,
        mime: str,
        limit: int,
    ) -> None:
        """Write a request that has ended, and its response."""
        self._last += 1
        request: Event = {"k": "request", "id": self._last, **request_fields}
        number = self._documents.get_document_number(source) if request_fields["type"] != "document" else None
        if number is not None:
            request["d"] = number
        if request_body:
            kind = str(cast(Params, request_fields["headers"]).get("content-type", "application/octet-stream"))
            body, _ = self.resources.store_content(request_body, kind, self._post_limit)
            if body is not None:
                request["post"] = body
        self._writer.write_event(request)
        response: Event = {
            "k": "response",
            "t": response_fields["end"],
            "id": self._last,
            "status": 0,
            "headers": {},
            "size": 0,
            **response_fields,
        }
        if content is not None:
            body, why = self.resources.store_content(content, mime, limit)
            if body is not None:
                response["body"] = body
            else:
                response["why"] = why
        self._writer.write_event(response)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _write_response(
        self,
        key: object,
        end: float,
        missing_body_reason: str | None = None,
        error: str | None = None,
        fields: Event | None = None,
    ) -> None:
        exchange = self._open.pop(key, None)
        if exchange is None:
            return
        event: Event = {"k": "response", "t": end, "id": exchange.id, "status": 0, "headers": {}, "size": 0}
        event.update(exchange.response)
        event["end"] = max(end, cast(float, event["t"]))
        if exchange.cookies:
            event["headers"] = {**cast(Event, event["headers"]), "set-cookie": "\n".join(exchange.cookies)}
        event.update(fields or {})
        if missing_body_reason:
            event["why"] = missing_body_reason
        if error:
            event["error"] = error
        if exchange.came is not None and "body" in event and exchange.kind != "media":
            chunks = exchange.came.list_arrival_times(whole=not error and missing_body_reason != "unfinished")
            if chunks:
                event["chunks"] = cast(Json, chunks)
        if exchange.unwritten:
            exchange.unwritten.append(event)
        else:
            self._writer.write_event(event)

    def _remember_font_body(self, exchange: OpenExchange | None, content: bytes) -> None:
        """Remember a response body from which a script may have made a font, because no event reports that."""
        if exchange is None or exchange.document is None:
            return
        if exchange.kind == "font" or content.startswith(_FONTS):
            known = self._documents.fonts.setdefault(exchange.document, {})
            known[exchange.url] = exchange.kind in ANSWERS

    def _remember_body_hash(self, key: object, digest: str | None, missing_body_reason: str) -> None:
        self._bodies[key] = (digest or "", missing_body_reason)
        if len(self._bodies) > 20_000:
            del self._bodies[next(iter(self._bodies))]

    def _store_request_body(self, content: bytes, headers: Params) -> Event:
        post, _ = self.resources.store_content(content, read_content_type(headers), self._post_limit)
        return {"post": post} if post is not None else {}

    def _to_recording_time(self, cdp_time: object, arrival: float) -> float:
        if isinstance(cdp_time, int | float) and self._offset is not None:
            return max(0.0, self._clock.convert_unix_time((cdp_time + self._offset) * 1000))
        return arrival
