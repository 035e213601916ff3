"""An exception that ends a step or the run is told with the line of the program that raised it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel import record
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
    where = f"test_exceptions.py:{buy.__code__.co_firstlineno + 1}"
    attributes = note["attributes"]
    assert isinstance(attributes, dict)
    assert attributes["ended_by"] == "ValueError" and str(attributes["source"]).endswith(where)


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
