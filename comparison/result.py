"""The result of a comparison: whether two runs are equal, where they diverge, and the differences, masked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pagereel.reel import Json

from .divergence import find_divergence
from .effects.difference import KINDS, FoundDifference, Kind, Role
from .effects.network import find_response_times
from .fail_on import find_failing_kinds
from .joint_clock import JointClock, Moments
from .masked_records import build_records
from .masking import JointMasking, MaskedRecordings
from .matching.item_pairing import ItemPair
from .records import Difference, Divergence, PairSummary
from .runs.run_items import ComparedRun


@dataclass
class Comparison:
    """The result of comparing two runs. Texts are masked when they are first read; :attr:`equal` needs no masking."""

    _a: ComparedRun
    _b: ComparedRun
    _pairs: list[ItemPair]
    _found: list[FoundDifference]
    ignored: int
    """Number of differences that are usual in the baseline, ignored by a rule, or meaningless by themselves."""
    _masking: JointMasking
    _durations: Sequence[float] = field(default_factory=list)
    _costs: Sequence[float] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    """What could not be compared, a sentence each."""

    @property
    def equal(self) -> bool:
        """Return whether there is no difference that is sure enough to count (:attr:`.Difference.is_sure`)."""
        return not self._sure_differences

    @property
    def outcome(self) -> dict[str, str]:
        """Return how each run ended: ``passed``, ``failed`` or ``unknown``."""
        return {"a": self._a.outcome, "b": self._b.outcome}

    @cached_property
    def divergence(self) -> Divergence | None:
        """Return where the runs diverge; None where they are equal. Raises the errors of
        :func:`pagereel.redaction.redact`.
        """
        return self._shown[0]

    @cached_property
    def differences(self) -> list[Difference]:
        """Return all differences beyond noise, in order of time, each with its confidence. Raises the errors of :attr:`divergence`."""
        return self._shown[1]

    @cached_property
    def pairs(self) -> list[PairSummary]:
        """Return the matched steps and calls, in order. Raises the errors of :attr:`divergence`."""
        return self._shown[2]

    @property
    def kinds(self) -> list[Kind]:
        """Return the kinds of the differences that are sure."""
        return [kind for kind in KINDS if any(each.kind == kind for each in self._sure_differences)]

    def failed(self, on: str | Iterable[str] | None = None) -> list[str]:
        """Return the kinds in `on` that differ; None: all kinds. `on`: names of :data:`KINDS`, as a list or separated
        by commas, or ``none``; ``cost=+20%`` and ``time=+50%`` compare the whole run with the baseline's median. Raises
        UsageError for any other name.
        """
        if on is None:
            return list(self.kinds)
        return find_failing_kinds(on, self.kinds, (self._b.cost, self._costs), (self._b.duration, self._durations))

    def check(self, made: str) -> str:
        """Search a finished text for known values, and return it. Raises GateError if it contains one."""
        return self._shown[3](made)

    def to_json(self, on: str | Iterable[str] | None = None) -> dict[str, Json]:
        """Return the whole result as the command line prints it."""
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

    # -- masked texts --------------------

    def halves(self, folder: Path) -> MaskedRecordings:
        """Write copies of both recordings into `folder`, masked together with the comparison's texts, so that a person
        has the same stand-in everywhere.

        From now on :attr:`divergence`, :attr:`differences` and :attr:`pairs` use the same stand-ins. Without a
        redaction the copies are the recordings themselves. Raises the errors of :attr:`divergence`.
        """
        asked = self._collect_values_to_mask()
        values, gate, halves = self._masking.mask_recordings(list(asked.values()), folder)
        self.__dict__["_shown"] = self._build_masked_records(asked, values, gate)
        for name in ("divergence", "differences", "pairs"):
            self.__dict__.pop(name, None)
        return halves

    @property
    def clock(self) -> list[Moments]:
        """Return the points of the joint clock: each a joint time and the corresponding times of both runs, in ms.
        Between two points each run's time is stretched evenly.
        """
        return self._joint_clock.moments

    def joint(self, difference: Difference) -> float:
        """Return the time on the joint clock, in ms, at which a difference has shown in both runs."""
        return self._joint_clock.to_joint_time(difference.at["a"], difference.at["b"])

    @property
    def first(self) -> int | None:
        """Return the index of the divergence in :attr:`differences`; None where the runs are equal."""
        first = find_divergence(self._sure_differences)
        return self._found.index(first) if first is not None else None

    @property
    def _sure_differences(self) -> list[FoundDifference]:
        return [each for each in self._found if each.is_sure]

    @cached_property
    def _joint_clock(self) -> JointClock:
        shown = [(each.t_a, each.t_b) for each in self._found if each.t_a is not None and each.t_b is not None]
        return JointClock(self._pairs, self._a, self._b, [*find_response_times(self._a, self._b, self._pairs), *shown])

    @cached_property
    def _shown(self) -> tuple[Divergence | None, list[Difference], list[PairSummary], Callable[[str], str]]:
        asked = self._collect_values_to_mask()
        values, gate = self._masking.mask_values(list(asked.values()))
        return self._build_masked_records(asked, values, gate)

    def _collect_values_to_mask(self) -> dict[str, tuple[Json, Role]]:
        """Return all values that the records show, to be masked, each under a key made of its role and itself."""
        asked: dict[str, tuple[Json, Role]] = {}

        def collect_value(value: Json, role: Role) -> Json:
            asked.setdefault(f"{role} {value!r}", (value, role))
            return value

        build_records(self._a, self._b, self._pairs, self._found, collect_value)
        return asked

    def _build_masked_records(
        self, values_by_key: Mapping[str, tuple[Json, Role]], values: Sequence[Json], gate: Callable[[str], str]
    ) -> tuple[Divergence | None, list[Difference], list[PairSummary], Callable[[str], str]]:
        known = dict(zip(values_by_key, values, strict=True))
        return (
            *build_records(self._a, self._b, self._pairs, self._found, lambda value, role: known[f"{role} {value!r}"]),
            gate,
        )
