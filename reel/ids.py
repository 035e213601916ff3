"""Event ids: a name for each event of a recording, the same in the raw reel, the masked one and the replay.

An id is made of what no redaction changes: the recording, the event's kind, and the numbers that tell it from others of its kind. So it
names an event and says nothing of what is in it. docs/format.md ("Event ids") writes it out; the player has a port
(``tools/ids.ts``), and ``tests/reel/fixtures_ids.json`` holds both to the same ids.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from typing import Final

from ..errors import UsageError
from .events import Event

LENGTH: Final = 16
"""Hexadecimal digits of an id."""
SHORTEST: Final = 4
"""Digits that a prefix has at least."""
_PREFIX: Final = re.compile(rf"[0-9a-f]{{{SHORTEST},{LENGTH}}}")


class EventIds:
    """Gives the ids of one recording's events, which are asked in the order of the timeline."""

    def __init__(self, header: Event) -> None:
        self._recording = str(header.get("id") or header.get("started") or "")
        self._seen: Counter[str] = Counter()

    def of(self, event: Event) -> str:
        """Return the id of the next event."""
        place = place_of(event)
        nth = self._seen[place]
        self._seen[place] += 1
        text = f"{self._recording}\n{place}" + (f"\n{nth}" if nth else "")
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:LENGTH]


def place_of(event: Event) -> str:
    """Return what tells an event from the others of a recording: kind, and document and message number, or its own number, or its time."""
    kind, number, own = event["k"], event.get("n"), event.get("id")
    if type(event.get("d")) is int and type(number) is int:
        return f"{kind} {event['d']} {number}"
    if kind != "reel" and type(own) in (int, str):
        return f"{kind} #{own}"
    if kind == "resource":
        return f"{kind} {event.get('sha256')}"
    t = event.get("t")
    tenths = math.floor(t * 10 + 0.5) if isinstance(t, int | float) and abs(t) < 1e12 else 0
    return f"{kind} @{tenths} {event.get('page') or 0} {event.get('d') or 0}"


def prefix(text: str) -> str:
    """Return the beginning of an id as somebody writes it. Raises UsageError for what is none."""
    found = text.strip().lower()
    if not _PREFIX.fullmatch(found):
        raise UsageError(
            f"{text!r} is no event's id; give {SHORTEST} to {LENGTH} hexadecimal digits, as 'pagereel events --ids' prints them."
        )
    return found
