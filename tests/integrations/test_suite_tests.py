"""A suite's tests without a file: which recording is of which, and what is said of one that failed."""

from __future__ import annotations

from pathlib import Path

from pagereel.integrations.suite.suite_tests import run_of
from pagereel.reading import first_failure, open_recording
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
    assert first_failure(recording)["chain"][-1] == "1.5 s later the button “Book” appears, too late."
    _, run = run_of(recording, 0, "run")
    assert run.at == gave_up
    assert run.cause.startswith("The call “Click Book (first)” in “Book” fails") and run.then == ""
