"""Asking the providers: over connections of the proxy's own, which are kept; where the environment names a proxy, with the HTTP client library.

The first token waits for all that is done before a request is passed on and before its answer is, so the connections here do what a proxy
needs and no more: head and body leave together, h11 reads the answer, and parts that came together are passed on together.
"""

from __future__ import annotations

import asyncio
import importlib
import ssl
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies

import h11

from pagereel.errors import UsageError

Headers = list[tuple[bytes, bytes]]
_CONNECT: Final = 30.0
"""Seconds that a provider may take to accept a connection. For its answer there is no limit."""
_IDLE: Final = 5.0
"""Seconds that a connection is kept for the next request; providers close theirs after more."""
_KEPT: Final = 50
"""Connections that are kept for each provider."""
_WAITING: Final = 1 << 18
"""Bytes of an answer that may wait for the client before no more are read."""
_PORTS: Final = {"http": 80, "https": 443}


class Unreachable(Exception):
    """A provider cannot be asked, or its answer broke off. The message begins with the error's name, as the HTTP client library has it."""


def http_library() -> Any:
    """Return the module: httpx2, which today's libraries of OpenAI and Anthropic bring along, or httpx. Raises UsageError where neither is installed."""
    for name in ("httpx2", "httpx"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise UsageError("Recording model traffic needs the extra `models`: pip install 'pagereel[models]'.")


class Client:
    """Asks providers; adds nothing of its own to a request but the host's name. To be made and used in one event loop."""

    def __init__(self, library: Any, urls: Sequence[str]) -> None:
        proxies = getproxies()
        self._library = library
        self._led = {scheme for scheme in _PORTS if proxies.get(scheme) or proxies.get("all")}
        """Schemes for which the environment names a proxy: whether it holds for a host is the library's to know."""
        places = [urlsplit(url) for url in urls]
        ours = [place for place in places if not self._leads(place)]
        self._trust: ssl.SSLContext | None = None
        if any(place.scheme == "https" for place in ours):
            self._trust = library.create_ssl_context()
        self._through = _Through(library) if len(ours) < len(places) else None
        self._kept: dict[tuple[str, int, bool], list[Connection]] = defaultdict(list)

    async def ask(self, method: str, url: str, headers: Headers, parts: AsyncIterator[bytes] | None) -> Answer:
        """Send a request, and return the answer when its head is there.

        :raises Unreachable: the provider does not answer.
        """
        place = urlsplit(url)
        if self._through is not None and self._leads(place):
            return await self._through.ask(method, url, headers, parts)
        secure = place.scheme == "https"
        try:
            key = (place.hostname or "", place.port or _PORTS[place.scheme], secure)
        except ValueError as error:
            raise Unreachable(f"InvalidURL: {error}") from None
        connection = self._free(key) or await self._connect(*key)
        try:
            return await connection.ask(method, place, headers, parts, self._kept[key])
        except BaseException:
            connection.close()
            raise

    def _leads(self, place: SplitResult) -> bool:
        """Whether the library asks: a proxy may stand between, or a name and password in the address."""
        return place.scheme in self._led or "@" in place.netloc

    async def close(self) -> None:
        """Close what is kept."""
        for connection in [each for kept in self._kept.values() for each in kept]:
            connection.close()
        if self._through is not None:
            await self._through.close()

    def _free(self, key: tuple[str, int, bool]) -> Connection | None:
        kept = self._kept[key]
        oldest = asyncio.get_running_loop().time() - _IDLE
        while kept:
            connection = kept.pop()
            if connection.since > oldest and connection.usable:
                return connection
            connection.close()
        return None

    async def _connect(self, host: str, port: int, secure: bool) -> Connection:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_CONNECT):
                _, connection = await loop.create_connection(
                    Connection, host, port, ssl=self._trust if secure else None, happy_eyeballs_delay=0.25
                )
        except TimeoutError:
            raise Unreachable("ConnectTimeout: the provider did not accept a connection") from None
        except (OSError, UnicodeError) as error:
            raise Unreachable(f"ConnectError: {error}") from None
        return connection


class Connection(asyncio.Protocol):
    """A connection to a provider: one request at a time."""

    def __init__(self) -> None:
        self._wire = h11.Connection(h11.CLIENT, max_incomplete_event_size=1 << 20)
        self._events: deque[Any] = deque()
        self._size = 0
        self._waiter: asyncio.Future[None] | None = None
        self._transport: Any = None
        self._paused = self._held = False
        self.closed = False
        self.since = 0.0
        """When it was last used."""

    @property
    def usable(self) -> bool:
        """Whether the provider has kept it as well."""
        return not self.closed and not self._events

    # -- what the event loop tells -------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._wire.receive_data(data)
        self._read()

    def eof_received(self) -> None:
        if not self.closed:
            self._wire.receive_data(b"")
            self._read()

    def connection_lost(self, error: Exception | None) -> None:
        self.eof_received()
        self.closed = True
        self._wake()

    def pause_writing(self) -> None:
        self._held = True

    def resume_writing(self) -> None:
        self._held = False
        self._wake()

    def _read(self) -> None:
        try:
            while (event := self._wire.next_event()) is not h11.NEED_DATA and event is not h11.PAUSED:
                self._events.append(event)
                if type(event) is h11.Data:
                    self._size += len(event.data)
                elif type(event) is h11.ConnectionClosed:
                    break
        except h11.RemoteProtocolError as error:
            self._events.append(Unreachable(f"RemoteProtocolError: {error}"))
        if self._size > _WAITING and not self._paused:
            self._paused = True
            self._transport.pause_reading()
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _wait(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    # -- one request ---------------------------------------------------------------------------------------------------

    async def ask(
        self,
        method: str,
        place: SplitResult,
        headers: Headers,
        parts: AsyncIterator[bytes] | None,
        kept: list[Connection],
    ) -> Answer:
        """Send a request; the answer when its head is there. Once that has come to its end, the connection is among the kept."""
        target = f"{place.path or '/'}{'?' if place.query else ''}{place.query}"
        lines = [(b"Host", place.netloc.encode("ascii" if place.netloc.isascii() else "idna")), *headers]
        if parts is not None and all(name.lower() != b"content-length" for name, _ in headers):
            lines.append((b"Transfer-Encoding", b"chunked"))
        try:
            await self._send(h11.Request(method=method, target=target.encode("latin-1"), headers=lines), parts)
        except (h11.LocalProtocolError, UnicodeError) as error:
            raise Unreachable(f"LocalProtocolError: {error}") from None
        while type(event := await self._next()) is not h11.Response:
            pass
        return Answer(event.status_code, event.headers.raw_items(), self._parts(kept), self._give_up)

    async def _send(self, request: h11.Request, parts: AsyncIterator[bytes] | None) -> None:
        send = self._wire.send
        waiting = send(request) or b""
        if parts is not None:
            # Who answers before all is sent, and hangs up, wants no more: what was answered counts.
            async for part in parts:
                self._transport.write(waiting + (send(h11.Data(data=part)) or b""))
                waiting = b""
                while self._held and not self.closed:
                    await self._wait()
        if waiting := waiting + (send(h11.EndOfMessage()) or b""):
            self._transport.write(waiting)

    async def _next(self) -> Any:
        while not self._events:
            if self.closed:
                raise Unreachable("ReadError: the connection is closed")
            await self._wait()
        event = self._events.popleft()
        if isinstance(event, Unreachable):
            raise event
        if type(event) is h11.ConnectionClosed:
            raise Unreachable("RemoteProtocolError: Server disconnected without sending a response.")
        return event

    async def _parts(self, kept: list[Connection]) -> AsyncIterator[bytes]:
        while type(event := await self._next()) is h11.Data:
            found = [bytes(event.data)]
            while self._events and type(self._events[0]) is h11.Data:
                found.append(bytes(self._events.popleft().data))
            self._size = 0
            if self._paused:
                self._paused = False
                self._transport.resume_reading()
            yield found[0] if len(found) == 1 else b"".join(found)
        if self._wire.our_state is h11.DONE and self._wire.their_state is h11.DONE and len(kept) < _KEPT:
            self._wire.start_next_cycle()
            self.since = asyncio.get_running_loop().time()
            kept.append(self)
        else:
            self.close()

    async def _give_up(self) -> None:
        self.close()

    def close(self) -> None:
        """Close it at once. A second call does nothing."""
        self.closed = True
        self._transport.abort()


class Answer:
    """An answer whose head is there."""

    def __init__(
        self, status: int, headers: Headers, parts: AsyncIterator[bytes], close: Callable[[], Awaitable[None]]
    ) -> None:
        self.status = status
        self.headers = headers
        self.parts = parts
        """The body as it comes. Raises Unreachable where it breaks off."""
        self.close = close
        """Give up what has not come yet."""


class _Through:
    """The HTTP client library, with the proxies that the environment names."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._client = library.AsyncClient(
            timeout=library.Timeout(None, connect=_CONNECT),
            limits=library.Limits(max_connections=None, max_keepalive_connections=_KEPT),
            follow_redirects=False,
        )
        self._client.headers.clear()

    async def ask(self, method: str, url: str, headers: Headers, parts: AsyncIterator[bytes] | None) -> Answer:
        try:
            request = self._client.build_request(method, url, headers=headers, content=parts)
            answer = await self._client.send(request, stream=True)
        except (self._library.HTTPError, self._library.InvalidURL) as error:
            raise Unreachable(f"{type(error).__name__}: {error or 'the provider did not answer'}") from None
        return Answer(answer.status_code, answer.headers.raw, self._parts(answer), answer.aclose)

    async def _parts(self, answer: Any) -> AsyncIterator[bytes]:
        try:
            async for part in answer.aiter_raw():
                yield part
        except self._library.HTTPError as error:
            raise Unreachable(f"{type(error).__name__}: {error or 'the answer broke off'}") from None

    async def close(self) -> None:
        await self._client.aclose()
