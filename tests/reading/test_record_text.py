"""What a run told besides its steps and calls is said in words: by a query's lines and in the transcript."""

from __future__ import annotations

import threading
from pathlib import Path

from PIL import Image

from pagereel import open_recording, record
from pagereel.integrations import export
from pagereel.reading import describe_screen_action, to_text_line


def test_everything_that_a_run_tells_is_said_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    made = tmp_path / "orders.csv"
    made.write_text("a,b")
    with record(None, path) as session:
        session.note("The form is long")
        session.mark("paid")
        session.answer(session.ask("May I pay?"), "Yes", by="Ann")
        session.score("quality", 0.9, comment="neat")
        session.version("prompt", "You shop.", name="v4")
        session.memory_op("write", "city", {"name": "Delft"})
        session.artifact(made)
        span = session.traceparent().split("-")[2]
        session.screen(Image.new("RGB", (64, 48)), window="Orders")
        session.screen(action={"action": "left_click", "coordinate": [3, 4]})
        session.screen(cursor=(5, 6))
        session.screen(window="Bills")
    reading = open_recording(path)
    said = [
        ("note", "The form is long"),
        ("mark", "paid"),
        ("ask", "May I pay?"),
        ("answer", "Ann: Yes"),
        ("score", "quality 0.9: neat"),
        ("version", "prompt v4"),
        ("memory", 'write city: {"name": "Delft"}'),
        ("artifact", "orders.csv"),
        ("handed_on", f"the trace, as span {span}"),
        ("screen", "picture of 64 \u00d7 48, window \u201cOrders\u201d"),
        ("screen", "left click 3, 4"),
        ("screen", "pointer at 5, 6"),
        ("screen", "window \u201cBills\u201d"),
    ]
    lines = [to_text_line(note) for note in reading.notes()]
    assert sorted(line.split(None, 1)[1] for line in lines) == sorted(f"[{kind}] {words}" for kind, words in said)
    transcript = str(export(path, "markdown"))
    assert [words for kind, words in said if f"{kind}: {words}" not in transcript] == []


def test_a_question_stands_before_its_answer(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        for number in range(20):
            session.answer(session.ask(f"May I {number}?"), "Yes")
    assert [note["kind"] for note in open_recording(path).notes()] == ["ask", "answer"] * 20


def test_actions_are_said_as_the_player_says_them() -> None:
    said = [
        ("press Save", "press Save"),
        ({"action": "left_click", "coordinate": [310, 88]}, "left click 310, 88"),
        ({"action": "scroll", "coordinate": [1, 2], "scroll_direction": "down", "scroll_amount": 3}, "scroll 1, 2 down 3"),
        ({"type": "click", "x": 5.04, "y": 7, "button": "left"}, "click 5, 7 left"),
        ({"type": "keypress", "keys": ["CTRL", "s"]}, "keypress CTRL+s"),
        ({"action": "type", "text": "hello"}, "type \u201chello\u201d"),
        ({"type": "drag", "path": [{"x": 1, "y": 2}]}, 'drag path [{"x":1,"y":2}]'),
        ([{"type": "click", "x": 1, "y": 2}, {"type": "wait"}], "click 1, 2, then wait"),
        ({"action": "wait", "long": True, "x": None}, "wait long true"),
        (None, ""),
        ({}, ""),
        (7, "7"),
    ]  # fmt: skip
    assert [describe_screen_action(action) for action, _ in said] == [words for _, words in said]


def test_an_error_in_a_line_is_its_message_without_a_cut_log() -> None:
    log = "TimeoutError: Page.wait_for_url: Timeout 4000ms exceeded.\n=========================== logs ===========================\nwaiting"
    assert to_text_line({"t": 5214, "kind": "step", "number": 2, "message": log}) == (
        "     5214 [step 2] TimeoutError: Page.wait_for_url: Timeout 4000ms exceeded."
    )
    call = {
        "t": 7,
        "kind": "playwright",
        "did": "Click Pay",
        "error": "TimeoutError: Timeout 4000ms exceeded.\nCall log:\n  - waiting",
    }
    assert to_text_line(call) == "        7 [playwright] Click Pay ! TimeoutError: Timeout 4000ms exceeded."


def test_a_thread_that_ends_first_closes_nothing_that_another_reads(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        session.mark("paid")
    reading = open_recording(path)
    first_is_open, second_is_open, first_has_ended = (threading.Event() for _ in range(3))

    def read_first() -> None:
        with reading.held():
            first_is_open.set()
            second_is_open.wait(10)
        first_has_ended.set()

    first = threading.Thread(target=read_first)
    first.start()
    first_is_open.wait(10)
    with reading.held():
        second_is_open.set()
        first_has_ended.wait(10)
        assert list(reading.models([0.0]))
    first.join()
    with reading.held():
        assert list(reading.models([0.0])), "and nothing closed is left for the next question"
