"""Converts ``trace.network`` to requests and responses: HAR entries with the requesting frame and a time on the monotonic clock."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator
from typing import Any, Final

from pagereel.reel import Event

from .clock import TraceClock, to_number_in_range
from .frame_snapshots import FrameSnapshotConverter, TracePages
from .resources import TraceResources, strip_mime_parameters
from .socket_messages import iter_message_events
from .versions import Line

_TYPES: Final = {
    "document": "document",
    "iframe": "document",
    "frame": "document",
    "style": "stylesheet",
    "image": "image",
    "font": "font",
    "script": "script",
    "audio": "media",
    "video": "media",
    "track": "texttrack",
    "manifest": "manifest",
    "empty": "fetch",
}
_REDIRECTS: Final = (301, 302, 303, 307, 308)
_HEADERS: Final = 300
_LONG: Final = 1 << 20
_NO_HEADERS: Final[dict[str, str]] = {}


class TraceNetworkConverter:
    """Converts the HAR entries of one file to requests, responses and bodies."""

    def __init__(
        self, clock: TraceClock, pages: TracePages, frames: FrameSnapshotConverter, resources: TraceResources, last: int
    ) -> None:
        self._clock = clock
        self._pages = pages
        self._frames = frames
        self._resources = resources
        self.last = last
        """The id of the last request."""
        self._loads: dict[str, list[float]] = {}
        """Frame → the times of its document requests, in ms."""

    def remember_document_load(self, entry: Line) -> None:
        """Remember when an entry loaded a document. This must be called for all entries before any is converted:
        entries are in the order of their ends, so the entry of a document comes after those of its resources.
        """
        frame = entry.get("_frameref")
        if (
            isinstance(frame, str)
            and _get_resource_type(entry, _to_headers(_to_dict(entry.get("request")).get("headers"))) == "document"
        ):
            insort(self._loads.setdefault(frame, []), self._clock.convert_monotonic_time(entry.get("_monotonicTime")))

    def convert_entry(self, entry: Line) -> Iterator[Event]:
        """Yield the request, response and resource events of one HAR entry."""
        request, response = _to_dict(entry.get("request")), _to_dict(entry.get("response"))
        url = request.get("url")
        if not isinstance(url, str) or not url or len(url) > _LONG:
            return
        self.last += 1
        t = self._clock.convert_monotonic_time(entry.get("_monotonicTime"))
        headers = _to_headers(request.get("headers"))
        kind = _get_resource_type(entry, headers)
        page, opened = (
            self._pages.get_or_open_page(entry["pageref"], t)
            if isinstance(entry.get("pageref"), str)
            else (self._pages.default_page_number, [])
        )
        yield from opened
        frame = entry.get("_frameref")
        d = self._find_document(str(frame), t, kind) if isinstance(frame, str) else None
        asked: Event = {
            "k": "request",
            "t": t,
            "id": self.last,
            "page": page,
            "method": str(request.get("method") or "GET")[:1000],
            "url": url,
            "type": kind,
            "headers": dict(headers),
        }
        if isinstance(frame, str):
            asked["frame"] = frame[:1000]
        if d is not None:
            asked["d"] = d
        post = _to_dict(request.get("postData"))
        if post:
            sha256, _, events = self._resources.store_file(
                post.get("_file"), str(post.get("mimeType") or "text/plain"), t
            )
            yield from events
            if sha256 is not None:
                asked["post"] = sha256
        yield asked
        yield from self._convert_response(entry, response, kind, t, d)

    def _convert_response(self, entry: Line, response: Line, kind: str, t: float, d: int | None) -> Iterator[Event]:
        status = response.get("status")
        took = to_number_in_range(entry.get("time"), 0, 1e9) or 0.0
        begun = self._find_response_begin(entry, t)
        end = max(begun, round(t + took, 1))
        content = _to_dict(response.get("content"))
        mime = str(content.get("mimeType") or "")
        size = response.get("_transferSize")
        answer: Event = {
            "k": "response",
            "t": begun,
            "id": self.last,
            "status": status if type(status) is int and status >= 0 else 0,
            "headers": dict(_to_headers(response.get("headers"))),
            "mime": strip_mime_parameters(mime) if mime else "",
            "end": end,
            "size": size if type(size) is int and size >= 0 else 0,
        }
        if d is not None:
            answer["d"] = d
        if isinstance(text := response.get("statusText"), str) and text:
            answer["status_text"] = text[:1000]
        if isinstance(failure := response.get("_failureText"), str) and failure:
            answer["error"] = failure[:10_000]
        if entry.get("_wasFromCache") is True or entry.get("fromCache") is True:
            answer["from"] = "cache"
        file = content.get("_file")
        if kind == "websocket":
            said = self._resources.read_bytes(file) if isinstance(file, str) else None
            answer["why"] = "empty" if said is None else "messages"
            yield from iter_message_events(said or b"", self.last, self._clock, self._resources.written)
        elif file is not None and status != 304:
            sha256, why, events = self._resources.store_file(file, mime, begun)
            yield from events
            answer |= {"body": sha256} if sha256 is not None else {"why": why}
        elif status != 204:
            answer["why"] = "redirect" if status in _REDIRECTS else "gone"
        yield answer

    def _find_response_begin(self, entry: Line, t: float) -> float:
        """Return when the response began, in ms: the request's time plus the HAR timings before the response."""
        timings = _to_dict(entry.get("timings"))
        before = (
            to_number_in_range(timings.get(name), 0, 1e9) or 0.0 for name in ("dns", "connect", "ssl", "send", "wait")
        )
        return round(t + sum(before), 1)

    def _find_document(self, frame: str, t: float, kind: str) -> int | None:
        """Return the number of the document whose frame made a request; if a new document was loading, the number of
        the new one.
        """
        if kind == "document":
            return self._frames.find_document_after(frame, t)
        now = self._frames.find_document_at(frame, t)
        loads = self._loads.get(frame, [])
        index = bisect_right(loads, t)
        after = self._frames.find_document_after(frame, loads[index - 1]) if index else None
        return max(now or 0, after or 0) or None


def _get_resource_type(entry: Line, headers: dict[str, str]) -> str:
    value = entry.get("_resourceType")
    if isinstance(value, str) and value:
        return value[:100].lower()
    return _TYPES.get(headers.get("sec-fetch-dest", ""), "other")


def _to_dict(value: Any) -> Line:
    return value if isinstance(value, dict) else {}


def _to_headers(listed: object) -> dict[str, str]:
    if not isinstance(listed, list):
        return _NO_HEADERS
    found: dict[str, str] = {}
    for item in listed[:_HEADERS]:
        if isinstance(item, dict) and isinstance(name := item.get("name"), str):
            found[name.lower()[:1000]] = str(item.get("value") or "")[:_LONG]
    return found
