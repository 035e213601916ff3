"""Describes the tests of a suite by their recordings: name, outcome, retries, and the first cause of a failure."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pagereel.reading import Record, RecordedRun, find_first_failure, get_failure_time, read_run_lines
from pagereel.reel import Json

from .reports import ReportedTest

_WORDS: Final = 500
"""Longest line that is searched, in characters."""
_SLICE: Final = 200_000
"""Approximate size of a slice of what is searched, in characters."""
_BAD: Final = ("failed", "interrupted")
_ORDER: Final = ("failed", "flaky", "unknown", "passed", "skipped")
"""Outcomes in the order of the list."""


@dataclass
class TestedRun:
    """One recording of a test, with its outcome."""

    number: int
    """Its number in the file."""
    retry: int
    outcome: str
    duration: float
    """ms"""
    started: float
    """Unix ms; 0 where the recording does not say so."""
    cause: str = ""
    """The first cause of its failure in a sentence."""
    then: str = ""
    """How it failed in the end, where that is another sentence."""
    at: float | None = None
    """The moment of its failure, ms."""
    acted: bool = False
    """Whether the test called something in it."""

    def to_json(self) -> dict[str, Json]:
        fields: dict[str, Json] = {
            "n": self.number,
            "retry": self.retry,
            "outcome": self.outcome,
            "duration": self.duration,
        }
        return fields if self.at is None else {**fields, "at": self.at}


@dataclass
class SuiteTest:
    """A test of the suite: all its recordings, or the result in a report if the test has no recording."""

    name: str
    file: str = ""
    runs: list[TestedRun] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    outcome: str = "unknown"
    duration: float = 0.0
    retries: int = 0
    reported: ReportedTest | None = None
    """What a report says of it."""
    named: bool = True
    """Whether the recording itself says which test it is of."""
    repeat: int = 0
    """How many tests of the same file and name stand before it, as where a runner repeats each."""
    since: str = ""
    """``new``, ``fixed`` or ``flaky``, compared with an earlier suite."""
    before: list[str] = field(default_factory=list)
    """How it ended in earlier suites, the latest last."""

    @property
    def id(self) -> str:
        """Return the test's id for links.

        It depends only on the test's file and name, and on its number among tests of the same name.
        """
        told = f"{self.file}\0{self.name}" + (f"\0{self.repeat}" if self.repeat else "")
        return hashlib.sha256(told.encode()).hexdigest()[:10]

    @property
    def title(self) -> str:
        """Return the test's file and name in the form of pytest's ids: `tests/test_a.py::test_b`."""
        return f"{self.file}::{self.name}" if self.file else self.name

    @property
    def run_to_show(self) -> TestedRun | None:
        """Return the recording that the player opens for this test: the last one that failed, or else the last one.

        If the test had several browser contexts, it is a recording of one in which the test did something, and not of
        one that an earlier test left open.
        """
        bad = [run for run in self.runs if run.outcome in _BAD]
        return max(reversed(bad or self.runs), key=lambda run: (run.retry, run.acted), default=None)

    def set_outcome(self) -> None:
        """Set the test's outcome, duration and retries from its recordings and the report."""
        if self.runs:
            self._set_outcome_of_runs()
        if (said := self.reported) is not None:
            flaky = said.outcome == "passed" and any(run.outcome in _BAD for run in self.runs)
            self.outcome = "flaky" if flaky else said.outcome
            self.duration = said.duration or self.duration
            self.retries = max(self.retries, said.retries)
            self.tags = [*dict.fromkeys((*self.tags, *said.tags))]

    def _set_outcome_of_runs(self) -> None:
        self.runs.sort(key=lambda run: (run.retry, run.started))
        last = max(run.retry for run in self.runs)
        final = [run for run in self.runs if run.retry == last]
        outcomes = {run.outcome for run in final}
        failed = any(run.outcome in _BAD for run in self.runs)
        self.retries = max(self.retries, last)
        self.duration = max(self.duration, max(run.duration for run in final))
        if outcomes & {*_BAD}:
            self.outcome = "failed"
        elif failed:
            self.outcome = "flaky"
        else:
            self.outcome = next((each for each in ("passed", "xfailed", "skipped") if each in outcomes), "unknown")

    def to_json(self) -> dict[str, Json]:
        """Return the test's entry in the index of the suite's file."""
        run = self.run_to_show
        fields: dict[str, Json] = {
            "id": self.id,
            "name": self.name,
            "file": self.file,
            "outcome": self.outcome,
            "duration": round(self.duration),
            "retries": self.retries,
            "cause": (run.cause if run else "") or (self.reported.message if self.reported else ""),
        }
        if run is not None and run.then:
            fields["then"] = run.then
        if run is not None:
            fields["shown"] = run.number
            fields["runs"] = [each.to_json() for each in self.runs]
        if self.tags:
            fields["tags"] = [*self.tags]
        if self.since:
            fields["since"] = self.since
        if self.before:
            fields["before"] = [*self.before]
        return fields


def sort_tests(tests: Sequence[SuiteTest]) -> list[SuiteTest]:
    """Return the tests in the order of the suite's list.

    Failed tests come first, by the time of the failure; then tests that passed after a retry; then all others.
    """

    def build_sort_key(test: SuiteTest) -> tuple[int, float, str, str]:
        order = _ORDER.index(test.outcome) if test.outcome in _ORDER else _ORDER.index("passed")
        run = test.run_to_show
        failed = run.started + (run.at or 0.0) if run is not None and order < 2 else 0.0
        return order, failed, test.file, test.name

    return sorted(tests, key=build_sort_key)


def read_test_run(recording: RecordedRun, number: int, stem: str) -> tuple[SuiteTest, TestedRun]:
    """Return the test that a recording belongs to, and the recording as a run of this test, not yet added to it."""
    metadata = recording.header.get("metadata")
    facts: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
    file, name = _find_test_name(facts, recording, stem)
    ended = str(facts.get("outcome") or recording.outcome.outcome)
    retry = facts.get("retry")
    duration = facts.get("duration")
    started = recording.header.get("started")
    run = TestedRun(
        number,
        retry if isinstance(retry, int) else 0,
        "failed" if ended in _BAD else ended,
        float(duration) if isinstance(duration, int | float) else recording.duration,
        float(started) if isinstance(started, int | float) else 0.0,
        acted=bool(recording.calls()),
    )
    failure: Record = (
        find_first_failure(recording) if run.outcome == "failed" or recording.outcome.outcome == "failed" else {}
    )
    if chain := failure.get("chain"):
        failed = get_failure_time(failure)
        last = max((n for n, link in enumerate(failure["links"]) if link["t"] <= failed), default=0)
        # The failure itself, or, if nothing led to it, what came too late for it.
        run.cause, run.then = str(chain[0]), str(chain[last]) if last else "".join(chain[1:2])
        run.at = round(failed, 1)
    elif run.outcome == "failed":
        run.cause = str(facts.get("error") or recording.outcome.reason or "")
    markers = facts.get("markers")
    tags = [str(each) for each in markers if each != "parametrize"] if isinstance(markers, list) else []
    return SuiteTest(name, file, tags=tags, named=bool(facts.get("test"))), run


def _find_test_name(facts: dict[str, Any], recording: RecordedRun, stem: str) -> tuple[str, str]:
    """Return the file and the name of a recording's test; for a recording that is of no test "" and its title or file
    name.
    """
    test = facts.get("test")
    if isinstance(test, str) and test:
        file, colons, name = test.partition("::")
        return (file, name) if colons else ("", test)
    title = recording.header.get("title")
    return "", str(title or stem)


def merge_report(tests: Iterable[SuiteTest], reported: Iterable[tuple[ReportedTest, Sequence[int]]]) -> list[SuiteTest]:
    """Return the suite's tests with the results of a report added.

    `tests`: one test for each recording; those that are not in the report are joined if their names are equal.
    `reported`: each test of the report with the numbers of its recordings, in the order of its attempts.
    """
    left = {run.number: test for test in tests for run in test.runs}
    merged: list[SuiteTest] = []
    known: dict[tuple[bool, str, str], SuiteTest] = {}
    for said, numbers in reported:
        mine = [left.pop(number) for number in numbers if number in left]
        test = SuiteTest(said.name, said.file)
        if mine and mine[0].named:
            test = mine[0]
            known.setdefault((True, test.file, test.name), test)
        for attempt, each in enumerate(mine):
            for run in each.runs:  # Of other tools' recordings the report alone says which attempt each is.
                run.retry = run.retry if each.named else attempt
            test.runs += each.runs if each is not test else ()
            test.tags = test.tags or each.tags
        test.reported = said
        merged.append(test)
    for each in left.values():
        test = known.setdefault((each.named, each.file, each.name), each)
        if test is each:
            merged.append(test)
        else:
            test.runs += each.runs
    repeats: Counter[str] = Counter()
    for test in merged:
        first = test.id
        test.repeat = repeats[first]
        repeats[first] += 1
    return merged


class SuiteSearchIndex:
    """The search index of a suite: each line of text once, with the recordings that contain it and its first time in
    each.
    """

    def __init__(self) -> None:
        self._kinds: dict[str, dict[str, list[Json]]] = {}

    def add_recording(self, path: Path, recording: RecordedRun, number: int) -> None:
        """Add the lines of text in the recording with this number."""
        seen: set[tuple[str, str]] = set()
        for kind, text, t in _iter_search_lines(path, recording):
            if (kind, text) not in seen:
                seen.add((kind, text))
                self._kinds.setdefault(kind, {}).setdefault(text, []).extend((number, round(t)))

    def to_slices(self) -> list[dict[str, Json]]:
        """Return the lines grouped by kind, in slices so small that the player can parse one without delaying a screen
        refresh.
        """
        found: list[dict[str, Json]] = []
        room = 0
        for kind, lines in self._kinds.items():
            texts: list[Json] = []
            at: list[Json] = []
            for text, places in lines.items():
                if room <= 0:
                    found.append({})
                    texts, at, room = [], [], _SLICE
                found[-1].setdefault(kind, {"texts": texts, "at": at})
                texts.append(text)
                at.append(places)
                room -= len(text) + len(places) * 4
        return found


def _iter_search_lines(path: Path, recording: RecordedRun) -> Iterator[tuple[str, str, float]]:
    for line in sorted(read_run_lines(path, recording), key=lambda each: each.begin):
        yield line.kind, line.text[:_WORDS], line.begin
