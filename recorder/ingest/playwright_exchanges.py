"""Builds the events of one request and its response from Playwright's objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pagereel.reel import Event

from .body_limits import find_body_limit

if TYPE_CHECKING:
    from .script_source import ScriptSource
    from .transport import RecordingServices

CUT_OFF: Final = "net::ERR_ABORTED"
"""The error of a request whose page left before it ended: what Chromium and Playwright call it."""


@dataclass(slots=True)
class ResponseData:
    """The response to one request, or the reason why the request has no response."""

    told: Event = field(default_factory=dict)
    """Fields of the ``response`` event."""
    content: bytes | None = None
    mime: str = ""
    limit: int = 0


async def fetch_response(services: RecordingServices, request: Any, end_time: float) -> ResponseData:
    """Wait for the response to a request of Playwright's and return it, with its body if the options ask for bodies.
    ``end_time``: when it ended, in ms on the recording's clock.
    """
    io = services.runner.await_call
    response = await io(request.response())
    if response is None:
        return ResponseData({"end": end_time, "why": "gone"})
    # Only `all_headers()` includes cookies; it costs a round trip.
    headers: dict[str, str] = await io(response.all_headers()) if services.options.world else response.headers
    mime = headers.get("content-type", "").partition(";")[0].strip()
    fields: Event = {"status": response.status, "headers": dict(headers), "mime": mime, "end": end_time}
    if response.status_text:
        fields["status_text"] = response.status_text
    if response.from_service_worker:
        fields["from"] = "worker"
    length = headers.get("content-length", "")
    size = int(length) if length.isdecimal() else 0
    fields["size"] = size
    limit, why = find_body_limit(request.resource_type, mime, response.status, services.options)
    if limit and size > limit:
        limit, why = 0, "cap"
    content = None
    if limit:
        try:
            content = await io(response.body())
        except Exception:
            why = "gone"
    if why:
        fields["why"] = why
    return ResponseData(fields, content, mime, limit)


def write_exchange(
    services: RecordingServices,
    page: int,
    source: ScriptSource | None,
    request: Any,
    start_time: float,
    exchange: ResponseData,
) -> None:
    """Pass the events of a request and its response to the writer. ``start_time``: ms on the recording's clock, used if
    Playwright does not know the start.
    """
    timing, told = request.timing, exchange.told
    start = timing.get("startTime", 0)
    if start > 0:
        start_time = max(0.0, services.clock.convert_unix_time(start))
        if timing.get("responseStart", -1) >= 0:
            told["t"] = round(start_time + timing["responseStart"], 1)
        if timing.get("responseEnd", -1) >= 0:
            told["end"] = round(start_time + timing["responseEnd"], 1)
    asked: Event = {
        "t": start_time,
        "page": page,
        "method": request.method,
        "url": request.url,
        "type": request.resource_type,
        "headers": dict(request.headers),
    }
    if source is not None:
        asked["frame"] = source.frame
    post = request.post_data_buffer
    size = len(exchange.content or b"") + len(post or b"") + 2000
    mime, limit = exchange.mime, exchange.limit
    services.writer.enqueue_call(
        services.network.write_finished_exchange, source, asked, told, post, exchange.content, mime, limit, size=size
    )
