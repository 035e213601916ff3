"""A request to a document to send its pending changes that was not answered in time, and the gap that this leaves."""

from __future__ import annotations

from dataclasses import dataclass

from pagereel.reel import Event

from ..runtime.runner import PendingResult
from .script_source import ScriptSource


@dataclass(frozen=True, slots=True)
class UnansweredFlush:
    """A request to a document to send its pending changes (flush) that was not answered in time. The answer, or the
    document's own last message, may still arrive.
    """

    source: ScriptSource
    answer: PendingResult
    asked: float
    waited: float

    @property
    def gap_fields(self) -> Event:
        earlier = max(0.0, self.asked - self.source.heard) / 1000
        detail = f"a page did not tell what it showed last within {self.waited:.1f} s; what came before is from {earlier:.1f} s earlier"
        return {"t": self.asked, "page": self.source.page, "detail": detail}
