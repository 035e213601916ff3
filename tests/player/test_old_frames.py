"""A canvas whose last picture is older than the mark: the claim says so, and holds again when a picture of then has come."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pagereel.browser import launch_options
from pagereel.player_build import build, verify_replay
from pagereel.recorder import record
from tests.recorder.support import Recorded, Site

SQUARE = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='red'/></svg>"
TAINTED = """<!doctype html><body style="margin: 60px"><canvas width=200 height=100></canvas><img hidden src="{}"><script>
const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
window.paint = (colour) => { pen.drawImage(document.querySelector("img"), 0, 0); pen.fillStyle = colour; pen.fillRect(0, 0, 200, 100) };
</script>"""
MARKS = (
    ("seen", "paint('lime')"),
    ("the same", "0"),
    ("turned", "canvas.style.rotate = '4deg'; paint('blue')"),
    ("upright", "canvas.style.rotate = ''"),
)


@pytest.mark.slow
def test_a_frame_that_is_older_than_the_mark_is_no_full_claim(browser: Browser, tmp_path: Path) -> None:
    reel, html = tmp_path / "old.reel", tmp_path / "old.html"
    context = browser.new_context(viewport={"width": 500, "height": 400})
    with Site() as site, record(context, reel) as session:
        foreign = site.put("/red.svg", "image/svg+xml", SQUARE).replace("127.0.0.1", "localhost")
        page = context.new_page()
        page.goto(site.html("/", TAINTED.replace("{}", foreign, 1)))
        for name, act in MARKS:
            page.evaluate(act)
            page.wait_for_timeout(700)
            session.mark(name)
    context.close()
    recording = Recorded(reel)
    at = {mark["name"]: mark["t"] for mark in recording.of("mark")}
    build(reel, html, redaction=None)
    report = verify_replay(html, launch=launch_options())
    assert report.fidelity.tree.all_equal and not report.ok
    wrong = [each for each in report.differences if each.layer == "layout"]
    assert {(each.wanted, each.found.partition(",")[0]) for each in wrong} == {
        ("what a canvas showed", "what it showed before")
    }, wrong
    assert all(at["the same"] < each.t < at["upright"] for each in wrong), wrong
    assert any(each.t < at["turned"] for each in wrong)
