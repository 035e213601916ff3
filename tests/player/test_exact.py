"""Numbers that scripts write into styles stand in the replay as they were, whatever the attribute says of them."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser

from pagereel.player_build import build, verify_replay
from pagereel.recorder import record

from ..chromium import apart
from ..recorder.support import Site

ROWS = """<!doctype html><div id=list style="height: 300px; overflow: auto"><div id=all style="position: relative"></div></div><p id=far></p><script>
const set = (name, style) => { const row = document.createElement("div"); row.id = name; Object.assign(row.style, style); all.append(row) }
all.style.height = "12345778.5px"
set("moved", { position: "absolute", transform: "translateY(12345678px)" })
set("placed", { position: "absolute", top: "12345598.25px", height: "10.5px" })
set("three", { position: "absolute", transform: "translate3d(-1234.5678px, 12345678px, 0px)" })
set("matrix", { position: "absolute", transform: "matrix(1, 0, 0, 1, 0, 12345671)" })
set("calc", { position: "absolute", top: "calc(100% - 123456.78px)" })
document.body.style.minHeight = "5px"
far.style.cssText = "position: absolute; left: 0.12345678px"
list.scrollTop = 12345500
</script>"""
BOXES = "(doc) => JSON.stringify([...doc.querySelectorAll('[id]')].map((e) => [e.id, e.getBoundingClientRect().x, e.getBoundingClientRect().y]))"


def test_rows_of_a_list_of_millions_stand_where_they_stood(browser: Browser, tmp_path: Path) -> None:
    reel, html = tmp_path / "a.reel", tmp_path / "a.html"
    context = browser.new_context()
    with Site() as site, record(context, reel) as session:
        page = context.new_page()
        page.goto(site.html("/", ROWS))
        boxes = [json.loads(page.evaluate(f"({BOXES})(document)"))]
        session.mark("first")
        page.evaluate("moved.style.transform = 'translateY(12345601px)', placed.style.top = '5px'")
        boxes.append(json.loads(page.evaluate(f"({BOXES})(document)")))
        session.mark("then")
    context.close()
    build(reel, html, redaction=None)
    replay = browser.new_page()
    replay.goto(f"{html.as_uri()}#bare&mark=first")
    replay.evaluate("pagereel.ready")
    for mark, live in zip(("first", "then", "first"), (*boxes, boxes[0]), strict=True):
        replay.evaluate("(mark) => pagereel.seek({ mark })", mark)
        assert json.loads(replay.evaluate(f"({BOXES})(pagereel.frame.contentDocument)")) == live
    replay.close()
    found = verify_replay(html, launch=apart()).fidelity
    assert found.tree.equal == found.tree.total and found.layout.equal == found.layout.total
