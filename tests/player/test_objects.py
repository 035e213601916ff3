"""An `<object>` shows its picture, and takes the size of what it shows."""

from __future__ import annotations

import base64
import io
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page

from .pictures import Mark, off, pairs


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
FILES = {
    "/": ("text/html", PAGE.encode()),
    "/a.png": ("image/png", png(120, 80, "crimson")),
    "/b.png": ("image/png", png(60, 60, "teal")),
    "/untold": ("image/png", png(60, 60, "green")),
    "/sized.svg": ("image/svg+xml", SVG.format('width="80" height="40"').encode()),
    "/half.svg": ("image/svg+xml", SVG.format('width="40" viewBox="0 0 80 40"').encode()),
    "/text.html": ("text/html", b"<p>A page"),
}


def test_an_object_shows_its_picture_in_the_size_of_it(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        page.wait_for_timeout(800)  # What an object shows is known when it has shown it for a while.
        mark("shown")
        page.evaluate("one.data = '/b.png'")
        page.wait_for_timeout(800)
        mark("another picture")
        page.evaluate("one.data = '/text.html'")
        page.wait_for_timeout(1200)
        mark("a page in its place")

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
        page.wait_for_timeout(800)
        mark("shown")
        for address in ("/gone.png", "/b.png"):
            page.evaluate("(address) => { for (const each of [one, two]) each.data = address }", address)
            page.wait_for_timeout(1000)
            mark(address)

    assert off(pairs(browser, tmp_path, {**FILES, "/": ("text/html", page.encode())}, drive)) == {}
