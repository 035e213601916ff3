"""Canvases that draw and then stand still: the replay, opened at a mark, shows what the page showed there."""

from __future__ import annotations

import os
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, BrowserContext

from pagereel.recorder import record
from pagereel.recorder.runtime.injector_script import read_bundle
from pagereel.reel import open_reel

from .pictures import Album, replayed
from .support import Recorded, Site

KEEP = Path(os.environ["PAGEREEL_TEST_PICTURES"]) if "PAGEREEL_TEST_PICTURES" in os.environ else None

# A drawing of four stripes in a context of any attributes; `draw(shift)` draws it anew.
STRIPES = """
const stripes = (gl, shift) => {
  const { width: w, height: h } = gl.canvas;
  gl.enable(gl.SCISSOR_TEST);
  for (let i = 0; i < 4; i++) {
    gl.scissor(i * w / 4, 0, w / 4, h);
    const at = (i + shift) % 4;
    gl.clearColor(0.3 + 0.2 * at, 0.4, 0.8 - 0.2 * at, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }
};
const frames = (n, then) => n === 0 ? then() : requestAnimationFrame(() => frames(n - 1, then));
"""
MAP = "<body style='margin: 0; background: #dde'><canvas id=c width=400 height=300 style='display: block'></canvas>"


def webgl(attributes: str, then: str, body: str = MAP) -> str:
    return f"{body}<script>{STRIPES} const gl = c.getContext('webgl', {attributes}); {then}</script>"


STANDING = {
    "drawn once during load": webgl("{alpha: false}", "frames(2, () => stripes(gl, 0))"),
    "with transparency": webgl("{}", "frames(2, () => stripes(gl, 0))"),
    "animated for half a second": webgl(
        "{alpha: false}",
        "let n = 0; const on = () => { stripes(gl, n < 35 ? n : 2); if (n++ < 35) requestAnimationFrame(on); }; on();",
    ),
    "always animated": webgl("{}", "const on = () => { stripes(gl, 1); requestAnimationFrame(on); }; on();"),
    "made and drawn late": f"<body style='margin: 0'><script>{STRIPES} setTimeout(() => {{ const c = document.createElement('canvas'); "
    "c.width = 400; c.height = 300; document.body.append(c); const gl = c.getContext('webgl2', {antialias: true}); stripes(gl, 3); }, 200)</script>",
    "under controls": webgl(
        "{alpha: false}",
        "frames(2, () => stripes(gl, 0))",
        "<body style='margin: 0'><div style='position: relative; width: 400px; height: 300px'><canvas id=c width=400 height=300></canvas>"
        "<button style='position: absolute; right: 2px; top: 2px'>+</button><b style='position: absolute; right: 0; bottom: 0; background: #fff'>a map</b>"
        "<div style='position: absolute; inset: 0'></div></div>",
    ),
    "drawn by a worker": f"{MAP}<script>{STRIPES} const off = c.transferControlToOffscreen();"
    "const code = `const stripes = ${stripes}; onmessage = (event) => { const gl = event.data.getContext('webgl', {alpha: false}); stripes(gl, 1);"
    " setTimeout(() => stripes(gl, 2), 300); }`;"
    "new Worker(URL.createObjectURL(new Blob([code]))).postMessage(off, [off]);</script>",
    "without transparency, never drawn on": f"{MAP}<script>c.getContext('2d', {{alpha: false}})</script>",
    "cleared over another": "<body style='margin: 0'><div style='position: relative'><canvas id=a width=400 height=300 style='position: absolute'></canvas>"
    "<canvas id=c width=400 height=300 style='position: absolute'></canvas></div><script>a.getContext('2d').fillRect(20, 20, 200, 100);"
    "const pen = c.getContext('2d'); pen.fillStyle = 'grey'; pen.fillRect(0, 0, 300, 300); setTimeout(() => pen.clearRect(0, 0, 400, 300), 700);</script>",
    "empty before others": "<body style='margin: 0'><div style='position: relative'><p style='position: absolute; font: 60px sans-serif' id=t>Words</p>"
    "<canvas id=c width=400 height=300 style='position: absolute'></canvas></div><script>window.then = () => { t.textContent = 'Other' }</script>",
}


MORE = (
    *("with transparency", "always animated", "under controls", "cleared over another"),
    *("made and drawn late", "without transparency, never drawn on"),
)
"""Like one of the others, but for a detail: `make test-slow` has them."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in MORE else name for name in STANDING]
)
def test_a_canvas_that_stands_still_shows(name: str, context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/standing", STANDING[name])
    with record(context, reel) as session:
        page = context.new_page()
        page.set_viewport_size({"width": 500, "height": 400})
        page.goto(url)
        page.wait_for_timeout(1000)
        album = Album(session, page)
        album.mark("once")
        album.mark("twice")
        page.evaluate("window.then?.()")
        page.wait_for_timeout(600)
        album.mark("later")
    result = Recorded(reel)
    result.whole()
    shares = replayed(context, reel, album, keep=KEEP)
    assert max(shares.values()) < 0.005, shares


def test_a_canvas_that_was_out_of_sight_is_seen_at_the_mark(context: BrowserContext, site: Site, reel: Path) -> None:
    body = "<body style='margin: 0'><p style='height: 900px'>first</p><canvas id=c width=400 height=300 style='display: block; width: 400px; height: 300px'></canvas><p style='height: 900px'>"
    url = site.html("/below", webgl("{alpha: false}", "frames(2, () => stripes(gl, 0))", body))
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(1000)
        album = Album(session, page)
        album.mark("above")
        page.evaluate("c.scrollIntoView()")
        album.mark("there")
    shares = replayed(context, reel, album, keep=KEEP)
    assert max(shares.values()) < 0.005, shares


def test_a_canvas_of_a_dense_screen_keeps_its_size(browser: Browser, site: Site, reel: Path) -> None:
    context = browser.new_context(device_scale_factor=2, viewport={"width": 500, "height": 400})
    url = site.html("/dense", webgl("{alpha: false}", "frames(2, () => stripes(gl, 0))"))
    try:
        with record(context, reel) as session:
            page = context.new_page()
            page.goto(url)
            page.wait_for_timeout(1000)
            album = Album(session, page)
            album.mark("dense")
        shares = replayed(context, reel, album, keep=KEEP)
        assert max(shares.values()) < 0.005, shares
    finally:
        context.close()


def test_canvases_in_frames_of_other_processes_show(context: BrowserContext, site: Site, reel: Path) -> None:
    inner = site.html("/inner", webgl("{alpha: false}", "frames(2, () => stripes(gl, 0))"))
    middle = site.html(
        "/middle", f"<body style='margin: 9px'><iframe style='border: 3px solid' width=420 height=320 src='{inner}'>"
    )
    far = middle.replace("127.0.0.1", "localhost")
    url = site.html("/outer", f"<body><p>before</p><iframe width=600 height=400 src='{far}'></iframe>")
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(2000)
        album = Album(session, page)
        album.mark("nested")
    shares = replayed(context, reel, album, keep=KEEP)
    assert max(shares.values()) < 0.005, shares


def test_a_canvas_that_cannot_be_seen_is_said_to_be_missing(context: BrowserContext, site: Site, reel: Path) -> None:
    body = MAP.replace("display: block", "display: block; transform: rotate(9deg)")
    animated = "let n = 0; const on = () => { stripes(gl, n); if (n++ < 60) requestAnimationFrame(on); }; on();"
    url = site.html("/turned", webgl("{alpha: false}", animated, body))
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(2500)
    assert Recorded(reel).of("unsupported", what="canvas")


def test_a_drawing_is_kept_without_loss_and_a_texture_small(context: BrowserContext, site: Site, reel: Path) -> None:
    """Thin saturated lines lose their colour in a picture with loss, which keeps one colour for four pixels."""
    lines = """<body style='margin: 0'><canvas id=a width=400 height=300></canvas><canvas id=b width=300 height=300></canvas><script>
      const pen = a.getContext('2d');
      pen.fillStyle = '#fff'; pen.fillRect(0, 0, 400, 300); pen.fillStyle = '#f00';
      for (let x = 3; x < 400; x += 9) pen.fillRect(x, 0, 1, 300);
      const grain = b.getContext('2d'), data = grain.createImageData(300, 300);
      data.data.forEach((_, i, all) => { all[i] = i % 4 === 3 ? 255 : (i * 7919 + (i * i) % 8191) % 256; });
      grain.putImageData(data, 0, 0);
    </script>"""
    url = site.html("/lines", lines)
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(800)
        session.mark("drawn")
    result = Recorded(reel)
    pictures = {
        (op[3], op[4]): next(r for r in result.of("resource") if r["sha256"] == op[2])
        for event in result.of("mutation")
        for op in event["ops"]
        if op[0] == "canvas"
    }
    with Image.open(BytesIO(b64decode(pictures[400, 300]["base64"]))) as drawing:
        assert drawing.convert("RGB").getpixel((3, 150)) == (255, 0, 0)
        assert drawing.convert("RGB").getpixel((4, 150)) == (255, 255, 255)
    assert pictures[300, 300]["size"] < 300 * 300 * 1.5


@pytest.mark.parametrize("busy", [False, True], ids=["", "on a busy machine"])
def test_a_large_canvas_is_at_a_mark_what_it_was(
    context: BrowserContext, site: Site, reel: Path, monkeypatch: pytest.MonkeyPatch, busy: bool
) -> None:
    """Charts draw on canvases of twice the size. One that stands still is looked at every 16 seconds, and no mark took it."""
    if busy:  # Of a stream of no frames a second none comes while a mark waits for one.
        script = read_bundle()
        assert script.count(".captureStream()") == 1
        slow = script.replace(".captureStream()", ".captureStream(0)")
        monkeypatch.setattr("pagereel.recorder.runtime.injector_script.read_bundle", lambda: slow)
    url = site.html("/large", "<canvas id=c width=2000 height=1200 style='width: 400px'></canvas>")
    paint = "colour => { const pen = c.getContext('2d'); pen.fillStyle = colour; pen.fillRect(0, 0, 2000, 1200) }"
    # A browser that encodes nothing for seconds, as on a machine that is busy, would make a mark late, which the recording says.
    monkeypatch.setattr("pagereel.recorder.session._MARK_PATIENCE", 60.0)
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(500)  # It was looked at while it was empty, and is followed by its frames.
        for colour in ("#f00", "#0f0", "#00f"):
            page.evaluate(paint, colour)
            session.mark(colour)
    result = Recorded(reel)
    shown, seen = "", []
    for event in result.events:
        for op in event.get("ops", ()):
            shown = op[2] if op[0] == "canvas" else shown
        if event["k"] == "mark":
            seen.append(shown)
    pictures = {r["sha256"]: r for r in result.of("resource")}
    colours = []
    for sha256 in seen:
        with Image.open(BytesIO(b64decode(pictures[sha256]["base64"]))) as picture:
            colours.append(picture.convert("RGB").getpixel((9, 9)))
    # A first picture may be one with loss, which is a level off; which colour it was is what is asked here.
    assert [tuple(level > 127 for level in colour) for colour in colours] == [
        (True, False, False), (False, True, False), (False, False, True),
    ]  # fmt: skip


# Small fields of every colour: too much for a picture without loss, but not at a mark.
FIELDS = """gl.enable(gl.SCISSOR_TEST); for (let i = 0; i < 13300; i++) { gl.scissor(i % 133 * 3, Math.floor(i / 133) * 3, 3, 3);
  gl.clearColor(i * 7 % 11 / 10, i * 5 % 13 / 12, i * 3 % 7 / 6, 1); gl.clear(gl.COLOR_BUFFER_BIT); }"""


@pytest.mark.parametrize(
    "drawn", [f"frames(2, () => {{ {FIELDS} }})", f"frames(40, () => {{ {FIELDS} }})"], ids=["early", "late"]
)
def test_a_mark_has_a_canvas_without_loss_that_stands_still(
    drawn: str, context: BrowserContext, site: Site, reel: Path
) -> None:
    """What is told of a canvas between marks may have lost its colours at every edge, and nothing is drawn any more."""
    url = site.html("/fields", webgl("{alpha: false, antialias: false}", drawn))
    with record(context, reel) as session:
        page = context.new_page()
        page.set_viewport_size({"width": 500, "height": 400})
        page.goto(url)
        page.wait_for_timeout(2500)
        session.mark("once")
        live = Image.open(BytesIO(page.screenshot())).convert("RGB").crop((0, 0, 400, 300))
    result = Recorded(reel)
    shown = [op[2] for event in result.of("mutation") for op in event["ops"] if op[0] == "canvas"]
    told = next(r for r in result.of("resource") if r["sha256"] == shown[-1])
    with Image.open(BytesIO(b64decode(told["base64"]))) as picture:
        extrema = ImageChops.difference(live, picture.convert("RGB")).getextrema()
    assert max(top for _, top in extrema) <= 2, (told["mime"], extrema)


def test_canvases_of_very_many_pixels_are_kept_as_large_as_they_are_seen(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    """To read six of 36 million pixels took the page half a minute, and nothing was told of them then."""
    url = site.html(
        "/large",
        """<body style="margin: 0"><script>
        for (let n = 0; n < 3; n++) {
          const c = document.body.appendChild(document.createElement("canvas"));
          c.width = c.height = 3000; c.style.width = "200px";
          const pen = c.getContext("2d"); pen.fillStyle = ["#c00", "#0c0", "#00c"][n]; pen.fillRect(0, 0, 3000, 1500);
        }</script>""",
    )
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(2500)
        album = Album(session, page)
        album.mark("large")
    told = Recorded(reel)
    with open_reel(reel) as kept:
        drawn = [op[2] for event in told.events for op in event.get("ops", ()) if op[0] == "canvas"]
        sizes = [Image.open(BytesIO(kept.resource(each) or b"")).size for each in drawn]
    assert sizes and max(max(size) for size in sizes) <= 200
    assert [event["detail"] for event in told.events if event["k"] == "unsupported"] == ["too large"] * 3
    shares = replayed(context, reel, album, keep=KEEP)
    assert max(shares.values()) < 0.005, shares
