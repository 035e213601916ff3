"""Forwards one request from the client to the provider, and the answer back, each part as it arrives, and keeps copies.

This is an ASGI application without Starlette. Starlette's streamed answers read from the client themselves, and would
consume the rest of a request whose answer has begun.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import httpcore2
import orjson

from pagereel.integrations.wire import WireExchange

from .early_answers import NextPart
from .recorded_answers import Answers, RecordedAnswer, UnansweredRequest
from .upstream_client import Headers

CONNECTION_HEADERS: Final = frozenset(
    {b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade", b"host"}
)  # fmt: skip
"""Headers of one connection, which are not passed on (RFC 9110, 7.6.1)."""
JSON: Final = (b"content-type", b"application/json")
_WAITING: Final = 2
"""Parts of a request that wait for the provider before no more are read."""
_REST: Final = 5.0
"""Seconds that the end of an answer waits for the rest of its request, which nobody asks for any more."""
_TAIL: Final = 0.05
"""Seconds that an answer may go on after the client has hung up: one that has read the last event need not wait for the stream's end."""

Ask = Callable[[NextPart], Awaitable[httpcore2.Response]]
"""Asks the provider, with what gives the request's body."""


class ClientRequest:
    """A client's request to the proxy, with the methods to answer it.

    :param noted: the list to which copies of the parts of its body are added.
    """

    def __init__(self, receive: Callable[[], Any], send: Callable[[Any], Any], noted: list[bytes]) -> None:
        self._receive = receive
        self._send = send
        self._noted = noted
        self._parts: asyncio.Queue[bytes | None] = asyncio.Queue(_WAITING)
        self._whole = asyncio.Event()
        self._unread = False

    async def receive_request(self) -> None:
        """Receive the parts of the request, until the client disconnects or has received its answer."""
        while (message := await self._receive())["type"] == "http.request":
            if part := message.get("body"):
                self._noted.append(part)
                if not self._unread:
                    await self._parts.put(part)
            if not message.get("more_body"):
                self._whole.set()
                await self._parts.put(None)

    async def receive_body_part(self) -> bytes | None:
        """Wait for the next part of the request's body, and return it; None at its end."""
        return await self._parts.get()

    async def discard_remaining_body(self, timeout: float | None = None) -> None:
        """Receive and discard the remaining parts of the request, for at most `timeout` seconds."""
        self._unread = True
        while not self._parts.empty():
            self._parts.get_nowait()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._whole.wait(), timeout)

    async def send_status_and_headers(self, status: int, headers: Headers) -> None:
        """Send the status and headers of the answer."""
        await self._send({"type": "http.response.start", "status": status, "headers": headers})

    async def send_body_part(self, data: bytes, *, more: bool) -> None:
        """Send a part of the answer's body."""
        await self._send({"type": "http.response.body", "body": data, "more_body": more})

    async def send_answer(self, status: int, headers: Headers, body: bytes) -> None:
        """Send a complete answer: status, headers and body."""
        await self.send_status_and_headers(status, [*headers, (b"content-length", b"%d" % len(body))])
        await self.send_body_part(body, more=False)


async def answer_client(answer_coroutine: Coroutine[Any, Any, None], request: ClientRequest) -> None:
    """Run the coroutine that answers a request, until it ends or the client disconnects."""
    listening = asyncio.ensure_future(request.receive_request())
    answer = asyncio.ensure_future(answer_coroutine)
    try:
        await asyncio.wait({listening, answer}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({answer}, timeout=_TAIL)
        answer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await answer
    finally:
        answer.cancel()
        listening.cancel()


async def forward_request(
    request: ClientRequest, exchange: WireExchange, get_time: Callable[[], float], send_to_provider: Ask
) -> None:
    """Send the client's request to the provider with the function `send_to_provider`, and pass the answer on as it arrives.

    If the provider's answer is cut off, the answer to the client is cut off, too.
    """
    try:
        answer = await send_to_provider(request.receive_body_part)
    except Exception as error:
        exchange.failed = f"{type(error).__name__}: {error or 'the provider did not answer'}"
        await request.discard_remaining_body()  # What is asked is told all the same.
        body = orjson.dumps(_build_error_body("upstream_unreachable", exchange.failed))
        await _send_and_record_answer(request, exchange, get_time, 502, [JSON], body)
        return
    exchange.status, exchange.headers = answer.status, decode_headers(answer.headers)
    try:
        await request.send_status_and_headers(
            answer.status, [each for each in answer.headers if each[0].lower() not in CONNECTION_HEADERS]
        )
        async for part in answer.aiter_stream():
            exchange.chunks.append((get_time(), part))
            await request.send_body_part(part, more=True)
    except Exception as error:
        exchange.failed = f"{type(error).__name__}: {error or 'the answer broke off'}"
        return
    finally:
        await answer.aclose()
    exchange.whole = True
    await request.discard_remaining_body(_REST)
    await request.send_body_part(b"", more=False)


async def answer_from_recording(
    request: ClientRequest, exchange: WireExchange, get_time: Callable[[], float], answers: Answers, on_missing_answer: Callable[[str], None]
) -> None:  # fmt: skip
    """Answer a request from the recorded answers. If there is none, call `on_missing_answer` with the reason and send an error."""
    await request.discard_remaining_body()
    found = answers.find(exchange)
    if isinstance(found, UnansweredRequest):
        on_missing_answer(found.message)
        body = _build_error_body("no_recorded_answer", found.message, found.difference)
        if exchange.provider == "ollama":
            body = {"error": found.message, "difference": found.difference}
        # Libraries try again after a 409, and would get the same.
        await _send_and_record_answer(
            request, exchange, get_time, 409, [JSON, (b"x-should-retry", b"false")], orjson.dumps(body)
        )
    elif found.whole:
        await _send_and_record_answer(
            request, exchange, get_time, found.status, _encode_recorded_headers(found), found.body
        )
    else:  # It breaks off as it did when it was recorded.
        exchange.status, exchange.headers = found.status, decode_headers(_encode_recorded_headers(found))
        exchange.chunks = [(get_time(), found.body)]
        await request.send_status_and_headers(found.status, _encode_recorded_headers(found))
        await request.send_body_part(found.body, more=True)


async def _send_and_record_answer(
    request: ClientRequest, exchange: WireExchange, get_time: Callable[[], float], status: int, headers: Headers, body: bytes
) -> None:  # fmt: skip
    exchange.status, exchange.headers, exchange.chunks = status, decode_headers(headers), [(get_time(), body)]
    exchange.whole = True
    await request.send_answer(status, headers, body)


def decode_headers(headers: Headers) -> list[tuple[str, str]]:
    """Return headers as pairs of strings, names in lower case."""
    return [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in headers]


def _build_error_body(error_type: str, message: str, difference: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the body of an error in the JSON form from which the providers' client libraries read the message."""
    error = {"type": error_type, "message": message, **({"difference": difference} if difference else {})}
    return {"type": "error", "error": error}


def _encode_recorded_headers(recorded_answer: RecordedAnswer) -> Headers:
    headers = {
        name.lower(): value for name, value in recorded_answer.headers.items() if name.lower() != "content-length"
    }
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
