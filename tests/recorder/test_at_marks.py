"""What a page shows at a mark is told with its checkpoint: what is asked for, cut out or encoded comes later, and tells of that moment."""

from __future__ import annotations

import threading
import time
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from pagereel.player_build import build
from pagereel.recorder import record

from .pictures import Album, replayed
from .support import LAUNCH, Recorded, Site

FONT = files("pagereel.fixtures.shop") / "static" / "fonts" / "instrument-sans.woff2"
PAGE = """<body style="margin: 0"><p style="margin: 0; font: 30px/40.3px Late, cursive">Words in a face</p>
<div style="position: relative; height: 120px"><canvas id=gl width=200 height=100></canvas><canvas id=tainted width=90 height=90></canvas></div>
<script>
const pen = gl.getContext("webgl", { antialias: false });
const stripes = (shift) => {
  pen.enable(pen.SCISSOR_TEST);
  for (let i = 0; i < 20; i++) {
    pen.scissor(0, i * 5, 200, 3); pen.clearColor(.1, (i + shift) % 2 * .6, .5, 1); pen.clear(pen.COLOR_BUFFER_BIT);
    pen.scissor(i * 10, 0, 1, 100); pen.clearColor(1, 1, 0, 1); pen.clear(pen.COLOR_BUFFER_BIT);
  }
};
const frame = () => new Promise(requestAnimationFrame);
const act = async (shift) => {
  const image = new Image(); image.src = OTHER; await image.decode();
  tainted.getContext("2d").drawImage(image, 5 * shift, 0);
  const face = new FontFace("Late", `url(/face-${shift}.woff2)`); document.fonts.clear(); document.fonts.add(await face.load());
  await frame(); stripes(shift); await frame(); await frame();
};
</script>"""


def test_what_a_mark_sees_stands_in_its_checkpoint(context: BrowserContext, site: Site, reel: Path) -> None:
    square = "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='60'><rect width='60' height='60' fill='plum'/></svg>"
    site.put("/square.svg", "image/svg+xml", square)
    for shift in (1, 2):
        site.put(f"/face-{shift}.woff2", "font/woff2", FONT.read_bytes())
    url = site.html("/at-marks", PAGE.replace("OTHER", repr(site.url("/square.svg", "localhost"))))
    with record(context, reel) as session:
        page = context.new_page()
        page.set_viewport_size({"width": 420, "height": 200})
        page.goto(url)
        page.wait_for_timeout(400)
        album = Album(session, page)
        for shift in (1, 2):
            page.evaluate(f"act({shift})")
            album.mark(f"mark {shift}")
            page.wait_for_timeout(1200)
    shares = replayed(context, reel, album)
    assert max(shares.values()) < 0.0005, shares
    report = build(reel, reel.with_suffix(".html"), redaction=None, check=True, launch=LAUNCH)
    assert report.fidelity.verdict == "open", report.differences  # Nothing falls short; no pictures were taken.


IN_ROOT = """<body style="margin: 0"><div id=host></div><script>
const root = host.attachShadow({ mode: "open" });
root.innerHTML = `<img srcset="/teal.svg 1x, /plum.svg 2x"><img src="/teal.svg"><div popover id=p style="inset: 70px auto auto 9px">A popover</div>`;
const act = () => { root.querySelector("#p").showPopover(); root.querySelector("img").srcset = "/teal.svg 1x, /navy.svg 2x"; };
</script>"""


def slowly(text: str) -> bytes:
    time.sleep(0.3)
    return text.encode()


def test_what_only_a_shadow_root_hears_of_is_recorded(browser: Browser, site: Site, reel: Path) -> None:
    for colour in ("teal", "plum", "navy"):
        square = f"<svg xmlns='http://www.w3.org/2000/svg' width='60' height='60'><rect width='60' height='60' fill='{colour}'/></svg>"
        site.put(f"/{colour}.svg", "image/svg+xml", partial(slowly, square))
    context = browser.new_context(device_scale_factor=2, viewport={"width": 300, "height": 200})
    with context, record(context, reel) as session:
        page = context.new_page()
        album = Album(session, page)
        page.goto(site.html("/in-root", IN_ROOT))
        page.wait_for_timeout(400)
        album.mark("loaded")
        page.evaluate("act()")
        page.wait_for_timeout(800)
        album.mark("shown")
    context = browser.new_context(device_scale_factor=2)
    with context:
        shares = replayed(context, reel, album)
    assert max(shares.values()) < 0.0005, shares


def test_a_page_that_does_not_answer_a_mark_in_time_is_said(
    context: BrowserContext, site: Site, reel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, released = threading.Event(), threading.Event()

    def hold() -> bytes:
        held.set()
        released.wait(60)
        return b""

    site.put("/hold", "text/plain", hold)
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(site.html("/busy", "<p>busy</p>"))
        monkeypatch.setattr("pagereel.recorder.session._MARK_PATIENCE", 60.0)
        session.mark("answered")
        page.evaluate(
            "void setTimeout(() => { const r = new XMLHttpRequest(); r.open('GET', '/hold', false); r.send() })"
        )
        assert held.wait(60), "the page's thread stands still until its request is answered"
        monkeypatch.setattr("pagereel.recorder.session._MARK_PATIENCE", 0.3)
        session.mark("not answered")
        released.set()
        page.evaluate("1")
    gap = Recorded(reel).one("gap")
    assert gap["reason"] == "late" and gap["detail"].startswith("a mark: a page did not tell")
