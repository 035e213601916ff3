"""Steps that nobody told: a turn for each time that a model is asked, with what it wanted and did, its loops and its retries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagereel import open_recording, record
from pagereel.recorder import ModelAnswer, ModelCall, ModelRequest, SyncSession, ToolCallResult, ToolUse
from pagereel.reel import find_event_problem, open_reel


def events_of(reel: Path, *kinds: str) -> list[dict[str, Any]]:
    with open_reel(reel) as opened:
        events = list(opened.timeline())
    assert [wrong for event in events if (wrong := find_event_problem(event))] == []
    return [event for event in events if event["k"] in kinds]


class Asking:
    """Asks a model at given moments."""

    def __init__(self, session: SyncSession) -> None:
        self._session = session
        self.t = 0.0

    def __call__(
        self, answered: ModelAnswer, *messages: str, takes: float = 10, results: Any = (), began: float | None = None
    ) -> None:
        start = self.t if began is None else began
        asked = ModelRequest("m", [], list(messages), results=list(results))
        self._session.record_model_call(ModelCall(start, start + takes, "openai", "chat", asked, answered))
        self.t = max(self.t, start + takes + 5)


def using(name: str, /, **arguments: Any) -> ModelAnswer:
    return ModelAnswer(texts=["I look first."], calls=[ToolUse(name, arguments, f"{name}-{len(arguments)}")])


def test_a_turn_for_each_time_that_the_model_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        ask = Asking(session)
        ask(
            ModelAnswer(
                reasoning="A vase is wanted.", calls=[ToolUse("search", {"limit": None, "query": "vase"}, "c1")]
            ),
            "find",
        )
        ask(using("open", url="https://shop.example"), "find", "found", results=[ToolCallResult("3 vases", "c1")])
        ask(ModelAnswer(texts=["The Tern vase costs 64 euros.\nShall I?"]), "find", "found", "opened")
    steps = events_of(path, "step")
    assert [step["title"] for step in steps] == [
        "search: vase",
        "open: https://shop.example",
        "The Tern vase costs 64 euros.",
    ]
    assert [step.get("reasoning") for step in steps] == ["A vase is wanted.", "I look first.", None]
    assert [step["attributes"] for step in steps] == [{"inferred": True, "iteration": n} for n in (1, 2, 3)]
    ends = events_of(path, "step_end")
    assert [(end["id"], end["t"], end["success"]) for end in ends[:2]] == [
        (steps[0]["id"], 15, None),
        (steps[1]["id"], 30, None),
    ]
    assert [event["step"] for event in events_of(path, "llm")] == [step["id"] for step in steps]
    assert {event["step"] for event in events_of(path, "tool_call")} == {step["id"] for step in steps[:2]}
    assert open_recording(path).summary()["steps"] == 3


def test_the_same_asked_for_again_and_again_is_a_loop(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        ask = Asking(session)
        for turn in range(5):
            ask(using("click", name="Next"), *["m"] * (turn + 1))
        ask(using("click", name="Back"), "other")
    assert [step["attributes"].get("repeats") for step in events_of(path, "step")] == [None, 2, 3, 4, 5, None]


def test_the_same_question_after_an_error_is_another_attempt(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        ask = Asking(session)
        ask(ModelAnswer(error="429: slow down"), "find")
        ask(ModelAnswer(error="529: overloaded"), "find")
        ask(ModelAnswer(texts=["Yes."]), "find")
        ask(ModelAnswer(error="500: it broke"), "find", "Yes.")
    steps = events_of(path, "step")
    assert [step["title"] for step in steps] == ["No answer", "No answer", "Yes.", "No answer"]
    told = [(step["attributes"]["iteration"], step["attributes"].get("attempt")) for step in steps]
    assert told == [(1, None), (1, 2), (1, 3), (2, None)]
    ends = [(end["success"], end.get("message")) for end in events_of(path, "step_end")]
    assert ends == [(None, "429: slow down"), (None, "529: overloaded"), (None, None), (False, "500: it broke")]


def test_a_tool_that_failed_is_told_where_its_turn_ends(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        ask = Asking(session)
        ask(using("open", url="x"), "go")
        failed = ToolCallResult("no such page", "open-1", failed=True)
        ask(using("look", at="y", well=True), "go", results=[failed])
        # Which tells all results once more.
        ask(ModelAnswer(texts=["It is there."]), "go", results=[failed, ToolCallResult("a page", "look-2")])
    first, second, third = events_of(path, "step_end")
    assert (first["message"], first["success"]) == ("The tool failed: no such page", None)
    assert "message" not in second and third["success"] is None


def test_what_is_asked_for_at_the_same_time_is_one_turn(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        ask = Asking(session)
        ask(using("search", query="a"), "one", takes=10)
        ask(using("search", query="b"), "two", takes=30, began=5)
        ask(ModelAnswer(texts=["Done."]), "three")
    steps = events_of(path, "step")
    assert [step["title"] for step in steps] == ["search: a", "Done."]
    assert [event["step"] for event in events_of(path, "llm")] == [steps[0]["id"], steps[0]["id"], steps[1]["id"]]


def test_who_tells_steps_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        ask = Asking(session)
        ask(ModelAnswer(texts=["Hello."]), "hi")
        with session.step("Greet"):
            ask(ModelAnswer(texts=["Hello again."]), "hi")
        ask(ModelAnswer(texts=["Goodbye."]), "bye")
    assert [step["title"] for step in events_of(path, "step")] == ["Hello.", "Greet"]
    assert len(events_of(path, "step_end")) == 2
