"""Animations that go by a scroller, and what fails while a page is painted: neither keeps the rest from showing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from pagereel.recorder import Session

from .conftest import Hand, Replay

Open = Callable[..., Replay]

STYLE = """<style>body{margin:0;height:4000px} #box{height:100px;overflow:auto;scroll-timeline:--named} #box i{display:block;height:900px}
@keyframes grow{from{width:0px}to{width:400px}} p{height:20px;width:10px;animation:grow linear both}
#root{animation-timeline:scroll(root)} #near{animation-timeline:scroll()} #seen{animation-timeline:view();position:absolute;top:700px}
#named{animation-timeline:--named;position:sticky;top:0} #none{animation-timeline:--nowhere} #timed{animation-duration:1s;animation-play-state:paused;animation-delay:-.5s}
#late{animation:none} .on #late{animation:grow linear both;animation-timeline:scroll(root)}</style>
<p id=root><p id=near><p id=seen><p id=none><p id=timed><p id=late><div id=box><p id=named></p><i></i></div><p id=made style="animation:none"><p id=viewed style="animation:none">"""
WIDTHS = "[...{}.querySelectorAll('p')].map((e) => e.id + ':' + Math.round(e.getBoundingClientRect().width))"
SCRIPT = """() => {
  made.animate({width: ["0px", "400px"]}, {fill: "both", timeline: new ScrollTimeline({source: document.scrollingElement})});
  viewed.animate({width: ["0px", "400px"]}, {timeline: new ViewTimeline({subject: seen}), rangeStart: "entry 0%", rangeEnd: "exit 100%"});
}"""


def test_animations_by_a_scroller_stand_where_it_stands(recorded: Callable[..., Path], open_replay: Open) -> None:
    live: dict[str, list[str]] = {}

    def act(page: Page, session: Session) -> None:
        page.evaluate(SCRIPT)
        for name, run in (
            ("top", "scrollTo(0, 0)"),
            ("down", "scrollTo(0, 850)"),
            ("box", "box.scrollTo(0, 200)"),
            ("late", "document.body.className = 'on'; scrollTo(0, 1700)"),
            ("up", "document.body.className = ''; scrollTo(0, 300)"),
        ):
            page.evaluate(run)
            page.wait_for_timeout(250)
            # A timeline goes on with the next frame, and a busy machine shows one late.
            page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go())))")
            live[name] = page.evaluate(WIDTHS.format("document"))
            session.mark(name)
            page.wait_for_timeout(60)  # A scroll is told for the frame before its event, which must not be the mark's.

    reel = recorded(STYLE, act)
    assert len({str(widths) for widths in live.values()}) == 5, live
    replay = open_replay(reel)
    for name, widths in live.items():
        replay.reopen(f"#mark={name}")
        assert replay.inside(WIDTHS.format("doc")) == widths, f"{name}, by its link"
    for name in [*live, *reversed(live), *live]:
        replay.seek({"mark": name})
        assert replay.inside(WIDTHS.format("doc")) == live[name], f"{name}, there and back"
    assert replay.page.evaluate("pagereel.info.troubles") == [] and replay.problems == []


def test_an_animation_by_a_scroller_is_not_told_as_one_by_time(recorded: Callable[..., Path]) -> None:
    from tests.recorder.support import Recorded

    def act(page: Page, _: Session) -> None:
        for y in range(0, 2000, 100):
            page.evaluate(f"scrollTo(0, {y})")
            page.wait_for_timeout(40)

    result = Recorded(recorded(STYLE.replace("#late", "#other"), act))
    told = [op for event in result.events for op in event.get("ops", ()) if op[0] in ("anims", "unanim")]
    assert len(told) <= 2, told  # `timed`, and no more


@pytest.mark.parametrize("how", ["add", "attr"])
def test_what_fails_for_one_node_is_told_and_the_rest_shows(hand: Hand, open_replay: Open, how: str) -> None:
    hand.start(["p", {}, "one"], ["b", {}, "two"])  # 6, 7; 8, 9
    bad = [["add", 5, 10, ["div", {"title": "x"}, ["i", {}, "in"]]]] if how == "add" else [["attr", 6, {"title": "x"}]]
    hand.script.ops(20, 1, *bad, ["add", 5, 20, ["u", {}, "three"]], ["text", 9, "changed"], ["scroll", 1, 0, 0])
    replay = open_replay(hand.close(), "#t=5")
    replay.page.evaluate("""() => {
        const { prototype } = pagereel.frame.contentWindow.Element;
        const { setAttribute } = prototype;
        const fail = () => { throw new Error('not today'); };
        prototype.setAttribute = function (name, value) { name === 'title' ? fail() : setAttribute.call(this, name, value); };
        DOMParser.prototype.parseFromString = fail;
    }""")
    replay.seek(30)
    wanted = "onechangedinthree" if how == "add" else "onechangedthree"
    assert replay.inside("doc.body.textContent") == wanted
    assert "not today" in replay.page.evaluate("pagereel.info.troubles.join()")
    replay.page.get_by_role("tab", name="Info").click()
    assert replay.page.get_by_text("not today").count() == 1
