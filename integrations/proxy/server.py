"""The proxy itself: it listens on a thread of its own, and another reads what went over."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import threading
from collections.abc import Mapping
from typing import Any, Final

from pagereel.integrations.wire import Keys, WireExchange, WireReader
from pagereel.recorder import Session

from .answers import Answers
from .client import Client, http_library
from .door import ClientConnection, ProxyRequest, RequestHandler
from .passage import HOP, JSON, AnswerReplay, Passage, text
from .upstreams import Upstream, environment_of

AGENT: Final = b"pagereel-agent"
"""The header in which a client says which of several agents asks. It is for the recording, and is not passed on."""
_OURS: Final = (HOP | {AGENT}) - {b"transfer-encoding"}
"""Headers of a request that are not passed on. How its body is sent is for the connection to the provider to say."""
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
        self._reader = WireReader(session, Keys(os.environ))
        self._socket: socket.socket | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = asyncio.Event()
        self._doors: set[ClientConnection] = set()
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
        self._socket = listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.bind(("127.0.0.1", 0))
        listener.listen(200)
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(listener, started), name="pagereel-proxy", daemon=True)
        self._thread.start()
        started.wait(10)

    def _run(self, listener: socket.socket, started: threading.Event) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            self._client = Client(self._library, [each.url for each in self._upstreams.values()])
            server = await self._loop.create_server(lambda: ClientConnection(self._doors, self._handle), sock=listener)
            started.set()
            await self._ending.wait()
            server.close()
            await self._close()

        # asyncio's own loop, whichever one the process has chosen: others know less of connecting.
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(serve())

    async def _close(self) -> None:
        """Close all connections: at once where nothing is under way, else after the answer, or when it takes too long."""
        assert self._loop is not None
        end = self._loop.time() + _PATIENCE
        for door in [*self._doors]:
            door.retire()
        while self._doors and self._loop.time() < end:
            await asyncio.sleep(0.005)
        for door in [*self._doors]:
            door.abort()
        await asyncio.sleep(0)
        await self._client.close()

    def stop(self) -> None:
        """End, and write what is still to be written. A second call does nothing."""
        if self._thread is None:
            return
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join(_PATIENCE * 2)
        self._thread = None
        self._reader.close()

    def __enter__(self) -> ModelProxy:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    # -- one request ---------------------------------------------------------------------------------------------------

    def _handle(self, request: ProxyRequest, door: ClientConnection) -> RequestHandler:
        """Begin to pass a request on, or to answer it."""
        target = request.target
        if not target.startswith("/"):  # as proxies are asked
            target = "/" + target.partition("://")[2].partition("/")[2]
        _, token, name, *rest = [*target.split("/", 3), "", ""]
        upstream = self._upstreams.get(name)
        if upstream is None or not secrets.compare_digest(token.encode(), self._token.encode()):
            door.give(404, [JSON], b'{"error":"There is nothing here."}')
            return RequestHandler()
        session, headers, path = self._session, request.headers, _path(upstream, rest[0])
        agent = next((value.decode("latin-1") for name, value in headers if name == AGENT), "") or session.open_agent
        exchange = WireExchange(
            upstream.name, request.method, upstream.url + path, session.now, session.open_step, agent, text(headers)
        )
        told = exchange, door, self._now, self._reader.note
        if self._answers is not None:
            return AnswerReplay(*told, self._answers, self.unanswered.append)
        passage = Passage(*told)
        kept = [each for each in headers if each[0] not in _OURS]
        passage.way = self._client.ask(request.method, upstream.url, path, kept, passage)
        return passage

    def _now(self) -> float:
        return self._session.now


def _path(upstream: Upstream, rest: str) -> str:
    """Return what is asked behind the provider's address, as it was written."""
    path = f"/{rest}"
    if upstream.path and path.startswith(f"{upstream.path}/"):
        return path[len(upstream.path) :]
    return path
