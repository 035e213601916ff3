"""Event ids: a name for each event of a recording, equal in the raw reel, the masked one and the replay.

An id is computed from data that no redaction changes: the recording, the event's kind, and the event's numbers. So it
identifies an event and reveals nothing of its content. docs/format.md ("Event ids") defines it; the player has a port
(``tools/event-ids.ts``), and ``tests/reel/fixtures_ids.json`` checks that both give the same ids.
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
"""Smallest number of digits of a prefix."""
_PREFIX: Final = re.compile(rf"[0-9a-f]{{{SHORTEST},{LENGTH}}}")


class EventIds:
    """The ids of one recording's events, computed in the order of the timeline."""

    def __init__(self, header: Event) -> None:
        self._recording = str(header.get("id") or header.get("started") or "")
        self._seen: Counter[str] = Counter()

    def compute_next_id(self, event: Event) -> str:
        """Return the id of the next event of the timeline."""
        place = build_event_key(event)
        nth = self._seen[place]
        self._seen[place] += 1
        text = f"{self._recording}\n{place}" + (f"\n{nth}" if nth else "")
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:LENGTH]


def build_event_key(event: Event) -> str:
    """Return the text from which an event's id is computed: its kind, with the numbers of its document and message, its
    own id, or its time.
    """
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


def parse_id_prefix(text: str) -> str:
    """Return the beginning of an event id from a user's text. Raises UsageError for other text."""
    found = text.strip().lower()
    if not _PREFIX.fullmatch(found):
        raise UsageError(
            f"{text!r} is not the id of an event; give {SHORTEST} to {LENGTH} hexadecimal digits, as 'pagereel events --ids' prints them."
        )
    return found
