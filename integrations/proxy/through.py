"""Asking providers with the HTTP client library: over the proxies that the environment names, and with what else only it reads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final, Protocol

from .door import Headers

_PARTS: Final = 16
"""Parts of a request that may wait before no more are read."""


class ExchangeListener(Protocol):
    """Who is told what comes of a request to a provider."""

    def answered(self, status: int, headers: Headers) -> None:
        """Take the answer's head. Names are small letters."""

    def got(self, part: bytes) -> None:
        """Take a part of the answer's body."""

    def flush(self) -> None:
        """Take that no more is there for now."""

    def done(self) -> None:
        """Take that the answer is whole."""

    def broke(self, why: str) -> None:
        """Take that the provider cannot be asked, or that the answer broke off. `why` begins with the error's name, as the HTTP client library has it."""

    def provider_full(self, full: bool) -> None:
        """Take that the provider is slow and takes no more of the request for now, or does again."""


class UpstreamRequest:
    """A request on its way to a provider. This one leads nowhere."""

    def part(self, data: bytes) -> None:
        """Send a part of its body."""

    def end(self) -> None:
        """Send that it is whole."""

    def hold(self, on: bool) -> None:
        """Read no more of the answer for now, or again."""

    def close(self) -> None:
        """Give up what has not come yet. A second call does nothing."""


class Through:
    """The HTTP client library.

    :param connect: seconds that a connection may take.
    :param kept: how many connections are kept.
    """

    def __init__(self, library: Any, connect: float, kept: int) -> None:
        self.client = library.AsyncClient(
            timeout=library.Timeout(None, connect=connect),
            limits=library.Limits(max_connections=None, max_keepalive_connections=kept),
            follow_redirects=False,
        )
        self.client.headers.clear()

    def ask(self, method: str, url: str, headers: Headers, taker: ExchangeListener) -> UpstreamRequest:
        """Begin a request, and tell `taker` what comes of it, never before this returns."""
        return _Led(self, method, url, headers, taker)

    async def close(self) -> None:
        await self.client.aclose()


class _Led(UpstreamRequest):
    """A request that the library sends, in a task."""

    def __init__(self, through: Through, method: str, url: str, headers: Headers, taker: ExchangeListener) -> None:
        self._through = through
        self._taker = taker
        self._parts: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._free = asyncio.Event()
        self._free.set()
        bodied = any(name in (b"content-length", b"transfer-encoding") for name, _ in headers)
        headers = [each for each in headers if each[0] != b"transfer-encoding"]
        self._task = asyncio.ensure_future(self._ask(method, url, headers, self._sent() if bodied else None))

    def part(self, data: bytes) -> None:
        self._parts.put_nowait(data)
        if self._parts.qsize() > _PARTS:
            self._taker.provider_full(True)

    def end(self) -> None:
        self._parts.put_nowait(None)

    def hold(self, on: bool) -> None:
        if on:
            self._free.clear()
        else:
            self._free.set()

    def close(self) -> None:
        self._task.cancel()

    async def _sent(self) -> AsyncIterator[bytes]:
        while (part := await self._parts.get()) is not None:
            if self._parts.empty():
                self._taker.provider_full(False)
            yield part

    async def _ask(self, method: str, url: str, headers: Headers, parts: AsyncIterator[bytes] | None) -> None:
        client, taker = self._through.client, self._taker
        answer = None
        try:
            request = client.build_request(method, url, headers=headers, content=parts)
            answer = await client.send(request, stream=True)
            taker.answered(answer.status_code, [(name.lower(), value) for name, value in answer.headers.raw])
            taker.flush()
            async for part in answer.aiter_raw():
                await self._free.wait()
                taker.got(part)
                taker.flush()
        except Exception as error:
            said = "the answer broke off" if answer is not None else "the provider did not answer"
            taker.broke(f"{type(error).__name__}: {error or said}")
        else:
            taker.done()
        finally:
            if answer is not None:
                await answer.aclose()
