"""The proxy itself: an application under Uvicorn on a thread of its own, and a thread that reads what went over.

It is written to ASGI itself, without a framework between: the first token would wait for that.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final

import orjson
import uvicorn

from pagereel.integrations.wire import Exchange, Keys, Reader
from pagereel.recorder import Session

from .answers import Answers, Miss, Recorded
from .client import Answer, Client, Headers, Unreachable, http_library
from .upstreams import Upstream, environment_of

_HOP: Final = frozenset(
    {"connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "host"}
)  # fmt: skip
"""Headers of one connection, which are not passed on (RFC 9110, 7.6.1)."""
AGENT: Final = "pagereel-agent"
"""The header in which a client says which of several agents asks. It is for the recording, and is not passed on."""
_OURS: Final = frozenset(name.encode() for name in {*_HOP, AGENT})
_JSON: Final = (b"content-type", b"application/json")
_GONE: Final = frozenset(name.encode() for name in _HOP)
_PATIENCE: Final = 5.0
"""Seconds that the end waits for answers under way, and for what is still to be read."""

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class ModelProxy:
    """A proxy on loopback for one recording, for `with`. What went over it is written into the session.

    :param answers: recorded answers, which are given instead of asking the providers.
    :raises UsageError: no HTTP library is installed.
    """

    def __init__(self, session: Session, upstreams: list[Upstream], answers: Answers | None = None) -> None:
        self._session = session
        self._upstreams = {each.name: each for each in upstreams}
        self._answers = answers
        self._library = http_library()
        self._client: Any = None
        self._reader = Reader(session, Keys(os.environ))
        self._socket: socket.socket | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        # A page in a browser, or another user, must not find it: the path is a secret of this run.
        self._token = secrets.token_hex(12)
        self.unanswered: list[str] = []
        """Requests that no recorded answer fitted: why, a sentence each."""

    @property
    def origin(self) -> str:
        """The address under which the providers stand, each by its name."""
        assert self._socket is not None
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/{self._token}"

    def environment(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return the variables that lead a process here."""
        return environment_of(self._upstreams.values(), self.origin, environment)

    # -- life ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Listen; when this returns, requests are answered."""
        # asyncio turns Nagle's algorithm off for sockets that name their protocol alone; else each first token waits 40 ms for an ACK.
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(200)
        config = uvicorn.Config(
            self._application, interface="asgi3", http="h11", ws="none", lifespan="off", log_config=None, access_log=False,
            proxy_headers=False, server_header=False, date_header=False,
            timeout_graceful_shutdown=int(_PATIENCE), timeout_keep_alive=3600,
        )  # fmt: skip
        # That an answer broke off is told in the recording; without a handler, logging would print it into the command's output.
        logging.getLogger("uvicorn.error").addHandler(logging.NullHandler())
        self._server = uvicorn.Server(config)
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), name="pagereel-proxy", daemon=True)
        self._thread.start()
        started.wait(10)

    def _run(self, started: threading.Event) -> None:
        assert self._server is not None and self._socket is not None
        server, sockets = self._server, [self._socket]

        async def serve() -> None:
            self._client = Client(self._library, [each.url for each in self._upstreams.values()])
            task = asyncio.create_task(server.serve(sockets=sockets))
            while not server.started and not task.done():
                await asyncio.sleep(0.005)
            started.set()
            await task
            await self._client.close()

        asyncio.run(serve())

    def stop(self) -> None:
        """End, and write what is still to be written. A second call does nothing."""
        if self._server is None or self._thread is None:
            return
        self._server.should_exit = True
        self._thread.join(_PATIENCE * 2)
        self._server = None
        self._reader.close()

    def __enter__(self) -> ModelProxy:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    # -- one request ---------------------------------------------------------------------------------------------------

    async def _application(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        _, token, name, *_ = [*path.split("/", 3), "", "", ""]
        upstream = self._upstreams.get(name)
        if upstream is None or not secrets.compare_digest(token.encode(), self._token.encode()):
            await _give(send, 404, [_JSON], b'{"error":"There is nothing here."}')
            return
        headers = _text(scope["headers"])
        agent = next((value for name, value in headers if name == AGENT), "") or self._session.open_agent
        exchange = Exchange(
            upstream.name, scope["method"], _address(upstream, scope), self._session.now, self._session.open_step, agent, headers
        )  # fmt: skip
        asker = _Asker(receive, exchange.sent)
        try:
            if self._answers is not None:
                await self._again(exchange, asker, send, self._answers)
            else:
                await self._on(exchange, scope["headers"], asker, send)
        except asyncio.CancelledError:
            asker.check_left()
        finally:
            asker.stop()
            self._reader.note(exchange)

    async def _on(self, exchange: Exchange, headers: Headers, asker: _Asker, send: Send) -> None:
        """Pass a request on, and its answer back, for as long as somebody waits for it."""
        bodied = any(name in (b"content-length", b"transfer-encoding") for name, _ in headers)
        kept = [each for each in headers if each[0] not in _OURS]
        try:
            answer = await self._client.ask(exchange.method, exchange.url, kept, asker.parts() if bodied else None)
            await self._back(exchange, answer, send)
        except Unreachable as error:
            exchange.failed, exchange.status = str(error), 502
            await asker.rest()  # what was asked is told all the same
            await _give(send, 502, [_JSON], orjson.dumps(_told("upstream_unreachable", exchange.failed)))

    async def _back(self, exchange: Exchange, answer: Answer, send: Send) -> None:
        """Pass an answer on; where it breaks off, the connection does."""
        exchange.status = answer.status
        headers = [(name.lower(), value) for name, value in answer.headers]
        await send(
            {
                "type": "http.response.start",
                "status": answer.status,
                "headers": [each for each in headers if each[0] not in _GONE],
            }
        )
        exchange.headers = _text(answer.headers)
        try:
            async for part in answer.parts:
                exchange.chunks.append((self._session.now, part))
                await send({"type": "http.response.body", "body": part, "more_body": True})
            exchange.whole = True
            await send({"type": "http.response.body", "body": b""})
        except Unreachable as error:
            exchange.failed = str(error)
        finally:
            if not exchange.whole:
                await answer.close()

    async def _again(self, exchange: Exchange, asker: _Asker, send: Send, answers: Answers) -> None:
        """Give the recorded answer."""
        await asker.rest()
        found = answers.find(exchange)
        if isinstance(found, Miss):
            self.unanswered.append(found.message)
            told = _told("no_recorded_answer", found.message, found.difference)
            if exchange.provider == "ollama":
                told = {"error": found.message, "difference": found.difference}
            # Libraries try again after a 409, and would get the same.
            exchange.status, headers, body = 409, [_JSON, (b"x-should-retry", b"false")], orjson.dumps(told)
        else:
            exchange.status, headers, body = found.status, _recorded(found), found.body
        exchange.chunks, exchange.headers, exchange.whole = [(self._session.now, body)], _text(headers), True
        await _give(send, exchange.status, headers, body)


class _Asker:
    """Who asks: gives a request's body, and ends the task that serves it when nobody waits for the answer any more."""

    def __init__(self, receive: Receive, into: list[bytes]) -> None:
        self._receive = receive
        self._into = into
        self._task = asyncio.current_task()
        self._watch: asyncio.Task[None] | None = None
        self._more = True
        self._left = False

    async def parts(self) -> AsyncIterator[bytes]:
        """Yield the body as it comes."""
        while self._more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                self._leave()
                return
            self._more = message.get("more_body", False)
            if part := message.get("body", b""):
                self._into.append(part)
                yield part
        self._watch = asyncio.create_task(self._wait())

    async def rest(self) -> None:
        """Take what has not been passed on."""
        async for _ in self.parts():
            pass

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._leave()

    def _leave(self) -> None:
        self._more = False
        self._left = True
        if self._task is not None:
            self._task.cancel()

    def check_left(self) -> None:
        """Go on after a cancellation if it was this one, which nobody is to hear of.

        :raises asyncio.CancelledError: it was another.
        """
        if not self._left or self._task is None or self._task.uncancel():
            raise asyncio.CancelledError

    def stop(self) -> None:
        """Watch no longer."""
        if self._watch is not None:
            self._watch.cancel()


async def _give(send: Send, status: int, headers: Headers, body: bytes) -> None:
    sized = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": sized})
    await send({"type": "http.response.body", "body": body})


def _text(headers: Headers) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]


def _address(upstream: Upstream, scope: Scope) -> str:
    """Return the provider's address for a request, its path and query as they were written."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    rest = raw.decode("latin-1").split("/", 3)[3] if raw.count(b"/") >= 3 else ""
    rest = f"/{rest}"
    if upstream.path and rest.startswith(f"{upstream.path}/"):
        rest = rest[len(upstream.path) :]
    query = scope.get("query_string", b"").decode("latin-1")
    return f"{upstream.url}{rest}{'?' if query else ''}{query}"


def _told(kind: str, message: str, difference: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return an error in a form that the providers' libraries show."""
    error = {"type": kind, "message": message, **({"difference": difference} if difference else {})}
    return {"type": "error", "error": error}


def _recorded(found: Recorded) -> Headers:
    headers = {name.lower(): value for name, value in found.headers.items() if name.lower() != "content-length"}
    if found.mime and not headers.get("content-type"):
        headers["content-type"] = found.mime
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
