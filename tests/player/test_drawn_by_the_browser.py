"""What a browser draws of itself stands in the replay where it stood: rings around what has the focus, lines under what is being composed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from .pictures import Mark, off, pairs

RINGS = """<style>* {caret-color:transparent} body{font:16px sans-serif;margin:20px} p{margin:14px 0} .n{appearance:none;width:16px;height:16px;background:#80f}
    .own:focus-visible{outline:2px solid red}</style>
    <p><a href="#x" id=link>link</a> <input type=checkbox id=box> <input type=checkbox class=n id=bare> <input type=radio id=radio>
    <input type=range id=range> <button id=button>button</button> <a href="#y" id=own class=own>link</a>
    <svg width=60 height=20><a href="#z" id=drawn><text y=16>drawn</text></a></svg></p>
    <x-a><template shadowrootmode=open><p><slot></slot> <a href="#i" id=inner>inner</a></p></template><a href="#s" id=slotted>slotted</a>
    <input type=checkbox id=slottedbox></x-a><p><select id=select><option>one</select> <textarea id=area></textarea> <input id=field></p>"""


def test_a_ring_is_as_far_from_what_it_is_around_as_it_was(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        page.keyboard.press("Shift")
        for each in page.locator("[id]").all():
            each.focus()
            mark(str(each.get_attribute("id")))

    seen = pairs(browser, tmp_path, RINGS, drive)
    assert len(seen) == 14 and off(seen) == {}


def test_what_is_being_composed_is_underlined_until_it_is_written(browser: Browser, tmp_path: Path) -> None:
    html = """<style>* {caret-color:transparent} body{font:24px sans-serif} ::selection{background:red;color:blue}</style><p><input id=field value="before " style="font:inherit"></p>
        <p contenteditable id=editable>so <b>be it</b></p><input id=secret type=password>"""

    def drive(page: Page, mark: Mark) -> None:
        debugger: Any = page.context.new_cdp_session(page)
        for each in ("field", "editable"):
            page.focus(f"#{each}")
            page.keyboard.press("End")
            for text in ("kan", "kana"):
                debugger.send("Input.imeSetComposition", {"text": text, "selectionStart": 3, "selectionEnd": 3})
            mark(each)
            debugger.send("Input.insertText", {"text": "kana"})
            mark(f"{each} written")

    seen = pairs(browser, tmp_path, html, drive)
    found = off(seen)
    assert not {"field written", "editable written"} & set(found)
    # A line is drawn a pixel off where the field is higher than its text.
    assert all(bottom - top <= 2 for _, top, _, bottom in found.values()), found
