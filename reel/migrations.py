"""Brings the events of older formats up to date, one function per version.

``MIGRATIONS[v]`` takes an event of format `v` and gives the events of format `v + 1` that say the same (usually one,
which it may change in place).

* 1 to 2: events are the same. A file of format 2 may have a text that comes again in a line of its own (:mod:`.texts`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .events import FORMAT, Event

Migration = Callable[[Event], Iterable[Event]]

MIGRATIONS: dict[int, Migration] = {1: lambda event: (event,)}

EVENTS_SINCE = 1
"""The oldest format whose events are those of today."""


def migrate(
    event: Event, version: int, *, target: int = FORMAT, steps: Mapping[int, Migration] = MIGRATIONS
) -> Iterable[Event]:
    """Return the events of format `target` that say what `event` said in format `version`. Raises KeyError where a step is
    missing.
    """
    events: list[Event] = [event]
    for step in range(version, target):
        events = [after for before in events for after in steps[step](before)]
    return events
