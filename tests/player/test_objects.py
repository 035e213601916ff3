"""An `<object>` shows its picture, and takes the size of what it shows."""

from __future__ import annotations

import base64
import io
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page

from pagereel import build, record
from pagereel.browser import launch_options

from ..recorder.support import until, watched
from .pictures import Mark, Told, off, pairs


def png(width: int, height: int, colour: str) -> bytes:
    picture = Image.new("RGB", (width, height), colour)
    ImageDraw.Draw(picture).rectangle((0, 0, width // 3, height // 3), "white")
    out = io.BytesIO()
    picture.save(out, "png")
    return out.getvalue()


SVG = '<svg xmlns="http://www.w3.org/2000/svg" {}><rect width="80" height="40" fill="orange"/></svg>'
INLINE = f"data:image/png;base64,{base64.b64encode(png(40, 40, 'navy')).decode()}"
PAGE = f"""<!doctype html><style>object {{ margin: 5px }}</style>
<object data=/a.png id=one></object><object data=/a.png type=image/png width=200></object><object data=/a.png style="height: 50px"></object>
<object data=/untold width=100></object><object data=/gone.png>In its place</object><object data="{INLINE}"></object><br>
<object data=/sized.svg></object><object data=/sized.svg type=image/svg+xml width=200></object><object data=/half.svg></object>
<object data=/text.html width=200 height=60></object>"""
EMBEDS = """<!doctype html><embed id=a><embed id=b type=text/html><embed src=/text.html width=200 height=60><embed src=about:blank>
<object id=c></object><object data=about:blank type=text/html></object><object data="javascript:1"></object><embed src="javascript:1">
<object data="/gone.png"></object><object data="http://[::1"></object><object data="/x" type="application/x-foo"></object>"""
FILES = {
    "/": ("text/html", PAGE.encode()),
    "/a.png": ("image/png", png(120, 80, "crimson")),
    "/b.png": ("image/png", png(60, 60, "teal")),
    "/untold": ("image/png", png(60, 60, "green")),
    "/sized.svg": ("image/svg+xml", SVG.format('width="80" height="40"').encode()),
    "/half.svg": ("image/svg+xml", SVG.format('width="40" viewBox="0 0 80 40"').encode()),
    "/text.html": ("text/html", b"<p>A page"),
}


def states(told: Told) -> list[str]:
    """What was told last of each object, in their order: that it shows something, or failed. It is known when it has been so for a while."""
    last: dict[int, list[str]] = {}
    for event in told:
        last |= {op[1]: op[2] for op in event.get("ops", ()) if op[0] == "states"}
    return ["".join(last[node]) for node in sorted(last)]


def test_an_object_shows_its_picture_in_the_size_of_it(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        mark("shown", lambda told: sorted(states(told)) == [*["embedded"] * 9, "failed"])
        page.evaluate("one.data = '/b.png'")
        page.wait_for_function("one.offsetWidth === 60")
        mark("another picture")
        page.evaluate("one.data = '/text.html'")
        page.wait_for_function("one.contentDocument?.readyState === 'complete'")
        mark(
            "a page in its place",
            lambda told: len([e for e in told if e["k"] == "document" and "/text" in e["url"]]) == 2,
        )

    assert off(pairs(browser, tmp_path, FILES, drive)) == {}


def test_an_object_with_content_of_its_own_shows_its_picture_in_place_of_it_until_it_fails(
    browser: Browser, tmp_path: Path
) -> None:
    """One that has failed once shows its own content ever after."""
    fits = "".join(
        f'<object data=/a.png style="width: 90px; height: 70px; object-fit: {fit}">fit</object>'
        for fit in ("contain", "cover", "none")
    )
    page = f"""<!doctype html><style>object {{ margin: 5px }}</style><object data=/a.png id=one>In <b>its</b> place</object>
        <object data=/b.png id=two type=image/png width=70></object>{fits}"""

    def drive(page: Page, mark: Mark) -> None:
        mark("shown", lambda told: states(told) == ["embedded"] * 5)
        for address in ("/gone.png", "/b.png"):
            page.evaluate("(address) => { for (const each of [one, two]) each.data = address }", address)
            mark(address, lambda told: states(told) == ["failed"] * 2 + ["embedded"] * 3)

    assert off(pairs(browser, tmp_path, {**FILES, "/": ("text/html", page.encode())}, drive)) == {}


def test_the_document_that_the_player_gives_an_embed_is_none_of_the_pages(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context()
    context.route("http://embed.example/", lambda route: route.fulfill(content_type="text/html", body=EMBEDS))
    for name in ("gone.png", "x"):
        context.route(f"http://embed.example/{name}", lambda route: route.fulfill(status=404, body="no"))
    context.route(
        "http://embed.example/text.html", lambda route: route.fulfill(content_type="text/html", body="<p>A page")
    )
    reel = tmp_path / "run.reel"
    with record(context, reel) as session:
        told = watched(session)
        page = context.new_page()
        page.goto("http://embed.example/")
        until(page, lambda: sorted(states(told)) == [*["embedded"] * 4, "failed"])
        session.mark("shown")
    context.close()
    report = build(reel, tmp_path / "run.html", None, check=True, launch=launch_options())
    assert [str(each) for each in report.differences] == []
    assert report.fidelity.tree.equal == report.fidelity.tree.total > 0
