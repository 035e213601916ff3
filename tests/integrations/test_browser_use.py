"""browser-use's steps on the timeline. The real one is in examples/browser_use_agent.py; these objects look like its."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from playwright.sync_api import BrowserContext

from pagereel.integrations import BrowserUseWatch
from pagereel.recorder import record

from .conftest import events_of


class Action:
    def __init__(self, **form: Any) -> None:
        self.form = form

    def model_dump(self, **_: Any) -> dict[str, Any]:
        return self.form


class Model:
    model = "scripted"

    async def ainvoke(self, messages: list[Any], output_format: Any = None) -> Any:
        return SimpleNamespace(completion="Click 3.", usage=SimpleNamespace(prompt_tokens=7, completion_tokens=2))


async def steps(watch: BrowserUseWatch) -> None:
    model = watch.model(Model())
    asked = [SimpleNamespace(role="user", text="Buy")]
    results = [
        [SimpleNamespace(extracted_content="clicked", error=None, is_done=False)],
        [SimpleNamespace(extracted_content=None, error="no such element", is_done=False)],
        [SimpleNamespace(extracted_content="Sold", error=None, is_done=True, success=True)],
    ]
    for number, (goal, result) in enumerate(zip(("Find it", "Click it", None), results, strict=True), 1):
        answer = await model.ainvoke(asked)
        assert answer.completion == "Click 3."
        output = SimpleNamespace(
            next_goal=goal, thinking="I see it", memory="seen", action=[Action(click={"index": 3})]
        )
        await watch.thought(SimpleNamespace(screenshot=None), output, number)
        await watch.acted(SimpleNamespace(state=SimpleNamespace(last_result=result)))
    # A step that is cut off (a time limit, an exception in the model) ends when the next begins.
    await watch.thought(SimpleNamespace(), SimpleNamespace(next_goal="Say so", action=[]), 4)
    await watch.acted(SimpleNamespace())


def test_each_step_has_its_model_call_its_actions_and_their_results(
    recorded_context: BrowserContext, tmp_path: Path
) -> None:
    reel = tmp_path / "run.reel"
    with record(recorded_context, reel) as session:
        task = steps(BrowserUseWatch(session))
        try:
            # Playwright's sync API has a loop running in this thread: the coroutine needs none, it waits for nothing.
            task.send(None)
        except StopIteration:
            pass
        else:
            raise AssertionError("it waited")
    began = events_of(reel, "step")
    assert [step["title"] for step in began] == ["Find it", "Click it", "click", "Say so"]
    assert began[0]["reasoning"] == "I see it" and began[0]["attributes"] == {"iteration": 1}
    ends = events_of(reel, "step_end")
    assert [end["success"] for end in ends] == [True, False, True, True]
    assert ends[1]["message"] == "no such element" and ends[2]["message"] == "Sold"
    models = events_of(reel, "llm")
    assert [(m["step"], m["input_tokens"]) for m in models] == [(step["id"], 7) for step in began[:3]]
    assert models[0]["prompt"] == [{"role": "user", "text": "Buy"}]
    calls = {call["id"]: call for call in events_of(reel, "tool_call")}
    results = events_of(reel, "tool_result")
    assert [calls[r["call"]]["name"] for r in results] == ["click"] * 3
    assert results[0]["result"] == "clicked" and results[1]["error"] == "no such element"
