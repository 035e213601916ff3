"""Clips a recording: selects the events between two times, with the pages as they were at the first of these times.

The earlier messages of documents that are shown at that time are kept, and get that time; their pointer and key events
and earlier events of the run are dropped. Documents that were closed by then are left out.

A clip is therefore no redaction: the earlier content of a page that is shown at the beginning stays in the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, cast

from pagereel.reel import BESIDE_PICTURE, Event, Json, find_event_kinds

_STATE: Final = find_event_kinds(state=True)
"""Kinds of events that make up the pages' state."""


@dataclass
class ClipFilter:
    """The filter that selects the events of a clip between `start` and `end` (ms), and moves them to a clock that
    begins at `start`.
    """

    start: float
    end: float
    _gone: set[int] = field(default_factory=set)
    """Documents that are no longer shown at the beginning."""
    _screens: dict[int, bool] = field(default_factory=dict)
    """Ids of earlier screens on which later ones are based → whether it is the one shown at the beginning."""
    _spans: dict[tuple[str, str], float] = field(default_factory=dict)
    """The end times of steps and requests that began earlier."""

    @classmethod
    def from_events(cls, events: Iterable[Event], start: float | None, end: float | None) -> ClipFilter:
        """Return the filter for a clip, after reading all events of the recording in any order."""
        cut = cls(start or 0.0, float("inf") if end is None else end)
        if cut.start <= 0:
            return cut
        tops: dict[object, tuple[float, int]] = {}
        parents: dict[int, int] = {}
        screens: dict[int, tuple[float, Json]] = {}
        for event in events:
            kind, t, d = event.get("k"), event.get("t"), event.get("d")
            if not isinstance(t, int | float):
                continue
            if kind == "document" and event.get("top") is True and isinstance(d, int):
                if t <= cut.start:
                    cut._gone.add(d)
                    tops[event.get("page")] = max(tops.get(event.get("page"), (-1.0, 0)), (float(t), d))
            elif kind == "embed" and isinstance(d, int) and isinstance(event.get("parent"), int):
                parents[d] = cast(int, event["parent"])
            elif kind == "screen" and isinstance(event.get("id"), int):
                screens[cast(int, event["id"])] = float(t), event.get("base")
            elif kind in ("step_end", "response"):
                cut._spans["step" if kind == "step_end" else "request", str(event.get("id"))] = float(t)
        cut._find_needed_screens(screens)
        cut._gone -= {d for _, d in tops.values()}
        for inner in parents:
            above = inner
            for _ in range(100):
                above = parents.get(above, 0)
                if above in cut._gone:
                    cut._gone.add(inner)
                    break
        return cut

    def _find_needed_screens(self, screens: dict[int, tuple[float, Json]]) -> None:
        """Find the screens before the clip that must stay in it: the screen that is shown when the clip begins, and all
        screens on which a needed one is based, because it is stored as changes.

        ``screens``: maps a screen's id to its time and to the id of the screen that it is based on.
        """
        before = [(t, number) for number, (t, _) in screens.items() if t < self.start]
        shown = max(before, default=(0.0, 0))[1]
        waiting: list[Json] = [shown, *(base for t, base in screens.values() if t >= self.start)]
        while waiting:
            number = waiting.pop()
            if (
                isinstance(number, int)
                and number in screens
                and screens[number][0] < self.start
                and number not in self._screens
            ):
                self._screens[number] = number == shown
                waiting.append(screens[number][1])

    @property
    def covers_whole_recording(self) -> bool:
        """Return whether the clip is the whole recording."""
        return self.start <= 0 and self.end == float("inf")

    def keeps_event(self, event: Event) -> bool:
        """Return whether the clip contains an event."""
        kind, t = event["k"], float(cast(float, event["t"]))
        if t > self.end and not (kind == "checkpoint" and t == self.end):
            return False
        if event.get("d") in self._gone or (kind == "embed" and event.get("parent") in self._gone):
            return False
        if t >= self.start or kind in _STATE:
            return True
        if kind == "screen":
            return event.get("id") in self._screens
        if kind in ("step", "request"):
            return self._spans.get((str(kind), str(event.get("id"))), float("inf")) >= self.start
        return False

    def shift_event(self, event: Event) -> Event:
        """Return an event with its time on the clip's clock."""
        t = float(cast(float, event["t"]))
        if self.start <= 0:
            return event
        moved = {**event, "t": round(max(0.0, t - self.start), 1)}
        if event["k"] == "screen" and t < self.start and not self._screens.get(cast(int, event["id"])):
            moved = {name: value for name, value in moved.items() if name not in BESIDE_PICTURE}
        end = event.get("end")
        if event["k"] == "response" and isinstance(end, int | float):
            moved["end"] = round(max(0.0, float(end) - self.start), 1)
        return moved
