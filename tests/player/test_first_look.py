"""Of a large page what is in sight shows first, in a replay and in both halves of compare.html; then the rest is built, and the page is what it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from pagereel.comparison import compare, write_comparison
from pagereel.player_build import build
from tests.comparison.runs import Made

from .conftest import Hand

LOOK = """
globalThis.looked = [];
const look = () => {
  const shown = [...document.querySelectorAll('iframe:not(.off)')].map((frame) => frame.contentDocument?.querySelectorAll('li').length ?? 0);
  if (shown.some(Boolean)) looked.push(shown);
  requestAnimationFrame(look);
};
if (window === top) requestAnimationFrame(look);
"""
MANY = 3000


def frames(browser: Browser, html: Path, read: str = "0") -> tuple[list[list[int]], Any]:
    """Return how many items stood in the pages at each frame, and what a script says when all is there."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.add_init_script(LOOK)
    page.goto(f"{html.as_uri()}#t=30")
    said = page.evaluate(f"async () => {{ await pagereel.ready; return {read}; }}")
    counts: list[list[int]] = page.evaluate("looked")
    context.close()
    return counts, said


@pytest.mark.parametrize("scrolled", [False, True])
def test_what_is_in_sight_of_a_large_page_shows_before_the_rest_of_it(
    browser: Browser, hand: Hand, tmp_path: Path, scrolled: bool
) -> None:
    items = [["li", {}, f"item {n}"] for n in range(MANY)]
    hand.start(["ul", {}, *items], ["p", {"id": "end", "style": "position: fixed; bottom: 0"}, "the end"])
    if scrolled:
        hand.script.page("mutation", 2, 1, ops=[["scroll", 1, 0, 30_000]])
    build(hand.close(), tmp_path / "x.html", redaction=None)
    text = "[pagereel.frame.contentDocument.querySelectorAll('li').length, pagereel.frame.contentDocument.querySelectorAll('#end').length]"
    counts, said = frames(browser, tmp_path / "x.html", text)
    assert said == [MANY, 1] and counts[-1] == [MANY]
    # Where it is scrolled, what is in sight stands at the end of what is built.
    assert (counts[0] == [MANY]) if scrolled else (0 < counts[0][0] < MANY / 4)


def test_a_page_that_is_not_large_is_whole_in_its_first_frame(browser: Browser, hand: Hand, tmp_path: Path) -> None:
    hand.start(["ul", {}, *(["li", {}, f"item {n}"] for n in range(500))])
    build(hand.close(), tmp_path / "x.html", redaction=None)
    counts, _ = frames(browser, tmp_path / "x.html")
    assert {tuple(each) for each in counts} == {(500,)}


READ = """
globalThis.read = 0;
const { DecompressionStream: Inner } = globalThis;
globalThis.DecompressionStream = class extends Inner { constructor(form) { super(form); read++; } };
globalThis.now = () => [read, document.querySelectorAll('[role=tab]').length, document.querySelector('.timeline canvas').width];
const look = () => {
  if (window.pagereel) globalThis.first = pagereel.ready.then(now);
  else setTimeout(look);
};
if (window === top) look();
"""
AFTER = """async () => {
  const first = await globalThis.first;
  await pagereel.seek(pagereel.duration);
  while (!document.querySelector('[role=tab]')) await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  return [first, now(), document.querySelector('.timeline canvas').clientWidth];
}"""


def test_what_the_first_frame_does_not_need_comes_after_it(browser: Browser, hand: Hand, tmp_path: Path) -> None:
    hand.start(["p", {"id": "told"}, "one"])
    for n in range(400):
        hand.script.page("mutation", 2 + n, 1, ops=[["text", 6, f"{n} {'longer ' * 400}"]])
    build(hand.close(), tmp_path / "x.html", redaction=None)
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.add_init_script(READ)
    page.goto(f"{(tmp_path / 'x.html').as_uri()}#t=1")
    (read, tabs, canvas), (all_read, all_tabs, drawn), width = page.evaluate(AFTER)
    context.close()
    # The player, the index and the first part of the page.
    assert read <= 4 < all_read
    assert tabs == 0 < all_tabs
    assert canvas != width == drawn


def test_both_pages_of_two_runs_are_in_sight_before_either_is_whole(browser: Browser, tmp_path: Path) -> None:
    runs = []
    for name, last in (("good", "Delivered today"), ("bad", "Delivered never")):
        made = Made(tmp_path / f"{name}.reel")
        made.open("/orders", "Orders", *(f"Order of a {word} book" for word in ("red", "blue") * (MANY // 2)), last)
        made.call("click", 'get_by_text("Orders")')
        runs.append(made.end())
    write_comparison(compare(*runs, redaction=None), tmp_path / "compare.html", "good.reel", "bad.reel")
    read = "[...document.querySelectorAll('iframe:not(.off)')].map((frame) => frame.contentDocument.body.innerText.split('\\n').length)"
    lines = f"globalThis.lines ??= []; const each = () => {{ lines.push({read}); requestAnimationFrame(each) }}; if (window === top) requestAnimationFrame(each)"
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.add_init_script(lines)
    page.goto((tmp_path / "compare.html").as_uri())
    page.evaluate("pagereel.ready")
    seen = [each for each in page.evaluate("lines") if len(each) == 2]
    context.close()
    whole = seen[-1]
    assert min(whole) > MANY
    assert any(1 < a < whole[0] / 4 and 1 < b < whole[1] / 4 for a, b in seen)


def test_a_seek_is_over_with_the_frame_that_shows_it(browser: Browser, hand: Hand, tmp_path: Path) -> None:
    hand.start(["p", {"id": "told"}, "one"])
    hand.script.page("mutation", 2, 1, ops=[["focus", 0, 0]])
    build(hand.close(), tmp_path / "x.html", redaction=None)
    waited = """async () => {
      await pagereel.ready;
      let frames = 0;
      const count = () => { frames++; requestAnimationFrame(count); };
      await new Promise((go) => requestAnimationFrame(() => { requestAnimationFrame(count); go(); }));
      const before = frames;
      await pagereel.seek(0);
      return frames - before;
    }"""
    # A frame in which it is painted, and the next, at which that has been shown.
    assert frames(browser, tmp_path / "x.html", f"await ({waited})()")[1] <= 3
