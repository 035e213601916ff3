"""Converts CDP's requests and responses to the fields of the reel format."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

from pagereel.reel import Event

Params = dict[str, Any]
_URL_LIMIT = 20_000


def read_request_body(request: Params) -> bytes | None:
    """Return the bytes of a request's body that its CDP event includes."""
    entries = request.get("postDataEntries")
    if entries:
        return b"".join(b64decode(entry.get("bytes", "")) for entry in entries)
    return to_utf8(request["postData"]) if request.get("postData") else None


def read_content_type(headers: Params) -> str:
    """Return the media type in these headers."""
    return next((str(v) for k, v in headers.items() if k.lower() == "content-type"), "application/octet-stream")


def read_url(request: Params) -> str:
    """Return a request's URL with its fragment, shortened if it is too long."""
    url = str(request.get("url", "")) + str(request.get("urlFragment") or "")
    return url if len(url) <= _URL_LIMIT else url[:_URL_LIMIT] + "…"


def to_utf8(text: str) -> bytes:
    """Return a text as UTF-8, lone surrogates replaced."""
    return text.encode("utf-8", "replace")


_PHASES = (("dns", "dnsStart", "dnsEnd"), ("connect", "connectStart", "connectEnd"), ("ssl", "sslStart", "sslEnd"))


def read_timing(timing: Params) -> Event:
    """Return the phases of a request in ms, named as in HAR: ``dns``, ``connect``, ``ssl`` (part of ``connect``),
    ``send``, ``wait``. A phase that did not happen is absent.
    """
    phases: Event = {}
    for name, start, end in (*_PHASES, ("send", "sendStart", "sendEnd"), ("wait", "sendEnd", "receiveHeadersEnd")):
        a, b = timing.get(start, -1), timing.get(end, -1)
        if a >= 0 and b >= a:
            phases[name] = round(b - a, 2)
    return phases
