"""`pytest --replay-suite`: the whole run as one file, also with xdist."""

from __future__ import annotations

import pytest

from pagereel.reading import open_recording

from .test_pytest_plugin import run, suite
from .test_suite import index_of

__all__ = ["suite"]

pytest_plugins = ["pytester"]

TESTS = """
PAGE = "data:text/html,<h1>Hello</h1>"


def test_passes(page):
    page.goto(PAGE)


def test_fails(page):
    page.goto(PAGE)
    page.get_by_role("button", name="Pay").click(timeout=100)


def test_without_a_browser():
    assert 1 + 1 == 3, "sums"
"""


@pytest.mark.slow
def test_the_run_is_one_file_with_all_tests_and_the_recordings_of_those_that_failed(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_run=TESTS)
    result = run(suite, "--replay-suite", "out/suite.html", "--replay-redaction", "off", "-n", "2")
    result.assert_outcomes(passed=1, failed=2)
    assert any("out/suite.html  3 tests: 2 failed, 1 passed." in line for line in result.outlines), result.outlines
    file = suite.path / "out" / "suite.html"
    tests = {str(test["name"]): test for test in index_of(file)["tests"]}
    assert tests["test_passes[chromium]"]["outcome"] == "passed" and "shown" not in tests["test_passes[chromium]"]
    assert "sums" in str(tests["test_without_a_browser"]["cause"])
    failed = tests["test_fails[chromium]"]
    assert "Pay" in str(failed["cause"]) and failed["file"] == "test_run.py"
    assert open_recording(f"{file}#test={failed['id']}").outcome.outcome == "failed"
    assert not list(suite.path.rglob("replay*.html"))
