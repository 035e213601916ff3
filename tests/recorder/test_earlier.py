"""What a document had asked for before the recorder met it shows all the same, and nobody is asked for it a second time."""

from __future__ import annotations

import time
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from pagereel.player_build import build
from pagereel.recorder import record

from .pictures import Album, replayed
from .support import Recorded, Site

FONT = files("pagereel.fixtures.shop") / "static" / "fonts" / "instrument-sans.woff2"
SQUARE = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'><rect width='90' height='90' fill='{}'/></svg>"
HEAD = "<meta charset=utf-8><link rel=stylesheet href=/early/look.css>"
BODY = "<p>Words in a face of their own</p><b></b><img src=/early/pic.svg>"
MINE = ("/early/look.css", "/early/more.css", "/early/pic.svg", "/early/back.svg", "/early/face.woff2")


@pytest.fixture
def asked(site: Site) -> Counter[str]:
    """How often each of the resources was asked for. None may be kept by a cache."""
    counts: Counter[str] = Counter()

    def serve(path: str, kind: str, body: str | bytes) -> None:
        content = body.encode() if isinstance(body, str) else body

        def give() -> bytes:
            counts[path] += 1
            return content

        site.put(path, kind, give)

    serve("/early/look.css", "text/css", "@import '/early/more.css'; p { color: teal; font: 30px Mine, monospace }")
    face = "@font-face { font-family: Mine; src: url(/early/face.woff2) }"
    back = "b { display: block; width: 90px; height: 90px; background: url(/early/back.svg) }"
    serve("/early/more.css", "text/css", face + back)
    serve("/early/pic.svg", "image/svg+xml", SQUARE.format("crimson"))
    serve("/early/back.svg", "image/svg+xml", SQUARE.format("navy"))
    serve("/early/face.woff2", "font/woff2", FONT.read_bytes())
    site.html("/early/inner", HEAD + BODY)
    return counts


def all_once(asked: Counter[str], times: int = 1) -> None:
    assert asked == dict.fromkeys(MINE, times), asked


def test_a_frame_of_another_process_that_is_met_late_shows_all_it_has(
    context: BrowserContext, site: Site, asked: Counter[str], reel: Path
) -> None:
    frame = f"<iframe src={site.url('/early/inner', 'localhost')} width=500 height=400></iframe>"
    url = site.html("/early/outer", f"<body style='margin: 0'>{frame}")
    with record(context, reel) as session:
        page = context.new_page()
        page.set_viewport_size({"width": 520, "height": 420})
        album = Album(session, page)
        page.goto(url, wait_until="commit")
        time.sleep(1)  # A caller who thinks: nothing is delivered to us meanwhile.
        page.wait_for_timeout(400)
        album.mark("late")
    all_once(asked)
    assert replayed(context, reel, album)["late"] < 0.002
    assert build(reel, reel.with_suffix(".html"), redaction=None).missing == []


def test_the_first_resources_of_a_popup_are_there(
    context: BrowserContext, site: Site, asked: Counter[str], reel: Path
) -> None:
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(site.html("/early/opener", "<p>opener"))
        with context.expect_page() as opened:
            page.evaluate("url => { window.open(url) }", site.url("/early/inner"))
            time.sleep(1)
        popup = opened.value
        popup.set_viewport_size({"width": 520, "height": 420})
        popup.wait_for_timeout(400)
        album = Album(session, popup)
        album.mark("popup")
    all_once(asked)
    assert replayed(context, reel, album)["popup"] < 0.002
    recorded = Recorded(reel)
    kinds = Counter(request["type"] for request in recorded.of("request", page=2) if "/early/" in request["url"])
    assert kinds == {"document": 1, "stylesheet": 2, "image": 2, "font": 1}


def test_a_page_that_was_open_before_the_recording_shows_all_it_has(
    context: BrowserContext, site: Site, asked: Counter[str], reel: Path
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 520, "height": 420})
    page.goto(site.url("/early/inner"))
    page.wait_for_timeout(300)
    with record(context, reel) as session:
        album = Album(session, page)
        album.mark("at once")
        page.goto("about:blank")
    all_once(asked)
    assert replayed(context, reel, album)["at once"] < 0.002


def test_what_playwright_does_not_know_any_more_is_read_off_the_page_and_the_rest_is_said(
    context: BrowserContext, site: Site, asked: Counter[str], reel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(Page, "requests")  # As before Playwright 1.56, or in a browser that it joined late.
    page = context.new_page()
    page.set_viewport_size({"width": 520, "height": 420})
    page.goto(site.url("/early/inner"))
    page.wait_for_timeout(300)
    with record(context, reel):
        page.wait_for_timeout(500)
    all_once(asked)
    report = build(reel, reel.with_suffix(".html"), redaction=None)
    assert report.missing == [site.url("/early/face.woff2")]
    gap = Recorded(reel).one("gap")
    assert gap["reason"] == "late" and gap["detail"] == "what it had loaded before it was met: 1 font"
    shown = context.new_page()
    shown.goto(reel.with_suffix(".html").as_uri())
    shown.evaluate("pagereel.ready.then(() => pagereel.seek(pagereel.duration))")
    inside = shown.frames[-1]
    assert inside.evaluate("getComputedStyle(document.querySelector('p')).color") == "rgb(0, 128, 128)"
    assert inside.evaluate("document.querySelector('img').naturalWidth") == 90
    assert "url(" in inside.evaluate("getComputedStyle(document.querySelector('b')).backgroundImage")
