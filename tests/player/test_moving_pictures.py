"""Animated pictures show the frame that they showed at the moment, wherever they stand, however one came there."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from pagereel.player_build import build

from .pictures import Mark, off, pairs

COLOURS = ((255, 0, 0), (255, 160, 0), (0, 128, 0), (0, 0, 200))


def film(kind: str, each: int, loop: int | None = None, colours: tuple[tuple[int, int, int], ...] = COLOURS) -> bytes:
    """A picture of one colour after the other, `each` ms; `loop`: as Pillow takes it, 0 for ever, None once."""
    frames = [Image.new("RGB", (60, 40), colour) for colour in colours]
    out = io.BytesIO()
    how = {} if loop is None else {"loop": loop}
    if kind == "png":
        how = {"loop": 1 if loop is None else loop}
    if kind == "webp":
        how = {"loop": 1 if loop is None else loop, "lossless": True}
    frames[0].save(out, kind, save_all=True, append_images=frames[1:], duration=each, **how)
    return out.getvalue()


PAGE = """<!doctype html><style>div { width: 60px; height: 40px; background: url(/once.gif) } p { content: url(/slow.webp) }
li { list-style: url(/slow.gif); margin-left: 90px }</style><img src=/once.gif><img src=/once.png><img src=/once.webp>
<img srcset="/slow.png 1x"><picture><source srcset=/slow.webp><img></picture><input type=image src=/slow.gif><svg width=60 height=40><image href=/slow.gif width=60 height=40></svg>
<table background=/slow.gif width=60 height=40><td></table><div></div><p>x</p><li>x</li>"""


@pytest.fixture
def site() -> dict[str, tuple[str, bytes]]:
    files = {f"/once.{kind}": (f"image/{kind}", film(kind, 300)) for kind in ("gif", "png", "webp")}
    slow = {f"/slow.{kind}": (f"image/{kind}", film(kind, 2500, 0)) for kind in ("gif", "png", "webp")}
    return {"/": ("text/html", PAGE.encode()), **files, **slow}


def test_a_picture_shows_the_frame_of_the_moment(
    browser: Browser, tmp_path: Path, site: dict[str, tuple[str, bytes]]
) -> None:
    def drive(page: Page, mark: Mark) -> None:
        page.wait_for_timeout(1400)
        mark("ended")
        page.wait_for_timeout(1800)  # The slow ones are at their second.
        mark("second")
        page.evaluate(
            "document.querySelector('input').remove(); document.body.insertAdjacentHTML('beforeend', '<img src=/late.gif>')"
        )
        page.wait_for_timeout(600)
        mark("late")

    inline = f'<img src="data:image/gif;base64,{base64.b64encode(film("gif", 2500, 0)).decode()}">'
    site["/"] = ("text/html", (PAGE + inline).encode())
    seen = pairs(browser, tmp_path, {**site, "/late.gif": ("image/gif", film("gif", 5000, 0))}, drive)
    assert off(seen) == {}
    assert {seen["ended"].live.getpixel((30, 30)), seen["ended"].live.getpixel((360, 30))} == {(0, 0, 200), (255, 0, 0)}
    # There and back, and played over.
    context = browser.new_context(viewport={"width": 800, "height": 600})
    replay = context.new_page()
    replay.goto(f"{(tmp_path / 'pictures.html').as_uri()}#bare&mark=ended")
    for name in ("second", "ended", "late", "second"):
        replay.evaluate(f"pagereel.ready.then(() => pagereel.seek({{ mark: '{name}' }}))")
        shot = Image.open(io.BytesIO(replay.screenshot(caret="initial"))).convert("RGB")
        assert shot.tobytes() == seen[name].replay.tobytes(), name
    context.close()


def test_in_a_part_of_a_recording_it_is_the_same_frame(
    browser: Browser, tmp_path: Path, site: dict[str, tuple[str, bytes]]
) -> None:
    def drive(page: Page, mark: Mark) -> None:
        page.wait_for_timeout(3400)
        mark("second")

    seen = pairs(browser, tmp_path, site, drive)
    build(tmp_path / "pictures.reel", tmp_path / "part.html", redaction=None, start=2600)
    context = browser.new_context(viewport={"width": 800, "height": 600})
    replay = context.new_page()
    replay.goto(f"{(tmp_path / 'part.html').as_uri()}#bare&mark=second")
    replay.evaluate("pagereel.ready")
    shot = Image.open(io.BytesIO(replay.screenshot(caret="initial"))).convert("RGB")
    assert shot.tobytes() == seen["second"].replay.tobytes()
    context.close()
