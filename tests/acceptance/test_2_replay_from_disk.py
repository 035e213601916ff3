"""Line 2: opened from disk without a network, a replay asks for nothing, runs nothing of the page, and seeks true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from pagereel.fixtures.trap_pages import find_trap_page, run_trap_marks
from pagereel.fixtures.trap_site import TrapSite
from pagereel.player_build import build
from pagereel.recorder import record
from pagereel.reel import ReelWriter

from .conftest import Errand
from .support import difference, opened, pagereel, seek, shown, whole

STOPS = "() => [0, ...window.pagereel.steps.flatMap((s) => [s.time, s.time + s.duration]), window.pagereel.duration]"


def test_the_shops_recording_is_whole_and_says_so(errand: Errand) -> None:
    # On a machine that is too busy the form for the payment, a frame with a process of its own, is met late: the reel says so.
    count = whole(errand.reel, excused=frozenset({"late"}))
    assert errand.order == "SM-48213"
    answer = pagereel("info", errand.reel)
    assert answer.status == 0
    assert f"fidelity: tree {count} of {count} · " in answer.out
    assert pagereel("verify", errand.reel).status == 0


@pytest.mark.parametrize("kind", ["raw", pytest.param("redacted", marks=pytest.mark.slow)])
def test_seeking_to_every_step_and_back_gives_the_same_dom(browser: Browser, errand: Errand, kind: str) -> None:
    with opened(browser, getattr(errand, kind)) as replay:
        page = replay.page
        stops = page.evaluate(STOPS)
        assert len(stops) > 20
        forth = []
        for stop in stops:
            seek(page, stop)
            forth.append(shown(page))
        assert len(set(forth)) > 12, "the stops show different things, else this would prove nothing"
        for stop, expected in reversed(list(zip(stops, forth, strict=True))):
            seek(page, stop)
            assert difference(expected, shown(page)) == "", f"going back to {stop} ms"
        for number in (len(stops) // 2, 2, len(stops) - 1, 0):
            seek(page, stops[number])
            assert difference(forth[number], shown(page)) == "", f"jumping to {stops[number]} ms"
        assert replay.asked() == []
        assert replay.more == []
        assert replay.said == []


def test_a_step_in_a_fresh_player_is_the_same_as_after_seeking_about(browser: Browser, errand: Errand) -> None:
    with opened(browser, errand.raw) as replay:
        steps = replay.page.evaluate("() => window.pagereel.steps.map((s) => s.id)")
        middle = steps[len(steps) // 2]
        for step in (steps[-1], steps[0], middle):
            seek(replay.page, {"step": step})
        about = shown(replay.page)
    with opened(browser, errand.raw, fragment=f"#step={middle}") as replay:
        assert difference(about, shown(replay.page)) == ""


def test_playing_to_a_moment_gives_what_seeking_gives(browser: Browser, errand: Errand) -> None:
    with opened(browser, errand.raw) as replay:
        page = replay.page
        played = []
        for start in page.evaluate("() => window.pagereel.steps.filter((_, n) => n % 5 === 1).map((s) => s.time)"):
            seek(page, start)
            page.evaluate("() => window.pagereel.play()")
            page.wait_for_function(
                "(start) => window.pagereel.time > start + 100 || !window.pagereel.playing", arg=start
            )
            page.evaluate("() => window.pagereel.pause()")
            page.evaluate("() => new Promise((done) => setTimeout(done, 60))")
            time = page.evaluate("() => window.pagereel.time")
            assert time > start
            played.append((time, shown(page)))
        seek(page, 0)
        for time, expected in reversed(played):
            seek(page, time)
            assert difference(expected, shown(page)) == "", f"at {time} ms"


def test_at_every_mark_the_replay_shows_what_the_live_pages_showed(browser: Browser, errand: Errand) -> None:
    """Names, attributes but addresses, text, form state, scroll, of all pages, frames and open shadow roots."""
    assert len(errand.live) > 15
    wrong = []
    with opened(browser, errand.raw) as replay:
        page = replay.page
        for mark, pages in errand.live.items():
            seek(page, {"mark": mark})
            for number, expected in enumerate(pages, 1):
                page.evaluate("(number) => window.pagereel.show(number)", number)
                found = difference(expected, shown(page, plain=True))
                if found:
                    wrong.append(f"{mark}, page {number}: {found}")
            page.evaluate("() => window.pagereel.show(0)")
    assert wrong == [], "\n\n".join(wrong[:3])


# -- a page that would run ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def would_run(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The site that is still served, its recording, and a build."""
    folder = tmp_path_factory.mktemp("would-run")
    trap = find_trap_page("would-run")
    with TrapSite() as site:
        context = browser.new_context()
        with record(context, folder / "run.reel") as session:
            page = context.new_page()
            page.on("dialog", lambda dialog: dialog.dismiss())
            page.goto(site.url + trap.path)
            run_trap_marks(page, trap, session.mark)
            ran = page.evaluate("window.__ran")
        context.close()
        build(folder / "run.reel", folder / "run.html", redaction=None)
        yield site, folder / "run.html", ran


RUNNING = """() => {
  const seen = [];
  const visit = (view) => {
    if (!view) return;
    if (view.__ran) seen.push(...view.__ran);
    if (view.ran) seen.push("ran is defined");
    for (let i = 0; i < view.frames.length; i++) visit(view.frames[i]);
  };
  visit(window);
  return seen;
}"""

POKE = """async () => {
  const documents = [];
  const visit = (document) => {
    if (!document) return;
    documents.push(document);
    for (const frame of document.querySelectorAll("iframe")) { try { visit(frame.contentDocument); } catch {} }
  };
  visit(window.pagereel.frame.contentDocument);
  for (const document of documents) {
    for (const element of document.querySelectorAll("*")) {
      for (const type of ["click", "error", "load", "focus", "mouseover", "toggle", "submit", "begin", "animationstart"])
        element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    }
  }
  await new Promise((done) => setTimeout(done, 300));
}"""


@pytest.mark.parametrize("offline", [True, False], ids=["network cut", "network there"])
def test_a_page_that_would_run_does_not(browser: Browser, would_run: Any, offline: bool) -> None:
    site, html, ran = would_run
    assert len(set(ran)) > 15 and len(site.beacons) > 10, "the live page ran: this test can fail"
    before = len(site.seen_requests)
    with opened(browser, html, offline=offline) as replay:
        page = replay.page
        marks = page.evaluate("() => window.pagereel.marks.map((m) => m.name)")
        assert marks == list(find_trap_page("would-run").marks)
        for mark in [*marks, *reversed(marks)]:
            seek(page, {"mark": mark})
            assert page.evaluate(RUNNING) == []
        page.evaluate(POKE)
        assert page.evaluate(RUNNING) == []
        assert replay.asked() == []
        assert replay.more == []
        assert page.frames[0].url.startswith("file:")
        assert all(
            frame.url in ("about:blank", "about:srcdoc", "") or frame is page.main_frame for frame in page.frames
        )
    assert site.seen_requests[before:] == []


def test_clicks_of_a_reader_on_links_and_forms_ask_for_nothing(browser: Browser, would_run: Any) -> None:
    site, html, _ = would_run
    before = len(site.seen_requests)
    with opened(browser, html, offline=False, fragment="#bare") as replay:
        page = replay.page
        seek(page, {"mark": "late attributes"})
        inner = page.frames[1]
        for selector in ("#js", "a[ping]", "a >> nth=1", "a >> nth=3", "#form button", "#popper", "summary"):
            element = inner.query_selector(selector)
            if element is None:
                continue
            try:
                element.click(timeout=1500, force=True, no_wait_after=True)
            except Exception as error:  # what cannot be clicked cannot do harm
                assert "Timeout" in str(error) or "visible" in str(error) or "outside" in str(error), error
            page.wait_for_timeout(80)
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        assert replay.asked() == []
        assert replay.more == []
        assert page.evaluate(RUNNING) == []
        assert page.evaluate("() => Boolean(window.pagereel.frame.contentDocument.querySelector('h1'))"), "still there"
    assert site.seen_requests[before:] == []


HOSTILE_TREE: list[Any] = [
    "#document", {},
    ["html", {}, ["head", {},
        ["script", {"src": "{site}/ran.js?name=reel"}, "parent.ran = 1; window.__ran = ['script']"],
        ["meta", {"http-equiv": "refresh", "content": "0; url={site}/beacon?ran=refresh"}],
        ["meta", {"http-equiv": "Content-Security-Policy", "content": "default-src *"}],
        ["base", {"href": "{site}/"}],
        ["link", {"rel": "stylesheet", "href": "{site}/beacon?ran=link"}],
        ["link", {"rel": "preload", "as": "script", "href": "{site}/ran.js?name=preload"}],
        ["style", {}, "@import '{site}/beacon?ran=import'; body { background: url({site}/beacon?ran=css) }"]],
     ["body", {"onload": "window.__ran = ['onload']", "background": "{site}/beacon?ran=background"},
        ["img", {"id": "i", "src": "{site}/beacon?ran=img", "srcset": "{site}/beacon?ran=srcset 1x", "onerror": "parent.__ran = ['onerror']"}],
        ["a", {"id": "a", "href": "javascript:parent.__ran=['href']"}, "link"],
        ["a", {"href": "java\tscript:parent.__ran=['tab']"}, "link"],
        ["iframe", {"srcdoc": "<script>parent.parent.__ran=['srcdoc']</script><img src={site}/beacon?ran=srcdoc>", "src": "{site}/beacon?ran=frame"}],
        ["iframe", {"src": "javascript:parent.parent.__ran=['frame']"}],
        ["object", {"data": "{site}/beacon?ran=object"}], ["embed", {"src": "{site}/beacon?ran=embed"}],
        ["video", {"src": "{site}/beacon?ran=video", "poster": "{site}/beacon?ran=poster", "autoplay": ""}],
        ["form", {"action": "javascript:parent.__ran=['form']"}, ["button", {"formaction": "{site}/beacon?ran=formaction"}, "send"]],
        ["div", {"style": "background: url({site}/beacon?ran=inline)"}, "styled"],
        ["svg|svg", {"onload": "parent.__ran=['svg onload']"},
            ["svg|script", {}, "parent.parent.__ran = ['svg script']"],
            ["svg|image", {"href": "{site}/beacon?ran=svg-image"}], ["svg|use", {"href": "{site}/beacon?ran=use#x"}],
            ["svg|a", {"id": "s"}, ["svg|animate", {"attributeName": "href", "values": "javascript:parent.__ran=['animate']"}],
                ["svg|set", {"attributeName": "onclick", "to": "parent.__ran=['set']", "onbegin": "parent.__ran=['onbegin']"}], ["svg|text", {}, "x"]]],
        ["template", {}, ["#content", {}, ["img", {"src": "{site}/beacon?ran=template", "onerror": "parent.__ran=['template']"}]]],
        ["noscript", {}, "<img src={site}/beacon?ran=noscript>"],
        ["p", {}, "last"]]],
]  # fmt: skip


def _of(site: str, tree: Any) -> Any:
    if isinstance(tree, str):
        return tree.replace("{site}", site)
    if isinstance(tree, dict):
        return {name: _of(site, value) for name, value in tree.items()}
    return [_of(site, item) for item in tree] if isinstance(tree, list) else tree


def test_a_reel_made_by_an_enemy_runs_nothing_and_asks_for_nothing(browser: Browser, tmp_path: Path) -> None:
    """Nothing of it went through the injector: the builder's and the player's walls hold alone, for late changes too."""
    reel, html = tmp_path / "enemy.reel", tmp_path / "enemy.html"
    with TrapSite() as site:
        tree = _of(site.url, HOSTILE_TREE)
        ids: dict[str, int] = {}

        def number(node: Any) -> None:
            ids[str(len(ids))] = len(ids) + 1
            if isinstance(node, list):
                if len(node) > 1 and isinstance(node[1], dict) and "id" in node[1]:
                    ids[f"#{node[1]['id']}"] = len([k for k in ids if not k.startswith("#")])
                for child in node[2:]:
                    number(child)

        number(tree)
        late = [
            ["attr", ids["#i"], {"onerror": "parent.__ran=['late']", "src": f"{site.url}/beacon?ran=late"}],
            ["attr", ids["#a"], {"href": "javascript:parent.__ran=['late href']", "onclick": "parent.__ran=['onclick']"}],
            ["attr", ids["#s"], {"xlink:href": "javascript:parent.__ran=['xlink']"}],
            ["add", 2, 1000, ["script", {}, "parent.__ran = ['late script']"], ["iframe", {"srcdoc": "<script>top.__ran=['late srcdoc']</script>"}]],
        ]  # fmt: skip
        with ReelWriter(reel, {"started": 0}) as writer:
            writer.write({"k": "page", "t": 0, "page": 1, "event": "open", "url": site.url})
            document = {"k": "document", "t": 0, "d": 1, "page": 1, "frame": "f", "url": site.url, "top": True}
            writer.write({**document, "viewport": {"w": 800, "h": 600, "dpr": 1}, "mode": "CSS1Compat"})
            writer.write({"k": "snapshot", "t": 1, "d": 1, "n": 0, "ops": [["doc", 1, tree]], "why": "start"})
            writer.write({"k": "mutation", "t": 500, "d": 1, "n": 1, "ops": late})
            writer.write({"k": "mark", "t": 900, "name": "end"})
        build(reel, html, redaction=None)
        with opened(browser, html, offline=False) as replay:
            for time in (10, 600, 10, 900):
                seek(replay.page, time)
                assert replay.page.evaluate(RUNNING) == []
                assert "last" in shown(replay.page)
            replay.page.evaluate(POKE)
            assert replay.page.evaluate(RUNNING) == []
            assert replay.asked() == []
            assert replay.more == []
        assert site.seen_requests == []


def test_the_counter_of_requests_counts(browser: Browser, errand: Errand) -> None:
    """The control of this module: an address that the page in the context does ask for is seen."""
    with TrapSite() as site, opened(browser, errand.raw, offline=False) as replay:
        replay.page.goto(site.url + "/moves.html")
        assert any(url.endswith("/lib.js") for url in replay.asked())
