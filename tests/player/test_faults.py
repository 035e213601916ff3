"""What replays showed otherwise once, in every engine: recorded once in Chromium, each moment opened by its own link and shown as the page was."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser

from pagereel.player_build import build
from pagereel.recorder import record
from pagereel.reel import Json
from tests.recorder.support import Recorded, Site
from tests.reel.sample import png

from .conftest import Hand
from .engines import Engine, opened
from .faults import FAULTS, FRAME, put
from .test_small_truths import long_test

SIZE = (800, 600)
KEEP = Path(os.environ["PAGEREEL_TEST_PICTURES"]) if "PAGEREEL_TEST_PICTURES" in os.environ else None


@dataclass(frozen=True)
class Run:
    """A built replay, with what the pages showed and said at each mark."""

    html: Path
    pictures: dict[str, Image.Image]
    said: dict[str, Any]


def _image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB").crop((0, 0, *SIZE))


@pytest.fixture(scope="session")
def run(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Run:
    directory = tmp_path_factory.mktemp("faults")
    reel, html = directory / "faults.reel", directory / "faults.html"
    pictures, said = {}, {}
    context = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]})
    with Site() as site, record(context, reel) as session:
        put(site)
        page = context.new_page()
        for number, (name, fault) in enumerate(FAULTS.items()):
            page.mouse.move(790, 590)
            markup = fault.kind.startswith("text/html")
            page.goto(
                site.put(f"/{number}", fault.kind, f"<!doctype html>{FRAME}{fault.html}" if markup else fault.html)
            )
            fault.act(page)
            page.wait_for_timeout(200)
            session.mark(name)
            pictures[name] = _image(page.screenshot(caret="initial"))
            said[name] = page.evaluate(f"() => {{ const doc = document; return {fault.look}; }}")
    context.close()
    Recorded(reel).whole()
    build(reel, html, redaction=None)
    return Run(html, pictures, said)


def _off(live: Image.Image, shown: Image.Image, points: tuple[tuple[int, int], ...]) -> str:
    """Where pictures differ; nothing where they do not. Edges between pixels are each engine's own."""
    if points:
        apart = [(at, live.getpixel(at), shown.getpixel(at)) for at in points]
        return "; ".join(
            f"at {at} {a}, shown {b}" for at, a, b in apart if max(abs(x - y) for x, y in zip(a, b, strict=True)) > 12
        )  # type: ignore[arg-type]
    bands = ImageChops.difference(live, shown).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2]).point(lambda value: 255 * (value > 24))
    share = most.histogram()[255] / (SIZE[0] * SIZE[1])
    return f"{share:.2%} within {most.getbbox()}" if share > 0.001 else ""


@pytest.mark.parametrize("name", FAULTS)
def test_a_moment_opened_by_its_link_shows_what_showed(engine: Engine, run: Run, name: str) -> None:
    fault = FAULTS[name]
    opened(engine, f"{run.html.as_uri()}#bare&mark={name.replace(' ', '%20')}")
    troubles = engine.run("return pagereel.info.troubles")
    if not engine.run(f"return Boolean({fault.needs})"):
        assert fault.lacks is None or [fault.lacks in each for each in troubles] == [True] * len(troubles) != []
        pytest.skip(f"this engine does not know {fault.needs}")
    assert troubles == []
    for _ in range(40):  # A film's frame is there when it is decoded.
        shown = _image(engine.picture())
        off = _off(run.pictures[name], shown, fault.at)
        if not off:
            break
        engine.run("await new Promise((go) => setTimeout(go, 250))")
    if KEEP:
        both = Image.new("RGB", (2 * SIZE[0], SIZE[1]))
        both.paste(run.pictures[name], (0, 0))
        both.paste(shown, (SIZE[0], 0))
        both.save(KEEP / f"{name} {type(engine).__name__}.png")
    assert off == ""
    assert engine.run(f"const doc = pagereel.frame.contentDocument; return {fault.look}") == run.said[name]


def test_a_moment_that_there_is_not_is_said(engine: Engine, sample: Path, tmp_path: Path) -> None:
    html = tmp_path / "run.html"
    build(sample, html, redaction=None)
    for fragment, says in (
        ("#mark=nope", 'There is no mark "nope". This is the beginning.'),
        ("#step=99", "There is no step with the id 99. This is the beginning."),
    ):
        opened(engine, html.as_uri() + fragment)
        assert engine.run("return document.querySelector('[role=alert]').textContent") == says
        assert engine.run("return pagereel.time") == 0
    titles = (
        "return [...document.querySelectorAll('[role=tabpanel] .step .title')].map((e) => e.textContent.split(' ')[0])"
    )
    assert [title[0] for title in engine.run(titles)] == ["1", "2", "3"]


def test_a_replay_that_opens_at_its_failure_shows_it_in_the_story(engine: Engine, hand: Hand, tmp_path: Path) -> None:
    html = tmp_path / "run.html"
    build(long_test(hand, note=True), html, redaction=None)
    opened(engine, html.as_uri())
    seen = """
    const [note, panel] = ['.item.note', '.panel'].map((each) => document.querySelector(each).getBoundingClientRect());
    return document.querySelector('.panel').scrollTop > 0 && note.top >= panel.top && note.top + Math.min(note.height, 60) <= panel.bottom"""
    for _ in range(60):
        if engine.run(seen) is True:
            break
        time.sleep(0.05)
    assert engine.run(seen) is True
    assert engine.run("return document.querySelector('.item.note').getAttribute('aria-current')") == "true"


@pytest.mark.slow
def test_what_a_policy_left_out_is_named_in_its_place(engine: Engine, hand: Hand, tmp_path: Path) -> None:
    url = "https://site.example/a/navy.png"
    hand.script.fetch(0, "i", url, "image", "image/png", png(400, 200, (0, 0, 128)))
    style: Json = ["style", {}, "body { margin: 0 } img, canvas { display: block }"]
    hand.start(["img", {"src": url}], ["canvas", {"width": "400", "height": "200"}], head=[style])
    drawn = png(400, 200, (128, 0, 0))
    sha256 = hashlib.sha256(drawn).hexdigest()
    hand.script.run(
        "resource", 10, sha256=sha256, mime="image/png", size=len(drawn), base64=base64.b64encode(drawn).decode()
    )
    hand.script.ops(20, 1, ["canvas", 9, sha256, 400, 200])
    html = tmp_path / "strict.html"
    build(hand.close(), html, redaction="strict")
    opened(engine, html.as_uri() + "#bare&t=30")
    for _ in range(20):
        shown = _image(engine.picture())
        parts = [shown.crop((0, top, 400, top + 200)).convert("L").histogram() for top in (0, 200)]
        if all(part[0xD8] / 80_000 > 0.8 and 0.002 < sum(part[:120]) / 80_000 < 0.1 for part in parts):
            return
        time.sleep(0.1)
    raise AssertionError([(part[0xD8], sum(part[:120])) for part in parts])
