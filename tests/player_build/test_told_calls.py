"""What a built file says of the calls that a run made: in words, and in the order in which they began."""

from __future__ import annotations

from pathlib import Path

from pagereel.player_build import build
from pagereel.reading import open_recording
from pagereel.reel import KINDS, Event, ReelWriter, find_redaction_channels
from tests.comparison.runs import Made

from .test_build import unpack_replay


def run_of(path: Path) -> Path:
    run = Made(path)
    run.step("Pay")
    run.open("/", "Shop", "[Pay]")
    run.call("fill", 'get_by_label("Postal code")', params={"value": "9999 XX"})
    at = run.t
    for id in (90, 80):  # the first to begin is the last to end, and to be written
        run.script.run("call", at, id=id, step=1, title="Count", method="count", locator=f'locator("#n{id}")')
    run.end_step(True)
    return run.end()


def calls(html: Path) -> list[Event]:
    return [event for event in unpack_replay(html.read_bytes()).events if event["k"] == "call"]


def test_each_call_says_what_was_done_in_the_order_in_which_it_was_begun(tmp_path: Path) -> None:
    html = tmp_path / "run.html"
    build(run_of(tmp_path / "run.reel"), html, redaction=None)
    assert [event["did"] for event in calls(html)] == [
        "Go to /", 'Fill Postal code "9999 XX"', "Count #n80", "Count #n90",
    ]  # fmt: skip
    asked = open_recording(html).calls()
    assert [call["did"] for call in asked] == [event["did"] for event in calls(html)]


def test_the_words_are_made_anew_at_each_build_and_come_through_no_redaction() -> None:
    """Of a value that was cut for them no redaction would find the rest."""
    assert "did" not in find_redaction_channels(KINDS["call"].type)


def test_an_answer_of_no_call_keeps_no_replay_of_a_failed_run_from_being_built(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with ReelWriter(path, {"started": 0}) as writer:
        writer.write({"k": "step", "t": 1.0, "id": 1, "parent": None, "title": "Pay"})
        writer.write({"k": "tool_result", "t": 2.0, "id": 2, "result": "x"})
        writer.write({"k": "step_end", "t": 3.0, "id": 1, "success": False, "error": "Declined"})
    build(path, tmp_path / "run.html", None)
    assert "Declined" in str(unpack_replay((tmp_path / "run.html").read_bytes()).events)
