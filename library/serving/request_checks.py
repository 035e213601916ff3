"""Checks before every route: Host, Origin, and security headers that allow a page only what it needs.

Cookies ignore ports, and for a browser two ports of one machine are the same site. So requests of a replay, which
has another origin but the same site, are refused by ``Origin`` and ``Sec-Fetch-Site``, and not by ``SameSite``
alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), clipboard-read=()",
}


def build_page_security_policy(replays: str) -> str:
    """Return the content security policy of the pages; `replays` is the origin whose frames they show."""
    return (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        f"frame-src {replays}; base-uri 'none'; frame-ancestors 'none'"
    )


def is_linked_from_outside(headers: Mapping[str, str]) -> bool:
    """Return whether a browser's request comes from a link outside of these pages, by its headers.

    A browser that does not say where it comes from counts as outside; a program does not. A reason in a link from
    outside was written by somebody else, so it counts only when the caller has confirmed it here.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    referer = headers.get("referer")
    if referer:
        return _parse_host(referer) != headers.get("host", "").lower()
    return "text/html" in headers.get("accept", "")


def _parse_host(address: str) -> str:
    """Return host and port of an address, as in a browser's Host header; "" where it cannot be parsed."""
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""


class RequestChecks:
    """An ASGI application that checks each request before another application gets it. `hosts`: the names with ports
    under which it answers; `origins`: those from which requests are allowed.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str],
        origins: Iterable[str],
        headers: dict[str, str],
        *,
        framed: bool = False,
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._origins = frozenset(origin.lower() for origin in origins)
        self._headers = {**_ALWAYS, **headers}
        self._framed = framed
        if framed:
            del self._headers["Cross-Origin-Opener-Policy"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    if name not in headers:
                        headers[name] = value
            await send(message)

        problem = self._find_request_problem(Headers(scope=scope))
        if problem:
            await PlainTextResponse(f"{problem}\n", 403)(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _find_request_problem(self, headers: Headers) -> str | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "This server answers under other names: start it with --origin to give it this one."
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._origins:
            return "Another origin asks."
        site = headers.get("sec-fetch-site")
        if site in ("same-site", "cross-site") and not self._is_navigation(headers):
            return "Another site asks."
        return None

    def _is_navigation(self, headers: Headers) -> bool:
        """Return whether a request navigates to a page; for the replays also within a frame."""
        shown = ("document", "iframe") if self._framed else ("document",)
        return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest", "document") in shown
