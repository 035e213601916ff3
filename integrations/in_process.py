"""Records the model calls of this process (`models`), with one line of code and without patching a library.

A client given to `models` is observed through the event hooks of its HTTP client, a public interface of httpx and
httpx2. The hooks report each request, and the response's stream is copied while the caller reads it. If no client is
given, environment variables direct clients to a proxy on loopback until the recording ends. They affect every library
that reads them, for clients created from then on.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from pagereel.errors import UsageError
from pagereel.integrations.wire import ExchangeRecorder, ProviderKeys, WireExchange, find_wire_format
from pagereel.recorder import Session, get_active_session

C = TypeVar("C")
_INNER: Final = ("_client", "_api_client._httpx_client", "_api_client._async_httpx_client", "client")
"""Attributes in which the libraries of OpenAI, Anthropic, Ollama and Google, and LiteLLM's handlers, store their HTTP
client.
"""
_NAMES: Final = {"openai": "openai", "anthropic": "anthropic", "ollama": "ollama", "google": "gemini"}
"""Library → provider."""
_MARK: Final = "pagereel"
_NO_ANSWER: Final = "no answer had come when the recording ended"


def models(session: Session | None = None, *clients: Any) -> Models:
    """Record the model calls of these clients; without clients, those of every client created from now on.

    >>> client = OpenAI()  # doctest: +SKIP
    ... with record(context, "run.reel") as session:
    ...     models(session, client)

    `clients`: clients of OpenAI, Anthropic, Google or Ollama, sync or async, or any client of httpx or httpx2. Without
    clients, environment variables (`OPENAI_BASE_URL` and so on) direct calls through a proxy in this process until the
    recording ends; this includes LiteLLM and processes started meanwhile, and needs the extra `models`. `session`: by
    default the active recording.

    :raises UsageError: no recording is active, or a client cannot be observed.
    """
    session = session or get_active_session()
    if session is None:
        raise UsageError("No recording is running; pass models() the session of one.")
    found = Models(session)
    if clients:
        for client in clients:
            found.watch(client)
    else:
        found.lead()
    session.call_before_end(found.close)
    return found


class Models:
    """The observer of model calls that `models()` returns. It stops when the recording ends, or by :meth:`close`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._reader = ExchangeRecorder(session, ProviderKeys(os.environ), only_models=True)
        self._undo: list[Callable[[], None]] = []
        self._open: dict[int, WireExchange] = {}

    def watch(self, client: C) -> C:
        """Observe one more client. Return the client."""
        inner = list(_iter_http_clients(client))
        if not inner:
            raise UsageError(
                f"{type(client).__module__}.{type(client).__qualname__} has no HTTP client of httpx or httpx2 to record; "
                "call models(session) without it, before it is created."
            )
        provider = _NAMES.get(type(client).__module__.partition(".")[0], "")
        for each in inner:
            self._add_event_hooks(each, provider)
        return client

    def lead(self) -> None:
        """Set environment variables so that clients created from now on send their calls through a proxy in this
        process.
        """
        try:
            from pagereel.integrations.proxy import ModelProxy, parse_upstreams
        except ImportError:
            raise UsageError(
                "models() without clients needs the extra `models`: pip install 'pagereel[models]'."
            ) from None
        proxy = ModelProxy(self._session, parse_upstreams([], os.environ))
        proxy.start()
        told = proxy.environment(os.environ)
        before = {name: os.environ.get(name) for name in told}
        os.environ.update(told)

        def stop_watching() -> None:
            for name, value in before.items():
                if os.environ.get(name) != told[name]:
                    continue  # other code has changed it since
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
            proxy.stop()

        self._undo.append(stop_watching)

    def close(self) -> None:
        """Stop observing, and record the calls that are not finished. A second call does nothing."""
        undo, self._undo = self._undo, []
        for each in undo:
            each()
        for exchange in list(self._open.values()):
            exchange.failed = exchange.failed or ("" if exchange.status else _NO_ANSWER)
            self._end_exchange(exchange)
        self._reader.close()

    # -- hooks ---------------------------------------------------------------------------------------------------------

    def _add_event_hooks(self, client: Any, provider: str) -> None:
        def handle_request(request: Any) -> None:
            with contextlib.suppress(Exception):
                self._begin_exchange(request, provider)

        def handle_response(response: Any) -> None:
            with contextlib.suppress(Exception):
                self._copy_response_stream(response)

        async def handle_request_async(request: Any) -> None:
            handle_request(request)

        async def handle_response_async(response: Any) -> None:
            handle_response(response)

        sync = not hasattr(client, "aclose")
        ours = {
            "request": handle_request if sync else handle_request_async,
            "response": handle_response if sync else handle_response_async,
        }
        client.event_hooks = {name: [*client.event_hooks.get(name, ()), hook] for name, hook in ours.items()}

        def stop_watching() -> None:
            hooks = client.event_hooks
            client.event_hooks = {
                name: [each for each in hooks.get(name, ()) if each is not ours[name]] for name in ours
            }

        self._undo.append(stop_watching)

    def _begin_exchange(self, request: Any, provider: str) -> None:
        url = str(request.url)
        known = find_wire_format(url, request.method)
        if known is None:
            return
        host = (urlsplit(url).hostname or "").split(".")
        name = provider or next((each for each in host if each in _NAMES.values()), "") or ".".join(host)
        exchange = WireExchange(
            name, request.method, url, self._session.now, self._session.open_step_id, self._session.current_agent_name,
            list(request.headers.multi_items()),
        )  # fmt: skip
        try:
            exchange.sent = [bytes(request.content)]
        except Exception:  # The body of a streaming upload cannot be read.
            exchange.sent = []
        request.extensions[_MARK] = exchange
        self._open[id(exchange)] = exchange

    def _copy_response_stream(self, response: Any) -> None:
        exchange = response.request.extensions.get(_MARK)
        if not isinstance(exchange, WireExchange):
            return
        exchange.status = response.status_code
        exchange.headers = list(response.headers.multi_items())
        response.stream = _wrap_in_copying_stream(response.stream, exchange, self._session, self._end_exchange)

    def _end_exchange(self, exchange: WireExchange) -> None:
        if self._open.pop(id(exchange), None) is not None:
            self._reader.queue_exchange(exchange)


def _iter_http_clients(client: Any) -> Iterator[Any]:
    """Yield the HTTP clients inside a provider's client, or the client itself if it is an HTTP client."""
    if _has_event_hooks(client):
        yield client
        return
    for path in _INNER:
        inner = client
        for name in path.split("."):
            inner = getattr(inner, name, None)
        if _has_event_hooks(inner):
            yield inner


def _has_event_hooks(client: Any) -> bool:
    return isinstance(getattr(client, "event_hooks", None), dict) and hasattr(client, "build_request")


def _wrap_in_copying_stream(
    stream: Any, exchange: WireExchange, session: Session, on_end: Callable[[WireExchange], None]
) -> Any:
    """Return a stream that yields the bytes of `stream` unchanged and copies them into the exchange.

    Its class is the one that the client needs: httpx's or httpx2's, sync or async.
    """
    library: Any = next(
        sys.modules[name]
        for name in ("httpx2", "httpx")
        if name in sys.modules
        and isinstance(stream, (sys.modules[name].SyncByteStream, sys.modules[name].AsyncByteStream))
    )

    class CopyingSyncStream(library.SyncByteStream):  # type: ignore[misc]
        def __iter__(self) -> Iterator[bytes]:
            try:
                for part in stream:
                    exchange.chunks.append((session.now, part))
                    yield part
                exchange.whole = True
            except library.HTTPError as error:
                exchange.failed = f"{type(error).__name__}: {error}"
                raise

        def close(self) -> None:
            try:
                stream.close()
            finally:
                on_end(exchange)

    class CopyingAsyncStream(library.AsyncByteStream):  # type: ignore[misc]
        async def __aiter__(self) -> AsyncIterator[bytes]:
            try:
                async for part in stream:
                    exchange.chunks.append((session.now, part))
                    yield part
                exchange.whole = True
            except library.HTTPError as error:
                exchange.failed = f"{type(error).__name__}: {error}"
                raise

        async def aclose(self) -> None:
            try:
                await stream.aclose()
            finally:
                on_end(exchange)

    return CopyingAsyncStream() if isinstance(stream, library.AsyncByteStream) else CopyingSyncStream()
