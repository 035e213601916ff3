"""HTTP connections with time limits, so that a client that sends or reads nothing is disconnected.

Uvicorn waits without limit for a request's first line and headers, for the rest of a body, and for a client that
does not read. Here each of these waits ends, with status 408 of RFC 9110 or by closing the connection, which a
server may do at any time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any, Final, cast

from starlette.requests import Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from .worker import RequestRefusedError

MOST: Final = 400
"""Largest number of connections to one port. Beyond it the one that has been silent for longest is closed."""
HEAD_S: Final = 10.0
"""Seconds from a request's first byte, or from the connection, until its headers must have arrived; also the time for
which the rest of a refused body is read.
"""
_UNREAD_S: Final = 60.0
"""Seconds after which a client that reads nothing of an answer is disconnected."""
_SILENT_S: Final = 15.0
_SOON_S: Final = 30.0
_SLOWEST: Final = 16 << 10
"""Slowest rate of a body in bytes a second, after the first half minute."""


class BoundedConnection(H11Protocol):
    """A connection with time limits. It always uses h11, because that bounds the length of headers."""

    _deadline: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None
    _heard = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        self._heard = time.monotonic()
        if len(self.connections) > MOST:
            others = [
                each for each in self.connections if isinstance(each, BoundedConnection) and each.is_awaiting_client
            ]
            min(others, key=lambda each: each._heard, default=self).transport.abort()
        self._start_deadline()

    def data_received(self, data: bytes) -> None:
        self._heard = time.monotonic()
        super().data_received(data)
        if self._is_answering():
            self._cancel_deadline()
        else:
            self._start_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        self.resume_writing()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading = self.loop.call_later(_UNREAD_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    @property
    def is_awaiting_client(self) -> bool:
        """Return whether the client is expected to send something."""
        return not self.transport.is_closing() and (not self._is_answering() or self.cycle.more_body)

    def _is_answering(self) -> bool:
        """Return whether a request is being answered.

        While it is, this class sets no time limit, because the endpoint reads the body with limits of its own
        (:func:`iter_body_blocks`).
        """
        return self.cycle is not None and not self.cycle.response_complete

    def _start_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_S, self._close_if_idle)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close_if_idle(self) -> None:
        self._deadline = None
        if not self._is_answering():
            self.transport.abort()


async def iter_body_blocks(request: Request) -> AsyncIterator[bytes]:
    """Yield the body of a request block by block. Raises RequestRefusedError (408) where the client stalls or is too slow."""
    began, size = time.monotonic(), 0
    stream: Any = request.stream()
    while True:
        left = began + _SOON_S + size / _SLOWEST - time.monotonic()
        try:
            async with asyncio.timeout(min(_SILENT_S, left)):
                block: bytes = await anext(stream)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise RequestRefusedError(408, "The rest of the body did not arrive.") from None
        size += len(block)
        yield block
