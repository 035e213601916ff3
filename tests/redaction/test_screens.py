"""Screens in a masked recording: shown as far as the policy says, and nothing of what they or the actions on them say beside their pixels."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, PngImagePlugin

from pagereel import build, record, redact
from pagereel.player_build import unpack_replay
from pagereel.recorder import ModelAnswer, ModelCall, ModelRequest, ToolCallResult, ToolUse
from pagereel.redaction import Policy
from pagereel.redaction.pictures.computer_use import mask_computer_actions
from pagereel.reel import Event, ScreenComposer, find_event_problem, open_reel

from .reels import Maker

NAME, MAIL, PHONE, TYPED = "Priya Raghunathan", "priya.r@zulip-quartz.example", "+31 20 555 7391", "Zwartepiet-7731-q"
CANARIES = (NAME, MAIL, PHONE, TYPED, "Raghunathan", "zulip-quartz", "canary-in-exif", "canary-in-text")
PAD = (411, 433)
"""Where a key of a pad was pressed."""
GREY = (216, 216, 216)


def screen() -> Image.Image:
    picture = Image.new("RGB", (640, 480), "white")
    ImageDraw.Draw(picture).text((20, 20), f"Order of {NAME}", fill="black")
    ImageDraw.Draw(picture).rectangle((400, 420, 430, 450), fill="navy")
    return picture


def as_png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    text, exif = PngImagePlugin.PngInfo(), Image.Exif()
    text.add_text("Author", "canary-in-text")
    exif[0x010E] = "canary-in-exif"
    picture.save(out, "PNG", pnginfo=text, exif=exif)
    return out.getvalue()


@pytest.fixture(scope="module")
def reel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("screens") / "run.reel"
    with record(None, path) as session:
        session.screen(
            as_png(screen()), action={"action": "left_click", "coordinate": [*PAD]}, window=f"Mail of {NAME}"
        )
        session.screen(action={"action": "type", "text": TYPED}, cursor=PAD)
        session.screen(action=f"write to {MAIL}", for_whom=NAME)
        session.screen(action=[{"type": "click", "x": PAD[0], "y": PAD[1]}, {"type": "type", "text": PHONE}])
        session.screen(action={"type": "keypress", "keys": ["7"]}, window=f"{PHONE} calls")
        other = screen()
        ImageDraw.Draw(other).rectangle((100, 100, 160, 140), fill="green")
        session.screen(
            other,
            visible=[[90, 90, 100, 60, f"of {NAME}"]],
            cursor=(110, 120),
            action={"action": "left_click", "coordinate": [110, 120]},
        )
        pressed = ToolUse("computer", {"action": "left_click", "coordinate": [*PAD]}, "t1")
        typed = ToolUse("computer", json.dumps({"action": "type", "text": TYPED}), "t2")
        said = [
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "t1", "name": "computer", "input": pressed.arguments}],
            }
        ]
        asked = ModelRequest("m", [], said, results=[ToolCallResult("done", "t1")])
        session.record_model_call(
            ModelCall(0, 1, "anthropic", "messages", asked, ModelAnswer("m", ["I press it"], calls=[pressed, typed]))
        )
    return path


def masked(reel: Path, tmp_path: Path, policy: Any) -> list[Event]:
    redact(reel, tmp_path / "masked.reel", policy)
    with open_reel(tmp_path / "masked.reel") as done:
        events = list(done.timeline())
    assert [find_event_problem(event) for event in events if find_event_problem(event)] == []
    return events


def pictures(events: list[Event], path: Path) -> dict[int, Image.Image | None]:
    with open_reel(path) as reel:
        composer = ScreenComposer(reel.resource)
        told = [event for event in events if event["k"] == "screen"]
        for event in told:
            composer.add_event(event)
        return {int(str(event["id"])): composer.compose_picture(int(str(event["id"]))) for event in told}


def test_no_canary_is_in_a_replay_for_a_vendor_and_no_place_of_a_press(reel: Path, tmp_path: Path) -> None:
    events = masked(reel, tmp_path, "vendor")
    build(reel, tmp_path / "run.html")
    built = unpack_replay((tmp_path / "run.html").read_bytes())
    for told in (events, built.events):
        text = json.dumps([e for e in told if e["k"] not in ("resource", "redaction")], ensure_ascii=False).lower()
        assert [canary for canary in CANARIES if canary.lower() in text] == []
        # A number by itself: a moment and a digest hold any three digits now and then.
        timeless = json.dumps([{k: v for k, v in e.items() if k != "t"} for e in json.loads(text)])
        assert [side for side in PAD if re.search(rf"(?<![\w.]){side}(?:\.\d+)?(?![\w.])", timeless)] == []
    assert not any(b"canary" in data for _, data in built.iter_resources())
    tools = [event["arguments"] for event in events if event["k"] == "tool_call"]
    assert tools[0] == {"action": "left_click"}


def test_a_vendor_sees_sizes_actions_and_the_boxes_that_may_be_seen(reel: Path, tmp_path: Path) -> None:
    events = masked(reel, tmp_path, "vendor")
    told = [event for event in events if event["k"] == "screen"]
    assert {(event["w"], event["h"], event["why"]) for event in told} == {(640, 480, "policy")}
    assert told[0]["action"] == {"action": "left_click"} and "cursor" not in told[0] and "cursor" not in told[1]
    assert str(told[0]["window"]).startswith("Mail of ")
    assert told[5]["cursor"] == [110, 120] and told[5]["action"] == {"action": "left_click", "coordinate": [110, 120]}
    shown = pictures(events, tmp_path / "masked.reel")
    *blocked, last = shown.values()
    assert blocked == [None] * 5 and last is not None
    assert last.getpixel((110, 120)) == (0, 128, 0)
    last.paste(GREY, (90, 90, 190, 150))
    assert last.getcolors() == [(640 * 480, GREY)], "nothing outside of the box"


@pytest.mark.parametrize(
    "policy", ["strict", Policy(screens="block"), Policy(images="block"), Policy(screens="blur", images="block")]
)
def test_a_policy_that_blocks_has_no_pixel_of_a_screen(reel: Path, tmp_path: Path, policy: Any) -> None:
    events = masked(reel, tmp_path, policy)
    assert not any({"sheets", "parts", "base", "cursor"} & event.keys() for event in events if event["k"] == "screen")
    assert not any(event["k"] == "resource" for event in events)


def test_a_blurred_screen_has_its_size_and_colours_and_nothing_to_read(reel: Path, tmp_path: Path) -> None:
    events = masked(reel, tmp_path, Policy(screens="blur"))
    shown = pictures(events, tmp_path / "masked.reel")
    first = shown[1]
    assert first is not None and first.size == (640, 480)
    assert min(first.crop((10, 10, 200, 40)).convert("L").tobytes()) > 200, "black letters on white"
    assert "cursor" not in next(event for event in events if event["k"] == "screen")


def test_kept_screens_are_as_they_were_and_their_words_are_masked(reel: Path, tmp_path: Path) -> None:
    events = masked(reel, tmp_path, "internal")
    shown = pictures(events, tmp_path / "masked.reel")
    assert shown[1] is not None and shown[1].tobytes() == screen().tobytes()
    told = [event for event in events if event["k"] == "screen"]
    assert told[0]["cursor"] == [*PAD]
    text = json.dumps([event for event in events if event["k"] != "resource"], ensure_ascii=False)
    assert [canary for canary in CANARIES if canary in text] == []


def test_a_sheet_that_somebody_else_wrote_loses_what_it_says_or_is_not_shown(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "raw.reel")
    png = maker.resource("image/png", as_png(screen()))
    text = maker.resource("text/plain", "canary-in-text")
    for number, sheet in ((1, png), (2, text), (3, "0" * 64)):
        maker.put("screen", id=number, w=640, h=480, sheets=[sheet], parts=[[0, 0, 640, 480, 0, 0, 0]], cursor=[*PAD])
    maker.done()
    events = masked(tmp_path / "raw.reel", tmp_path, "internal")
    told = [event for event in events if event["k"] == "screen"]
    assert "canary" not in json.dumps(events)
    assert "why" not in told[0] and told[1]["why"] == "policy" and "cursor" not in told[1]
    with open_reel(tmp_path / "masked.reel") as reel:
        kept = b"".join(reel.resource(str(event["sha256"])) or b"" for event in reel.events({"resource"}))
    assert b"canary" not in kept
    assert pictures(events, tmp_path / "masked.reel")[3] is None


ACTIONS = [
    ({"action": "left_click", "coordinate": [1, 2]}, {"action": "left_click"}),
    ({"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]}, {"action": "left_click_drag"}),
    ({"type": "drag", "path": [{"x": 1, "y": 2}]}, {"type": "drag"}),
    ({"type": "scroll", "x": 1, "y": 2, "scroll_y": 300}, {"type": "scroll", "scroll_y": 300}),
    ({"action": "type", "text": "hunter2"}, {"action": "type", "text": "…"}),
    ({"action": "key", "text": "ctrl+s"}, {"action": "key", "text": "ctrl+s"}),
    ({"action": "key", "text": "Return"}, {"action": "key", "text": "Return"}),
    ({"action": "key", "text": "h"}, {"action": "key", "text": "…"}),
    ({"action": "key", "text": "shift+h"}, {"action": "key", "text": "…"}),
    ({"type": "keypress", "keys": ["CTRL", "A"]}, {"type": "keypress", "keys": ["CTRL", "A"]}),
    ({"type": "keypress", "keys": ["7", "ENTER"]}, {"type": "keypress", "keys": ["…", "ENTER"]}),
    ({"actions": [{"type": "click", "x": 1, "y": 2}]}, {"actions": [{"type": "click"}]}),
    ('{"action":"type","text":"hunter2"}', '{"action":"type","text":"…"}'),
    ({"type": "text", "text": "what a model says"}, {"type": "text", "text": "what a model says"}),
    ({"x": 1, "y": 2, "name": "a point of a chart"}, {"x": 1, "y": 2, "name": "a point of a chart"}),
]


@pytest.mark.parametrize(("action", "left"), ACTIONS)
def test_what_stays_of_an_action(action: Any, left: Any) -> None:
    assert mask_computer_actions(action, lambda text: "…", drop_positions=True) == left
