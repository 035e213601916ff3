"""Connections that notice an answer while its request is still being sent.

httpcore reads an answer only after it has sent the whole request. But a provider may refuse a request (status 413)
after reading the beginning of its body, and then stop reading. Without this module, client and provider would then wait
for each other forever.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextvars import ContextVar
from typing import Any, Final

import httpcore2

NextPart = Callable[[], Awaitable[bytes | None]]
"""Gives the next part of a request's body; None at its end."""
_BLOCK: Final = 1 << 16
"""Bytes of an early answer that are read at once."""


class ReadAheadNetwork(httpcore2.AnyIOBackend):
    """A network backend for httpcore that opens connections as :class:`ReadAheadStream`."""

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:  # fmt: skip
        return ReadAheadStream(await super().connect_tcp(host, port, timeout, local_address, socket_options))


class ReadAheadStream(httpcore2.AsyncNetworkStream):
    """A connection whose next bytes can be read in advance; the next call of `read` returns them."""

    def __init__(self, inner: httpcore2.AsyncNetworkStream) -> None:
        self._inner = inner
        self._ahead: asyncio.Task[bytes] | None = None

    def read_ahead(self) -> asyncio.Task[bytes]:
        """Begin to read the next bytes.

        Return the task, which ends when the server has sent something or closed the connection.
        """
        if self._ahead is None:
            self._ahead = asyncio.ensure_future(self._inner.read(_BLOCK))
        return self._ahead

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._ahead is None:
            return await self._inner.read(max_bytes, timeout)
        data = await self._ahead
        self._ahead = None
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        _SENT_ON.set(self)
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        if self._ahead is not None:
            self._ahead.cancel()
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        return ReadAheadStream(await self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


_SENT_ON: ContextVar[ReadAheadStream] = ContextVar("_SENT_ON")
"""The connection on which this task's request is sent: httpcore chooses it, and tells nobody."""


async def iter_body_until_answered(receive_part: NextPart) -> AsyncIterator[bytes]:
    """Yield the parts of a request's body until the server answers.

    :raises WriteError: an answer has arrived, or the connection has ended; httpcore then stops sending, and reads the answer.
    """
    while True:
        part = asyncio.ensure_future(receive_part())
        try:
            await asyncio.wait({part, _SENT_ON.get().read_ahead()}, return_when=asyncio.FIRST_COMPLETED)
            if not part.done():
                raise httpcore2.WriteError("answered before the request was whole")
            data = part.result()
        finally:
            part.cancel()
        if data is None:
            return
        yield data
