"""Sends requests to model providers through httpcore, which adds nothing to a request.

httpcore is the transport of httpx. httpx itself would keep the cookies that providers set, and send them with later
requests.
"""

from __future__ import annotations

import base64
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2

from pagereel.errors import UsageError

from .early_answers import NextPart, ReadAheadNetwork, iter_body_until_answered

Headers = list[tuple[bytes, bytes]]

_CONNECT: Final = 30.0
"""Seconds that a provider may take to accept a connection. For its answer there is no limit."""
_IDLE: Final = 5.0
"""Seconds that a connection is kept for the next request; providers close theirs after more."""
_KEPT: Final = 50
"""Connections that are kept."""


class UpstreamClient:
    """An HTTP client for the model providers, which uses the proxies that the environment names. Use it in one event
    loop.

    :param urls: the providers' addresses.
    :raises UsageError: the certificates that the environment names cannot be read.
    """

    def __init__(self, urls: Sequence[str]) -> None:
        self._proxies = getproxies()
        self._pools: dict[str, httpcore2.AsyncConnectionPool] = {}
        # The authorities are read before the first request: it would wait for them.
        secure = any(url.startswith("https:") for url in (*urls, *self._proxies.values()))
        self._trust = _load_certificates() if secure else None

    async def send_request(
        self, method: str, url: str, path: bytes, headers: Headers, body: NextPart | None
    ) -> httpcore2.Response:
        """Send a request to a provider, and return the answer as soon as its headers have arrived.

        :param url: the provider's address, one of those given to the constructor.
        :param path: the path and query of the request, relative to `url`.
        :raises Exception: the provider does not answer (an error of httpcore's), or the address is invalid
        (ValueError).
        """
        place = _parse_address(url)
        target = (place.path + path) or b"/"
        request = httpcore2.Request(
            method,
            httpcore2.URL(
                scheme=place.scheme,
                host=place.host,
                port=place.port,
                target=b"/" + target if target[:1] == b"?" else target,
            ),
            headers=[
                *place.headers,
                *(each for each in headers if each[0] != b"authorization" or not place.has_credentials),
            ],
            content=iter_body_until_answered(body) if body is not None else None,
            extensions={"timeout": {"connect": _CONNECT}},
        )
        return await self._find_pool(place).handle_async_request(request)

    def _find_pool(self, address: _UpstreamAddress) -> httpcore2.AsyncConnectionPool:
        """Return the connection pool for a provider, direct or over a proxy."""
        named = self._proxies.get(address.scheme) or self._proxies.get("all") or ""
        proxy = "" if proxy_bypass(f"{address.host}:{address.port or ''}") else named
        if proxy not in self._pools:
            self._pools[proxy] = httpcore2.AsyncConnectionPool(
                ssl_context=self._trust,
                proxy=_parse_proxy(proxy) if proxy else None,
                max_connections=None,
                max_keepalive_connections=_KEPT,
                keepalive_expiry=_IDLE,
                network_backend=ReadAheadNetwork(),
            )
        return self._pools[proxy]

    async def close(self) -> None:
        """Close all connections."""
        for pool in self._pools.values():
            await pool.aclose()


@dataclass(frozen=True, slots=True)
class _UpstreamAddress:
    """The parts of a provider's address."""

    scheme: str
    host: str
    port: int | None
    path: bytes
    headers: Headers
    """What the address says in each request: the host, and who asks, where a name and a password stand in it."""

    @property
    def has_credentials(self) -> bool:
        return len(self.headers) > 1


@cache
def _parse_address(url: str) -> _UpstreamAddress:
    """Parse a provider's address.

    :raises ValueError: its port or host is invalid.
    """
    parts = urlsplit(url)
    user, _, named = parts.netloc.rpartition("@")
    headers = [(b"host", named.encode("idna"))]
    if user:
        headers.append((b"authorization", b"Basic " + base64.b64encode(unquote(user).encode())))
    host = (parts.hostname or "").encode("idna").decode()
    return _UpstreamAddress(parts.scheme, host, parts.port, parts.path.encode("latin-1"), headers)


def _load_certificates() -> ssl.SSLContext:
    try:
        return httpcore2.default_ssl_context()
    except OSError as error:
        raise UsageError(
            f"SSL_CERT_FILE or SSL_CERT_DIR does not name readable certificates: {error.strerror or error}."
        ) from None


def _parse_proxy(url: str) -> httpcore2.Proxy:
    parts = urlsplit(url if "://" in url else f"http://{url}")
    auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return httpcore2.Proxy(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", auth=auth)
