"""`session.screen`: what an agent saw of a whole screen, in any form in which it has it."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, PngImagePlugin

from pagereel.recorder import record
from pagereel.reel import Event, ScreenComposer, find_event_problem, open_reel

PICTURE = Image.new("RGB", (200, 120), "white")
ImageDraw.Draw(PICTURE).rectangle((20, 20, 90, 60), fill="navy")


def as_file(picture: Image.Image, form: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **options)
    return out.getvalue()


def screens(path: Path) -> list[Event]:
    with open_reel(path) as reel:
        events = list(reel.timeline())
    assert all(find_event_problem(event) is None for event in events)
    return [event for event in events if event["k"] in ("screen", "note")]


def picture_of(path: Path, number: int) -> Image.Image:
    with open_reel(path) as reel:
        composer = ScreenComposer(reel.resource)
        for event in reel.events({"screen"}):
            composer.add_event(event)
        picture = composer.compose_picture(number)
    assert picture is not None
    return picture


def test_a_picture_is_taken_in_every_form_and_as_it_was_at_the_call(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    (tmp_path / "shot.png").write_bytes(as_file(PICTURE))
    array = np.array(PICTURE)
    image = PICTURE.copy()
    given = [
        as_file(PICTURE),
        bytearray(as_file(PICTURE)),
        tmp_path / "shot.png",
        str(tmp_path / "shot.png"),
        image,
        array,
        array / 255.0,
    ]
    with record(None, path) as session, session.step("Look"):
        for each in given:
            session.screen(each)
        image.paste("red", (0, 0, 200, 120))
        array[:] = 0
        session.screen(np.array(PICTURE.convert("L")))
    told = screens(path)
    assert [event["k"] for event in told] == ["screen"] * len(told)
    assert told[0]["step"] == 1 and "base" not in told[0]
    assert {event["base"] for event in told[1:7]} == {told[0]["id"]} and not any(
        "parts" in event for event in told[1:7]
    )
    assert "parts" in told[7]
    assert picture_of(path, int(str(told[6]["id"]))).tobytes() == PICTURE.tobytes()


def test_it_says_what_was_done_and_where(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        session.screen(
            PICTURE, action={"action": "left_click", "coordinate": [30, 40]}, window="Orders", visible=[[0, 0, 50, 50]]
        )
        session.screen(action={"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 9, "y": 8}]})
        session.screen(action="press Save", cursor=(7, 8), colour_depth=24)
        session.screen(cursor="nowhere", action=object())
    told = screens(path)
    assert [event.get("cursor") for event in told] == [[30, 40], [9, 8], [7, 8], None]
    assert told[0]["window"] == "Orders" and told[0]["visible"] == [[0, 0, 50, 50]]
    assert told[1]["base"] == told[0]["id"] and told[1]["visible"] == told[0]["visible"], (
        "the same picture may be shown as before"
    )
    assert told[2]["action"] == "press Save" and told[2]["attributes"] == {"colour_depth": 24}


def test_one_that_only_was_compressed_anew_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    noisy = Image.fromarray(np.array(PICTURE) ^ np.random.default_rng(1).integers(0, 2, (120, 200, 3), np.uint8))
    other = PICTURE.copy()
    ImageDraw.Draw(other).text((100, 90), ".", fill="black")
    with record(None, path) as session:
        for each in (PICTURE, noisy, other, PICTURE):
            session.screen(each)
    told = screens(path)
    assert [event.get("base") for event in told] == [None, 1, 1, 1]
    assert ["parts" in event for event in told] == [True, False, True, False]


def test_nothing_that_a_file_says_beside_its_pixels_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    text = PngImagePlugin.PngInfo()
    text.add_text("Author", "canary-priya")
    exif = Image.Exif()
    exif[0x010E] = "canary-exif"
    with record(None, path) as session:
        session.screen(as_file(PICTURE, pnginfo=text))
        session.screen(as_file(PICTURE.rotate(180), "JPEG", exif=exif, comment=b"canary-comment"))
    with open_reel(path) as reel:
        kept = b"".join(reel.resource(str(event["sha256"])) or b"" for event in reel.events({"resource"}))
    assert kept and b"canary" not in kept


@pytest.mark.parametrize("given", [b"", b"\x89PNG\r\n\x1a\nrubbish", "/no/such.png", 7, object(), np.zeros((0, 4))])
def test_what_is_no_picture_is_a_note_and_never_an_error(tmp_path: Path, given: Any) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        session.screen(given, action="press Save", window="Orders")
        session.screen(action="and nothing to see")
    told = screens(path)
    assert [event["k"] for event in told] == ["note", "note"]
    assert told[0]["attributes"] == {"action": "press Save", "window": "Orders"}


def test_without_pillow_a_png_is_kept_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        session.screen(as_png := AS_PNG)
        session.screen(b"\xff\xd8\xff no way to tell its size")
    monkeypatch.undo()
    told = screens(path)
    assert [event["k"] for event in told] == ["screen", "note"]
    with open_reel(path) as reel:
        assert reel.resource(str(told[0]["sheets"][0])) == as_png  # type: ignore[index]


AS_PNG = as_file(PICTURE)


def test_a_recording_without_more_room_says_so(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    noise = Image.fromarray(np.random.default_rng(2).integers(0, 255, (200, 200, 3), np.uint8))
    with record(None, path, resource_total=3_000) as session:
        session.screen(PICTURE)
        session.screen(noise)
        session.screen(PICTURE, action="still there")
    assert [event.get("why") for event in screens(path)] == [None, "cap", None]
