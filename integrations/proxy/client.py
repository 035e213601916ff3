"""Asking the providers: over connections of the proxy's own, which are kept; where the environment names a proxy, with the HTTP client library.

The first token waits for all that is done before a request is passed on and before its answer is, so the connections here do what a proxy
needs and no more: a request's head leaves with its first part, httptools reads the answer, and what comes is told in the call that brings it.
"""

from __future__ import annotations

import asyncio
import importlib
import ssl
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies

import httptools

from pagereel.errors import UsageError

from .door import HEAD, Headers
from .through import ExchangeListener, Through, UpstreamRequest

_CONNECT: Final = 30.0
"""Seconds that a provider may take to accept a connection. For its answer there is no limit."""
_IDLE: Final = 5.0
"""Seconds that a connection is kept for the next request; providers close theirs after more."""
_KEPT: Final = 50
"""Connections that are kept for each provider."""
_WAITING: Final = 1 << 18
"""Bytes of a request that may wait for its connection before no more are read."""
_PORTS: Final = {"http": 80, "https": 443}


def http_library() -> Any:
    """Return the module: httpx2, which today's libraries of OpenAI and Anthropic bring along, or httpx. Raises UsageError where neither is installed."""
    for name in ("httpx2", "httpx"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise UsageError("Recording model traffic needs the extra `models`: pip install 'pagereel[models]'.")


@dataclass(frozen=True, slots=True)
class _Upstream:
    """Where a provider is, from its address."""

    host: str
    port: int
    secure: bool
    named: bytes
    """What the header `Host` says."""
    path: bytes
    wrong: str = ""
    """Why nobody can be asked there."""


class Client:
    """Asks providers; adds nothing of its own to a request but the host's name. To be made and used in one event loop.

    :param urls: the providers' addresses.
    """

    def __init__(self, library: Any, urls: Sequence[str]) -> None:
        proxies = getproxies()
        led = {scheme for scheme in _PORTS if proxies.get(scheme) or proxies.get("all")}
        # Whether a proxy that the environment names holds for a host is the library's to know; it reads a name and password in an address, too.
        places = {url: urlsplit(url) for url in urls}
        ours = {url: place for url, place in places.items() if place.scheme not in led and "@" not in place.netloc}
        self._places = {url: _place(place) for url, place in ours.items()}
        self._trust: ssl.SSLContext | None = None
        if any(place.secure for place in self._places.values()):
            self._trust = library.create_ssl_context()
        self._through = Through(library, _CONNECT, _KEPT) if len(ours) < len(places) else None
        self._kept: dict[tuple[str, int, bool], list[UpstreamConnection]] = defaultdict(list)

    def ask(self, method: str, url: str, rest: str, headers: Headers, taker: ExchangeListener) -> UpstreamRequest:
        """Begin a request, and tell `taker` what comes of it, never before this returns.

        :param url: one of the providers' addresses.
        :param rest: what stands behind it in the address that is asked.
        """
        place = self._places.get(url)
        if place is None:
            assert self._through is not None
            return self._through.ask(method, url + rest, headers, taker)
        if place.wrong:
            asyncio.get_running_loop().call_soon(taker.broke, place.wrong)
            return UpstreamRequest()
        kept = self._kept[place.host, place.port, place.secure]
        connection = _usable(kept)
        if connection is None:
            connection = UpstreamConnection(kept)
            connection.connecting = asyncio.ensure_future(self._connect(connection, place))
        target = (place.path + rest.encode("latin-1")) or b"/"
        connection.begin(method, b"/" + target if target[:1] == b"?" else target, place.named, headers, taker)
        return connection

    async def _connect(self, connection: UpstreamConnection, place: _Upstream) -> None:
        try:
            async with asyncio.timeout(_CONNECT):
                await asyncio.get_running_loop().create_connection(
                    lambda: connection, place.host, place.port,
                    ssl=self._trust if place.secure else None, happy_eyeballs_delay=0.25,
                )  # fmt: skip
        except TimeoutError:
            connection.broke("ConnectTimeout: the provider did not accept a connection")
        except Exception as error:
            connection.broke(f"ConnectError: {error}")

    async def close(self) -> None:
        """Close what is kept."""
        for connection in [each for kept in self._kept.values() for each in kept]:
            connection.close()
        if self._through is not None:
            await self._through.close()


def _place(parts: SplitResult) -> _Upstream:
    try:
        named = parts.netloc.encode("ascii" if parts.netloc.isascii() else "idna")
        secure = parts.scheme == "https"
        return _Upstream(
            parts.hostname or "", parts.port or _PORTS[parts.scheme], secure, named, parts.path.encode("latin-1")
        )
    except ValueError as error:
        return _Upstream("", 0, False, b"", b"", f"InvalidURL: {error}")


def _usable(kept: list[UpstreamConnection]) -> UpstreamConnection | None:
    oldest = asyncio.get_running_loop().time() - _IDLE
    while kept:
        connection = kept.pop()
        if connection.since > oldest and not connection.closed:
            return connection
        connection.close()
    return None


class UpstreamConnection(asyncio.Protocol, UpstreamRequest):
    """A connection to a provider: one request at a time.

    :param kept: where it waits for the next one.
    """

    def __init__(self, kept: list[UpstreamConnection]) -> None:
        self._kept = kept
        self._parser = httptools.HttpResponseParser(self)
        # As providers' servers, and what stands before them, may write; a request is never read like this.
        self._parser.set_dangerous_leniencies(
            lenient_chunked_length=True, lenient_data_after_close=True,
            lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True,
        )  # fmt: skip
        self._transport: Any = None
        self._taker: ExchangeListener | None = None
        self._lines: Headers = []
        self._waiting: list[bytes] = []
        self._seen = self._status = 0
        self._chunked = self._headless = self._bounded = False
        self._sent = self._whole = self._lasting = self._full = False
        self.closed = False
        self.connecting: asyncio.Future[None] | None = None
        self.since = 0.0
        """When it was last used."""

    # -- the request -----------------------------------------------------------------------------------------------------

    def begin(self, method: str, target: bytes, host: bytes, headers: Headers, taker: ExchangeListener) -> None:
        """Begin a request; its head leaves with what comes next."""
        self._taker = taker
        self._seen = self._status = 0
        self._sent = self._whole = self._lasting = False
        self._headless = method == "HEAD"
        names = [name for name, _ in headers]
        self._chunked = b"transfer-encoding" in names and b"content-length" not in names
        lines = [b"%s: %s\r\n" % each for each in headers if each[0] != b"transfer-encoding"]
        if self._chunked:
            lines.append(b"transfer-encoding: chunked\r\n")
        self._waiting = [b"%s %s HTTP/1.1\r\nhost: %s\r\n%s\r\n" % (method.encode(), target, host, b"".join(lines))]

    def part(self, data: bytes) -> None:
        self._write(b"%x\r\n%s\r\n" % (len(data), data) if self._chunked else data)

    def end(self) -> None:
        self._sent = True
        self._write(b"0\r\n\r\n" if self._chunked else b"")

    def _write(self, data: bytes) -> None:
        self._waiting.append(data)
        if self.closed:
            self._waiting.clear()
        elif self._transport is not None:
            if data := b"".join(self._waiting):
                self._transport.write(data)
            self._waiting.clear()
        elif not self._full and sum(map(len, self._waiting)) > _WAITING:
            self.pause_writing()

    def hold(self, on: bool) -> None:
        if self._transport is not None and not self.closed:
            if on:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    def close(self) -> None:
        self.closed = True
        self._taker = None
        if self.connecting is not None:
            self.connecting.cancel()
        if self._transport is not None:
            self._transport.abort()

    # -- what the event loop tells ---------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        if self.closed:
            self._transport.abort()
        elif len(self._waiting) > 1:
            self._write(b"")
        if self._full:
            self.resume_writing()

    def data_received(self, data: bytes) -> None:
        taker = self._taker
        if taker is None:
            self.close()  # it says something, and nobody asked
            return
        if not self._status:
            self._seen += len(data)
        try:
            if self._seen > HEAD:
                raise httptools.HttpParserError("the answer's head has no end")
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            if not self._whole:
                self.broke(f"RemoteProtocolError: {error}")
                return
            self._lasting = False
        if self._whole:
            self._done()
        else:
            taker.flush()

    def eof_received(self) -> None:
        self.connection_lost(None)

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True
        if self._taker is None:
            return
        if not self._status:
            self.broke("RemoteProtocolError: Server disconnected without sending a response.")
        elif self._bounded or error is not None:
            self.broke("RemoteProtocolError: peer closed connection without sending complete message body")
        else:
            self._done()

    def pause_writing(self) -> None:
        self._full = True
        if self._taker is not None:
            self._taker.provider_full(True)

    def resume_writing(self) -> None:
        self._full = False
        if self._taker is not None:
            self._taker.provider_full(False)

    def broke(self, why: str) -> None:
        """Give the request up, and tell why."""
        taker = self._taker
        self.close()
        if taker is not None:
            taker.broke(why)

    def _done(self) -> None:
        taker = self._taker
        assert taker is not None
        self._taker = None
        if self._lasting and self._sent and not self.closed and len(self._kept) < _KEPT:
            self.since = asyncio.get_running_loop().time()
            self._kept.append(self)
            self._transport.resume_reading()
        else:
            self.close()
        taker.done()

    # -- what the parser tells -------------------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        if self._whole:
            self._lasting = False  # more than was asked for
        self._lines = []

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._status:
            self._lines.append((name.lower(), value.rstrip()))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < 200 or self._whole or self._taker is None:
            return
        self._status = status
        # An answer to HEAD says how long a body would be, and the parser waits for that.
        self._lasting, self._whole = self._parser.should_keep_alive() and not self._headless, self._headless
        self._bounded = any(
            name == b"content-length" or (name == b"transfer-encoding" and b"chunked" in value.lower())
            for name, value in self._lines
        )
        self._taker.answered(status, self._lines)

    def on_body(self, data: bytes) -> None:
        if self._taker is not None and not self._whole:
            self._taker.got(data)

    def on_message_complete(self) -> None:
        if self._status:
            self._whole = True
