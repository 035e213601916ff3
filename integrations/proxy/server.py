"""The proxy itself: Starlette under Uvicorn on a thread of its own, and a thread that reads what went over."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from pagereel.integrations.wire import Exchange, Keys, Reader
from pagereel.recorder import Session

from .answers import Answers, Miss, Recorded
from .client import http_library, new_client
from .upstreams import Upstream, environment_of

_HOP: Final = frozenset(
    {"connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "host"}
)  # fmt: skip
"""Headers of one connection, which are not passed on (RFC 9110, 7.6.1)."""
AGENT: Final = "pagereel-agent"
"""The header in which a client says which of several agents asks. It is for the recording, and is not passed on."""
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]
_PATIENCE: Final = 5.0
"""Seconds that the end waits for answers under way, and for what is still to be read."""


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
        app = Starlette(
            routes=[Route("/{token}/{name}/{path:path}", self._serve, methods=_METHODS)], lifespan=self._life
        )
        config = uvicorn.Config(
            app, http="h11", ws="none", log_config=None, access_log=False, server_header=False, date_header=False,
            timeout_graceful_shutdown=int(_PATIENCE), timeout_keep_alive=3600, lifespan="on",
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), name="pagereel-proxy", daemon=True)
        self._thread.start()
        started.wait(10)

    def _run(self, started: threading.Event) -> None:
        assert self._server is not None and self._socket is not None
        server, sockets = self._server, [self._socket]

        async def serve() -> None:
            task = asyncio.create_task(server.serve(sockets=sockets))
            while not server.started and not task.done():
                await asyncio.sleep(0.005)
            started.set()
            await task

        asyncio.run(serve())

    @contextlib.asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        self._client = new_client(self._library)
        try:
            yield
        finally:
            await self._client.aclose()

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

    async def _serve(self, request: Request) -> Response:
        upstream = self._upstreams.get(request.path_params["name"])
        if upstream is None or not secrets.compare_digest(request.path_params["token"], self._token):
            return JSONResponse({"error": "There is nothing here."}, 404)
        exchange = Exchange(
            upstream.name, request.method, _address(upstream, request), self._session.now, self._session.open_step,
            request.headers.get(AGENT) or self._session.open_agent,
            [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw],
        )  # fmt: skip
        if self._answers is not None:
            return await self._again(exchange, request, self._answers)
        return await self._on(exchange, request)

    async def _on(self, exchange: Exchange, request: Request) -> Response:
        """Pass a request on, and its answer back."""

        async def sent() -> AsyncIterator[bytes]:
            async for part in request.stream():
                if part:
                    exchange.sent.append(part)
                    yield part

        ours = {*_HOP, AGENT}
        headers = [(name, value) for name, value in request.headers.raw if name.decode("latin-1").lower() not in ours]
        bodied = "content-length" in request.headers or "transfer-encoding" in request.headers
        try:
            asked = self._client.build_request(
                exchange.method, exchange.url, headers=headers, content=sent() if bodied else None
            )
            answer = await self._client.send(asked, stream=True)
        except ClientDisconnect:
            self._reader.note(exchange)
            raise
        except self._library.HTTPError as error:
            exchange.failed = f"{type(error).__name__}: {error or 'the provider did not answer'}"
            exchange.status = 502
            with contextlib.suppress(Exception):  # what was asked is told all the same
                async for _ in sent():
                    pass
            self._reader.note(exchange)
            return JSONResponse(_told("upstream_unreachable", exchange.failed), 502)
        except self._library.InvalidURL as error:
            return JSONResponse(_told("upstream_unreachable", str(error)), 502)
        exchange.status = answer.status_code
        exchange.headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.headers.raw]
        response = StreamingResponse(self._back(exchange, answer), answer.status_code)
        response.raw_headers = [
            (n.lower(), v) for n, v in answer.headers.raw if n.decode("latin-1").lower() not in _HOP
        ]
        return response

    async def _back(self, exchange: Exchange, answer: Any) -> AsyncIterator[bytes]:
        try:
            async for part in answer.aiter_raw():
                exchange.chunks.append((self._session.now, part))
                yield part
            exchange.whole = True
        except self._library.HTTPError as error:
            exchange.failed = f"{type(error).__name__}: {error or 'the answer broke off'}"
            raise
        finally:
            self._reader.note(exchange)
            with contextlib.suppress(Exception):
                await asyncio.shield(answer.aclose())

    async def _again(self, exchange: Exchange, request: Request, answers: Answers) -> Response:
        """Give the recorded answer."""
        exchange.sent = [await request.body()]
        found = answers.find(exchange)
        if isinstance(found, Miss):
            self.unanswered.append(found.message)
            body = _told("no_recorded_answer", found.message, found.difference)
            if exchange.provider == "ollama":
                body = {"error": found.message, "difference": found.difference}
            # Libraries try again after a 409, and would get the same.
            response: Response = JSONResponse(body, 409, {"x-should-retry": "false"})
            exchange.chunks = [(self._session.now, bytes(response.body))]
        else:
            response = _recorded(found)
            exchange.chunks = [(self._session.now, found.body)]
        exchange.status, exchange.whole = response.status_code, True
        exchange.headers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in response.raw_headers]
        self._reader.note(exchange)
        return response


def _address(upstream: Upstream, request: Request) -> str:
    """Return the provider's address for a request, its path and query as they were written."""
    raw = request.scope.get("raw_path") or request.url.path.encode()
    rest = raw.decode("latin-1").split("/", 3)[3] if raw.count(b"/") >= 3 else ""
    rest = f"/{rest}"
    if upstream.path and rest.startswith(f"{upstream.path}/"):
        rest = rest[len(upstream.path) :]
    query = request.scope.get("query_string", b"").decode("latin-1")
    return f"{upstream.url}{rest}{'?' if query else ''}{query}"


def _told(kind: str, message: str, difference: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return an error in a form that the providers' libraries show."""
    error = {"type": kind, "message": message, **({"difference": difference} if difference else {})}
    return {"type": "error", "error": error}


def _recorded(found: Recorded) -> Response:
    headers = dict(found.headers)
    if found.mime:
        headers["content-type"] = headers.get("content-type") or found.mime
    return Response(found.body, found.status, headers)
