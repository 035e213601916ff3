"""What a suite takes from reports, and from the suite before: JUnit's XML, Playwright's JSON, `--previous`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagereel.errors import UsageError
from pagereel.integrations import bundle_suite
from pagereel.integrations.suite.reports import read_report

from .test_suite import CANARY, index_of, recorded

JUNIT = f"""<?xml version="1.0"?><testsuites><testsuite name="pytest">
<testcase classname="tests.test_pay" name="test_pays[x]" time="2.5"/>
<testcase classname="tests.test_pay.TestCart" name="test_empty" time="0.25"><skipped type="pytest.skip" message="not today"/></testcase>
<testcase classname="tests.test_api" name="test_stock" time="0.5"><failure message="AssertionError: no stock for {CANARY}">long</failure></testcase>
</testsuite></testsuites>"""


def result(status: str, retry: int, trace: str = "", error: str = "") -> dict[str, object]:
    files = [{"name": "trace", "path": trace}] if trace else []
    return {
        "status": status,
        "retry": retry,
        "duration": 700,
        "attachments": files,
        **({"error": {"message": error}} if error else {}),
    }


def test_a_junit_report_brings_in_tests_without_recordings_durations_and_messages(tmp_path: Path) -> None:
    recorded(tmp_path / "a.reel", "tests/test_pay.py::test_pays[x]", outcome="failed")
    recorded(tmp_path / "b.reel", "tests/test_pay.py::test_pays[x]", retry=1)
    (tmp_path / "report.xml").write_text(JUNIT)
    suite = bundle_suite(
        [tmp_path / "*.reel"], tmp_path / "suite.html", None, junit=tmp_path / "report.xml"
    ).destination
    tests = {test["name"]: test for test in index_of(suite)["tests"]}
    assert {name: (test["outcome"], test["duration"], test["file"]) for name, test in tests.items()} == {
        "test_pays[x]": ("flaky", 2500, "tests/test_pay.py"),
        "TestCart::test_empty": ("skipped", 250, "tests/test_pay.py"),
        "test_stock": ("failed", 500, "tests/test_api.py"),
    }
    assert tests["test_stock"]["cause"] == f"AssertionError: no stock for {CANARY}"
    assert "shown" not in tests["test_stock"] and len(tests["test_pays[x]"]["runs"]) == 2  # type: ignore[arg-type]


def test_what_a_report_says_is_masked_with_the_recordings_and_without_any(tmp_path: Path) -> None:
    recorded(tmp_path / "a.reel", "tests/test_pay.py::test_pays[x]", f"Ordered by: {CANARY}")
    (tmp_path / "report.xml").write_text(JUNIT)
    for sources in ([tmp_path / "a.reel"], []):
        suite = bundle_suite(sources, tmp_path / "suite.html", junit=tmp_path / "report.xml").destination
        tests = {str(test["name"]): test for test in index_of(suite)["tests"]}
        assert "no stock for" in str(tests["test_stock"]["cause"])
        assert not any(word in str(index_of(suite)) for word in CANARY.split())
        assert {"test_pays[x]", "TestCart::test_empty"} <= set(tests)


def test_playwrights_json_says_which_trace_is_of_which_test(tmp_path: Path) -> None:
    for number in (0, 1):
        folder = tmp_path / "results" / f"cart-pays{'-retry1' if number else ''}"
        folder.mkdir(parents=True)
        recorded(folder / "trace.reel", "", outcome="passed" if number else "failed", started=number * 1000)
    traces = [f"/elsewhere/results/cart-pays{each}/trace.reel" for each in ("", "-retry1")]
    results = [result("failed", 0, traces[0], "\x1b[31mTimed out\x1b[0m\nmore"), result("passed", 1, traces[1])]
    test = {"projectName": "chromium", "status": "flaky", "results": results}
    spec = {"title": "pays", "file": "cart.spec.ts", "tags": ["smoke"], "tests": [test]}
    report = {"suites": [{"title": "cart.spec.ts", "suites": [{"title": "Cart", "specs": [spec]}]}]}
    (tmp_path / "report.json").write_text(json.dumps(report))
    suite = bundle_suite(
        [tmp_path / "results/**/*.reel"], tmp_path / "suite.html", None, junit=tmp_path / "report.json"
    ).destination
    (told,) = index_of(suite)["tests"]
    assert (told["name"], told["file"], told["outcome"], told["retries"], told["tags"]) == (
        "Cart \u203a pays [chromium]", "cart.spec.ts", "flaky", 1, ["slow", "smoke"],
    )  # fmt: skip
    assert [run["retry"] for run in told["runs"]] == [0, 1]  # type: ignore[attr-defined]


def test_the_suite_before_says_what_is_new_fixed_and_flaky_since(tmp_path: Path) -> None:
    def night(number: int, *failing: str) -> Path:
        lines = [
            f'<testcase classname="tests.test_{name}" name="test_{name}" time="1">'
            + ("<failure message='no'/>" if name in failing else "")
            + "</testcase>"
            for name in "abcd"
        ]
        (tmp_path / "report.xml").write_text(f"<testsuite>{''.join(lines)}</testsuite>")
        before = tmp_path / f"{number - 1}.html" if number else None
        return bundle_suite(
            [], tmp_path / f"{number}.html", None, junit=tmp_path / "report.xml", previous=before
        ).destination

    def since(suite: Path) -> dict[object, object]:
        return {test["name"]: test["since"] for test in index_of(suite)["tests"] if "since" in test}

    assert since(night(0, "a", "c")) == {}
    assert since(night(1, "b", "c")) == {"test_a": "fixed", "test_b": "new"}
    assert since(night(2, "b", "c", "a")) == {"test_a": "flaky"}
    with pytest.raises(UsageError, match="is not a suite"):
        bundle_suite([], tmp_path / "x.html", None, junit=tmp_path / "report.xml", previous=tmp_path / "report.xml")


@pytest.mark.parametrize(
    "text", ["", "<a", "{}", "[1]", '{"suites": [1]}', "<!DOCTYPE x [<!ENTITY a 'b'>]><testsuite/>", "<testsuite/>"]
)
def test_what_is_no_report_is_said_in_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "report").write_text(text)
    with pytest.raises(UsageError, match=r"report (is neither|lists no test)"):
        read_report(tmp_path / "report")
