"""The trace in requests of the pages to their own servers, where the caller asked for it: `traceparent`, as W3C Trace Context has it.

Chromium holds back the requests that go to the named origins, and those alone, until they are told to go on (CDP's domain `Fetch`). A request gets
the header only where it goes to the origin of the document that makes it, or is a navigation: nobody else sees it, and no request becomes
one for which the browser asks the server's leave first (CORS preflight). One that has such a header already keeps its own, and a redirect does not carry it on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from .links import Link, Params

NAME: Final = "traceparent"
_PORTS: Final = {"http": 80, "https": 443}


async def enable(link: Link, origins: Sequence[str]) -> None:
    """Have a target's requests to these origins told of before they leave."""
    patterns = [{"urlPattern": f"{origin}/*", "requestStage": "Request"} for origin in origins]
    await link.send("Fetch.enable", {"patterns": patterns})


async def go_on(link: Link, paused: Params, origin: str, value: str) -> None:
    """Let a request go, with the header where it belongs. `origin`: of the document that makes it."""
    request = paused["request"]
    headers: dict[str, str] = request["headers"]
    fits = paused.get("resourceType") == "Document" or origin_of(request["url"]) == origin_of(origin)
    params: Params = {"requestId": paused["requestId"]}
    if fits and NAME not in {name.lower() for name in headers}:
        params["headers"] = [{"name": name, "value": told} for name, told in {**headers, NAME: value}.items()]
    await link.send("Fetch.continueRequest", params)


def referrer_of(paused: Params) -> str:
    """Return the address of the document or sheet that makes a request, as the request itself says it."""
    return next((told for name, told in paused["request"]["headers"].items() if name.lower() == "referer"), "")


def origin_of(url: str) -> str | None:
    """Return an address's origin; None for what has none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    usual = port is None or port == _PORTS[parts.scheme]
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{'' if usual else f':{port}'}"
