"""Screenshots of a redacted recording: boxes over what is masked, the pixels of all else, and no picture where that is not sure."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser

from pagereel.recorder import record
from pagereel.redaction import redact
from pagereel.redaction.pictures.image_containers import GREY
from pagereel.reel import open_reel
from tests.chromium import open_chromium
from tests.recorder.support import Site
from tests.redaction.reels import Maker

FRAME = """<!doctype html><body style="margin:0;font:14px sans-serif">
<p>Mail <b class="hide">priya.raghunathan@ombrellix.com</b> today</p><h3>Opening hours</h3></body>"""
PAGE = """<!doctype html><title>Orders</title><body style="margin:16px;font:16px sans-serif">
<h1>Order summary</h1>
<p class="hide">Customer: Priya Raghunathan</p>
<label>E-mail <input class="hide" name="email" value="priya.raghunathan@ombrellix.com" size="34"></label>
<label>Card number <input class="hide" name="cardnumber" autocomplete="cc-number" value="4111 1111 1111 1111"></label>
<table><tr><th>Name</th><th>Status</th></tr><tr><td class="hide">Priya Raghunathan</td><td>Open</td></tr></table>
<iframe src="/inner" style="width:420px;height:90px;border:3px solid;padding:4px"></iframe>
<div id="host"></div>
<p class="hide" style="transform:rotate(4deg) translateX(30px);width:320px">Priya Raghunathan called</p>
<div id="box" style="height:60px;width:420px;overflow:auto;margin-top:30px"><p>first</p><p>second</p>
<p class="hide">Priya Raghunathan, 41 Ombrellix Road</p><p>last</p></div>
<canvas class="hide" width="60" height="20"></canvas><div id="shut"></div><div id="slotted" class="hide" style="visibility:hidden">Priya Raghunathan</div><svg width="300" height="40"><text class="hide" y="20"
>Priya Raghunathan</text></svg><p><i class="hide written"></i></p><div style="height:300px"></div>
<style>.written::before { content: "for Priya Raghunathan" }</style>
<script>
  const root = document.querySelector('#host').attachShadow({mode: 'open'});
  root.innerHTML = '<p class="hide">Owner Priya Raghunathan</p><h2>Delivery</h2>';
  slotted.attachShadow({mode: 'open'}).innerHTML = '<slot style="visibility:visible"></slot>';
  shut.root = shut.attachShadow({mode: 'closed'});
  shut.root.innerHTML = '<b class="hide">Agent Priya Raghunathan</b>';
  document.querySelector('#box').scrollTop = 70;
</script>"""
MOVING = """<!doctype html><title>Orders</title><h1>Order summary</h1><p id="p">Customer: Priya Raghunathan</p>
<script>let x = 0; const timer = setInterval(() => { document.querySelector('#p').style.marginLeft = (x++ % 90) + 'px'; }, 4);</script>"""
RECTS = """(selector) => {
    const out = [];
    const look = (root, x, y) => {
        for (const e of root.querySelectorAll('*')) {
            const box = e.getBoundingClientRect();
            if (e.matches(selector)) {
                const range = document.createRange();
                range.selectNodeContents(e);
                const control = e.matches('input, canvas, .written');
                const rects = control ? [box] : range.getClientRects();
                for (const r of rects) out.push([r.x + x, r.y + y, r.width, r.height]);
            }
            if (e.shadowRoot || e.root) look(e.shadowRoot || e.root, x, y);
            if (e.contentDocument) look(e.contentDocument, x + box.x + 7, y + box.y + 7);
        }
    };
    look(document, 0, 0);
    return out;
}"""
GREYED = (GREY, GREY, GREY)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as site:
        site.put("/", "text/html", PAGE)
        site.put("/inner", "text/html", FRAME)
        site.put("/moving", "text/html", MOVING)
        yield site


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_chromium() as browser:
        yield browser


def _pictures(path: Path) -> dict[str, Image.Image]:
    """The pictures of a recording's screenshots, by label."""
    with open_reel(path) as reel:
        events: list[dict[str, Any]] = list(reel.events())
    bodies = {e["sha256"]: e for e in events if e["k"] == "resource"}
    shots = [e for e in events if e["k"] == "screenshot"]
    return {
        e["label"]: Image.open(io.BytesIO(base64.b64decode(bodies[e["body"]]["base64"]))).convert("RGB") for e in shots
    }


def _pixels(picture: Image.Image, rect: list[float], scale: float) -> list[tuple[int, int, int]]:
    """The pixels that lie wholly within a rectangle of CSS px and the picture."""
    x, y, w, h = (v * scale for v in rect)
    left, top = math.ceil(max(0, x)), math.ceil(max(0, y))
    right, bottom = math.floor(min(x + w, picture.width)), math.floor(min(y + h, picture.height))
    if right <= left or bottom <= top:
        return []
    return list(picture.crop((left, top, right, bottom)).get_flattened_data())


def test_boxes_cover_what_is_masked_and_nothing_else(browser: Browser, site: Site, tmp_path: Path) -> None:
    hidden: dict[str, list[list[float]]] = {}
    kept: dict[str, list[list[float]]] = {}
    with browser.new_context(viewport={"width": 700, "height": 700}, device_scale_factor=1.5) as context:
        page = context.new_page()
        with record(context, tmp_path / "raw.reel") as session:
            page.goto(site.url("/"))
            page.frame_locator("iframe").locator("h3").wait_for()
            for label in ("above", "below"):
                session.mark(label)
                hidden[label] = page.evaluate(RECTS, ".hide")
                kept[label] = page.evaluate(RECTS, "h1, h2, h3, th")
                session.screenshot(label, page=page)
                page.evaluate("scrollTo(0, 40)")
    redact(tmp_path / "raw.reel", tmp_path / "masked.reel", "vendor")
    raw, masked = _pictures(tmp_path / "raw.reel"), _pictures(tmp_path / "masked.reel")
    for label, rects in hidden.items():
        assert masked[label].size == raw[label].size == (1050, 1050)
        covered = [rect for rect in rects if _pixels(raw[label], rect, 1.5)]
        assert len(covered) >= 12
        for rect in covered:
            assert {*_pixels(masked[label], rect, 1.5)} == {GREYED}, (label, rect)
        seen = [rect for rect in kept[label] if len({*_pixels(raw[label], rect, 1.5)}) > 2]
        assert len(seen) >= 4, "headlines are there to be seen"
        for rect in seen:
            assert _pixels(raw[label], rect, 1.5) == _pixels(masked[label], rect, 1.5), (label, rect)
    assert raw["above"].tobytes() != raw["below"].tobytes()


def test_a_page_that_moves_while_its_picture_is_taken_is_blocked(browser: Browser, site: Site, tmp_path: Path) -> None:
    with browser.new_context(viewport={"width": 400, "height": 200}) as context:
        page = context.new_page()
        with record(context, tmp_path / "raw.reel") as session:
            page.goto(site.url("/moving"))
            session.screenshot("moving", page=page)
            page.evaluate("clearInterval(timer)")
            session.screenshot("still", page=page)
            session.screenshot("given", page=page, image=page.screenshot())
    redact(tmp_path / "raw.reel", tmp_path / "masked.reel", "vendor")
    pictures = _pictures(tmp_path / "masked.reel")
    assert {*pictures["moving"].get_flattened_data()} == {*pictures["given"].get_flattened_data()} == {GREYED}
    assert len({*pictures["still"].get_flattened_data()}) > 2


SURE: dict[str, Any] = {"d": 1, "n": 0, "end": 0, "w": 100, "h": 50, "frames": []}
TITLE, NAME = [6, 0, 10, 5, 30, 10], [8, 0, 10, 25, 30, 10]


@pytest.mark.parametrize(
    ("told", "covered"),
    [
        ({"items": [TITLE, NAME]}, 1),
        ({"items": [TITLE, [8, 1, 10, 25, 30, 10]]}, 1),
        ({"items": [[0, 1, 10, 5, 30, 10], [99, 0, 10, 25, 30, 10]]}, 2),
        ({"items": [TITLE, NAME], "end": 1}, None),
        ({"items": [TITLE, NAME], "n": 3, "end": 3}, None),
        ({"items": [TITLE, NAME], "w": 90}, None),
        ({"why": "moved"}, None),
        (None, None),
    ],
    ids=["known", "hidden", "unknown nodes", "changed", "lost", "of another size", "moved", "not told"],
)
def test_a_picture_is_painted_only_where_all_of_it_is_known(
    told: dict[str, Any] | None, covered: int | None, tmp_path: Path
) -> None:
    raw = io.BytesIO()
    Image.new("RGB", (200, 100), "white").save(raw, "PNG")
    maker = Maker(tmp_path / "raw.reel")
    maker.body(["h1", {}, "Orders"], ["p", {}, "Mail priya.raghunathan@ombrellix.com"])
    maker.ops(["text", 6, "Others"])
    body = maker.resource("image/png", raw.getvalue())
    maker.put("screenshot", id=1, page=1, label="s", body=body, boxes=[])
    if told is not None:
        maker.put(
            "places", screenshot=1, page=1, documents=[{**SURE, **told} if "why" not in told else {"d": 1, **told}]
        )
    redact(maker.done(), tmp_path / "masked.reel", "vendor")
    picture = _pictures(tmp_path / "masked.reel")["s"]
    assert picture.size == (200, 100)
    grey = sum(pixel == GREYED for pixel in picture.get_flattened_data())
    assert grey == (200 * 100 if covered is None else covered * 2 * 34 * 2 * 14)
