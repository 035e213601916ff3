"""What a comparison says, as records: what differs, where the runs part, which step is which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pagereel.reel import Json

from .effects.difference import Kind
from .runs.items import ItemKind


@dataclass(frozen=True)
class RunMoment:
    """Where in one run: ms, the step and its title, the call."""

    t: float
    step: int | str | None
    title: str | None
    call: int | str | None

    def to_json(self) -> dict[str, Json]:
        """Return it as the command line prints it."""
        return {"t": self.t, "step": self.step, "title": self.title, "call": self.call}


@dataclass(frozen=True)
class Difference:
    """One thing that differs. `at`: when it showed in each run, in ms; None where it never did."""

    kind: Kind
    where: str
    a: Json
    b: Json
    at: Mapping[str, float | None]
    said: str
    """The same as a sentence."""
    nodes: Mapping[str, tuple[int, int] | None] = field(default_factory=dict)
    """Of a page: the element of each run that differs, as its document and its id; None where there is none, or none is known."""

    def to_json(self) -> dict[str, Json]:
        """Return it as the command line prints it."""
        return {
            "kind": self.kind, "where": self.where, "a": self.a, "b": self.b, "at": dict(self.at.items()),
            "said": self.said,
        }  # fmt: skip


@dataclass(frozen=True)
class Divergence:
    """Where two runs part: the first effect beyond noise, and what came of it."""

    kind: Kind
    summary: str
    a: RunMoment
    b: RunMoment
    chain: tuple[str, ...]
    before: int = 0
    """Sentences of the chain, right after the first, that say what lay behind it."""

    @property
    def reason(self) -> str:
        """What differs first, and what lay behind it, where anything is known of that."""
        return " ".join(self.chain[: 1 + self.before])

    def to_json(self) -> dict[str, Json]:
        """Return it as the command line prints it."""
        return {
            "kind": self.kind, "summary": self.summary, "a": self.a.to_json(), "b": self.b.to_json(), "chain": list(self.chain),
        }  # fmt: skip


@dataclass(frozen=True)
class Done:
    """A step or a call of one run, as a page lists it. Times in ms."""

    kind: ItemKind
    title: str
    t: float
    end: float
    depth: int
    """How many steps it is in."""
    failed: bool


@dataclass(frozen=True)
class PairOf:
    """A step or a call of the first run and the one of the second that it is."""

    kind: Literal["paired", "moved", "removed", "added"]
    a: RunMoment | None
    b: RunMoment | None
    done: tuple[Done | None, Done | None] = (None, None)
    """The same, in more words."""

    def to_json(self) -> dict[str, Json]:
        """Return it as the command line prints it."""
        return {"kind": self.kind, "a": self.a.to_json() if self.a else None, "b": self.b.to_json() if self.b else None}
