"""What a page plays comes in parts: a browser asks for a film from its beginning, breaks off, asks for its end, and goes on where it likes.

Parts of one address are put together; only when all of it is there does it count as the address's body. Nothing is asked for that the page
did not ask for itself. Runs on the writer thread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_CONTENT_RANGE = re.compile(r"\s*bytes\s+(\d{1,15})-(\d{1,15})/(\d{1,15})\s*$")


def content_range(header: str) -> tuple[int, int] | None:
    """Return the first byte of a part and the length of the whole, of a ``Content-Range`` header (RFC 9110, 14.4); None where it does not say so."""
    match = _CONTENT_RANGE.match(header)
    if match is None or not int(match[1]) <= int(match[2]) < int(match[3]):
        return None
    return int(match[1]), int(match[3])


@dataclass(slots=True)
class Whole:
    """The parts of one resource that have come so far."""

    total: int
    page: int = 0
    document: int | None = None
    """Who asked for it."""
    parts: list[tuple[int, bytes]] = field(default_factory=list)
    done: bool = False

    def add(self, start: int, content: bytes) -> bytes | None:
        """Return all of it, when this was the part that was missing."""
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

    def give_up(self) -> bool:
        """Wait for no more of it. False where nothing was waited for."""
        waited = not self.done
        self.done, self.parts = True, []
        return waited

    @property
    def missing(self) -> int:
        """Bytes that have not come."""
        return 0 if self.done else self.total - sum(len(data) for _, data in self.parts)
