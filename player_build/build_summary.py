"""Computes facts about the whole recording for the index: its length, its tabs, its idle spans, its outcome."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Final, Protocol, cast

from pagereel.reel import (
    HEADER_FIELDS_IN_INDEX,
    Event,
    Json,
    ReelDamage,
    RunOutcomeRule,
    find_event_end_time,
    find_event_kinds,
)

from .fidelity import FidelityLayer
from .opening_time import OpeningTimeFinder

IDLE: Final = 2000.0
"""Ms without visible events from which on a span counts as idle."""

IDLE_EDGE: Final = 400.0
"""Ms at each end of an idle span that are still played, so that the reader can follow the jump."""

_GAPS_KEPT: Final = 500

_UNSEEN: Final = find_event_kinds(unseen=True)


class SummarySource(Protocol):
    """The facts about a recording that a summary needs; an open reel and a live recording have them."""

    header: Event
    end: Event | None

    @property
    def closed(self) -> bool: ...

    damage: ReelDamage | None
    size: int


class BuildSummary:
    """Collects the facts about the whole recording. It is given every event once, in the order of time."""

    def __init__(self, reel: SummarySource) -> None:
        header = reel.header
        self._failed = False
        """Whether a call or a step told of an error."""
        self.title = ""
        self.duration = 0.0
        self.gaps = 0
        self.tabs: list[list[Json]] = []
        """``[t, page]``: from this time on, this page should be shown."""
        self.opening = OpeningTimeFinder()
        self.screen: float | None = None
        """Time of the first screen, in ms."""
        self._moments: list[float] = [0.0]
        self._page_of: dict[int, int] = {}
        self._open: dict[int, None] = {}
        """Open tabs; the last used one is at the end."""
        self.tree = FidelityLayer()
        """Checkpoints at which the recorded tree equalled the page's."""
        self._gap_list: list[Json] = []
        self._parts: list[Json] = []
        self._whose: dict[str, Json] = {}
        """Page → its part, for several joined recordings."""
        self._unsupported: dict[str, int] = {}
        self._late = {"count": 0, "ms": 0}
        """Number of documents whose beginning was not recorded, and the largest missing time in ms."""
        self._rule = RunOutcomeRule()
        self._ended = (reel.end or {}).get("reason"), header.get("metadata")
        end = reel.end or {}
        self.expected_event_count = end["events"] if isinstance(end.get("events"), int) else 0
        self.info: dict[str, Json] = {
            **{name: header.get(name) for name in HEADER_FIELDS_IN_INDEX},
            "sealed": reel.closed,
            "damage": str(reel.damage) if reel.damage else None,
            "gaps": cast(Json, self._gap_list),
            "gapCount": 0,
            "late": cast(Json, self._late),
            "unsupported": cast(Json, self._unsupported),
            "redaction": None,
        }
        if isinstance(imported := header.get("imported"), dict) and imported.get("from") == "replay":
            self.info["imported"] = None  # pagereel saw that page: the checkpoints are in the recording
        self.title = str(header.get("title") or header.get("agent") or "")

    @property
    def expected_event_count(self) -> int:
        """Return the number of events that the reel's end states; 0 if it is unknown."""
        return self._expected

    @expected_event_count.setter
    def expected_event_count(self, value: Json) -> None:
        self._expected = value if isinstance(value, int) else 0

    def extend_duration_to(self, t: float) -> None:
        """Extend the replay's duration to `t` ms, if its last event is earlier."""
        self.duration = max(self.duration, round(t, 1))

    def add_event(self, event: Event) -> None:
        kind, t = str(event["k"]), float(cast(float, event["t"]))
        self.duration = max(self.duration, find_event_end_time(event))
        if kind not in _UNSEEN:
            self._moments.append(t)
        if kind == "pointer":
            points = event.get("points")
            last = points[-1] if isinstance(points, list) and points else None
            if isinstance(last, list) and last and isinstance(last[0], int | float):
                self.duration = max(self.duration, t + last[0])
                self._moments.append(t + last[0])
        self.track_shown_tab(event)
        self.opening.add_event(event)
        self._rule.read_event(event)
        if kind in ("call", "step_end") and event.get("error"):
            self._failed = True
        if kind == "screen" and self.screen is None:
            self.screen = t
        if kind == "checkpoint":
            self.tree.count_check(event.get("equal") is True)
        elif (
            kind == "snapshot"
            and event.get("why") == "late"
            and isinstance(age := event.get("age"), int | float)
            and age > 0
        ):
            self._late["count"] += 1
            self._late["ms"] = max(self._late["ms"], round(age))
        elif kind == "gap":
            self.gaps += int(cast(int, event["count"])) if isinstance(event.get("count"), int) else 1
            self.info["gapCount"] = self.gaps
            if len(self._gap_list) < _GAPS_KEPT:
                self._gap_list.append(
                    {name: event[name] for name in ("t", "reason", "page", "d", "detail", "count") if name in event}
                )
        elif kind == "unsupported":
            what = str(event.get("what"))
            self._unsupported[what] = self._unsupported.get(what, 0) + 1
        elif kind == "page" and isinstance(event.get("agent"), str):
            self._whose[str(event.get("page"))] = event["agent"]
            self.info["whose"] = self._whose
        elif kind == "part":
            self._parts.append({name: event[name] for name in ("t", "end", "agent", "by", "moved") if name in event})
            self.info["parts"] = cast(Json, self._parts)
        elif kind == "redaction":
            self.info["redaction"] = event.get("report")

    def build_outcome_fields(self) -> dict[str, Json]:
        """Return the run's outcome as fields of the index: the player does not compute it."""
        ended = self._rule.decide_outcome(*self._ended)
        return {"outcome": ended.outcome, "recovered": ended.recovered, "told": str(ended)}

    @property
    def had_failure(self) -> bool:
        """Return whether the run failed, recovered from a failure, or had a failure and no known outcome."""
        ended = self._rule.decide_outcome(*self._ended)
        return ended.outcome == "failed" or ended.recovered > 0 or (ended.outcome == "unknown" and self._failed)

    def get_outcome_for_title(self) -> str:
        """Return the run's outcome without its reason, for the window's title; "" if it is unknown."""
        ended = self._rule.decide_outcome(*self._ended)
        return "" if ended.outcome == "unknown" else str(replace(ended, reason=None))

    def track_shown_tab(self, event: Event) -> None:
        """Note which tab the replay shows from this event on: the newest one, or the one that is used; when it closes,
        the one used before it.
        """
        kind, t = str(event["k"]), float(cast(float, event["t"]))
        d, page = event.get("d"), event.get("page")
        if kind == "document" and isinstance(d, int) and isinstance(page, int):
            self._page_of[d] = page
            if event.get("top") is True:
                self._record_shown_tab(t, page)
        elif kind == "page" and isinstance(page, int) and event.get("event") in ("close", "crash"):
            if event.get("event") == "close" and page in self._open:
                del self._open[page]
                if self._open and self.tabs and self.tabs[-1][1] == page:
                    self.tabs.append([t, next(reversed(self._open))])
        elif kind in ("mouse", "key", "call"):
            used = self._page_of.get(d) if isinstance(d, int) else page
            if isinstance(used, int) and used in self._open:
                self._record_shown_tab(t, used)

    def _record_shown_tab(self, t: float, page: int) -> None:
        self._open.pop(page, None)
        self._open[page] = None
        if self.tabs and self.tabs[-1][0] == t:
            self.tabs.pop()
        if not self.tabs or self.tabs[-1][1] != page:
            self.tabs.append([t, page])

    def list_idle_spans(self) -> list[list[float]]:
        """Return the idle spans of the recording as ``[from, to]`` in ms."""
        moments = sorted({*self._moments, self.duration})
        return [
            [round(a + IDLE_EDGE, 1), round(b - IDLE_EDGE, 1)] for a, b in itertools.pairwise(moments) if b - a >= IDLE
        ]
