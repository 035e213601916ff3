"""The ring of the browser around an area of an image that has the focus."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page

from .pictures import Mark, off, pairs

PICTURE = b"<svg xmlns='http://www.w3.org/2000/svg' width='200' height='150'><rect width='200' height='150' fill='beige'/></svg>"
MAP = b"""<!doctype html><style>body { margin: 20px; font-size: 0 } [usemap='#m'] { border: 5px solid tan; padding: 3px } #own:focus { outline: 6px auto red } #none:focus { outline: none }</style>
<img src=/i.svg><img usemap=#n src=/i.svg><map name=n><area id=q shape=default href=#q></map><img usemap=#m src=/i.svg><map name=m><area id=r coords=20,20,80,60 href=#a><area id=c shape=circle coords=150,50,30 href=#b>
<area id=p shape=poly coords=30,90,100,80,120,140,40,130 href=#c><area id=d coords=150,2,260,170 href=#d><area id=own coords=30,30,120,90 href=#e>
<area id=none coords=1,1,90,90 href=#f></map><button id=b>b</button>"""


def test_an_area_that_has_the_focus_has_its_ring(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        for name in ("q", "r", "c", "p", "d", "own", "none", "b"):
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.id") == name
            mark(name)

    pages = {"/": ("text/html", MAP), "/i.svg": ("image/svg+xml", PICTURE)}
    seen = pairs(browser, tmp_path, pages, drive)
    assert len({pair.live.tobytes() for pair in seen.values()}) == 8
    assert off(seen) == {}
