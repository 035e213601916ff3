"""Where a film stood is part of the claim: without a word of it the layout falls short."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from pagereel.browser import launch_options
from pagereel.player_build import build, verify_replay
from pagereel.recorder import record
from tests.recorder.support import Recorded, Site

from .faults import put
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
    assert report.fidelity.tree.holds
    wrong = {(each.wanted, each.found) for each in report.differences if each.layer == "layout"}
    assert wrong == (set() if switch_off is None else {("a film at 1.1 s", "at 0 s")})
