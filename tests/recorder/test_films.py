"""Films and sounds as pages have them: of ordinary size, in ranges that are broken off, too large to be kept, or put together by a script."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page

from pagereel.fixtures.trap_media import make_tone_wav
from pagereel.player_build import build
from pagereel.recorder import record
from pagereel.recorder.ingest.partial_resources import PartialResource, parse_content_range

from .films import COLOURS, STEP, Films, webm
from .pictures import Album, replayed
from .support import Recorded, Site

KEEP = Path(os.environ["PAGEREEL_TEST_PICTURES"]) if "PAGEREEL_TEST_PICTURES" in os.environ else None
BODY = "<body style='margin: 0; background: #eee'><p>Above</p><video id=v muted src='{src}'></video><p>Below</p>"

STAND = "(v.pause(), v.currentTime = Math.floor(v.currentTime * 4) / 4 + 0.125)"
"""Stops in the middle of a frame: at its edge a slow browser's clock is a frame ahead of what it shows."""


@pytest.fixture(scope="module")
def films() -> Iterator[Films]:
    with Films() as films:
        yield films


def until(page: Page, condition: str) -> None:
    for _ in range(400):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"not within 20 s: {condition}")


WHERE = """() => { const { x, y, width, height } = v.getBoundingClientRect(); return [v.currentTime, x + width / 2, y + height / 2]; }"""


def shown(page: Page, condition: str) -> None:
    """Waits until it holds and the frame of the film's time is on the screen: a browser without a graphics processor draws it a little later."""
    until(page, condition)
    for turn in range(200):
        if turn % 40 == 39:
            page.evaluate("v.currentTime += 0.001")  # A busy browser may drop the only frame that it was to draw.
            until(page, condition)
        moment, x, y = page.evaluate(WHERE)
        with Image.open(BytesIO(page.screenshot())) as screen:
            found = screen.convert("RGB").getpixel((int(x), int(y)))
        wanted = COLOURS[int(moment / STEP)]
        if all(abs(one - other) < 20 for one, other in zip(found, wanted, strict=True)):  # type: ignore[arg-type]
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"the screen has {found} at {moment} s, not {wanted}")


def watched(context: BrowserContext, url: str, reel: Path) -> tuple[Recorded, Album]:
    """A recording of a film that is loaded, played, paused, sought and looped, with marks where it stands still."""
    with record(context, reel) as session:
        page = context.new_page()
        page.set_viewport_size({"width": 400, "height": 300})
        page.goto(url)
        album = Album(session, page)
        shown(page, "v.readyState >= 2")
        album.mark("loaded")
        page.evaluate("v.play()")
        until(page, "v.currentTime > 0.6")
        page.evaluate(STAND)
        shown(page, "!v.seeking && v.readyState >= 2")
        album.mark("paused")
        page.evaluate("v.currentTime = 8.1")
        shown(page, "!v.seeking && v.readyState >= 2")
        album.mark("sought")
        page.evaluate("(v.loop = true, v.currentTime = 9.6, v.play())")
        until(page, "v.currentTime < 5 && v.currentTime > 0.3")
        page.evaluate(STAND)
        shown(page, "!v.seeking && v.readyState >= 2")
        album.mark("looped")
    return Recorded(reel), album


KINDS = {
    "of 1.6 MB in ranges": ("size=1600000&ranges=1", False),
    "of 1.6 MB at once": ("size=1600000&ranges=0", False),
    "of 3 MB in ranges, slowly": ("size=3000000&ranges=1&pace=2000000", False),
    "of 40 MB in ranges": ("size=40000000&ranges=1", True),
}
MORE = ("of 1.6 MB at once", "of 3 MB in ranges, slowly")
"""Like one of the others, but for how they come: `make test-slow` has them."""


CONTROLS = """<body style="margin: 10px; background: #eef"><video id=v controls muted width=320 height=180 src="/clip.webm"></video>
<video controls muted width=320 height=180 class=second><source src="/clip.webm"><p>none</p></video>
<div id=host></div><audio id=a controls src="/tone.wav"></audio>
<style>video:hover { outline: 6px solid gold } .second { filter: sepia(1) }</style>
<script>host.attachShadow({mode: "open"}).innerHTML = "<video controls muted width=320 height=180 src=/clip.webm></video>"</script>"""


@pytest.mark.slow
def test_the_browsers_own_controls_show_the_length_and_the_place_and_turn_no_wheel(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    site.put("/clip.webm", "video/webm", (files("pagereel.fixtures") / "pages" / "clip.webm").read_bytes())
    site.put("/tone.wav", "audio/wav", make_tone_wav())
    every = "[v, document.querySelector('.second'), host.shadowRoot.firstChild, a]"
    with record(context, reel) as session:
        page = context.new_page()
        page.set_viewport_size({"width": 700, "height": 520})
        page.goto(site.html("/controls", CONTROLS))
        album = Album(session, page)
        until(page, f"{every}.every((each) => each.readyState === 4)")
        page.wait_for_timeout(2500)  # The browser's own wheel turns to its end.
        album.mark("loaded")
        page.evaluate(f"{every}.forEach((each) => {{ each.currentTime = 0.62 }})")
        until(page, f"{every}.every((each) => !each.seeking && each.readyState >= 2)")
        page.mouse.move(100, 60)
        page.wait_for_timeout(1000)
        album.mark("sought")
        page.evaluate("a.play()")
        until(page, "a.currentTime > 0.8")
        page.evaluate("a.pause(), a.currentTime = 0.9, a.volume = 0.4")
        until(page, "!a.seeking")
        page.mouse.move(690, 510)
        page.wait_for_timeout(4000)  # What was hovered fades.
        album.mark("heard")
    shares = replayed(context, reel, album, keep=KEEP)
    assert max(shares.values()) < 0.001, shares


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in MORE else name for name in KINDS]
)
def test_a_film_shows_where_it_stood_still(name: str, context: BrowserContext, films: Films, reel: Path) -> None:
    query, too_large = KINDS[name]
    url = films.page("/watch", BODY.format(src=f"/film.webm?{query}"))
    result, album = watched(context, url, reel)
    assert ("cap" in result.gaps) == too_large, result.of("gap")
    result.whole("cap", "part")
    shares = replayed(context, reel, album, keep=KEEP)
    assert max(shares.values()) < 0.01, shares
    bodies = {e["sha256"]: e["size"] for e in result.of("resource") if e["mime"].startswith("video/")}
    answered = {e["body"] for e in result.of("response") if e.get("body") in bodies}
    assert all(bodies[body] == len(webm(int(query.split("&")[0][5:]))) for body in answered), "never a part of it"
    if not too_large:
        assert answered or "part" in result.gaps


def test_a_film_that_no_script_may_read_shows(context: BrowserContext, films: Films, reel: Path) -> None:
    far = films.url("/film.webm?size=12000000&ranges=1", "localhost")
    result, album = watched(context, films.page("/far", BODY.format(src=far)), reel)
    assert "cap" in result.gaps
    shares = replayed(context, reel, album, keep=KEEP)
    assert max(shares.values()) < 0.01, shares


PUT_TOGETHER = """<script>
const source = new MediaSource();
v.src = URL.createObjectURL(source);
source.addEventListener("sourceopen", async () => {
  const buffer = source.addSourceBuffer('video/webm; codecs="vp8"');
  const bytes = await (await fetch("/film.webm?size=400000&ranges=0")).arrayBuffer();
  buffer.addEventListener("updateend", () => source.endOfStream(), { once: true });
  buffer.appendBuffer(bytes);
});
</script>"""


@pytest.fixture(scope="module")
def put_together(browser: Browser, films: Films, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Album]:
    """A recording of a film that a script puts together, during which the console stays quiet."""
    reel = tmp_path_factory.mktemp("mse") / "run.reel"
    said: list[str] = []
    context = browser.new_context()
    context.on("console", lambda message: said.append(message.text))
    url = films.page("/mse", BODY.replace("src='{src}'", "") + PUT_TOGETHER)
    result, album = watched(context, url, reel)
    context.close()
    assert result.gaps == ["stream"]
    assert [text for text in said if "404" not in text] == []
    return reel, album


@pytest.mark.parametrize("redaction", [None, pytest.param("vendor", marks=pytest.mark.slow), "strict"])
def test_a_film_that_a_script_puts_together_shows_where_the_policy_keeps_pictures(
    context: BrowserContext, put_together: tuple[Path, Album], redaction: str | None
) -> None:
    """Nothing is asked for: the recording has the pictures alone."""
    reel, album = put_together
    shares = replayed(context, reel, album, redaction, keep=KEEP, patience=300 if redaction == "strict" else 10_000)
    if redaction == "strict":
        assert min(shares.values()) > 0.1, shares
    else:
        assert max(shares.values()) < 0.01, shares


@pytest.mark.parametrize(
    "own", ["", "poster='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='"]
)
def test_a_film_of_which_there_is_no_picture_says_so_in_its_place(
    context: BrowserContext, films: Films, reel: Path, own: str
) -> None:
    """Of another origin, and recorded without the browser's protocol: nobody can take its picture."""
    far = films.url("/film.webm?size=12000000&ranges=1", "localhost")
    idle = "<video id=idle preload=none src='/film.webm?size=12000001&ranges=1'></video>"
    url = films.page("/unseen", BODY.format(src=far).replace("id=v", f"id=v {own}") + idle)
    with record(context, reel, transport="binding") as session:
        page = context.new_page()
        page.goto(url)
        until(page, "v.readyState >= 2")
        session.mark("here")
    html = reel.with_suffix(".html")
    build(reel, html, redaction=None)
    page = context.new_page()
    page.goto(f"{html.as_uri()}#bare&mark=here")
    page.evaluate("pagereel.ready")
    video = page.frames[1].locator("#v")
    assert page.frames[1].locator("#idle").get_attribute("poster") is None
    assert (video.get_attribute("poster") or "").startswith("data:" if own else "blob:")
    with Image.open(BytesIO(video.screenshot())) as picture:
        share = picture.convert("L").histogram()[0xD8] / (picture.width * picture.height)
    assert (share > 0.8) != bool(own)


def test_parts_are_put_together_in_any_order() -> None:
    whole = PartialResource(10)
    assert whole.add_part(6, b"6789") is None
    assert whole.add_part(0, b"012") is None
    assert whole.missing_bytes == 3
    assert whole.add_part(2, b"23456") == b"0123456789"
    assert whole.missing_bytes == 0 and not whole.stop_waiting_for_parts()
    assert parse_content_range("bytes 2-5/10") == (2, 10)
    assert [
        parse_content_range(wrong) for wrong in ("", "bytes */10", "bytes 5-2/10", "bytes 0-10/10", "bytes 0-1/*")
    ] == [None] * 5
