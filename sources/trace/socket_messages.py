"""Reads messages of WebSockets, which newer releases of Playwright store in a separate file, one line of JSON each."""

from __future__ import annotations

import hashlib
from base64 import b64decode
from collections.abc import Iterator
from typing import Final

import orjson

from pagereel.reel import Event, encode_body

from .clock import TraceClock, to_number_in_range

_TEXT: Final = 1
_BINARY: Final = 2
"""Opcodes of frames that carry messages (RFC 6455, 5.2); the other frames keep the connection alive."""
_MOST: Final = 50_000
"""Largest number of messages read of one connection, the same as the recorder's."""


def iter_message_events(
    content: bytes, request: int, clock: TraceClock, written_resources: set[str]
) -> Iterator[Event]:
    """Yield the ``message`` events of a connection, and the resources of their contents that are not ``written_resources`` yet.

    ``request``: the id of the request that opened it.
    """
    lines = content.split(b"\n")
    for line in lines[:_MOST]:
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if not isinstance(record, dict) or not isinstance(data := record.get("data"), str):
            continue
        t = clock.convert_wall_time(to_number_in_range(record.get("time"), 0, 1e14) or 0.0)
        if record.get("opcode") == _TEXT:
            said = data.encode("utf-8", "replace")
            mime = "application/json" if said.lstrip()[:1] in (b"{", b"[") else "text/plain"
        elif record.get("opcode") == _BINARY:
            try:
                said, mime = b64decode(data), "application/octet-stream"
            except ValueError:
                continue
        else:
            continue
        sha256 = hashlib.sha256(said).hexdigest()
        if sha256 not in written_resources:
            written_resources.add(sha256)
            resource: Event = {"k": "resource", "t": t, "sha256": sha256, "mime": mime, "size": len(said)}
            yield resource | encode_body(said, mime)
        sent = record.get("type") == "send"
        yield {"k": "message", "t": t, "id": request, "sent": sent, "size": len(said), "body": sha256}
    if len(lines) > _MOST + 1:
        detail = f"more than {_MOST:,} messages came and went over one connection"
        yield {"k": "gap", "t": clock.convert_monotonic_time(0), "reason": "cap", "detail": detail}
