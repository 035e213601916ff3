"""Decides how a run ended: passed, failed or unknown. All code that shows an outcome uses this module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from .events import Event

Outcome = Literal["passed", "failed", "unknown"]
_ACTS: Final = frozenset(("call", "llm", "tool_call"))
"""Kinds of events of a script or agent, whose run has an outcome; a person's visit has none."""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The outcome of a run. `recovered`: how many steps failed although the run passed; a failed step inside a failed
    one is not counted. `reason`: the reason as the caller wrote it.
    """

    outcome: Outcome
    recovered: int = 0
    reason: str | None = None

    def __str__(self) -> str:
        """Return the outcome as text: ``passed, 1 step recovered``."""
        steps = f", {self.recovered} step{'' if self.recovered == 1 else 's'} recovered" if self.recovered else ""
        return f"{self.outcome}{steps}{f': {self.reason}' if self.reason else ''}"


_OF_A_TEST: Final = frozenset({"phase", "locals"})
"""Fields of a failed test's note besides its outcome: the phase, and values of variables."""


@dataclass(slots=True)
class _OutcomeStep:
    title: str
    began: float
    parent: _OutcomeStep | None
    top: _OutcomeStep | None = None
    """The outermost step around it; None: it is an outermost step."""
    ended: float | None = None
    failed: bool = False


class RunOutcomeRule:
    """The rule that decides a run's outcome. It reads the run's events in order of time.

    The caller's last ``session.outcome()`` counts, unless a test around the run failed; then the test's outcome counts.
    Otherwise the run failed if an exception ended the recording, or if the outermost step that ended last failed and
    was not repeated with success: by a step of the same title, or by each call that failed in it. Otherwise it passed,
    if a step ended or a script or agent closed the recording. Otherwise the outcome is unknown.
    """

    KINDS: Final = frozenset({"step", "step_end", "note", "outcome", *_ACTS})
    """Kinds of events that it goes by."""

    def __init__(self) -> None:
        self._steps: dict[object, _OutcomeStep] = {}
        self._calls: list[tuple[_OutcomeStep | None, int, bool, float]] = []
        """For each call of a script: its outermost step, a hash of method and target, whether it failed, and its time."""
        self._said: tuple[bool, str | None] | None = None
        self._acted = False
        self._test_failed = False
        """A note of the pytest plugin says so; in joined recordings the header does not."""

    def read_event(self, event: Event) -> None:
        """Read the next event of the run, of any kind."""
        kind, t = event["k"], _to_number(event.get("t"))
        self._acted = self._acted or kind in _ACTS
        if kind == "step":
            parent = self._steps.get(event.get("parent"))
            top = parent and (parent.top or parent)
            self._steps[event.get("id")] = _OutcomeStep(str(event.get("title")), t, parent, top)
        elif kind == "step_end":
            if (step := self._steps.get(event.get("id"))) is not None:
                step.ended, step.failed = t, event.get("success") is False
        elif kind == "call":
            step = self._steps.get(event.get("step"))
            what = hash((str(event.get("method")), str(event.get("locator") or event.get("params"))))
            self._calls.append((step and (step.top or step), what, bool(event.get("error")), t))
        elif kind == "note":
            value = event.get("attributes")
            self._test_failed |= (
                isinstance(value, dict) and value.get("outcome") == "failed" and not value.keys().isdisjoint(_OF_A_TEST)
            )
        elif kind == "outcome":
            reason = event.get("text")
            self._said = event.get("success") is True, reason if isinstance(reason, str) else None

    def decide_outcome(self, reason: object, metadata: object) -> RunOutcome:
        """Return the outcome. `reason`: the reason in the ``end`` event; `metadata`: the metadata in the header, which
        has the test's outcome if the pytest plugin recorded it.
        """
        tested = metadata.get("outcome") if isinstance(metadata, Mapping) else None
        said, why = self._said or (None, None)
        if tested in ("failed", "error") or (tested is None and self._test_failed):
            return RunOutcome("failed", 0, why if said is False else None)
        if said is None and tested != "passed":
            outermost = [step for step in self._steps.values() if step.top is None]
            ended = [step for step in outermost if step.ended is not None]
            last = max(ended, key=lambda step: _to_number(step.ended), default=None)
            if reason == "error" or (last is not None and last.failed and not self._was_repeated_with_success(last)):
                return RunOutcome("failed")
            if len(ended) < len(outermost) or not (ended or (self._acted and reason == "closed")):
                return RunOutcome("unknown")
        elif said is False:
            return RunOutcome("failed", 0, why)
        return RunOutcome("passed", self._count_failed_steps(), why)

    def _count_failed_steps(self) -> int:
        """Return the number of failed steps; a failed step and the failed steps inside it count as one."""
        within: set[int] = set()
        count = 0
        for step in self._steps.values():  # outer steps come first
            inner = id(step.parent) in within
            count += step.failed and not inner
            if step.failed or inner:
                within.add(id(step))
        return count

    def _was_repeated_with_success(self, failed_step: _OutcomeStep) -> bool:
        end = _to_number(failed_step.ended)
        later = (step for step in self._steps.values() if step.began >= end and step.ended is not None)
        if any(step.title == failed_step.title and not step.failed for step in later):
            return True
        failed = {what for top, what, wrong, _ in self._calls if wrong and top is failed_step}
        return bool(failed) and failed <= {what for _, what, wrong, t in self._calls if not wrong and t >= end}


def find_outcome(events: Iterable[Event], reason: object, metadata: object) -> RunOutcome:
    """Return the outcome of the run with these events: see :class:`RunOutcomeRule`."""
    rule = RunOutcomeRule()
    for event in events:
        rule.read_event(event)
    return rule.decide_outcome(reason, metadata)


def _to_number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
