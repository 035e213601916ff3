"""What a comparison gives: whether two runs are equal, where they part, and all that differs; as it may be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pagereel.reel import Json

from .clock import JointClock, Moments
from .divergence import first_of
from .effects.difference import KINDS, FoundDifference, Kind, Role
from .effects.network import answers_of
from .fail_on import failing
from .masking import Halves, JointMasking
from .matching.pairing import Pair
from .records import Difference, Divergence, PairOf
from .report import describe
from .runs.items import ComparedRun


@dataclass
class Comparison:
    """Two runs beside each other. Texts are masked when they are first asked for; whether the runs are equal needs none of it."""

    _a: ComparedRun
    _b: ComparedRun
    _pairs: list[Pair]
    _found: list[FoundDifference]
    ignored: int
    """Differences that are usual in the baseline, that a rule leaves out, or that say nothing by themselves."""
    _masking: JointMasking
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
        return failing(on, self.kinds, (self._b.cost, self._costs), (self._b.duration, self._durations))

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

        describe(self._a, self._b, self._pairs, self._found, note)
        return asked

    def _masked(
        self, asked: Mapping[str, tuple[Json, Role]], values: Sequence[Json], gate: Callable[[str], str]
    ) -> tuple[Divergence | None, list[Difference], list[PairOf], Callable[[str], str]]:
        known = dict(zip(asked, values, strict=True))
        return (
            *describe(self._a, self._b, self._pairs, self._found, lambda value, role: known[f"{role} {value!r}"]),
            gate,
        )
