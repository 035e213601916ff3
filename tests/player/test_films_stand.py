"""Where a film stood is part of the claim: without a word of it the layout falls short."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from pagereel.browser import launch_options
from pagereel.fixtures.draw_video import build_webm, extract_vp8_frame
from pagereel.player_build import build, verify_replay
from pagereel.recorder import record
from tests.recorder.support import Recorded, Site

from .faults import put
from .pictures import Mark, off, pairs
from .test_layers import without_ops

Off = Callable[[pytest.MonkeyPatch], Any]


@pytest.mark.parametrize("switch_off", [None, without_ops("media", "canvas")], ids=["as it is", "switched off"])
def test_where_a_film_stood_is_looked_at(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switch_off: Off | None
) -> None:
    reel, html = tmp_path / "film.reel", tmp_path / "film.html"
    if switch_off is not None:
        switch_off(monkeypatch)
    context = browser.new_context(viewport={"width": 500, "height": 400})
    with Site() as site, record(context, reel) as session:
        put(site)
        page = context.new_page()
        page.goto(
            site.html("/", "<video muted preload=auto src=/film.webm style='width: 160px; height: 120px'></video>")
        )
        page.wait_for_function("document.querySelector('video').readyState > 1")
        page.evaluate(
            "new Promise((go) => { const film = document.querySelector('video'); film.onseeked = go; film.currentTime = 1.1 })"
        )
        page.wait_for_timeout(300)
        session.mark("stands")
    context.close()
    (said,) = {
        tuple(film[1:]) for each in Recorded(reel).of("checkpoint") for film in each.get("look", {}).get("films", ())
    }
    assert said == (1.1,)
    build(reel, html, redaction=None)
    report = verify_replay(html, launch=launch_options())
    assert report.fidelity.tree.all_equal
    wrong = {(each.wanted, each.found) for each in report.differences if each.layer == "layout"}
    assert wrong == (set() if switch_off is None else {("a film at 1.1 s", "at 0 s")})


def test_a_film_that_was_stopped_shows_the_frame_at_which_it_stopped(browser: Browser, tmp_path: Path) -> None:
    """A browser shows a frame when its time is near, a little before the position is there: about one stop in three."""
    steps = (40, 100, 300)
    films = "".join(f"<video muted preload=auto src=/{step}.webm></video>" for step in steps)
    frames = [
        extract_vp8_frame(Image.new("RGB", (64, 48), (n * 37 % 256, n * 91 % 256, n * 53 % 256))) for n in range(120)
    ]
    pages = {f"/{step}.webm": ("video/webm", build_webm(frames, frame_ms=step)) for step in steps}

    def drive(page: Page, mark: Mark) -> None:
        page.wait_for_function("[...document.querySelectorAll('video')].every((film) => film.readyState > 1)")
        for turn in range(6):
            page.evaluate("for (const film of document.querySelectorAll('video')) film.play()")
            page.wait_for_timeout(250 + 37 * turn)
            page.evaluate("for (const film of document.querySelectorAll('video')) film.pause()")
            mark(f"stop {turn}")

    assert off(pairs(browser, tmp_path, {"/": ("text/html", films.encode()), **pages}, drive)) == {}
