"""The side of the proxy at which clients ask: HTTP/1.1 on connections that are kept, read by httptools.

The first token waits for all that is done before a request is passed on and before its answer is, so nothing stands between: what a
connection brings is told to the request's guest in the call that brings it, and what came together leaves together.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import httptools

Headers = list[tuple[bytes, bytes]]
HEAD: Final = 1 << 20
"""Bytes that the head of a request or an answer may have."""
_LINES: Final = {status.value: b"HTTP/1.1 %d %s\r\n" % (status, status.phrase.encode()) for status in HTTPStatus}
_EMPTY: Final = frozenset({204, 304})
"""Statuses whose answers have no body."""


class RequestHandler:
    """Who takes in one request and answers it. Of itself it does nothing."""

    def part(self, data: bytes) -> None:
        """Take a part of the request's body."""

    def end(self) -> None:
        """Take that the request is whole."""

    def left(self) -> None:
        """Take that who asked has hung up: before the request's end, or before that of its answer."""

    def client_full(self, full: bool) -> None:
        """Take that who asked is slow and takes no more of the answer for now, or does again."""


@dataclass(slots=True, eq=False)
class ProxyRequest:
    """A request. Names of headers are small letters."""

    method: str
    target: str
    headers: Headers
    modern: bool
    """Whether it is of HTTP/1.1, so that an answer may be chunked."""
    lasting: bool
    """Whether the connection is kept behind its answer."""
    guest: RequestHandler | None = None
    parts: list[bytes] = field(default_factory=list)
    """What came of its body while the request before it was not answered yet."""
    ended: bool = False


class ClientConnection(asyncio.Protocol):
    """A connection of a client: takes one request after the other, and gives each its answer.

    :param doors: where it stands for as long as it is open.
    :param take: says who takes a request in.
    """

    def __init__(
        self, doors: set[ClientConnection], take: Callable[[ProxyRequest, ClientConnection], RequestHandler]
    ) -> None:
        self._doors = doors
        self._take = take
        self._transport: Any = None
        self._parser = httptools.HttpRequestParser(self)
        self._target = b""
        self._lines: Headers = []
        self._seen = 0
        self._arriving: ProxyRequest | None = None
        """The request whose body comes."""
        self._open: ProxyRequest | None = None
        """The request whose answer is awaited."""
        self._later: deque[ProxyRequest] = deque()
        self._out: list[bytes] = []
        self._began = self._chunked = self._bodied = self._lasting = False
        self._again = self._retired = False

    # -- what the event loop tells ---------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._doors.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        self._doors.discard(self)
        self._later.clear()
        for request in {self._open, self._arriving}:
            if request is not None and request.guest is not None:
                request.guest.left()
        self._open = self._arriving = None

    def data_received(self, data: bytes) -> None:
        if self._arriving is None:
            self._seen += len(data)
        try:
            if self._seen > HEAD:
                raise httptools.HttpParserError("the head has no end")
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._stay(data[upgrade.args[0] :])
        except httptools.HttpParserCallbackError:
            self._refuse(500)
        except httptools.HttpParserError:
            self._refuse(400)

    def pause_writing(self) -> None:
        self._say_full(True)

    def resume_writing(self) -> None:
        self._say_full(False)

    def _say_full(self, full: bool) -> None:
        if self._open is not None and self._open.guest is not None:
            self._open.guest.client_full(full)

    # -- what the parser tells -------------------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        self._target, self._lines = b"", []

    def on_url(self, url: bytes) -> None:
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._lines.append((name.lower(), value.rstrip()))

    def on_headers_complete(self) -> None:
        if self._again:
            return
        parser = self._parser
        modern = parser.get_http_version() == "1.1"
        self._arriving = ProxyRequest(
            parser.get_method().decode(), self._target.decode("latin-1"), self._lines,
            modern, modern and parser.should_keep_alive(),
        )  # fmt: skip
        self._lines, self._seen = [], 0  # a trailer is none of its headers
        if self._open is None:
            self._begin(self._arriving)
        else:
            self._later.append(self._arriving)
            self._transport.pause_reading()

    def on_body(self, data: bytes) -> None:
        request = self._arriving
        if request is not None and request.guest is not None:
            request.guest.part(data)
        elif request is not None:
            request.parts.append(data)

    def on_message_complete(self) -> None:
        request = self._arriving
        if request is None or (self._parser.should_upgrade() and _framing(request.headers)):
            return
        self._arriving, self._again, request.ended = None, False, True
        if request.guest is not None:
            request.guest.end()

    def _stay(self, rest: bytes) -> None:
        """Go on with HTTP/1.1 where a client offers another protocol. The parser takes the body of such a request for that other protocol."""
        self._parser = httptools.HttpRequestParser(self)
        if self._arriving is not None:
            self._again = True
            head = [b"%s: %s\r\n" % each for each in _framing(self._arriving.headers)]
            self._parser.feed_data(b"POST / HTTP/1.1\r\n%s\r\n" % b"".join(head))
        if rest:
            self.data_received(rest)

    # -- one request after the other -------------------------------------------------------------------------------------

    def _begin(self, request: ProxyRequest) -> None:
        self._open = request
        if any(name == b"expect" and value.lower() == b"100-continue" for name, value in request.headers):
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.guest = guest = self._take(request, self)
        for part in request.parts:
            guest.part(part)
        request.parts.clear()
        if request.ended:
            guest.end()

    def _refuse(self, status: int) -> None:
        """Give up a connection on which no request can be read."""
        if not self._began:
            self._transport.write(_LINES[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self._transport.close()

    def hold(self, on: bool) -> None:
        """Read no more of the request for now, or again."""
        if on:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def retire(self) -> None:
        """Close once the answer under way is given; at once where there is none."""
        self._retired = True
        if self._open is None:
            self._transport.close()

    def abort(self) -> None:
        """Close at once."""
        self._transport.abort()

    # -- the answer ------------------------------------------------------------------------------------------------------

    def head(self, status: int, headers: Headers) -> None:
        """Begin the answer. It leaves with its first part, or when :meth:`flush` is called."""
        request = self._open
        assert request is not None
        sized = any(name == b"content-length" for name, _ in headers)
        self._began = True
        self._bodied = request.method != "HEAD" and status not in _EMPTY
        self._chunked = self._bodied and not sized and request.modern
        self._lasting = request.lasting and (sized or self._chunked or not self._bodied)
        out = self._out
        out.append(_LINES.get(status) or b"HTTP/1.1 %d \r\n" % status)
        out += [b"%s: %s\r\n" % each for each in headers]
        if self._chunked:
            out.append(b"transfer-encoding: chunked\r\n")
        out.append(b"\r\n" if self._lasting else b"connection: close\r\n\r\n")

    def body(self, data: bytes) -> None:
        """Add a part of the answer's body."""
        if self._chunked:
            self._out += (b"%x\r\n" % len(data), data, b"\r\n")
        elif self._bodied:
            self._out.append(data)

    def flush(self) -> None:
        """Send what was said so far."""
        if self._out:
            self._transport.write(b"".join(self._out))
            self._out.clear()

    def finish(self) -> None:
        """End the answer; the next request has its turn."""
        if self._chunked:
            self._out.append(b"0\r\n\r\n")
        self.flush()
        self._open, self._began = None, False
        if self._retired or not self._lasting:
            self._transport.close()
        elif self._later:
            self._begin(self._later.popleft())
        else:
            self._transport.resume_reading()

    def give(self, status: int, headers: Headers, body: bytes) -> None:
        """Give an answer that is there as a whole."""
        self.head(status, [*headers, (b"content-length", b"%d" % len(body))])
        self.body(body)
        self.finish()

    def break_off(self) -> None:
        """End the connection where an answer does not go on."""
        self.flush()
        self._transport.close()


def _framing(headers: Headers) -> Headers:
    """Return those headers that say how long a body is."""
    return [each for each in headers if each[0] in (b"content-length", b"transfer-encoding")]
