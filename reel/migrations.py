"""Converts the events of older formats to the newest one, with one function for each version.

``MIGRATIONS[v]`` converts an event of format `v` to equivalent events of format `v + 1` (usually one, which it may
change in place).

* 1 to 2: events are the same. In a file of format 2 a repeated text may be stored in a line of its own
  (:mod:`.repeated_texts`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .events import FORMAT, Event

Migration = Callable[[Event], Iterable[Event]]

MIGRATIONS: dict[int, Migration] = {1: lambda event: (event,)}

EVENTS_SINCE = 1
"""The oldest format whose events need no conversion."""


def migrate_event(
    event: Event, version: int, *, target: int = FORMAT, steps: Mapping[int, Migration] = MIGRATIONS
) -> Iterable[Event]:
    """Return the events of format `target` that are equivalent to `event` of format `version`. Raises KeyError if a
    migration is missing.
    """
    events: list[Event] = [event]
    for step in range(version, target):
        events = [after for before in events for after in steps[step](before)]
    return events
