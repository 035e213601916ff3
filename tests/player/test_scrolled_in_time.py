"""A scroll is recorded for when it happened: its event comes up to a frame after whoever asks the page sees it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pagereel.player_build import build
from pagereel.recorder import record
from tests.recorder.support import Recorded, Site

PAGE = """<!doctype html><style>body { margin: 0 } .box { height: 100px; overflow: auto } .box p { height: 2000px }
  #far { margin-top: 3000px }</style><div class="box"><p>inner</p></div><div id="host"></div>
<button onclick="document.body.append('more'); window.scrollTo(0, 700)">go</button><p id="far">far</p><script>
  host.attachShadow({ mode: "open" }).innerHTML = '<div style="height: 100px; overflow: auto"><p style="height: 2000px">deep</p></div>';
  for (const root of [document, host.shadowRoot])
    root.addEventListener("scroll", () => { window.told = performance.timeOrigin + performance.now(); }, true);
</script>"""
PLACES = {
    "page": ("window", "doc.defaultView.scrollY"),
    "box": ("document.querySelector('.box')", "doc.querySelector('.box').scrollTop"),
    "shadow": ("host.shadowRoot.firstChild", "doc.querySelector('#host').shadowRoot.firstElementChild.scrollTop"),
}


@pytest.mark.parametrize("place", list(PLACES))
def test_who_saw_a_page_scrolled_finds_it_so_in_the_replay(browser: Browser, tmp_path: Path, place: str) -> None:
    scroller, shown = PLACES[place]
    scroll = f"() => {{ window.told = 0; const at = performance.timeOrigin + performance.now(); {scroller}.scrollTo(0, %d); return at; }}"
    reel, html = tmp_path / "run.reel", tmp_path / "run.html"
    context = browser.new_context(viewport={"width": 800, "height": 600})
    moments = []
    with record(context, reel, bodies=False):
        page = context.new_page()
        page.set_content(PAGE)
        for number in range(1, 9):
            page.wait_for_timeout(150)
            at = page.evaluate(scroll % (number * 50))
            page.wait_for_timeout(100)
            moments.append((number * 50, at, page.evaluate("window.told")))
    context.close()
    recorded = Recorded(reel)
    recorded.whole()
    started = recorded.header["started"]
    # On a busy machine a frame may take longer; those that did are left out.
    moments = [(y, at, told) for y, at, told in moments if told]
    assert moments
    prompt = [(y, at - started, told - started) for y, at, told in moments if told - at < 16]
    ops = {
        op[3]: event["t"] for event in recorded.of("mutation") for op in event["ops"] if op[0] == "scroll" and op[3] > 0
    }
    for y, _, told in moments:
        assert ops[y] <= told - started - 15, f"{y} is told for {ops[y]}, its event came at {told - started}"
    assert all(ops[y] <= at + 1 for y, at, _ in prompt)
    build(reel, html, redaction=None)
    viewer = browser.new_page()
    for y, at, _ in prompt[:3]:
        viewer.goto(f"{html.as_uri()}?{y}#bare&t={at + 1}")
        viewer.evaluate("pagereel.ready")
        assert viewer.evaluate(f"() => {{ const doc = pagereel.frame.contentDocument; return {shown}; }}") == y
    viewer.close()


def test_a_scroll_comes_after_what_made_it(browser: Browser, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    context = browser.new_context(viewport={"width": 800, "height": 600})
    with record(context, reel, bodies=False):
        page = context.new_page()
        page.set_content(PAGE)
        page.wait_for_timeout(200)
        page.get_by_role("button").click()
        page.wait_for_timeout(200)
    context.close()
    recorded = Recorded(reel)
    recorded.whole()
    (click,) = recorded.of("mouse", type="click")
    told = [(event["t"], op) for event in recorded.of("mutation") for op in event["ops"] if event["t"] >= click["t"]]
    (grown,) = [t for t, op in told if op[0] == "add" and "more" in op]
    (scrolled,) = [t for t, op in told if op[0] == "scroll" and op[3] == 700]
    assert click["t"] <= grown <= scrolled


def test_a_scroll_right_after_a_mark_is_not_told_before_it(browser: Browser, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    context = browser.new_context(viewport={"width": 800, "height": 600})
    marks: list[float] = []
    with record(context, reel, bodies=False) as session:
        page = context.new_page()
        page.set_content(PAGE)
        for number in range(1, 13):
            page.wait_for_timeout(60)
            marks.append(session.mark(str(number)))
            page.evaluate("y => window.scrollTo(0, y)", number * 50)
    context.close()
    recorded = Recorded(reel)
    told = {
        op[3]: event["t"] for event in recorded.of("mutation") for op in event["ops"] if op[0] == "scroll" and op[3] > 0
    }
    early = [number for number, t in enumerate(marks, 1) if told.get(number * 50, t) < t]
    assert not early, f"told before their marks: {early}"


COUNTED = """async (t) => {
  let frames = 0;
  const real = window.requestAnimationFrame;
  window.requestAnimationFrame = (back) => { frames++; return real(back); };
  try { await pagereel.seek(t); } finally { window.requestAnimationFrame = real; }
  return frames;
}"""
UNREACHED = {
    "a box that is hidden now": "document.querySelector('.box').scrollTop = 500; {wait} document.querySelector('.box').hidden = true",
    "a page whose picture has no bytes": "const i = new Image(); i.src = '/tall.svg'; document.body.append(i); await i.decode(); scrollTo(0, 9000); {wait}",
}


@pytest.mark.parametrize("case", list(UNREACHED))
def test_what_cannot_be_scrolled_holds_no_later_moment_up(
    browser: Browser, site: Site, tmp_path: Path, case: str
) -> None:
    site.pages["/tall.svg"] = ("image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="12000"/>')
    url = site.html("/page", PAGE)
    reel, html = tmp_path / "run.reel", tmp_path / "run.html"
    context = browser.new_context(viewport={"width": 800, "height": 600})
    wait = "await new Promise((go) => setTimeout(go, 300));"
    with record(context, reel, bodies=False) as session:
        page = context.new_page()
        page.goto(url)
        page.evaluate("async () => { " + UNREACHED[case].format(wait=wait) + " }")
        page.wait_for_timeout(100)
        session.mark("there")
        page.evaluate("document.body.append('more')")
        session.mark("then")
    context.close()
    there, then = (event["t"] for event in Recorded(reel).of("mark"))
    build(reel, html, redaction=None)
    viewer = browser.new_page()
    viewer.goto(f"{html.as_uri()}#bare&t={there}")
    viewer.evaluate("pagereel.ready")
    assert max(viewer.evaluate(COUNTED, t) for t in (then, there, then)) <= 8
    viewer.close()
