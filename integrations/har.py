"""Converts the network traffic of a recording to an HTTP Archive (http://www.softwareishard.com/blog/har-12-spec/)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from pagereel import __version__
from pagereel.reel import Reel, decode_body
from pagereel.sources import open_any


def to_har(path: Path) -> dict[str, Any]:
    """Return the recording's requests as an HTTP Archive 1.2, with the bodies that the recording holds."""
    with open_any(path) as reel:
        started = reel.header.get("started")
        begin = float(started) if isinstance(started, int | float) else 0.0
        requests: list[dict[str, Any]] = []
        responses: dict[Any, dict[str, Any]] = {}
        pages: dict[Any, dict[str, Any]] = {}
        messages: dict[Any, list[dict[str, Any]]] = {}
        wanted: set[str] = set()
        for event in reel.timeline():
            if event["k"] == "request":
                requests.append(event)
                wanted.add(str(event.get("post")))
            elif event["k"] == "response":
                responses[event["id"]] = event
                wanted.add(str(event.get("body")))
            elif event["k"] == "message":
                messages.setdefault(event["id"], []).append(event)
                wanted.add(str(event.get("body")))
            elif event["k"] == "document" and event.get("top"):
                pages.setdefault(event["page"], event)
        bodies = _read_bodies(reel, wanted)
        browser = reel.header.get("browser")
    named = browser if isinstance(browser, dict) else {}
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "pagereel", "version": __version__},
            "browser": {"name": str(named.get("name")), "version": str(named.get("version"))},
            "pages": [
                {
                    "startedDateTime": _format_date(begin, page["t"]),
                    "id": f"page_{number}",
                    "title": str(page.get("title") or page.get("url") or ""),
                    "pageTimings": {},
                }
                for number, page in pages.items()
            ],
            "entries": [
                _build_har_entry(begin, request, responses.get(request["id"]), bodies)
                | _convert_messages(begin, messages.get(request["id"], ()), bodies)
                for request in requests
            ],
        }
    }


def _convert_messages(
    begin: float, events: Iterable[dict[str, Any]], bodies: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Return the messages of a WebSocket or an event stream in the HAR fields that Chromium's developer tools use."""
    sockets, stream = [], []
    for event in events:
        body = bodies.get(str(event.get("body"))) or {}
        at = (begin + event["t"]) / 1000
        if "name" in event:
            stream.append({"time": at, "eventName": event["name"], "eventId": "", "data": body.get("text", "")})
            continue
        data, opcode = (body["base64"], 2) if "base64" in body else (body.get("text", ""), 1)
        sockets.append({"type": "send" if event["sent"] else "receive", "time": at, "opcode": opcode, "data": data})
    told = {"_webSocketMessages": sockets, "_eventSourceMessages": stream}
    return {name: found for name, found in told.items() if found}


def _read_bodies(reel: Reel, hashes: set[str]) -> dict[str, dict[str, Any]]:
    return {str(e["sha256"]): e for e in reel.events({"resource"}) if e["sha256"] in hashes}


def _build_har_entry(
    begin: float, request: dict[str, Any], response: dict[str, Any] | None, bodies: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    answer = response or {}
    first = float(answer.get("t") or request["t"])
    last = float(answer.get("end") or first)
    wait, receive = max(0.0, first - request["t"]), max(0.0, last - first)
    sent = {
        "method": request["method"],
        "url": request["url"],
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _convert_headers(request.get("headers")),
        "queryString": [{"name": n, "value": v} for n, v in parse_qsl(urlsplit(str(request["url"])).query)],
        "headersSize": -1,
        "bodySize": -1,
    }
    if (post := bodies.get(str(request.get("post")))) is not None:
        sent["postData"] = {"mimeType": str(post.get("mime") or ""), "text": _decode_body(post)}
    content: dict[str, Any] = {"size": -1, "mimeType": str(answer.get("mime") or "")}
    if (body := bodies.get(str(answer.get("body")))) is not None:
        content["size"] = body.get("size") or -1
        content |= {"text": body["text"]} if "text" in body else {"text": body.get("base64"), "encoding": "base64"}
    headers = _convert_headers(answer.get("headers"))
    entry = {
        "pageref": f"page_{request.get('page')}",
        "startedDateTime": _format_date(begin, request["t"]),
        "time": round(wait + receive, 1),
        "request": sent,
        "response": {
            "status": answer.get("status") or 0,
            "statusText": str(answer.get("status_text") or ""),
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": headers,
            "content": content,
            "redirectURL": next((h["value"] for h in headers if h["name"].lower() == "location"), ""),
            "headersSize": -1,
            "bodySize": int(answer.get("size") or -1),
        },
        "cache": {},
        "timings": {"send": 0, "wait": round(wait, 1), "receive": round(receive, 1)},
    }
    if answer.get("error") or response is None:
        entry["_error"] = str(answer.get("error") or "no answer before the recording ended")
    return entry


def _convert_headers(recorded_headers: Any) -> list[dict[str, str]]:
    pairs = recorded_headers.items() if isinstance(recorded_headers, dict) else recorded_headers or []
    return [{"name": str(name), "value": str(value)} for name, value in pairs]


def _decode_body(resource: dict[str, Any]) -> str:
    return (decode_body(resource) or b"").decode("utf-8", "replace")


def _format_date(run_start: float, event_time: float) -> str:
    return (
        datetime.fromtimestamp((run_start + event_time) / 1000, UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )
