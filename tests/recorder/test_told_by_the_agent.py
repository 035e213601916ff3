"""What an agent may tell of itself beside steps and calls: questions to a person, files, scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagereel import open_recording, record
from pagereel.reel import find_event_problem, open_reel


def events_of(reel: Path, *kinds: str) -> list[dict[str, Any]]:
    with open_reel(reel) as opened:
        events = list(opened.timeline())
    assert [wrong for event in events if (wrong := find_event_problem(event))] == []
    return [event for event in events if event["k"] in kinds]


def test_a_question_to_a_person_and_the_answer(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session, session.step("Pay") as step:
        number = session.ask("May I pay 64 euros?", options=["yes", "no"])
        session.answer(number, "yes", by="Ada")
        session.answer("nobody", None)  # type: ignore[arg-type]
    (ask,) = events_of(path, "ask")
    first, second = events_of(path, "answer")
    assert (ask["text"], ask["attributes"], ask["step"]) == ("May I pay 64 euros?", {"options": ["yes", "no"]}, step.id)
    assert (first["ask"], first["text"], first["by"]) == (ask["id"], "yes", "Ada")
    assert (second["ask"], second["text"]) == (None, "None")
    assert {note["kind"] for note in open_recording(path).notes()} >= {"ask", "answer"}


def test_a_file_that_the_agent_made_is_kept_as_it_was(tmp_path: Path) -> None:
    path, made = tmp_path / "run.reel", tmp_path / "report.csv"
    made.write_text("name,price\nvase,64\n")
    with record(None, path) as session:
        session.artifact(made, rows=1)
        made.write_text("changed")
        session.artifact(tmp_path / "not there")
        with (tmp_path / "large").open("wb") as file:
            file.truncate(10_000_001)
        session.artifact(tmp_path / "large", name="the film")
    first, second, third = events_of(path, "artifact")
    (resource,) = events_of(path, "resource")
    assert (first["name"], first["mime"], first["size"], first["attributes"]) == (
        "report.csv",
        "text/csv",
        19,
        {"rows": 1},
    )
    assert first["body"] == resource["sha256"] and resource["text"].startswith("name,price")
    assert (second["why"], third["why"], third["name"]) == ("gone", "cap", "the film")


def test_scores(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        session.score("helpful", 0.9, comment="found it at once")
        session.score("stars", 4)
        session.score("verdict", "good")  # type: ignore[arg-type]
        session.score("broken", float("nan"))
    told = [(event["name"], event["value"], event.get("text")) for event in events_of(path, "score")]
    assert told == [("helpful", 0.9, "found it at once"), ("stars", 4.0, None)]
    assert [event["text"] for event in events_of(path, "note")] == ["verdict: good", "broken: nan"]
