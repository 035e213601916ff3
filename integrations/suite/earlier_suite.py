"""Compares a suite with an earlier one: which tests newly fail, are fixed, or are flaky."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from pagereel.errors import UsageError

from .suite_tests import SuiteTest

_KEPT: Final = 20
"""Outcomes of earlier suites that a test keeps."""
_TURNS: Final = 2
"""How often a test must have changed between failing and passing to count as flaky."""


def read_earlier_outcomes(path: Path) -> dict[str, list[str]]:
    """Return the outcomes that each test had in earlier suites, by the test's id and in order of time.

    They are read from the file of the previous suite.

    :raises UsageError: the file is no suite.
    """
    from pagereel.player_build import read_suite_index

    index = read_suite_index(path)
    found: dict[str, list[str]] = {}
    tests: Any = index.get("tests")
    for test in tests if isinstance(tests, list) else ():
        if isinstance(test, dict) and isinstance(test.get("id"), str):
            value = test.get("before")
            before = [each[:20] for each in value if isinstance(each, str)] if isinstance(value, list) else []
            found[test["id"]] = [*before, str(test.get("outcome"))[:20]][-_KEPT:]
    if not found:
        raise UsageError(f"{path} is not a suite; give a file that pagereel bundle wrote.")
    return found


def mark_outcome_changes(tests: Iterable[SuiteTest], earlier_outcomes: dict[str, list[str]]) -> None:
    """Mark each test that newly fails, is fixed or is flaky since the earlier suite."""
    for test in tests:
        test.before = earlier_outcomes.get(test.id, [])
        test.since = _classify_outcome_change(test.outcome, test.before)


def _classify_outcome_change(outcome: str, earlier_outcomes: Sequence[str]) -> str:
    """Return how a test's outcome changed since the earlier suites.

    ``flaky``: the outcome keeps changing; ``new``: the test fails now but passed before; ``fixed``: it passes now but
    failed before; "": none of these.
    """
    last = earlier_outcomes[-1] if earlier_outcomes else ""
    ends = [each == "failed" for each in (*earlier_outcomes, outcome) if each in ("failed", "passed")]
    turns = sum(one != other for one, other in pairwise(ends))
    if (outcome == "flaky" and last != "flaky") or turns >= _TURNS:
        return "flaky"
    if outcome == "failed" and last != "failed":
        return "new"
    return "fixed" if outcome == "passed" and last in ("failed", "flaky") else ""
