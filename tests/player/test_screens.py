"""The screens of a run where the page would be: picture, pointer, action, next picture; in three engines."""

from __future__ import annotations

import base64
import io
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pagereel import record
from pagereel.player_build import build
from pagereel.reel import ReelWriter, open_reel
from tests.reel.sample import write_sample

from .engines import Engine, opened
from .test_engines import AXE, wait_for

SIZE = (640, 400)
PIXELS = "document.querySelector('.screens .fit canvas').toDataURL('image/png')"


def screen(number: int) -> Image.Image:
    """A window that is drawn farther right each time, with text in it."""
    picture = Image.new("RGB", SIZE, (30, 80, 110))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((20 + 37 * number, 40, 320 + 37 * number, 300), fill="white", outline="black")
    for line in range(12):
        pen.text((30 + 37 * number, 50 + 20 * line), f"Order {line * 31} of today, line {line}", fill="black")
    return picture


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[float]]:
    path = tmp_path_factory.mktemp("screens") / "run.reel"
    with record(None, path) as session, session.step("Move it"):
        for number in range(4):
            session.screen(
                screen(number),
                action={"action": "left_click", "coordinate": [100 + number, 60]},
                window=f"Orders {number}",
            )
            time.sleep(0.005)  # Each screen has a moment of its own.
        session.screen(action="type \u201chello\u201d", cursor=(5, 6))
        session.llm_call(model="m", prompt="Move it", response="I moved it")
    with open_reel(path) as reel:
        return path, [float(str(event["t"])) for event in reel.events({"screen"})]


@pytest.fixture(scope="module")
def replays(run: tuple[Path, list[float]]) -> Path:
    build(run[0], run[0].with_name("kept.html"), redaction=None)
    build(run[0], run[0].with_name("dark.html"), redaction=None, theme="dark")
    build(run[0], run[0].with_name("vendor.html"), theme="dark")
    return run[0].parent


def seen(engine: Engine) -> Image.Image:
    data = str(engine.run(f"return {PIXELS}")).partition(",")[2]
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")


def test_each_moment_shows_its_screen_pixel_by_pixel(
    engine: Engine, replays: Path, run: tuple[Path, list[float]]
) -> None:
    opened(engine, (replays / "kept.html").as_uri() + f"#t={run[1][2]}")
    for number in (2, 0, 3, 1):
        engine.run(f"await pagereel.seek({run[1][number]})")
        assert seen(engine).tobytes() == screen(number).tobytes(), number
        said: Any = engine.run(
            "return ['.address span', '.doing code'].map((of) => document.querySelector(`.screens ${of}`).textContent)"
        )
        assert said == [f"Orders {number}", f"left click {100 + number}, 60"]
    engine.run("await pagereel.seek(0); document.querySelector('.doing .next').click()")
    wait_for(engine, "document.querySelector('.screens .address span').textContent === 'Orders 1'")
    assert "translate(" in str(engine.run("return document.querySelector('.at .pointer').getAttribute('transform')"))


def test_the_story_says_when_each_thing_was_done(engine: Engine, replays: Path, run: tuple[Path, list[float]]) -> None:
    opened(engine, (replays / "kept.html").as_uri() + f"#t={run[1][2]}")
    told: Any = engine.run("return [...document.querySelectorAll('.story .item .figures')].map((at) => at.textContent)")
    assert told[: len(run[1])] == [f"0:{int(t / 100) / 10:04.1f}" for t in run[1]]


def test_scrollbars_are_as_dark_as_the_rest(engine: Engine, replays: Path) -> None:
    opened(engine, (replays / "dark.html").as_uri())
    bar = engine.run("return getComputedStyle(document.querySelector('.panel')).scrollbarColor ?? null")
    assert bar in (None, "rgb(70, 77, 89) rgba(0, 0, 0, 0)"), "an engine that knows no such colour draws them itself"


def test_the_switcher_leads_to_what_was_said_and_back(engine: Engine, replays: Path) -> None:
    opened(engine, (replays / "kept.html").as_uri())
    names = "return [...document.querySelectorAll('.tab')].map((tab) => [tab.textContent, tab.ariaPressed])"
    assert engine.run(names) == [["Screen", "true"], ["Conversation", "false"]]
    engine.run("document.querySelectorAll('.tab')[1].click()")
    wait_for(engine, "document.querySelector('.talk .turn')")
    assert engine.run(names) == [["Screen", "false"], ["Conversation", "true"]]
    engine.run("document.querySelectorAll('.tab')[0].click()")
    wait_for(engine, "document.querySelector('.screens canvas')")


def test_a_blocked_screen_says_so_and_has_no_pixel(engine: Engine, replays: Path) -> None:
    opened(engine, (replays / "vendor.html").as_uri())
    assert "is not shown" in str(engine.run("return document.querySelector('.screens .why').textContent"))
    assert seen(engine).getcolors() == [(SIZE[0] * SIZE[1], (0, 0, 0))]
    assert not engine.run("return Boolean(document.querySelector('.at .pointer'))")


@pytest.mark.parametrize("name", ["kept", "dark", "vendor"])
def test_axe_finds_nothing(engine: Engine, replays: Path, name: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed (npm ci)")
    opened(engine, (replays / f"{name}.html").as_uri())
    engine.run(AXE.read_text("utf-8") + ";window.axe = axe")
    found = engine.run(
        "const r = await axe.run(document, {iframes: false}); return r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)])"
    )
    assert found == []


def test_screens_beside_pages_are_one_of_the_tabs(engine: Engine, tmp_path: Path) -> None:
    write_sample(tmp_path / "page.reel")
    picture = io.BytesIO()
    screen(0).save(picture, "PNG")
    with record(None, tmp_path / "screen.reel") as session:
        session.screen(picture.getvalue(), window="Orders 0")
    told = []
    for name in ("screen", "page"):
        with open_reel(tmp_path / f"{name}.reel") as reel:
            told += [event for event in reel.events() if event["k"] not in ("reel", "end", "frame")]
    with ReelWriter(tmp_path / "both.reel", {"started": 1}) as writer:
        for event in told:
            writer.write(event)
        writer.close("closed")
    build(tmp_path / "both.reel", tmp_path / "both.html", redaction=None)
    opened(engine, (tmp_path / "both.html").as_uri() + "#t=1500")
    text = "pagereel.frame.contentDocument.body.innerText"
    before = engine.run(f"return {text}")
    assert before
    engine.run("[...document.querySelectorAll('.tab')].find((tab) => tab.textContent === 'Screen').click()")
    wait_for(engine, "document.querySelector('.screens canvas')")
    engine.run("await pagereel.seek(1500)")
    assert seen(engine).tobytes() == screen(0).tobytes()
    assert engine.run("return document.querySelectorAll('.browser:not(.screens)')[0].offsetHeight") == 0
    engine.run("document.querySelector('.tab').click()")
    wait_for(engine, "!document.querySelector('.screens')")
    assert engine.run(f"return {text}") == before, "the page did not begin anew"
