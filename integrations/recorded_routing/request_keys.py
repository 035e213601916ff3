"""Computes keys by which a new request is matched with a recorded one.

A key is made of method, address and body, without the parts that differ in each run.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from hashlib import sha256
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import orjson

from pagereel.reading import to_url_key, to_value_key

_LOOPBACK: Final = re.compile(r"^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$", re.IGNORECASE)
_PASSING: Final = re.compile(
    r"(?:^|[_.-])(?:_|t|ts|cb|v?rand(?:om)?|nonce|csrf\w{0,40}|xsrf\w{0,40}|\w{0,40}token|sid|session\w{0,40}|state|time|timestamp|date|now|uuid|guid|trace\w{0,40}|span\w{0,40}"
    r"|request_?id|boundary|signature|hash|etag|cursor)$",
    re.IGNORECASE,
)
"""Names of parameters, and of values in JSON, whose values differ each time."""
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SHORT: Final = 6
"""Smallest number of digits at which a number counts as an id or a time."""
_DEPTH: Final = 60


def compute_exact_request_key(method: str, url: str, body: bytes, mime: str) -> Hashable:
    """Return a key that is equal for identical requests. Only loopback ports are ignored, because they differ in each
    run.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return (method, url, body)
    host = "localhost" if _LOOPBACK.match(parts.netloc) else parts.netloc
    return (method, _normalize_scheme(parts.scheme), host, parts.path or "/", parts.query, sha256(body).digest())


def compute_loose_request_key(method: str, url: str, body: bytes, mime: str) -> Hashable:
    """Return a key that is equal for equivalent requests: ids, times, tokens and hashes in the address and the body are
    ignored.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return (method, url, body)
    place = to_url_key(parts._replace(query="", fragment="").geturl())
    query = sorted(
        (name, _compute_text_key(value, name)) for name, value in parse_qsl(parts.query, keep_blank_values=True)
    )
    bare = parts.query if parts.query and not query else ""
    return (
        method,
        _normalize_scheme(parts.scheme),
        place,
        tuple(query),
        to_value_key(bare),
        _compute_body_key(body, mime),
    )


def compute_loose_message_key(message: str | bytes) -> Hashable:
    """Return a key that is equal for equivalent WebSocket messages. All binary messages have the same key."""
    if isinstance(message, bytes):
        return "bytes"
    start = re.match(r"[\d/,\w-]*?(?=[\[{])", message)
    head = start[0] if start else ""
    try:
        return (head, _compute_json_key(orjson.loads(message[len(head) :]), "", 0))
    except (orjson.JSONDecodeError, RecursionError):
        return to_value_key(message)


def _normalize_scheme(scheme: str) -> str:
    return "ws" if scheme in ("ws", "wss") else "http"


def _compute_body_key(body: bytes, mime: str) -> Hashable:
    if not body:
        return ""
    kind = mime.partition(";")[0].strip().lower()
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return (kind, len(body))
    if kind == "application/x-www-form-urlencoded":
        return tuple(
            sorted((name, _compute_text_key(value, name)) for name, value in parse_qsl(text, keep_blank_values=True))
        )
    if kind.startswith("multipart/"):
        return tuple(re.findall(r'\bname="([^"]*)"', text))
    try:
        return _compute_json_key(orjson.loads(text), "", 0)
    except (orjson.JSONDecodeError, RecursionError):
        return to_value_key(text)


def _compute_json_key(value: Any, name: str, depth: int) -> Hashable:
    if depth > _DEPTH:
        return "deep"
    if isinstance(value, dict):
        return ("{", *((key, _compute_json_key(value[key], key, depth + 1)) for key in sorted(value)))
    if isinstance(value, list):
        return ("[", *(_compute_json_key(item, name, depth + 1) for item in value))
    if isinstance(value, str):
        return _compute_text_key(value, name)
    if isinstance(value, bool) or value is None:
        return ("", value)
    return "{n}" if _is_varying_name(name) or abs(value) >= 10**_SHORT or len(str(value)) > _SHORT + 2 else ("", value)


def _compute_text_key(value: str, name: str) -> str:
    if _is_varying_name(name):
        return "{}"
    return to_value_key(value)


def _is_varying_name(name: str) -> bool:
    return bool(name) and _PASSING.search(_CAMEL.sub("_", name)) is not None
