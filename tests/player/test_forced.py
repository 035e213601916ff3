"""Colours that the browser forces on a page, in the replay."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from .pictures import Mark, off, pairs

FORCED = """<!doctype html><style>body { margin: 8px; font: 16px sans-serif; background: #def; color: teal }
.card { background: linear-gradient(red, blue); border: 3px solid gold; box-shadow: 0 0 9px; width: 200px; height: 40px; text-shadow: 1px 1px red }
.own { forced-color-adjust: none; background-color: tan; color: brown; border: 2px solid green } .own b { background: pink }
.over { position: absolute; left: 20px; top: 300px; width: 120px; height: 60px; background: var(--c); border: 1px solid }
.half { background-color: rgb(0 0 255 / 50%) } .clear { background: none } :root { --c: lightblue }
@media (forced-colors: active) { .card { border-style: dashed } } @media (forced-colors: none) { .card { border-width: 9px } }
button.mine, textarea.mine { background: navy; color: white; border: 2px solid red }</style>
<p>text <a href=/x>link</a> <mark>marked</mark><div class=card>card</div><div class=own>own <b>inner</b></div>
<button class=mine>mine</button> <button class=mine disabled>off</button> <input value=v style='background:silver;border:1px solid red'>
<select style='appearance:none;border:1px solid blue'><option>1</select><textarea class=mine>t</textarea>
<svg width=40 height=40 style='color:red'><rect width=20 height=20 fill=red /><circle r=9 cx=30 cy=30 fill=currentcolor /></svg>
<div style='position:absolute;left:8px;top:290px;border:4px solid red;width:90px;height:90px'></div>
<div class=over></div><div class='over half' style='left:80px;top:330px'></div><div class='over clear' style='left:160px'></div>
<details open><summary>summary</summary></details>
<div><template shadowrootmode=open><style>p { background: gold; color: red } .own { forced-color-adjust: none }</style>
<p style='margin:0'>forced<p class=own style='margin:0'>own</template></div>"""


def test_colours_that_are_forced_from_the_first_are_shown(browser: Browser, tmp_path: Path) -> None:
    assert off(pairs(browser, tmp_path, FORCED, context={"forced_colors": "active"})) == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_are_shown_while_they_were_emulated(browser: Browser, tmp_path: Path, scheme: str) -> None:
    def drive(page: Page, mark: Mark) -> None:
        mark("plain")
        page.emulate_media(forced_colors="active", color_scheme=scheme)
        mark("forced")
        page.emulate_media(forced_colors="none", color_scheme="light")
        mark("again")

    seen = pairs(browser, tmp_path, FORCED, drive)
    assert seen["plain"].live.tobytes() != seen["forced"].live.tobytes()
    assert off(seen) == {}
