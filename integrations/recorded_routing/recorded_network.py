"""Reads the requests of a recording, and chooses the one that answers a new request."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urljoin

from pagereel.errors import UsageError
from pagereel.reading import find_session_values
from pagereel.reel import decode_body
from pagereel.sources import open_any

from .request_keys import compute_exact_request_key, compute_loose_request_key

Event = dict[str, Any]
_LEFT: Final = frozenset({"cancelled", "net::ERR_ABORTED"})
_BY_SCRIPTS: Final = frozenset({"fetch", "xhr", "eventsource"})
_LONG: Final = 300.0
"""Ms from which on a response counts as one that the server held back."""
_PATIENCE: Final = 10.0
"""Extra seconds to wait for such a response, if the request before it is not repeated, and for one that never came."""
_HOPS: Final = 20
"""Largest number of redirects that are followed, as in browsers."""
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_NOT_PASSED_ON: Final = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "set-cookie2", "trailer"}
)
"""Headers on the transport of the bytes, which are recorded decoded."""
_WHY: Final = {
    "policy": "its body was not kept; record with world=True",
    "cap": "its body was larger than what was kept; record with world=True or a larger resource_limit",
    "overload": "its body was lost because more came than could be written",
    "gone": "its body was gone before it could be read; record with world=True from the run's beginning on",
    "part": "only a part of its body came",
    "late": "it was made before its page was met; record from the run's beginning on",
    "unfinished": "it had no answer when the recording ended",
}


@dataclass(slots=True, eq=False)
class RecordedExchange:
    """A recorded request with its response, and with the messages of a WebSocket or event stream."""

    request: Event
    response: Event = field(default_factory=dict)
    messages: list[Event] = field(default_factory=list)
    post: bytes = b""
    number: int = 0
    """Its place among the requests, from 1."""

    @property
    def method(self) -> str:
        return str(self.request.get("method") or "GET")

    @property
    def method_and_range(self) -> str:
        """Return the request's method, and the range of the resource if a script asked for one."""
        return format_method_and_range(self.method, str(self.request.get("type")), self.request.get("headers"))

    @property
    def url(self) -> str:
        return str(self.request["url"])

    @property
    def status(self) -> int:
        return int(self.response.get("status") or 0)

    @property
    def headers(self) -> dict[str, str]:
        """Return the response's headers that can be sent again.

        Several headers of one name are joined by commas (RFC 9110, 5.3), because a value with line breaks would be
        refused. Cookies keep their line breaks.
        """
        given = self.response.get("headers") or {}
        return {
            str(k): str(v) if str(k).lower() == "set-cookie" else str(v).replace("\n", ", ")
            for k, v in given.items()
            if str(k).lower() not in _NOT_PASSED_ON and k[:1] != ":"
        }

    def find_header(self, name: str) -> str:
        return next((v for k, v in self.headers.items() if k.lower() == name), "")

    @property
    def is_aborted(self) -> bool:
        """Return whether the page aborted the request."""
        return self.response.get("error") in _LEFT

    @property
    def is_aborted_early(self) -> bool:
        """Return whether the page aborted the request before any of the response arrived."""
        return self.is_aborted and "body" not in self.response and not self.messages

    @property
    def chunk_times_and_sizes(self) -> list[tuple[float, int]]:
        """Return the arrival time in ms and the size in bytes of each piece of the body; empty if it is not known."""
        return [(float(t), int(size)) for t, size in self.response.get("chunks") or ()]

    @property
    def response_ending(self) -> Literal["end", "error", "open"]:
        """Return how the response ended: ``end``, ``error``, or ``open`` if it had not ended when the page stopped
        waiting.
        """
        if self.is_aborted or not self.response or self.response.get("why") == "unfinished":
            return "open"
        return "error" if self.response.get("error") else "end"

    @property
    def is_never_answered(self) -> bool:
        """Return whether a script's request got no usable response, so that a new request like it must wait, too."""
        lacks = not self.status or not ("body" in self.response or self.is_event_stream)
        return self.request.get("type") in _BY_SCRIPTS and self.response_ending == "open" and lacks

    @property
    def open_seconds(self) -> float:
        """Return how long to keep a request open that never ended, in seconds.

        It is a little longer than in the recording.
        """
        began = float(self.request["t"])
        return (float(self.response.get("end") or began) - began) / 1000 + _PATIENCE

    @property
    def is_event_stream(self) -> bool:
        """Return whether the response is an event stream with recorded messages."""
        return bool(self.messages) or (self.request.get("type") == "eventsource" and "body" not in self.response)

    @property
    def redirect_url(self) -> str | None:
        """Return the URL that the response redirects to; None if it is no redirect."""
        location = self.find_header("location")
        return urljoin(self.url, location) if self.status in _REDIRECTS and location else None


class RecordedNetwork:
    """All requests of one recording, from which new requests are answered.

    Repeated requests get the responses in the recorded order, then always the last response.

    :raises UsageError: there is no such file, or it is no recording.
    """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise UsageError(f"There is no recording at {path}.")
        self._bodies: dict[str, bytes] = {}
        self._binary: set[str] = set()
        self._exact: dict[Hashable, list[RecordedExchange]] = defaultdict(list)
        self._loose: dict[Hashable, list[RecordedExchange]] = defaultdict(list)
        self._latest: dict[str, RecordedExchange] = {}
        """Address → the last response with a body."""
        self._given: dict[int, int] = {}
        """Id of a list of responses → how many were given."""
        self.world = False
        self.reached = 0
        """The number of the last recorded script request that was made again."""
        self._of_scripts: list[tuple[float, int]] = []
        """Times, in ms, and numbers of the requests that scripts made."""
        exchanges = self._read_exchanges(path)
        self._sessions = frozenset[str]().union(*(find_session_values(exchange.url) for exchange in exchanges))
        self._with_sessions = dict.fromkeys(
            e.url for e in exchanges if not self._sessions.isdisjoint(e.url.partition("?")[0].split("/"))
        )
        """Addresses with a session id in their path."""
        for number, exchange in enumerate(exchanges, 1):
            exchange.number = number
            if exchange.request.get("type") in ("fetch", "xhr"):
                self._of_scripts.append((float(exchange.request["t"]), number))
        for exchange in exchanges:
            post = exchange.post = self._bodies.get(str(exchange.request.get("post")), b"")
            asked = (exchange.method_and_range, exchange.url, post, _get_content_type(exchange.request.get("headers")))
            self._exact[compute_exact_request_key(*asked)].append(exchange)
            self._loose[compute_loose_request_key(*asked)].append(exchange)
            if "body" in exchange.response:
                self._latest[exchange.url] = exchange

    def _read_exchanges(self, path: Path) -> list[RecordedExchange]:
        found: dict[object, RecordedExchange] = {}
        wanted: set[object] = set()
        with open_any(path) as reel:
            options = reel.header.get("options")
            self.world = isinstance(options, dict) and options.get("world") is True
            for event in reel.timeline():
                kind = event.get("k")
                if kind == "request":
                    found[event["id"]] = RecordedExchange(dict(event))
                    wanted.add(event.get("post"))
                elif kind == "response" and event["id"] in found:
                    found[event["id"]].response = dict(event)
                    wanted.add(event.get("body"))
                elif kind == "message" and event["id"] in found:
                    found[event["id"]].messages.append(dict(event))
                    wanted.add(event.get("body"))
            for event in reel.events({"resource"}):
                if event["sha256"] in wanted:
                    self._bodies[str(event["sha256"])] = decode_body(event) or b""
                    if event.get("mime") == "application/octet-stream":
                        self._binary.add(str(event["sha256"]))
        return [
            e
            for e in sorted(found.values(), key=lambda e: float(e.request["t"]))
            if not e.url.startswith(("data:", "blob:"))
        ]

    def find_exchange(self, method: str, url: str, body: bytes, mime: str) -> RecordedExchange | None:
        """Return the next recorded request that matches a new one; None if there is none."""
        asked = (method, url, body, mime)
        among = (
            self._exact.get(compute_exact_request_key(*asked))
            or self._loose.get(compute_loose_request_key(*asked))
            or self._find_with_other_session_id(*asked)
        )
        if not among:
            return None
        turn = self._given.get(id(among), 0)
        self._given[id(among)] = turn + 1
        # A request that the page itself aborted, mostly by leaving for another page, is not used if there is another
        # one.
        whole = [e for e in among if e.response and not e.is_aborted_early and not e.is_never_answered]
        found = next((e for e in among[turn:] if e in whole), None)
        if found is None:
            # A request without a response when the recording ended waits again, for a while: an earlier response would
            # be news that the server never sent.
            found = among[-1] if among[-1].is_never_answered and not among[-1].is_aborted else (whole or among)[-1]
        if found.request.get("type") in ("fetch", "xhr"):
            self.reached = max(self.reached, found.number)
        return found

    def _find_with_other_session_id(
        self, method: str, url: str, body: bytes, mime: str
    ) -> list[RecordedExchange] | None:
        """Return the recorded requests that match a new one except for the session id in the path."""
        path, question, query = url.partition("?")
        pieces = path.split("/")
        for known in self._with_sessions:
            others = known.partition("?")[0].split("/")
            if len(others) == len(pieces) and all(
                ours == theirs or theirs in self._sessions for ours, theirs in zip(pieces[3:], others[3:], strict=True)
            ):
                there = "/".join([*pieces[:3], *others[3:]])
                among = self._loose.get(compute_loose_request_key(method, f"{there}{question}{query}", body, mime))
                if among:
                    return among
        return None

    def find_last_script_request(self, t: float) -> int:
        """Return the number of the last request that a script had made by the time `t` (ms); 0 if there was none."""
        return self.find_last_script_request_and_time(t)[0]

    def find_last_script_request_and_time(self, t: float) -> tuple[int, float]:
        """Return the number and the time (ms) of the last request that a script had made by the time `t` (ms); zeros if
        none was.
        """
        at = bisect_right(self._of_scripts, (t, 1 << 53))
        return (self._of_scripts[at - 1][1], self._of_scripts[at - 1][0]) if at else (0, 0.0)

    def find_awaited_request(self, exchange: RecordedExchange) -> tuple[int, float]:
        """Return the number of the request that the page must make before a response is given, and the longest wait in
        seconds.

        The result is (0, 0.0) if the response may be given at once. If scripts made other requests while the response
        was pending (as with a long poll), the last of those requests may have caused the response.
        """
        took = float(exchange.response.get("t") or 0) - float(exchange.request["t"])
        if exchange.request.get("type") not in _BY_SCRIPTS or took < _LONG:
            return 0, 0.0
        cause, _ = self.find_last_script_request_and_time(float(exchange.response["t"]))
        return (cause, took / 1000 + _PATIENCE) if cause > exchange.number else (0, 0.0)

    def follow_redirects(self, exchange: RecordedExchange) -> tuple[RecordedExchange, list[RecordedExchange]]:
        """Follow the redirects that begin with a recorded response.

        Return the last response, and the redirects before it.
        """
        hops: list[RecordedExchange] = []
        while (where := exchange.redirect_url) is not None and len(hops) < _HOPS:
            keeps = exchange.status in (307, 308)
            method = exchange.method if keeps else "GET"
            sent = exchange.post if keeps else b""
            onward = self.find_exchange(
                method, where, sent, _get_content_type(exchange.request.get("headers")) if sent else ""
            )
            if onward is None:
                break
            hops.append(exchange)
            exchange = onward
        return self._find_exchange_with_body(exchange), hops

    def _find_exchange_with_body(self, exchange: RecordedExchange) -> RecordedExchange:
        """Return this response if it has a body, else the last recorded response of the same URL that has one.

        A body may be missing because it came from the browser's cache, or was gone when the recorder asked for it.
        """
        if exchange.method != "GET" or exchange.is_event_stream or "body" in exchange.response:
            return exchange
        if exchange.status in (200, 304) or exchange.response.get("why") in ("gone", "part", "unfinished"):
            return self._latest.get(exchange.url, exchange)
        return exchange

    def read_response_body(self, exchange: RecordedExchange) -> bytes | str:
        """Return the bytes of a response's body; if they were not recorded, a sentence that says why."""
        answer = exchange.response
        if "body" in answer:
            return self._bodies.get(str(answer["body"]), "its body is not in this file")
        why = str(answer.get("why") or "")
        if exchange.is_event_stream:
            return b"".join(self._iter_stream_bytes(exchange))
        unanswered = not exchange.status and why != "unfinished"
        if why in ("empty", "redirect", "") or exchange.status in (204, 304) or unanswered:
            return b""
        return _WHY.get(why, f"its body was not kept ({why})")

    def _iter_stream_bytes(self, exchange: RecordedExchange) -> Iterable[bytes]:
        """Yield the recorded messages of an event stream in the wire form of server-sent events."""
        for message in exchange.messages:
            data = self.get_message_bytes(message).decode("utf-8", "replace")
            name = message.get("name")
            text = f"event: {name}\n" if name and name != "message" else ""
            yield (text + "".join(f"data: {line}\n" for line in data.split("\n")) + "\n").encode()

    def get_message_bytes(self, message: Event) -> bytes:
        """Return the bytes of a recorded message; b"" if they were not recorded."""
        return self._bodies.get(str(message.get("body")), b"")

    def get_message_payload(self, message: Event) -> str | bytes:
        """Return a recorded WebSocket message as the page received it: text or bytes."""
        content = self.get_message_bytes(message)
        return content if str(message.get("body")) in self._binary else content.decode("utf-8", "replace")


def format_method_and_range(method: str, kind: str, headers: object) -> str:
    """Return a request's method, with the range that a script asked for. Ranges of media players are ignored, because
    they vary.
    """
    part = _find_header(headers, "range") if kind in _BY_SCRIPTS else ""
    return f"{method} {part}" if part else method


def _get_content_type(headers: object) -> str:
    return _find_header(headers, "content-type")


def _find_header(headers: object, name: str) -> str:
    given = headers if isinstance(headers, dict) else {}
    return next((str(v) for k, v in given.items() if str(k).lower() == name), "")
