"""A suite's tests without a file: which recording is of which, and what is said of one that failed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pagereel.integrations.suite.reports import ReportedTest
from pagereel.integrations.suite.suite_tests import SuiteTest, merge_report, read_test_run
from pagereel.integrations.suite.suite_tests import TestedRun as Attempted
from pagereel.reading import find_first_failure, open_recording
from tests.comparison.runs import Made


def test_a_test_that_waited_in_vain_failed_when_it_gave_up_not_when_the_page_was_ready(tmp_path: Path) -> None:
    made = Made(tmp_path / "run.reel")
    made.open("/", "Flights")
    made.step("Book")
    error = 'Timeout 2000ms exceeded - waiting for get_by_role("button", name="Book").first'
    made.call("click", 'get_by_role("button", name="Book").first', error=error, took=2_000)
    made.end_step(False, error)
    gave_up = made.t - 10
    made.t += 1_490
    made.show("Flights", ["button", {}, "Book"])
    recording = open_recording(made.end())
    assert find_first_failure(recording)["chain"][-1] == "1.5 s later the button “Book” appears, too late."
    _, run = read_test_run(recording, 0, "run")
    assert run.at == gave_up
    assert run.cause.startswith("The call “Click Book (first)” in “Book” fails")
    assert run.then == "1.5 s later the button “Book” appears, too late."


def test_of_a_tests_contexts_one_opens_in_which_it_did_something(tmp_path: Path) -> None:
    runs = []
    for number, acts in enumerate((True, False)):  # Another test left the second one open.
        made = Made(tmp_path / f"{number}.reel")
        made.step("test_pays")
        if acts:
            made.open("/", "Cart")
            made.call("click", "#pay", error="Timeout 100ms exceeded", took=100)
        made.end_step(False, "Timeout 100ms exceeded")
        runs.append(read_test_run(open_recording(made.end()), number, "test_pays")[1])
    of = SuiteTest("test_pays", runs=runs)
    assert of.run_to_show is not None and [of.run_to_show.number, of.run_to_show.outcome] == [0, "failed"]


def recording(number: int, outcome: str = "passed", name: str = "pays", named: bool = False) -> SuiteTest:
    return SuiteTest(name, runs=[Attempted(number, 0, outcome, 700, 0)], named=named)


def reported(name: str, outcome: str) -> ReportedTest:
    return ReportedTest(name, "cart.spec.ts", outcome, 700, "")


def finished(
    recordings: list[SuiteTest], *told: tuple[ReportedTest, Sequence[int]]
) -> list[tuple[str, str, list[tuple[int, int]]]]:
    tests = merge_report(recordings, told)
    for test in tests:
        test.set_outcome()
    assert len({test.id for test in tests}) == len(tests)
    return [(test.name, test.outcome, [(run.number, run.retry) for run in test.runs]) for test in tests]


def test_recordings_of_one_title_are_of_the_tests_that_the_report_says_they_are_of() -> None:
    four = [recording(0), recording(1, "failed"), recording(2, "failed"), recording(3)]
    assert finished(
        four, (reported("pays [chromium]", "failed"), [2, 1]), (reported("pays [firefox]", "passed"), [0])
    ) == [
        ("pays [chromium]", "failed", [(2, 0), (1, 1)]),
        ("pays [firefox]", "passed", [(0, 0)]),
        ("pays", "passed", [(3, 0)]),
    ]


def test_tests_that_a_runner_repeats_have_an_id_each_and_the_first_has_that_of_one() -> None:
    told = [(reported("pays", "failed"), [1]), (reported("pays", "passed"), [0])]
    assert [outcome for _, outcome, _ in finished([recording(0), recording(1, "failed")], *told)] == [
        "failed",
        "passed",
    ]
    assert merge_report([], told)[0].id == SuiteTest("pays", "cart.spec.ts").id


def test_what_no_report_tells_of_is_joined_by_name_what_recordings_say_apart_from_titles() -> None:
    tests = [recording(0), recording(1, named=True), recording(2), recording(3, named=True)]
    assert [runs for _, _, runs in finished(tests)] == [[(0, 0), (2, 0)], [(1, 0), (3, 0)]]
