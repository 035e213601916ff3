"""The records of a comparison: differences, divergence, and matched steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pagereel.reel import Json

from .effects.difference import SURE, Kind
from .runs.run_items import ItemKind


@dataclass(frozen=True)
class RunMoment:
    """A place in one run: its time in ms, the id of its step, the title of the step or call, and the id of its call."""

    t: float
    step: int | str | None
    title: str | None
    call: int | str | None

    def to_json(self) -> dict[str, Json]:
        """Return the JSON that the command line prints."""
        return {"t": self.t, "step": self.step, "title": self.title, "call": self.call}


@dataclass(frozen=True)
class Difference:
    """One difference. `at`: when it showed in each run, in ms; None where it never did."""

    kind: Kind
    where: str
    a: Json
    b: Json
    at: Mapping[str, float | None]
    said: str
    """The difference as a sentence."""
    nodes: Mapping[str, tuple[int, int] | None] = field(default_factory=dict)
    """For a page, the element in each run, as its document and its id; None where there is none, or it is unknown."""
    confidence: float = 1.0
    """How sure it is, from 0 to 1, that it is no noise."""

    @property
    def is_sure(self) -> bool:
        """Return whether the difference is sure enough to count for the divergence, the exit status and
        ``--fail-on``.
        """
        return self.confidence >= SURE

    def to_json(self) -> dict[str, Json]:
        """Return the JSON that the command line prints."""
        return {
            "kind": self.kind, "where": self.where, "a": self.a, "b": self.b, "at": dict(self.at.items()),
            "said": self.said, "confidence": self.confidence,
        }  # fmt: skip


@dataclass(frozen=True)
class Divergence:
    """The divergence of two runs: the first difference beyond noise, and its consequences."""

    kind: Kind
    summary: str
    a: RunMoment
    b: RunMoment
    chain: tuple[str, ...]
    before: int = 0
    """Number of sentences of the chain, right after the first, that give causes."""
    links: tuple[int | None, ...] = ()
    """For each sentence of the chain the index of the difference that it is about; None for one of a cause."""

    @property
    def reason(self) -> str:
        """Return the chain's sentence about the first difference, and those about its causes, as one text."""
        return " ".join(self.chain[: 1 + self.before])

    def to_json(self) -> dict[str, Json]:
        """Return the JSON that the command line prints."""
        return {
            "kind": self.kind, "summary": self.summary, "a": self.a.to_json(), "b": self.b.to_json(), "chain": list(self.chain),
        }  # fmt: skip


@dataclass(frozen=True)
class RunItemSummary:
    """A step or a call of one run, as a page lists it. Times in ms."""

    kind: ItemKind
    title: str
    t: float
    end: float
    depth: int
    """Number of steps around it."""
    failed: bool


@dataclass(frozen=True)
class PairSummary:
    """A step or a call of the first run and its match in the second."""

    kind: Literal["paired", "moved", "removed", "added"]
    a: RunMoment | None
    b: RunMoment | None
    done: tuple[RunItemSummary | None, RunItemSummary | None] = (None, None)
    """Both in more detail."""

    def to_json(self) -> dict[str, Json]:
        """Return the JSON that the command line prints."""
        return {"kind": self.kind, "a": self.a.to_json() if self.a else None, "b": self.b.to_json() if self.b else None}
