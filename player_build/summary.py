"""What the index says about a recording as a whole: its length, its tabs, where nothing happens, how true it is."""

from __future__ import annotations

import itertools
from typing import Final, Protocol, cast

from pagereel.reel import TOLD_IN_REPLAY, Damage, Event, Json, OutcomeRule, kinds

from .fidelity import Layer
from .opening import Opening

IDLE: Final = 2000.0
"""ms without anything to see before a span counts as idle."""

IDLE_EDGE: Final = 400.0
"""ms that an idle span leaves at each end, so that the eye can follow the jump."""

_GAPS_KEPT: Final = 500

_UNSEEN: Final = kinds(unseen=True)


class SummarySource(Protocol):
    """What a summary asks of a recording: an open reel, or what is known of one that is still being made."""

    header: Event
    end: Event | None

    @property
    def closed(self) -> bool: ...

    damage: Damage | None
    size: int


class BuildSummary:
    """Sees every event of a build once, in the order of time."""

    def __init__(self, reel: SummarySource) -> None:
        header = reel.header
        self.title = ""
        self.duration = 0.0
        self.gaps = 0
        self.tabs: list[list[Json]] = []
        """``[t, page]``: from then on, this page is the one to look at."""
        self.opening = Opening()
        self.screen: float | None = None
        """ms: when the first screen was told."""
        self._moments: list[float] = [0.0]
        self._page_of: dict[int, int] = {}
        self._open: dict[int, None] = {}
        """Open tabs, the one that was used last at the end."""
        self.tree = Layer()
        """Checkpoints at which the recorded tree equalled the page's."""
        self._gap_list: list[Json] = []
        self._parts: list[Json] = []
        self._whose: dict[str, Json] = {}
        """Of several parts: the page, and whose it is."""
        self._unsupported: dict[str, int] = {}
        self._late = {"count": 0, "ms": 0}
        """Documents whose beginning was not seen, and how much of it at most."""
        self._rule = OutcomeRule()
        self._ended = (reel.end or {}).get("reason"), header.get("metadata")
        end = reel.end or {}
        self.expected = end["events"] if isinstance(end.get("events"), int) else 0
        self.info: dict[str, Json] = {
            **{name: header.get(name) for name in TOLD_IN_REPLAY},
            "sealed": reel.closed,
            "damage": str(reel.damage) if reel.damage else None,
            "gaps": cast(Json, self._gap_list),
            "gapCount": 0,
            "late": cast(Json, self._late),
            "unsupported": cast(Json, self._unsupported),
            "redaction": None,
        }
        self.title = str(header.get("title") or header.get("agent") or "")

    @property
    def expected(self) -> int:
        """How many events the end of the reel promises; 0 when it does not say."""
        return self._expected

    @expected.setter
    def expected(self, value: Json) -> None:
        self._expected = value if isinstance(value, int) else 0

    def see(self, event: Event) -> None:
        kind, t = str(event["k"]), float(cast(float, event["t"]))
        self.duration = max(self.duration, t)
        if kind not in _UNSEEN:
            self._moments.append(t)
        if kind == "call" and isinstance(lasts := event.get("duration"), int | float):
            self.duration = max(self.duration, t + lasts)
        if kind == "pointer":
            points = event.get("points")
            last = points[-1] if isinstance(points, list) and points else None
            if isinstance(last, list) and last and isinstance(last[0], int | float):
                self.duration = max(self.duration, t + last[0])
                self._moments.append(t + last[0])
        self.follow(event)
        self.opening.see(event)
        self._rule.take(event)
        if kind == "screen" and self.screen is None:
            self.screen = t
        if kind == "checkpoint":
            self.tree.add(event.get("equal") is True)
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

    def outcome(self) -> dict[str, Json]:
        """Return how the run ended, for the player: it has no rule of its own."""
        ended = self._rule.outcome(*self._ended)
        return {"outcome": ended.outcome, "recovered": ended.recovered, "told": str(ended)}

    def follow(self, event: Event) -> None:
        """Keep which tab to look at: the newest, or the one that is being used; after it closes, the one before it."""
        kind, t = str(event["k"]), float(cast(float, event["t"]))
        d, page = event.get("d"), event.get("page")
        if kind == "document" and isinstance(d, int) and isinstance(page, int):
            self._page_of[d] = page
            if event.get("top") is True:
                self._show(t, page)
        elif kind == "page" and isinstance(page, int) and event.get("event") in ("close", "crash"):
            if event.get("event") == "close" and page in self._open:
                del self._open[page]
                if self._open and self.tabs and self.tabs[-1][1] == page:
                    self.tabs.append([t, next(reversed(self._open))])
        elif kind in ("mouse", "key", "call"):
            used = self._page_of.get(d) if isinstance(d, int) else page
            if isinstance(used, int) and used in self._open:
                self._show(t, used)

    def _show(self, t: float, page: int) -> None:
        self._open.pop(page, None)
        self._open[page] = None
        if self.tabs and self.tabs[-1][0] == t:
            self.tabs.pop()
        if not self.tabs or self.tabs[-1][1] != page:
            self.tabs.append([t, page])

    def idle(self) -> list[list[float]]:
        """Spans in which nothing happens, as ``[from, to]`` in ms."""
        moments = sorted({*self._moments, self.duration})
        return [
            [round(a + IDLE_EDGE, 1), round(b - IDLE_EDGE, 1)] for a, b in itertools.pairwise(moments) if b - a >= IDLE
        ]
