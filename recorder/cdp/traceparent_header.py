"""Adds a ``traceparent`` header (W3C Trace Context) to requests of pages to their own servers, if the caller asked for it.

Chromium pauses only the requests to the named origins until the recorder continues them (CDP's domain `Fetch`). A
request gets the header only if its target has the origin of the document that makes it, or if it is a navigation: no
third party sees the header, and no request needs a CORS preflight because of it. A request that already has such a
header keeps its own, and a redirect does not repeat it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from .cdp_sessions import CdpSession, Params

NAME: Final = "traceparent"
_PORTS: Final = {"http": 80, "https": 443}


async def pause_requests_to(cdp_session: CdpSession, origins: Sequence[str]) -> None:
    """Make the browser pause a target's requests to these origins before it sends them."""
    patterns = [{"urlPattern": f"{origin}/*", "requestStage": "Request"} for origin in origins]
    await cdp_session.send("Fetch.enable", {"patterns": patterns})


async def continue_request(cdp_session: CdpSession, paused_request: Params, origin: str, value: str) -> None:
    """Continue a paused request, with a ``traceparent`` header if its target may receive one. `origin`: the origin of
    the document that makes the request.
    """
    request = paused_request["request"]
    headers: dict[str, str] = request["headers"]
    fits = paused_request.get("resourceType") == "Document" or find_origin(request["url"]) == find_origin(origin)
    params: Params = {"requestId": paused_request["requestId"]}
    if fits and NAME not in {name.lower() for name in headers}:
        params["headers"] = [{"name": name, "value": told} for name, told in {**headers, NAME: value}.items()]
    await cdp_session.send("Fetch.continueRequest", params)


def find_referrer(paused_request: Params) -> str:
    """Return the URL of the document or sheet that makes a request, from the request's own `Referer`."""
    return next((told for name, told in paused_request["request"]["headers"].items() if name.lower() == "referer"), "")


def find_origin(url: str) -> str | None:
    """Return the origin of a URL; None if the URL has none."""
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
