"""What was opened over the page shows where it stood: over what was open already, and at what it was opened by."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page

from .pictures import Mark, off, pairs

NESTED = """<!doctype html><style>button { border: 0; background: #ddd } [popover] { inset: 60px auto auto 40px; width: 200px; height: 160px; margin: 0 }
#inner { left: 120px } #innermost { left: 300px } #tip { left: 500px }</style>
<button id=a popovertarget=menu>Menu</button><div popover id=menu>Menu <button id=b popovertarget=inner>More</button></div>
<div popover id=inner>More <button id=c>And more</button></div><div popover id=innermost>And more</div>
<div popover=hint id=tip>Tip</div>
<script>c.onclick = () => innermost.showPopover({ source: c })</script>"""


def test_menus_within_menus_are_open_together(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        page.click("#a")
        page.click("#b")
        mark("a menu in a menu")
        page.click("#c")
        mark("a menu by a script")
        page.evaluate("tip.showPopover()")
        mark("a tip over them")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        mark("one left")

    assert off(pairs(browser, tmp_path, NESTED, drive)) == {}


def test_a_popover_stands_at_the_button_that_opened_it(browser: Browser, tmp_path: Path) -> None:
    page = """<!doctype html><style>button { border: 0; background: #ddd } body { padding: 200px 300px } [popover] { margin: 0; position-area: bottom span-right }</style>
        <button popovertarget=menu id=a>Menu</button><div popover id=menu>Below the button</div>
        <button commandfor=other command=show-popover id=b>Other</button><div popover id=other>Below the other</div>"""

    def drive(page: Page, mark: Mark) -> None:
        page.click("#a")
        mark("at the one")
        page.keyboard.press("Escape")
        page.click("#b")
        mark("at the other")

    assert off(pairs(browser, tmp_path, page, drive)) == {}


def test_what_was_opened_last_lies_on_top(browser: Browser, tmp_path: Path) -> None:
    page = """<!doctype html><style>[popover] { inset: 50px auto auto 50px; width: 200px; height: 100px; margin: 0; background: gold }
        #last { left: 120px; background: teal }</style><div popover=manual id=last>Last</div><div popover=manual id=first>First</div>"""

    def drive(page: Page, mark: Mark) -> None:
        page.evaluate("first.showPopover(); last.showPopover()")
        mark("in one go")

    assert off(pairs(browser, tmp_path, page, drive)) == {}
