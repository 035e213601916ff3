"""The model proxy: an uvicorn server in one thread, and the recording of its traffic in another."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import threading
from collections.abc import Mapping
from typing import Any, Final

import httpcore2
import uvicorn

from pagereel.integrations.wire import ExchangeRecorder, ProviderKeys, WireExchange
from pagereel.recorder import Session

from .early_answers import NextPart
from .forwarding import (
    CONNECTION_HEADERS,
    JSON,
    ClientRequest,
    answer_client,
    answer_from_recording,
    decode_headers,
    forward_request,
)
from .recorded_answers import Answers
from .upstream_client import UpstreamClient
from .upstreams import UpstreamProvider, build_environment

AGENT: Final = b"pagereel-agent"
"""The header in which a client says which of several agents asks. It is for the recording, and is not passed on."""
_OURS: Final = (CONNECTION_HEADERS | {AGENT}) - {b"transfer-encoding"}
"""Headers of a request that are not passed on. How its body is sent is for the connection to the provider to say."""
_HEAD: Final = 1 << 20
"""Bytes that the head of a request may have."""
_PATIENCE: Final = 5
"""Seconds that the end waits for answers under way, and for what is still to be read."""
_KEPT: Final = 3600
"""Seconds that a client's connection is kept: one that is closed at the moment of its next request fails it."""
_THREAD: Final = "pagereel-proxy"


class ModelProxy:
    """A proxy on loopback for one recording, to be used with `with`. It writes the traffic into the session.

    :param answers: recorded answers, which are given instead of asking the providers.
    :raises UsageError: the certificates that the environment names cannot be read.
    """

    def __init__(self, session: Session, upstreams: list[UpstreamProvider], answers: Answers | None = None) -> None:
        self._session = session
        self._upstreams = {each.name: each for each in upstreams}
        self._answers = answers
        self._client = UpstreamClient([each.url for each in upstreams])
        self._reader = ExchangeRecorder(session, ProviderKeys(os.environ))
        self._socket: socket.socket | None = None
        self._server: _StoppableServer | None = None
        self._thread: threading.Thread | None = None
        # A page in a browser, or another user, must not find it: the path is a secret of this run.
        self._token = secrets.token_hex(12)
        self.unanswered: list[str] = []
        """Requests that no recorded answer fitted: why, a sentence each."""

    @property
    def origin(self) -> str:
        """Return the proxy's address; each provider is a path below it, by name."""
        assert self._socket is not None
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/{self._token}"

    def environment(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return the environment variables that make a process use this proxy."""
        return build_environment(self._upstreams.values(), self.origin, environment)

    # -- life ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the server, and return when it answers requests."""
        # asyncio turns Nagle's algorithm off for sockets that name their protocol alone; else each first token waits 40 ms for an ACK.
        self._socket = listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.bind(("127.0.0.1", 0))
        listener.listen(200)
        config = uvicorn.Config(
            self._handle_request, interface="asgi3", lifespan="off", ws="none", log_config=None,
            http="h11",  # It bounds heads, and knows answers whose length is not that of a body (304).
            h11_max_incomplete_event_size=_HEAD, timeout_keep_alive=_KEPT, timeout_graceful_shutdown=_PATIENCE,
            proxy_headers=False, server_header=False, date_header=False,
        )  # fmt: skip
        for name in ("uvicorn.error", "uvicorn.access", "asyncio"):
            logging.getLogger(name).addFilter(_is_from_other_server)
        self._server = _StoppableServer(config)
        self._thread = threading.Thread(
            target=self._run_server, args=(self._server, listener), name=_THREAD, daemon=True
        )
        self._thread.start()
        self._server.listens.wait(10)

    def _run_server(self, server: _StoppableServer, listener: socket.socket) -> None:
        async def serve_until_stopped() -> None:
            await server.serve(sockets=[listener])
            await self._client.close()

        # asyncio's own loop, whichever one the process has chosen: others know less of connecting.
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(serve_until_stopped())

    def stop(self) -> None:
        """Stop the server, and record the remaining calls. A second call does nothing."""
        if self._thread is None or self._server is None:
            return
        self._server.request_stop()
        self._thread.join(_PATIENCE * 2)
        self._thread = None
        self._reader.close()

    def __enter__(self) -> ModelProxy:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    # -- one request ---------------------------------------------------------------------------------------------------

    async def _handle_request(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request as an ASGI application: forward it, or answer it from the recording."""
        headers, method = scope["headers"], scope["method"]
        target: bytes = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        if not target.startswith(b"/"):  # as proxies are asked
            target = b"/" + target.partition(b"://")[2].partition(b"/")[2]
        _, token, name, *rest = [*target.split(b"/", 3), b"", b""]
        upstream = self._upstreams.get(name.decode())
        framing = {name for name, _ in headers if name in (b"content-length", b"transfer-encoding")}
        sent: list[bytes] = []
        request = ClientRequest(receive, send, sent)
        if len(framing) > 1:  # Two readers of such a request could take two different bodies out of it (RFC 9112, 6.1).
            await request.send_answer(
                400, [JSON, (b"connection", b"close")], b'{"error":"The request has two lengths."}'
            )
            return
        if upstream is None or not secrets.compare_digest(token, self._token.encode()):
            await request.send_answer(404, [JSON], b'{"error":"There is nothing here."}')
            return
        session, path = self._session, _strip_provider_path(upstream, rest[0])
        agent = (
            next((value.decode("latin-1") for name, value in headers if name == AGENT), "")
            or session.current_agent_name
        )
        exchange = WireExchange(
            upstream.name, method, upstream.url + path.decode(), session.now, session.open_step_id, agent, decode_headers(headers), sent
        )  # fmt: skip
        kept = [each for each in headers if each[0] not in _OURS]

        async def ask_upstream(body: NextPart) -> httpcore2.Response:
            return await self._client.send_request(method, upstream.url, path, kept, body if framing else None)

        if self._answers is not None:
            answering = answer_from_recording(
                request, exchange, self._get_recording_time, self._answers, self.unanswered.append
            )
        else:
            answering = forward_request(request, exchange, self._get_recording_time, ask_upstream)
        try:
            await answer_client(answering, request)
        finally:
            self._reader.queue_exchange(exchange)

    def _get_recording_time(self) -> float:
        return self._session.now


class _StoppableServer(uvicorn.Server):
    """A uvicorn server that signals when it listens, and that can be stopped at once.

    uvicorn itself checks only ten times a second whether to stop.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        self.listens.set()

    async def main_loop(self) -> None:
        await self._ending.wait()

    def request_stop(self) -> None:
        """Accept no more requests, and stop the server when the current ones are answered."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ending.set)


def _is_from_other_server(record: logging.LogRecord) -> bool:
    """Return whether a log record comes from another uvicorn server in this process, so that it is kept.

    The proxy's own log records are dropped, because its events are in the recording.
    """
    return record.threadName != _THREAD


def _strip_provider_path(provider: UpstreamProvider, request_path: bytes) -> bytes:
    """Return a request's path and query relative to the provider's address, without the path prefix that client
    libraries add.
    """
    path, prefix = b"/" + request_path, provider.path.encode()
    return path.removeprefix(prefix) if path.startswith(prefix + b"/") else path
