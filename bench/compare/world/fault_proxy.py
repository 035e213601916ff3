"""A reverse proxy on loopback that delays each answer as a network does, answers some requests itself, and edits a few answers.

Requests keep the ``Host`` that they came with, so an application's redirects and its checks of the origin work. WebSockets and streamed answers
pass through unchanged.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

LARGEST_HEAD = 200_000


@dataclass
class ProxiedRequest:
    """A request that the proxy got: `target` is its path with its query."""

    method: str
    target: str
    body: bytes

    @property
    def path(self) -> str:
        """The path without the query."""
        return self.target.partition("?")[0]


@dataclass
class ServedAnswer:
    """An answer that the proxy gives itself. `delay`: seconds that it waits before it sends it."""

    body: bytes = b""
    type: str = "text/plain"
    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=list)
    delay: float = 0.0


@dataclass
class ProxyPlan:
    """Which requests a proxy answers itself, which it delays, and which answers it edits."""

    own: Callable[[ProxiedRequest], ServedAnswer | None]
    """Gives what is answered without the application; None: it is asked."""
    late: Callable[[ProxiedRequest], float] = lambda _: 0.0
    """Seconds that a request waits, beside the network's."""
    edits: Callable[[ProxiedRequest], Callable[[bytes], bytes] | None] = lambda _: None
    """Gives what changes an answer's body, if anything does."""
    came: list[str] = field(default_factory=list)
    """What was planted, each time that it was."""


def draw_network_delay() -> float:
    """Return the seconds that an answer takes over a network, drawn by chance: mostly about 20 ms, seldom up to 400 ms."""
    return min(random.lognormvariate(-3.9, 0.7), 0.4)


class FaultProxy:
    """A proxy before the application on `port` of this machine while the ``with`` block runs; `url` has no slash at its end."""

    def __init__(self, port: int, plan: ProxyPlan) -> None:
        self._upstream, self._plan = port, plan
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy")
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> asyncio.Server:
        return await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=LARGEST_HEAD)

    async def _stop(self) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError, asyncio.LimitOverrunError):
            pass
        finally:
            self._tasks.discard(task)
            with contextlib.suppress(OSError):
                writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip("\r\n").split("\r\n")
        method, target, _ = first.split(" ", 2)
        names = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in lines}
        body = await _read_body(reader, names)
        asked = ProxiedRequest(method, target, body)
        await asyncio.sleep(draw_network_delay())
        answer = self._plan.own(asked)
        if answer is not None:
            await asyncio.sleep(answer.delay)
            await _write_answer(writer, answer)
            return
        await asyncio.sleep(self._plan.late(asked))
        edit = self._plan.edits(asked)
        upgrades = "upgrade" in names
        kept = [line for line in lines if line.partition(":")[0].lower() not in _HOPS]
        if not upgrades:
            kept = [line for line in kept if not line.lower().startswith(("connection:", "upgrade:"))]
            kept.append("Connection: close")
        if edit is not None:
            kept = [line for line in kept if not line.lower().startswith(("accept-encoding:", "if-"))]
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._upstream, limit=LARGEST_HEAD)
        try:
            length = [f"Content-Length: {len(body)}"] if body or method in ("POST", "PUT", "PATCH") else []
            up_writer.write(
                "\r\n".join([f"{method} {target} HTTP/1.1", *kept, *length, "", ""]).encode("latin-1") + body
            )
            if upgrades:
                await asyncio.gather(_copy_stream(up_reader, writer), _copy_stream(reader, up_writer))
                return
            await _forward_answer(up_reader, writer, edit)
        finally:
            up_writer.close()


_HOPS = frozenset({"content-length", "transfer-encoding", "keep-alive", "proxy-connection", "expect"})


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    """Read the body of a request: chunked, or as long as its headers say."""
    if "chunked" in headers.get("transfer-encoding", ""):
        return await _read_chunks(reader)
    return await reader.readexactly(int(headers.get("content-length") or 0))


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    """Read a chunked body to its end."""
    found = b""
    while size := int((await reader.readline()).split(b";")[0], 16):
        found += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return found


async def _copy_stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy bytes from a reader to a writer until the reader ends."""
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
        writer.close()


async def _forward_answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, edit: Callable[[bytes], bytes] | None
) -> None:
    """Forward the application's answer with ``Connection: close``; an answer that is edited is read whole before it is sent."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip("\r\n").split("\r\n")
    kept = [line for line in lines if not line.lower().startswith(("connection:", "keep-alive:"))]
    if edit is not None:
        names = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in lines}
        chunked, known = "chunked" in names.get("transfer-encoding", ""), names.get("content-length")
        body = await (
            _read_chunks(reader) if chunked else reader.read() if known is None else reader.readexactly(int(known))
        )
        body = edit(body)
        kept = [
            line for line in kept if not line.lower().startswith(("content-length:", "transfer-encoding:", "etag:"))
        ]
        kept.append(f"Content-Length: {len(body)}")
    writer.write("\r\n".join([first, *kept, "Connection: close", "", ""]).encode("latin-1"))
    if edit is not None:
        writer.write(body)
        await writer.drain()
        return
    await _copy_stream(reader, writer)


async def _write_answer(writer: asyncio.StreamWriter, answer: ServedAnswer) -> None:
    """Send an answer of the proxy's own."""
    lines = [
        f"HTTP/1.1 {answer.status} {'OK' if answer.status < 400 else 'Not so'}",
        f"Content-Type: {answer.type}",
        f"Content-Length: {len(answer.body)}",
        "Cache-Control: no-store",
        *(f"{name}: {value}" for name, value in answer.headers),
        "Connection: close",
        "",
        "",
    ]
    writer.write("\r\n".join(lines).encode("latin-1") + answer.body)
    await writer.drain()
