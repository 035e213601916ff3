"""The table of what is captured names tests and cases that there are."""

from __future__ import annotations

from pathlib import Path

from bench.fidelity.lines import LINES

from .test_everything import CLAIMS

TESTS = Path(__file__).resolve().parents[1]


def test_each_line_has_tests_that_there_are() -> None:
    for line in LINES:
        assert line.tests, line.what
        for test in line.tests:
            if test.startswith("every: "):
                assert test.removeprefix("every: ") in CLAIMS
            else:
                path, _, name = test.partition("::")
                assert f"def {name}(" in (TESTS / path).read_text("utf-8"), test
