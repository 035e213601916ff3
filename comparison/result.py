"""What a comparison gives: whether two runs are equal, where they part, and all that differs; as it may be shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from pagereel.errors import UsageError
from pagereel.reel import Json

from .clock import JointClock, Moments
from .divergence import chain_of, first_of
from .effects.difference import KINDS, Found, Kind, Mask, Role, read_out, shortened
from .effects.network import answers_of
from .masking import Halves, Masking
from .matching.pairing import Pair
from .runs.items import Item, ItemKind, Run

_AMOUNT: Final = re.compile(r"(cost|time)=\+(\d+(?:\.\d+)?)%")


@dataclass(frozen=True)
class Moment:
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
    a: Moment
    b: Moment
    chain: tuple[str, ...]

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
    a: Moment | None
    b: Moment | None
    done: tuple[Done | None, Done | None] = (None, None)
    """The same, in more words."""

    def to_json(self) -> dict[str, Json]:
        """Return it as the command line prints it."""
        return {"kind": self.kind, "a": self.a.to_json() if self.a else None, "b": self.b.to_json() if self.b else None}


@dataclass
class Comparison:
    """Two runs beside each other. Texts are masked when they are first asked for; whether the runs are equal needs none of it."""

    _a: Run
    _b: Run
    _pairs: list[Pair]
    _found: list[Found]
    ignored: int
    """Differences that are usual in the baseline, that a rule leaves out, or that say nothing by themselves."""
    _masking: Masking
    _durations: Sequence[float] = field(default_factory=list)
    _costs: Sequence[float] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    """What could not be compared, a sentence each."""

    @property
    def equal(self) -> bool:
        """Whether nothing differs beyond noise."""
        return not self._found

    @property
    def outcome(self) -> dict[str, str]:
        """Return how each run ended: ``passed``, ``failed`` or ``unknown``."""
        return {"a": self._a.outcome, "b": self._b.outcome}

    @cached_property
    def divergence(self) -> Divergence | None:
        """Where the runs part; None where they are equal. Raises what :func:`pagereel.redaction.redact` raises."""
        return self._shown[0]

    @cached_property
    def differences(self) -> list[Difference]:
        """All that differs beyond noise, in order of time. Raises as :attr:`divergence`."""
        return self._shown[1]

    @cached_property
    def pairs(self) -> list[PairOf]:
        """Which step and call is which, in order. Raises as :attr:`divergence`."""
        return self._shown[2]

    @property
    def kinds(self) -> list[Kind]:
        """The kinds that differ."""
        return [kind for kind in KINDS if any(each.kind == kind for each in self._found)]

    def failed(self, on: str | Iterable[str] | None = None) -> list[str]:
        """Return those of the kinds that differ; None: of all. `on`: names of :data:`KINDS`, as a list or with commas between, or ``none``; ``cost=+20%`` and ``time=+50%`` are
        of the whole run, against the baseline's median. Raises UsageError for any other name.
        """
        if on is None:
            return list(self.kinds)
        found = []
        for word in words_of(on):
            amount = _AMOUNT.fullmatch(word)
            if amount is not None:
                mine, usual = (
                    (self._b.cost, self._costs) if amount[1] == "cost" else (self._b.duration, self._durations)
                )
                if mine > _median(usual) * (1 + float(amount[2]) / 100):
                    found.append(amount[1])
            elif word in self.kinds:
                found.append(word)
        return list(dict.fromkeys(found))

    def check(self, made: str) -> str:
        """Give back a finished text when no known value stands in it. Raises GateError."""
        return self._shown[3](made)

    def to_json(self, on: str | Iterable[str] | None = None) -> dict[str, Json]:
        """Return the whole as the command line prints it."""
        failed: list[Json] = list(self.failed(on))
        return {
            "equal": self.equal,
            "divergence": self.divergence.to_json() if self.divergence else None,
            "differences": [each.to_json() for each in self.differences],
            "ignored": self.ignored,
            "outcome": {"a": self._a.outcome, "b": self._b.outcome},
            "pairs": [pair.to_json() for pair in self.pairs],
            "failed": failed,
            "notes": list(self.notes),
        }

    # -- as it may be shown --------------------

    def halves(self, folder: Path) -> Halves:
        """Write copies of both recordings into `folder`, masked together with all that the comparison says: one person has one stand-in everywhere.

        What :attr:`divergence`, :attr:`differences` and :attr:`pairs` give from now on goes with them. Without a redaction they are the recordings themselves. Raises as
        :attr:`divergence`.
        """
        asked = self._asked()
        values, gate, halves = self._masking.halves(list(asked.values()), folder)
        self.__dict__["_shown"] = self._masked(asked, values, gate)
        for name in ("divergence", "differences", "pairs"):
            self.__dict__.pop(name, None)
        return halves

    @property
    def clock(self) -> list[Moments]:
        """Moments of one clock for both runs, each with the run's own: ms. Between two of them each run takes its share of the time."""
        return self._clock.moments

    def joint(self, difference: Difference) -> float:
        """Return the moment of the joint clock at which a difference shows in both pages."""
        return self._clock.joint(difference.at["a"], difference.at["b"])

    @property
    def first(self) -> int | None:
        """Which of :attr:`differences` is the one with which the runs part; None where they are equal."""
        first = first_of(self._found)
        return self._found.index(first) if first is not None else None

    @cached_property
    def _clock(self) -> JointClock:
        shown = [(each.t_a, each.t_b) for each in self._found if each.t_a is not None and each.t_b is not None]
        return JointClock(self._pairs, self._a, self._b, [*answers_of(self._a, self._b), *shown])

    @cached_property
    def _shown(self) -> tuple[Divergence | None, list[Difference], list[PairOf], Callable[[str], str]]:
        asked = self._asked()
        values, gate = self._masking.values(list(asked.values()))
        return self._masked(asked, values, gate)

    def _asked(self) -> dict[str, tuple[Json, Role]]:
        """Return all values that are to be masked."""
        asked: dict[str, tuple[Json, Role]] = {}

        def note(value: Json, role: Role) -> Json:
            asked.setdefault(f"{role} {value!r}", (value, role))
            return value

        self._build(note)
        return asked

    def _masked(
        self, asked: Mapping[str, tuple[Json, Role]], values: Sequence[Json], gate: Callable[[str], str]
    ) -> tuple[Divergence | None, list[Difference], list[PairOf], Callable[[str], str]]:
        known = dict(zip(asked, values, strict=True))
        return (*self._build(lambda value, role: known[f"{role} {value!r}"]), gate)

    def _build(self, mask: Mask) -> tuple[Divergence | None, list[Difference], list[PairOf]]:
        first = first_of(self._found)
        chain = chain_of(first, self._found) if first is not None else []
        differences = [
            Difference(
                each.kind, read_out(each.where, mask), self._value(each.a, each.role, mask), self._value(each.b, each.role, mask),
                {"a": each.t_a, "b": each.t_b}, f"{read_out(each.said, mask)}.", {"a": each.at_a, "b": each.at_b},
            )
            for each in self._found
        ]  # fmt: skip
        divergence = None
        if first is not None:
            a, b = self._moment_of(first, "a", mask), self._moment_of(first, "b", mask)
            said = [read_out(sentence, mask) for sentence in chain]
            divergence = Divergence(first.kind, said[0], a, b, tuple(said))
        pairs = [
            PairOf(
                pair.kind,
                _moment(pair.a, pair.a.t, mask) if pair.a else None,
                _moment(pair.b, pair.b.t, mask) if pair.b else None,
                (_done(pair.a, mask), _done(pair.b, mask)),
            )
            for pair in self._pairs
        ]
        return divergence, differences, pairs

    @staticmethod
    def _value(value: Json, role: Role, mask: Mask) -> Json:
        held = shortened(value)
        return held if held is None or isinstance(held, bool) else mask(held, role)

    def _moment_of(self, found: Found, side: Literal["a", "b"], mask: Mask) -> Moment:
        """Return where the difference is in one run; where it never showed, what was being done then."""
        item, t, run = (found.item_a, found.t_a, self._a) if side == "a" else (found.item_b, found.t_b, self._b)
        if item is None:
            other = found.item_b if side == "a" else found.item_a
            item = self._beside(other, side)
        if t is None:
            t = item.t if item is not None else run.duration
        return _moment(item, t, mask)

    def _beside(self, other: Item | None, side: Literal["a", "b"]) -> Item | None:
        """Return what the other run did last that this one did as well."""
        last: Item | None = None
        for pair in self._pairs:
            mine, theirs = (pair.a, pair.b) if side == "a" else (pair.b, pair.a)
            last = mine or last
            if theirs is other:
                return last
        return last if other is not None else None


def words_of(on: str | Iterable[str]) -> list[str]:
    """Return the words of ``--fail-on``. Raises UsageError for one that there is not."""
    words = [word.strip() for word in (on.split(",") if isinstance(on, str) else on)]
    for word in words:
        if word and word != "none" and word not in KINDS and not _AMOUNT.fullmatch(word):
            raise UsageError(
                f"There is no kind {word!r}; give {', '.join(KINDS)} (cost and time also as cost=+20%), or none."
            )
    return words


def _done(item: Item | None, mask: Mask) -> Done | None:
    if item is None:
        return None
    shown = mask(item.title, "text" if item.kind == "step" else "code") if item.title else ""
    return Done(item.kind, str(shown), round(item.t, 1), round(item.end, 1), item.depth, item.error is not None)


def _moment(item: Item | None, t: float, mask: Mask) -> Moment:
    step = item.step if item is not None else None
    title = item.title if item is not None and item.kind != "step" else (step.title if step is not None else None)
    call = item.id if item is not None and item.kind != "step" else None
    if step is not None:
        title = step.title
    role: Role = "text" if step is not None else "code"
    shown = mask(title, role) if title else None
    return Moment(round(t, 1), step.id if step is not None else None, str(shown) if shown is not None else None, call)


def _median(values: Sequence[float]) -> float:
    from statistics import median

    return median(values) if values else 0.0
