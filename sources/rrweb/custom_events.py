"""Converts rrweb's custom and plugin events: the console, requests, marks and steps, and events of products."""

from __future__ import annotations

import json
from itertools import count
from typing import Any, Final

from pagereel.reel import Event, find_event_kinds, find_event_problem

_OURS: Final = find_event_kinds(rrweb="custom")
_NOTES: Final = 1_000_001
"""First number of notes; numbers below are for steps and calls."""
_LEVELS: Final = {"warn": "warning", "assert": "error"}
_TEXT: Final = 100_000


class NonPageEventReader:
    """Converts rrweb's events that do not change a page."""

    def __init__(self) -> None:
        self._notes = count(_NOTES)
        self._requests = count(1)

    def convert_custom_event(self, data: dict[str, Any], t: float, page: int) -> list[Event]:
        """Return the reel's events for a custom event: an event that pagereel exported is restored, any other becomes a
        note.
        """
        tag, payload = data.get("tag"), data.get("payload")
        if not isinstance(tag, str):
            return []
        if tag == "location" and isinstance(payload, dict) and isinstance(payload.get("url"), str):
            return [{"k": "location", "t": t, "url": payload["url"], "id": payload.get("id")}]
        if tag in _OURS and isinstance(payload, dict):
            event: Event = {**payload, "k": tag, "t": t}
            if "page" in payload:
                event["page"] = page
            if find_event_problem(event) is None:
                return [event]
        about: dict[str, Any] = payload if isinstance(payload, dict) else {"payload": payload}
        message = next(
            (about[name] for name in ("message", "href", "description") if isinstance(about.get(name), str)), ""
        )
        crumb = about.get("payload")
        if tag == "breadcrumb" and isinstance(crumb, dict):  # Sentry
            return self._convert_breadcrumb(crumb, t, page)
        text = f"{tag}: {message}" if message else tag
        return [
            {
                "k": "note",
                "t": t,
                "id": next(self._notes),
                "text": text[:_TEXT],
                "attributes": {"tag": tag, "payload": payload},
            }
        ]

    def _convert_breadcrumb(self, breadcrumb: dict[str, Any], t: float, page: int) -> list[Event]:
        message = breadcrumb.get("message")
        if breadcrumb.get("category") == "console" and isinstance(message, str):
            level = str(breadcrumb.get("level") or "log")[:100]
            return [{"k": "console", "t": t, "page": page, "level": _LEVELS.get(level, level), "text": message[:_TEXT]}]
        text = (
            f"{breadcrumb.get('category') or 'breadcrumb'}: {message}"
            if isinstance(message, str)
            else str(breadcrumb.get("category"))
        )
        return [
            {
                "k": "note",
                "t": t,
                "id": next(self._notes),
                "text": text[:_TEXT],
                "attributes": {"tag": "breadcrumb", "payload": breadcrumb},
            }
        ]

    def convert_plugin_event(self, data: dict[str, Any], t: float, page: int) -> list[Event]:
        """Return the reel's events for the event of an rrweb plugin. The plugins for the console and the network are
        known; events of others are left out.
        """
        name, payload = data.get("plugin"), data.get("payload")
        if not isinstance(name, str) or not isinstance(payload, dict):
            return []
        if "console" in name:
            return [self._convert_console_event(payload, t, page)]
        if "network" in name:
            requests = payload.get("requests")
            return [
                event
                for each in (requests if isinstance(requests, list) else [])
                for event in self._convert_request(each, t, page)
            ]
        return []

    def _convert_console_event(self, payload: dict[str, Any], t: float, page: int) -> Event:
        level, words = str(payload.get("level") or "log")[:100], payload.get("payload")
        text = " ".join(_parse_console_argument(word) for word in (words if isinstance(words, list) else [words]))
        return {"k": "console", "t": t, "page": page, "level": _LEVELS.get(level, level), "text": text[:_TEXT]}

    def _convert_request(self, request_data: Any, t: float, page: int) -> list[Event]:
        url = request_data.get("url") or request_data.get("name") if isinstance(request_data, dict) else None
        if not isinstance(url, str) or not isinstance(request_data, dict):
            return []
        number = f"rrweb-{next(self._requests)}"
        kind = request_data.get("initiatorType") or request_data.get("entryType") or "other"
        method, status = request_data.get("method"), request_data.get("status", request_data.get("responseStatus"))
        begin = max(0.0, t - _to_number(request_data.get("duration")))
        request: Event = {
            "k": "request", "t": round(begin, 1), "id": number, "page": page, "method": str(method)[:20] if method else "GET", "url": url,
            "type": str(kind)[:40], "headers": _to_headers(request_data.get("requestHeaders")),
        }  # fmt: skip
        if status is None:
            return [request]
        response: Event = {
            "k": "response", "t": t, "id": number, "status": int(_to_number(status)), "headers": _to_headers(request_data.get("responseHeaders")),
            "end": t, "size": int(_to_number(request_data.get("transferSize"))), "why": "policy",
        }  # fmt: skip
        return [request, response]


def _parse_console_argument(argument: Any) -> str:
    """Return an argument of a console call as text; rrweb stores each argument as JSON."""
    if not isinstance(argument, str):
        return json.dumps(argument, ensure_ascii=False)[:_TEXT]
    try:
        value = json.loads(argument)
    except (ValueError, RecursionError):
        return argument
    return value if isinstance(value, str) else argument


def _to_number(value: Any) -> float:
    return value if type(value) in (int, float) and 0 <= value < 1e12 else 0


def _to_headers(value: Any) -> dict[str, Any]:
    return {name: text for name, text in value.items() if isinstance(text, str)} if isinstance(value, dict) else {}
