"""The same address with other contents: each load's own body shows, at the mark that stands after it."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from pagereel.recorder import record

from .pictures import Album, replayed
from .support import Site

COLOURS = ("teal", "gold", "crimson", "navy", "olive", "plum", "tan", "lime", "aqua", "gray")


def counting(site: Site, path: str, kind: str, text: str) -> str:
    """Serves text with another colour at each request."""
    numbers = count()
    return site.put(path, kind, lambda: text.replace("COLOUR", COLOURS[next(numbers) % len(COLOURS)]).encode())


@pytest.fixture
def assets(site: Site) -> Site:
    square = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'><rect width='90' height='90' fill='COLOUR'/></svg>"
    counting(site, "/pic.svg", "image/svg+xml", square)
    counting(site, "/inner.svg", "image/svg+xml", square)
    counting(site, "/back.svg", "image/svg+xml", square)
    counting(site, "/look.css", "text/css", "b { display: block; width: 90px; height: 90px; background: COLOUR }")
    return site


PAGE = """<link rel=stylesheet href=/look.css><body style="margin: 0"><img id=i src=/pic.svg><b></b>
<div style="width: 90px; height: 90px; background: url(/back.svg)"></div>"""


def test_each_visit_shows_what_it_got(context: BrowserContext, assets: Site, reel: Path) -> None:
    url = assets.html("/visits", PAGE)
    with record(context, reel) as session:
        page = context.new_page()
        page.set_viewport_size({"width": 300, "height": 300})
        album = Album(session, page)
        page.goto(url)
        page.wait_for_timeout(300)
        album.mark("first")
        for name in ("second", "third"):
            page.reload()
            page.wait_for_timeout(300)
            album.mark(name)
        page.goto(url)
        album.mark("at once", settled=300)
    assert len(set(album.live.values())) == 4
    shares = replayed(context, reel, album)
    assert max(shares.values()) < 0.005, shares


def test_what_a_page_fetches_again_shows(context: BrowserContext, assets: Site, reel: Path) -> None:
    url = assets.html("/again", PAGE)
    # The browser fetches it again only where it may not be kept; an element's own list of images is passed by with a new element.
    again = """async () => {
      const fresh = document.createElement("img");
      fresh.src = "/pic.svg?" + "same".length;
      await fetch(fresh.src, { cache: "reload" });
      await fresh.decode();
      i.replaceWith(fresh); fresh.id = "i";
      const old = document.querySelector("link");
      const link = document.createElement("link");
      link.rel = "stylesheet"; link.href = "/look.css";
      const there = new Promise((done) => { link.onload = done; });
      old.after(link); await there; old.remove();
    }"""
    with record(context, reel) as session:
        page = context.new_page()
        page.set_viewport_size({"width": 300, "height": 300})
        album = Album(session, page)
        page.goto(url)
        page.wait_for_timeout(300)
        album.mark("first")
        for name in ("second", "third"):
            page.evaluate(again)
            page.wait_for_timeout(300)
            album.mark(name)
    shares = replayed(context, reel, album)
    assert max(shares.values()) < 0.005, shares


def test_a_frame_that_is_loaded_again_shows_what_it_got(context: BrowserContext, assets: Site, reel: Path) -> None:
    assets.html("/inner", "<body style='margin: 0'><img src=/inner.svg>")
    url = assets.html("/frame", "<body style='margin: 0'><iframe id=f src=/inner></iframe>")
    with record(context, reel) as session:
        page = context.new_page()
        page.set_viewport_size({"width": 400, "height": 300})
        album = Album(session, page)
        page.goto(url)
        page.wait_for_timeout(300)
        album.mark("first")
        page.evaluate("f.contentWindow.location.reload()")
        page.wait_for_timeout(600)
        album.mark("second")
    shares = replayed(context, reel, album)
    assert max(shares.values()) < 0.005, shares
