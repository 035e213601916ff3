"""cua-agent's callbacks on the timeline. The real one is in examples/cua_computer.py; what these give looks like its."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pagereel.integrations import CuaWatch
from pagereel.recorder import record
from pagereel.redaction import redact

from .conftest import events_of

SECRET = "brindle-otter-4471"


def picture(colour: str) -> str:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def call(number: int, **action: Any) -> dict[str, Any]:
    return {"type": "computer_call", "call_id": f"call_{number}", "action": action}


async def turn(watch: CuaWatch, messages: list[Any], *output: dict[str, Any]) -> None:
    assert await watch.on_run_continue({}, [], []) is True
    assert await watch.on_llm_start(messages) is messages
    usage = {"prompt_tokens": 90, "completion_tokens": 7, "response_cost": 0.002}
    given = {"model": "anthropic/claude", "messages": messages, "api_key": "sk-never-0123456789"}
    await watch.on_responses(given, {"output": list(output), "usage": usage})
    messages += output


async def acted(watch: CuaWatch, item: dict[str, Any], shot: str, *, tells: bool = True) -> dict[str, Any]:
    await watch.on_computer_call_start(item)
    if tells:
        await watch.on_screenshot(shot, "screenshot_after")
    output = {"type": "input_image", "image_url": f"data:image/png;base64,{shot}"}
    result = {"type": "computer_call_output", "call_id": item["call_id"], "output": output}
    await watch.on_computer_call_end(item, [result])
    return result


async def agent(watch: CuaWatch) -> None:
    messages: list[Any] = [{"role": "user", "content": "Sign in"}]
    await watch.on_run_start({"messages": messages}, messages)
    look, click, write = (
        call(1, type="screenshot"),
        call(2, type="click", x=10, y=20),
        call(3, type="type", text=SECRET),
    )
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "I look."}]}
    await turn(watch, messages, thought, look)
    messages.append(await acted(watch, look, picture("red")))
    await turn(watch, messages, click)
    messages.append(await acted(watch, click, picture("green"), tells=False))
    await turn(watch, messages, write)
    messages.append(await acted(watch, write, picture("blue")))
    other = {"type": "function_call", "call_id": "call_4", "name": "price_of", "arguments": '{"name": "vase"}'}
    await turn(watch, messages, other)
    await watch.on_function_call_start(other)
    output = {"type": "function_call_output", "call_id": "call_4", "output": "64 euros"}
    await watch.on_function_call_end(other, [output])
    messages.append(output)
    await turn(
        watch, messages, {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
    )
    await watch.on_run_end({}, [], [])


@pytest.fixture(scope="module")
def reel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cua") / "run.reel"
    with record(None, path) as session:
        coroutine = agent(CuaWatch(session))
        with pytest.raises(StopIteration):  # it waits for nothing, so that it needs no loop
            coroutine.send(None)
    return path


def test_each_turn_has_its_model_call_and_what_was_done(reel: Path) -> None:
    steps = events_of(reel, "step")
    assert [step["title"] for step in steps] == ["screenshot", "click 10, 20", "type", "price_of: vase", "Done."]
    assert steps[0]["reasoning"] == "I look." and len(events_of(reel, "step_end")) == 5
    models = events_of(reel, "llm")
    assert [(m["step"], m["input_tokens"], m["cost_usd"]) for m in models] == [(s["id"], 90, 0.002) for s in steps]
    assert models[0]["prompt"] == [{"role": "user", "content": "Sign in"}]
    assert [len(m["prompt"]) for m in models] == [1, 1, 1, 1, 1], "each message once"
    calls = events_of(reel, "tool_call")
    assert [c["name"] for c in calls] == ["computer"] * 3 + ["price_of"]
    assert [r["call"] for r in events_of(reel, "tool_result")] == [c["id"] for c in calls]
    assert events_of(reel, "tool_result")[-1]["result"] == "64 euros"


def test_each_screen_stands_once_with_what_was_done_on_it(reel: Path) -> None:
    screens = events_of(reel, "screen")
    assert [bool(s.get("sheets")) for s in screens] == [True, False, True, False, True]
    assert screens[1]["action"] == {"type": "click", "x": 10, "y": 20} and screens[1]["cursor"] == [10, 20]
    assert not events_of(reel, "note") and not events_of(reel, "screenshot")


def test_no_key_is_recorded_and_what_was_typed_is_masked(reel: Path, tmp_path: Path) -> None:
    assert "sk-never" not in str(events_of(reel, *KINDS)) and SECRET in str(events_of(reel, *KINDS))
    redact(reel, tmp_path / "masked.reel")
    assert SECRET not in str(events_of(tmp_path / "masked.reel", *KINDS))


def test_a_run_that_breaks_off_ends_its_call_with_the_next(tmp_path: Path) -> None:
    async def broken(watch: CuaWatch) -> None:
        await watch.on_responses({}, {"output": [call(1, type="click", x=1, y=1)]})
        await watch.on_computer_call_start(call(1, type="click"))
        await watch.on_run_start({}, [])
        await watch.on_screenshot("no picture !")
        await watch.on_responses({"messages": None}, {"output": None, "usage": None})
        await watch.on_computer_call_end({}, [])
        await watch.on_run_end({}, [], [])

    with record(None, tmp_path / "run.reel") as session, pytest.raises(StopIteration):
        broken(CuaWatch(session)).send(None)
    (result,) = events_of(tmp_path / "run.reel", "tool_result")
    assert result["error"] == "it was not done"
    assert len(events_of(tmp_path / "run.reel", "step_end")) == 2


KINDS = ("step", "llm", "tool_call", "tool_result", "screen", "note", "said")
