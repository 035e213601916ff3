"""The middle of a view transition is not in a replay: the recording says when one began, and the claim falls short at a mark in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pagereel.browser import launch_options
from pagereel.player_build import build, verify_replay
from pagereel.recorder import record
from tests.recorder.support import Recorded, Site

from .pictures import Mark, pairs

STYLE = """<style>body { margin: 0; font: 20px sans-serif } #box { width: 90px; height: 60px; background: teal }
    .on #box { margin-left: 300px; background: gold }"""
SLOW = "::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) { animation-duration: 9s }"
KINDS = {
    "of the document": f"""<!doctype html>{STYLE} {SLOW} #box {{ view-transition-name: box }}</style><div id=box></div>
        <script>change = () => document.startViewTransition(() => document.body.classList.add('on')).ready</script>""",
    "by a script's animation": f"""<!doctype html>{STYLE} ::view-transition-old(root), ::view-transition-new(root) {{ animation: none }}</style>
        <div id=box></div><script>change = async () => {{ await document.startViewTransition(() => document.body.classList.add('on')).ready;
        document.documentElement.animate({{ clipPath: ['circle(0px at 0 0)', 'circle(900px at 0 0)'] }}, {{ duration: 9000, pseudoElement: '::view-transition-new(root)' }}) }}</script>""",
    "to another document": f"""<!doctype html>{STYLE} {SLOW} @view-transition {{ navigation: auto }}</style><body><div id=box></div>
        <script>if (location.search) document.body.className = 'on'; change = () => location.search = '?on'</script>""",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_mark_within_a_view_transition_falls_short_and_the_recording_says_why(
    browser: Browser, tmp_path: Path, kind: str
) -> None:
    reel, html = tmp_path / "run.reel", tmp_path / "run.html"
    context = browser.new_context(viewport={"width": 500, "height": 300})
    with Site() as site, record(context, reel) as session:
        page = context.new_page()
        page.goto(site.html("/", KINDS[kind]))
        session.mark("before")
        page.evaluate("void change()")
        page.wait_for_function(
            "document.body?.className && document.getAnimations().some((a) => a.effect.pseudoElement?.startsWith('::view'))"
        )
        # A look takes 12 ms at most: on a busy machine one may not have come to the transition.
        for number in range(4):
            session.mark(f"middle {number}")
        page.evaluate("for (const each of document.getAnimations()) each.finish()")
        page.wait_for_function("document.getAnimations().length === 0")
        session.mark("after")
    context.close()
    run = Recorded(reel)
    (said,) = run.of("unsupported")
    assert said["what"] == "view transition"
    build(reel, html, redaction=None)
    report = verify_replay(html, launch=launch_options())
    shorts = report.differences
    assert {(each.layer, each.wanted, each.found) for each in shorts} == {
        ("layout", "::view-transition display: block", "none")
    }
    first, last = (run.one("mark", name=f"middle {number}")["t"] for number in (0, 3))
    assert all(said["t"] <= each.t and first - 200 < each.t < last + 200 for each in shorts)
    assert report.fidelity.tree.all_equal


def test_the_page_beneath_a_view_transition_is_as_it_will_be(browser: Browser, tmp_path: Path) -> None:
    """What a script animates of the transition's pictures is nothing of the page's: no element of the replay takes it over."""

    def drive(page: Page, mark: Mark) -> None:
        page.evaluate("void change()")
        page.wait_for_function("document.getAnimations().length > 0")
        mark("middle")
        page.evaluate("for (const each of document.getAnimations()) each.finish()")
        page.wait_for_function("document.getAnimations().length === 0")
        mark("after")

    seen = pairs(browser, tmp_path, KINDS["by a script's animation"], drive)
    assert seen["after"].differs is None
    assert seen["middle"].replay.tobytes() == seen["after"].replay.tobytes()
