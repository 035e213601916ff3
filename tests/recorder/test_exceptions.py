"""An exception that ends a step or the run is told with the line of the program that raised it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel import record
from pagereel.reading import describe_failure_location, find_first_failure, open_recording
from pagereel.recorder.hooks.call_text import find_caller_line
from pagereel.reel import Event, open_reel


def buy(session: object) -> None:
    raise ValueError("no total")


def told(path: Path, *kinds: str) -> list[Event]:
    with open_reel(path) as reel:
        return list(reel.events(set(kinds)))


def test_a_step_that_an_exception_ends_names_its_line_and_the_run_does_not_say_it_again(tmp_path: Path) -> None:
    run = record(None, tmp_path / "run.reel")
    with pytest.raises(ValueError, match="no total"), run as session, session.step("Shop"), session.step("Pay"):
        buy(session)
    ends = told(tmp_path / "run.reel", "step_end")
    for end in ends:
        source = end["source"]
        assert isinstance(source, dict) and str(source["file"]).endswith("test_exceptions.py")
        assert (source["function"], source["line"]) == ("buy", buy.__code__.co_firstlineno + 1)
    assert len(ends) == 2 and told(tmp_path / "run.reel", "note") == []


def test_a_run_that_an_exception_ends_outside_of_all_steps_notes_it(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no total"), record(None, tmp_path / "run.reel") as session:
        with session.step("Look"):
            pass
        buy(session)
    (note,) = told(tmp_path / "run.reel", "note")
    assert note["text"] == "The run ended by ValueError: no total"
    attributes, source = note["attributes"], note["source"]
    assert isinstance(attributes, dict) and isinstance(source, dict)
    assert attributes == {"outcome": "failed"} and source["line"] == buy.__code__.co_firstlineno + 1
    told_of = find_first_failure(open_recording(tmp_path / "run.reel"))
    line = f"{source['file']}:{source['line']}"
    assert describe_failure_location(told_of["failure"]) == ['raise ValueError("no total")', line]


def test_an_exception_that_was_caught_and_another_that_was_not_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(KeyError), record(None, tmp_path / "run.reel") as session:
        try:
            with session.step("Pay"):
                buy(session)
        except ValueError:
            pass
        raise KeyError("else")
    (note,) = told(tmp_path / "run.reel", "note")
    assert "KeyError" in str(note["text"])


def test_a_line_of_code_is_kept_without_the_secrets_that_stand_behind_their_names(tmp_path: Path) -> None:
    """The name of a secret may itself stand in a literal: the quotation marks after it are no beginning."""
    for number, (line, kept) in enumerate(
        (
            ('sign_in(page, "#password", "hunter2")', 'sign_in(page, "#password", "•••••")'),
            ("page.locator('#cookie').wait_for(); page.get_by_label('x')", "page.locator('#cookie').wait_for(); page.get_by_label(\"•••••\")"),
            ('password = "hunter2"', 'password = "•••••"'),
        )
    ):  # fmt: skip
        path = tmp_path / f"agent{number}.py"
        path.write_text(line + "\n")
        source = find_caller_line([(str(path), 1, "<module>")])
        assert source is not None and source["code"] == [f">    1  {kept}"]
