"""A part of a recording: what happened between two times, with the pages as they were when it begins.

What came before the beginning is brought forward to it: the messages of the documents that show then, without pointer,
keys and all that explains. Documents that were gone by then are left out. A cut is therefore no redaction: what a page
that shows at the beginning held earlier stays in the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, cast

from pagereel.reel import Event, Json, kinds

_DONE: Final = ("action", "cursor", "window", "attributes", "step")
"""What a screen says beside its picture."""
_STATE: Final = kinds(state=True)
"""Of what came before, this makes the pages what they are."""


@dataclass
class Cut:
    """Keeps events between `start` and `end` (ms), on a clock that begins at `start`."""

    start: float
    end: float
    _gone: set[int] = field(default_factory=set)
    """Documents that no longer show at the beginning."""
    _screens: dict[int, bool] = field(default_factory=dict)
    """Screens from before the beginning that later ones begin as, by id: whether it is the one that shows at the beginning."""
    _spans: dict[tuple[str, str], float] = field(default_factory=dict)
    """When steps and requests that began before were over."""

    @classmethod
    def of(cls, events: Iterable[Event], start: float | None, end: float | None) -> Cut:
        """Look through all events, in any order, for what a cut must know beforehand."""
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
        cut._bring(screens)
        cut._gone -= {d for _, d in tops.values()}
        for inner in parents:
            above = inner
            for _ in range(100):
                above = parents.get(above, 0)
                if above in cut._gone:
                    cut._gone.add(inner)
                    break
        return cut

    def _bring(self, screens: dict[int, tuple[float, Json]]) -> None:
        """Note which screens from before the beginning are needed. ``screens``: id → time, and what it begins as."""
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
    def whole(self) -> bool:
        """Whether it leaves nothing out."""
        return self.start <= 0 and self.end == float("inf")

    def keeps(self, event: Event) -> bool:
        """Return whether the event belongs to the part."""
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

    def moved(self, event: Event) -> Event:
        """Return the event on the clock of the part."""
        t = float(cast(float, event["t"]))
        if self.start <= 0:
            return event
        moved = {**event, "t": round(max(0.0, t - self.start), 1)}
        if event["k"] == "screen" and t < self.start and not self._screens.get(cast(int, event["id"])):
            moved = {name: value for name, value in moved.items() if name not in _DONE}
        end = event.get("end")
        if event["k"] == "response" and isinstance(end, int | float):
            moved["end"] = round(max(0.0, float(end) - self.start), 1)
        return moved
