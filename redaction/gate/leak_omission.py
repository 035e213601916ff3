"""Leave out the parts of a masked recording in which the gate finds a value, instead of refusing the file (``on_leak="drop"``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import orjson

from pagereel.errors import GateError
from pagereel.reel import Event, Json, decode_body, find_event_kinds

from .gate import Gate

ON_LEAK = ("fail", "drop")
_OF_THE_PAGE = find_event_kinds(built="page") - {"pointer", "mouse", "key"}
"""Kinds of events that a page cannot be shown without: only a text in them is left out, never the event."""


class LeakOmitter:
    """Removes from masked events the resources and texts in which the gate finds a known value, or the whole event if
    that does not suffice.
    """

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self.gone: Counter[str] = Counter()
        """What was left out → how often. What cannot be left out stays, and the gate finds it in the finished file."""

    def omit_leaks(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events without the texts and resources in which the gate finds a known value."""
        for event in events:
            left = self._omit_from_event(event)
            if left is not None:
                yield left

    def _omit_from_event(self, event: Event) -> Event | None:
        """Return the event, the event without some texts, or None to drop it."""
        kind = str(event.get("k"))
        if kind == "resource":
            if not _has_leak(self._gate, decode_body(event) or b"", "resource"):
                return event
            self.gone[f"leak resource {str(event.get('mime') or 'unknown').partition(';')[0][:40]}"] += 1
            return None
        name = f"file > event 0 ({kind})"
        if not _has_leak(self._gate, orjson.dumps(event), name):
            return event
        self.gone[f"leak {kind}"] += 1
        less: Event = {
            field: value if field in ("k", "t") else _remove_leaking_strings(value, self._gate)
            for field, value in event.items()
        }
        return less if kind in _OF_THE_PAGE or not _has_leak(self._gate, orjson.dumps(less), name) else None


def _remove_leaking_strings(value: Json, gate: Gate) -> Json:
    """Return a JSON value with an empty string in place of each string that holds a known value. A key that holds one
    is dropped.
    """
    if isinstance(value, str):
        return "" if value and _has_leak(gate, orjson.dumps(value), "text") else value
    if isinstance(value, list):
        # Both a tree's tag and an op's name come first, and are no text.
        return [
            part if not place and isinstance(part, str) and len(value) > 1 else _remove_leaking_strings(part, gate)
            for place, part in enumerate(value)
        ]
    if isinstance(value, dict):
        return {
            key: _remove_leaking_strings(part, gate)
            for key, part in value.items()
            if not _has_leak(gate, orjson.dumps(key), "text")
        }
    return value


def _has_leak(gate: Gate, data: bytes, name: str) -> bool:
    try:
        return not gate.search(data, name).clean
    except GateError:
        return True  # a layer that cannot be opened counts as a leak
