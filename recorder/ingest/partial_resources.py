"""Joins media that arrive in parts: a browser requests the beginning of a film, aborts, requests its end, and continues anywhere.

Parts of one URL are joined; only a complete file counts as the URL's body. The recorder requests nothing that the page
did not request. Runs on the writer thread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pagereel.reel import Event

from .open_exchange import OpenExchange
from .resources import ResourceStore

_CONTENT_RANGE = re.compile(r"\s*bytes\s+(\d{1,15})-(\d{1,15})/(\d{1,15})\s*$")


def parse_content_range(header: str) -> tuple[int, int] | None:
    """Return the first byte of a part and the length of the whole from a ``Content-Range`` header (RFC 9110, 14.4);
    None if the header lacks one of them.
    """
    match = _CONTENT_RANGE.match(header)
    if match is None or not int(match[1]) <= int(match[2]) < int(match[3]):
        return None
    return int(match[1]), int(match[3])


@dataclass(slots=True)
class PartialResource:
    """One resource that arrives in parts (HTTP ranges), with the parts received so far."""

    total: int
    page: int = 0
    document: int | None = None
    """The document that requested it."""
    parts: list[tuple[int, bytes]] = field(default_factory=list)
    done: bool = False

    def add_part(self, start: int, content: bytes) -> bytes | None:
        """Add a part. Return the whole resource if it is complete now, else None."""
        if self.done:
            return None
        self.parts.append((start, content))
        self.parts.sort(key=lambda part: (part[0], -len(part[1])))
        merged: list[tuple[int, bytearray]] = []
        for at, data in self.parts:
            if merged and at <= (end := merged[-1][0] + len(merged[-1][1])):
                merged[-1][1].extend(data[end - at :])
            else:
                merged.append((at, bytearray(data)))
        self.parts = [(at, bytes(data)) for at, data in merged]
        at, data = self.parts[0]
        if at != 0 or len(data) < self.total:
            return None
        self.done, self.parts = True, []
        return data[: self.total]

    def stop_waiting_for_parts(self) -> bool:
        """Give up waiting for the missing parts. Return whether any were missing."""
        waited = not self.done
        self.done, self.parts = True, []
        return waited

    @property
    def missing_bytes(self) -> int:
        """Return the number of bytes that have not arrived."""
        return 0 if self.done else self.total - sum(len(data) for _, data in self.parts)


class PartialResources:
    """All resources of a recording that arrive in parts."""

    def __init__(self, store: ResourceStore) -> None:
        self._store = store
        self._resources: dict[object, PartialResource] = {}

    def list_resources(self) -> list[PartialResource]:
        return [*self._resources.values()]

    def get_resource(self, exchange: OpenExchange, total: int) -> PartialResource:
        """Return the resource that a response is a part of. `total`: its size in bytes."""
        key = (exchange.page, exchange.url, total, exchange.version)
        return self._resources.setdefault(key, PartialResource(total, exchange.page, exchange.document))

    def build_body_fields(self, exchange: OpenExchange, content: bytes, limit: int) -> Event:
        """Return the fields of a partial response; its body is the whole resource once all parts have arrived."""
        if exchange.part is None:
            return {"why": "part"}
        start, total = exchange.part
        content = self.get_resource(exchange, total).add_part(start, content) or b""
        if not content:
            return {"why": "part"}
        digest, reason = self._store.store_content(content, exchange.mime, limit)
        return {"body": digest} if digest is not None else {"why": reason}
