"""Collects rrweb's events in a list, with increasing timestamps."""

from __future__ import annotations

from typing import Any

from pagereel.integrations.rrweb.nodes import Json

FULL, INCREMENTAL, META, CUSTOM, PLUGIN = 2, 3, 4, 5, 6
MUTATION, MOVE, MOUSE, SCROLL, RESIZE, INPUT, MEDIA, SHEET_RULE, CANVAS, SELECTION, ADOPTED = (
    0, 1, 2, 3, 4, 5, 7, 8, 9, 14, 15,
)  # fmt: skip


class RrwebEvents:
    """The list of rrweb events so far, and the time of the next one in ms on the recording's clock."""

    def __init__(self, started: float) -> None:
        self.all: list[Json] = []
        self.t = 0.0
        self._started = started

    def add_mutation(self, **given: Any) -> None:
        self.add_incremental_event(MUTATION, **{"adds": [], "removes": [], "texts": [], "attributes": [], **given})

    def add_incremental_event(self, source: int, **data: Any) -> None:
        self.add_event(INCREMENTAL, {"source": source, **data})

    def add_event(self, kind: int, data: Json) -> None:
        self.all.append({"type": kind, "data": data, "timestamp": round(self._started + self.t)})
