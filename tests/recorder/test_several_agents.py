"""Several agents in one run: what each tells is its own, over nested calls, tasks and threads, and they say something to each other."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from pagereel import open_recording, record
from pagereel.recorder import ModelAnswer, ModelCall, ModelRequest, SyncSession
from pagereel.reel import find_event_problem, open_reel


def events_of(reel: Path, *kinds: str) -> list[dict[str, Any]]:
    with open_reel(reel) as opened:
        events = list(opened.timeline())
    assert [wrong for event in events if (wrong := find_event_problem(event))] == []
    return [event for event in events if event["k"] in kinds]


def test_what_is_told_within_a_step_is_its_agents(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path, agent="shop") as session:
        session.note("of the run itself")
        with session.step("Plan", agent="planner"):
            session.llm_call(model="m")
            with session.step("Look"):
                call = session.tool_call("search", {"q": "vase"})
                session.tool_result(call, "3 found")
            with session.step("Ask for a price", agent="buyer"):
                session.note("which vase?")
            session.note("again mine")
            session.tool_call("lent", agent="buyer")
        session.note("and again of the run itself")
        with session.agent("critic"):
            session.score("good", 0.5)
            session.memory_op("read", "rules")
            with session.agent(None):
                session.note("nobody's")
    assert [(step["title"], step.get("agent")) for step in events_of(path, "step")] == [
        ("Plan", "planner"), ("Look", "planner"), ("Ask for a price", "buyer"),
    ]  # fmt: skip
    told = {event.get("text"): event.get("agent") for event in events_of(path, "note")}
    assert told == {
        "of the run itself": None, "which vase?": "buyer", "again mine": "planner", "and again of the run itself": None, "nobody's": None,
    }  # fmt: skip
    assert [event.get("agent") for event in events_of(path, "llm", "tool_call", "score", "memory")] == [
        "planner", "planner", "buyer", "critic", "critic",
    ]  # fmt: skip
    assert not [event for event in events_of(path, "tool_result", "step_end") if "agent" in event]


@pytest.mark.usefixtures("no_sync_playwright")
def test_tasks_and_threads_keep_their_agent_apart(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"

    async def work(session: SyncSession, agent: str) -> None:
        async with session.step(f"{agent}'s", agent=agent):
            await asyncio.sleep(0)
            session.note(agent)
            async with session.agent(f"{agent}'s helper"):
                await asyncio.gather(*[asyncio.to_thread(session.note, f"{agent}'s helper") for _ in range(3)])
            session.note(agent)

    async def both(session: SyncSession) -> None:
        await asyncio.gather(*[work(session, agent) for agent in ("one", "two", "three")])

    with record(None, path) as session:
        asyncio.run(both(session))
        ready = threading.Barrier(4)

        def thread(agent: str) -> None:
            with session.step(f"{agent}'s", agent=agent):
                ready.wait()
                for _ in range(20):
                    session.note(agent)
                ready.wait()

        threads = [threading.Thread(target=thread, args=(f"thread {number}",)) for number in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    notes = events_of(path, "note")
    assert len(notes) == 3 * 5 + 4 * 20
    assert [note for note in notes if note.get("agent") != note["text"]] == []
    titles = {step["id"]: step["title"] for step in events_of(path, "step")}
    assert all(titles[note["step"]] == f"{note['text'].removesuffix(chr(39) + 's helper')}'s" for note in notes)


def test_a_name_is_one_line_and_no_value_of_it_raises(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    wrong: list[Any] = ["", "  ", "two\n lines", "x" * 5_000, 7, object(), "lone \ud800"]
    with record(None, path) as session:
        for name in wrong:
            session.note("a", agent=name)
            with session.step("b", agent=name), session.agent(name):
                session.message(name, name, "c")
    told = [event.get("agent") for event in events_of(path, "note")]
    assert told[:5] == [None, None, "two lines", "x" * 200, "7"]
    assert all(name is None or 0 < len(name) <= 200 for name in told)


def test_agents_say_something_to_each_other(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session, session.step("Plan", agent="planner"):
        session.message("planner", "buyer", "Buy the blue vase", urgent=True)
        session.message(None, None, "I am done")
    first, second = events_of(path, "agent_message")
    assert (first["agent"], first["to"], first["text"], first["attributes"]) == (
        "planner", "buyer", "Buy the blue vase", {"urgent": True},
    )  # fmt: skip
    assert (second["agent"], "to" in second) == ("planner", False)


def test_models_asked_by_several_agents_have_the_turns_of_each(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        for number, agent in enumerate(("a", "b", "a", "b")):
            asked = ModelRequest("m", [f"You are {agent}"], [f"{number}"])
            session.record_model_call(
                ModelCall(number * 10, number * 10 + 15, "openai", "chat", asked, ModelAnswer(texts=["x"]), agent=agent)
            )
    told = [(step["agent"], step["attributes"]["iteration"]) for step in events_of(path, "step")]
    assert told == [("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    assert [event["agent"] for event in events_of(path, "llm")] == ["a", "b", "a", "b"]


def test_a_recording_is_asked_for_its_agents(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path, agent="shop") as session:
        with session.step("Plan", agent="planner"):
            session.message("planner", "buyer", "Buy it")
        with session.step("Nobody's"):
            pass
    told = open_recording(path)
    assert told.summary()["agents"] == ["planner", "buyer"]
    assert [step["title"] for step in told.steps() if told.is_record_of_agent(step, "Planner")] == ["Plan"]
    assert [step["title"] for step in told.steps() if told.is_record_of_agent(step, "shop")] == ["Nobody's"]
    assert [note["text"] for note in told.notes() if told.is_record_of_agent(note, "buyer")] == ["Buy it"]
