"""Computer-use tools in model traffic: what a model was shown and did is on the timeline as screens, each picture once, and requests with pictures find their answers again."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pagereel import record
from pagereel.integrations import Answers
from pagereel.integrations.wire import ProviderKeys, WireExchange, read_exchange
from pagereel.reel import Event, ScreenComposer, open_reel


def shot(number: int) -> tuple[str, Image.Image]:
    picture = Image.new("RGB", (320, 200), "white")
    ImageDraw.Draw(picture).text((20 + 9 * number, 20), f"turn {number}", fill="black")
    out = io.BytesIO()
    picture.save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode(), picture


def anthropic(turns: int) -> tuple[str, Event, Event]:
    """Path, request and answer of the turn after so many: as Anthropic documents its computer tool."""
    messages: list[Any] = [{"role": "user", "content": "Write it down"}]
    for number in range(turns):
        image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": shot(number)[0]}}
        use = {"type": "tool_use", "id": f"t{number}", "name": "computer", "input": {"action": "screenshot"}}
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{number}", "content": [image]}]}]  # fmt: skip
    tool = {"type": "computer_20250124", "name": "computer", "display_width_px": 320, "display_height_px": 200}
    action = {"action": "left_click", "coordinate": [10 + turns, 20]} if turns else {"action": "screenshot"}
    answer = {"model": "m", "content": [{"type": "tool_use", "id": f"t{turns}", "name": "computer", "input": action}], "stop_reason": "tool_use"}  # fmt: skip
    return "https://api.anthropic.com/v1/messages", {"model": "m", "tools": [tool], "messages": messages}, answer  # type: ignore[dict-item]


def openai(turns: int) -> tuple[str, Event, Event]:
    """The same, as OpenAI documents its own."""
    given: list[Any] = [{"role": "user", "content": "Write it down"}]
    for number in range(turns):
        call = {"type": "computer_call", "call_id": f"c{number}", "action": {"type": "screenshot"}}
        image = {"type": "computer_screenshot", "image_url": f"data:image/png;base64,{shot(number)[0]}"}
        given += [call, {"type": "computer_call_output", "call_id": f"c{number}", "output": image}]
    action = {"type": "click", "button": "left", "x": 10 + turns, "y": 20} if turns else {"type": "screenshot"}
    answer = {"model": "m", "status": "completed", "output": [{"type": "computer_call", "call_id": f"c{turns}", "action": action}]}  # fmt: skip
    tools = [{"type": "computer_use_preview", "display_width": 320, "display_height": 200, "environment": "linux"}]
    return "https://api.openai.com/v1/responses", {"model": "m", "tools": tools, "input": given}, answer  # type: ignore[dict-item]


def exchanged(url: str, body: Event, answer: Event, at: float) -> WireExchange:
    kind = [("content-type", "application/json")]
    exchange = WireExchange(
        "x", "POST", url, at, sent_headers=kind, sent=[json.dumps(body).encode()], status=200, headers=kind
    )
    exchange.chunks, exchange.ended, exchange.whole = [(at + 5, json.dumps(answer).encode())], at + 5, True
    return exchange


@pytest.mark.parametrize("form", [anthropic, openai])
def test_each_picture_is_a_screen_once_and_each_action_stands_on_it(form: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        for turn in range(6):
            session.record_model_call(read_exchange(exchanged(*form(turn), at=100.0 * turn), ProviderKeys()))
    with open_reel(path) as reel:
        events = list(reel.timeline())
        screens = [event for event in events if event["k"] == "screen"]
        composer = ScreenComposer(reel.resource)
        for event in screens:
            composer.add_event(event)
        shown = [event for event in screens if "digest" in event]
        assert len(shown) == 5, "of 15 pictures that were sent"
        for number, event in enumerate(shown):
            picture = composer.compose_picture(int(str(event["id"])))
            assert picture is not None and picture.tobytes() == shot(number)[1].tobytes()
    assert not any(event["k"] == "screenshot" for event in events)
    done = [event for event in screens if "action" in event]
    assert [event["cursor"] for event in done] == [[10 + turn, 20] for turn in range(1, 6)]
    assert [event["base"] for event in done] == [event["id"] for event in shown]
    told = json.dumps([event for event in events if event["k"] in ("said", "wire", "tool_result")])
    assert len(told) < 40_000 and f"pagereel:screen/{shown[0]['id']}" in told


@pytest.mark.parametrize("form", [anthropic, openai])
def test_a_request_with_pictures_finds_its_recorded_answer(form: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        for turn in range(4):
            session.record_model_call(read_exchange(exchanged(*form(turn), at=100.0 * turn), ProviderKeys()))
    answers = Answers(path)
    for turn in (0, 1, 2, 3):
        found = answers.find(exchanged(*form(turn), at=0))
        assert json.loads(found.body) == form(turn)[2]  # type: ignore[union-attr]
    url, body, answer = form(2)
    other = json.loads(json.dumps(body).replace(shot(1)[0], shot(77)[0]))
    found = Answers(path).find(exchanged(url, other, answer, at=0))
    assert json.loads(found.body) == answer, "a clock on the screen may have moved on"  # type: ignore[union-attr]


def test_a_picture_for_a_model_without_such_a_tool_is_a_screenshot(tmp_path: Path) -> None:
    url, body, answer = anthropic(2)
    with record(None, tmp_path / "run.reel") as session:
        session.record_model_call(read_exchange(exchanged(url, {**body, "tools": []}, answer, at=0), ProviderKeys()))
    with open_reel(tmp_path / "run.reel") as reel:
        assert {event["k"] for event in reel.events({"screen", "screenshot"})} == {"screenshot"}
