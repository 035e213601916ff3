"""What the browser itself shows of a page: the top layer, its own controls, pictures that are not there. Live and replay are compared by picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from ..reel.sample import png
from .conftest import Hand, Replay
from .pictures import Mark, off, pairs

FULLSCREEN = """<style>body { background: pink } #half::backdrop { background: rgba(0, 0, 255, .4) } #half { background: rgba(255, 255, 255, .5) }
section:fullscreen { color: blue }</style><div style="transform: rotate(1deg); overflow: hidden; width: 90px; opacity: .9">
<section id=half>half<button popovertarget=pop>o</button><div id=pop popover>pop</div><dialog>dialog</dialog></section>
<section id=clear>clear</section></div><video id=video width=100 height=50 poster=/a.png></video><img id=img src=/a.png>
<div id=host></div><p>the rest</p><script>
host.attachShadow({ mode: "open" }).innerHTML = "<style>b:fullscreen { background: lime }</style><b>in a shadow</b>"
window.full = (of) => { document.onkeydown = (event) => event.key === "f" && of.requestFullscreen() }
</script>"""


def enter(page: Page, of: str) -> None:
    page.evaluate(f"() => full({of})")
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement")


def test_what_is_fullscreen_is_in_the_top_layer_over_its_backdrop(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        for name in ("clear", "img", "video"):
            enter(page, f"document.getElementById('{name}')")
            mark(name)
            page.evaluate("document.exitFullscreen()")
        enter(page, "host.shadowRoot.querySelector('b')")
        mark("shadow")
        page.evaluate("document.exitFullscreen()")
        enter(page, "half")
        mark("half")
        page.evaluate("half.className = 'changed'; pop.showPopover()")
        mark("popover")
        page.evaluate("document.querySelector('dialog').showModal()")
        mark("dialog")
        page.evaluate("document.exitFullscreen()")
        mark("out")

    site = {
        "/": ("text/html", b"<!doctype html>" + FULLSCREEN.encode()),
        "/a.png": ("image/png", png(40, 20, (0, 0, 255))),
    }
    seen = pairs(browser, tmp_path, site, drive)
    assert seen["clear"].live.getpixel((700, 500)) == (0, 0, 0)
    assert seen["half"].live.getpixel((700, 500)) not in ((0, 0, 0), (255, 255, 255))
    video = off({"video": seen.pop("video")}).get("video", (800, 600, 800, 600))
    assert video[1] > 540, "but for how far its controls know its length"
    assert off(seen) == {}


def test_a_frame_that_is_fullscreen_for_what_is_in_it(browser: Browser, tmp_path: Path) -> None:
    inner = b"<!doctype html><body onkeydown='document.querySelector(\"b\").requestFullscreen()'><p>in<b style='background: lime'>B</b>"
    site = {
        "/": ("text/html", b"<!doctype html><p>x<iframe src=/f allowfullscreen style='padding: 9px'></iframe>"),
        "/f": ("text/html", inner),
    }

    def drive(page: Page, mark: Mark) -> None:
        page.frames[1].click("p")
        page.keyboard.press("f")
        page.wait_for_function("document.fullscreenElement")
        mark("in")
        page.evaluate("document.exitFullscreen()")
        mark("out")

    assert off(pairs(browser, tmp_path, site, drive)) == {}


SELECTS = """<style>select, ::picker(select) { appearance: base-select } select:open { color: red } option::checkmark { color: green }
#late::picker(select) { opacity: 0 } #late::picker(select):popover-open { opacity: 1; background: lavender }
p { position: relative; z-index: 3; background: lightgreen }</style><p>above</p>
<select id=s><button><selectedcontent></selectedcontent></button><option>One <b>bold</b></option><option selected>Two</option><hr>
<option disabled>Three</option></select><p>below</p><div style="opacity: .99"><select id=late><option>A<option>B</select></div>
<p style="margin-top: 420px">bottom</p><select id=low><option>up<option>and down</select>"""


def test_the_open_list_of_a_select_that_is_part_of_the_page(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        mark("closed")
        page.click("#s")
        mark("open")
        page.hover("#s option")
        mark("hovered")
        page.keyboard.press("Escape")
        mark("closed again")
        page.click("#late")
        mark("late")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        mark("chosen")
        page.click("#low")
        mark("above its control")

    assert off(pairs(browser, tmp_path, SELECTS, drive)) == {}


BROKEN = """<style>img { border: 1px solid red }</style>
<picture><source srcset=/none.png><img src=/blue.png alt="a picture"></picture><picture><source srcset=/none.png><img src=/blue.png></picture>
<picture><source srcset="/none.png 2x, /nope.png 1x"><img alt="by density"></picture>
<p><img src=/none.png alt="a text"> <img src=/none.png> <img src=/none.png alt=""> <img src=/none.png width=100 height=50> <img src=/text alt=text>
<img alt="no address"> <img> <img src="" alt=empty> <img srcset="/none.png 1x" src=/blue.png alt=set> <img srcset="/none.png 1x"> <img src="javascript:void 0"> <img src="javascript:1" alt="a script">
<p><input type=image src=/none.png alt=button> <input type=image src=/none.png> <img src="data:image/png;base64,AAAA"> <img src=/none.png title=title>
<svg width=50 height=50><image href=/none.png width=50 height=50 /></svg><object data=/none.png>instead of an <b>object</b></object>"""


def test_pictures_that_were_broken_are_broken(browser: Browser, tmp_path: Path) -> None:
    site = {
        "/": ("text/html", b"<!doctype html>" + BROKEN.encode()),
        "/blue.png": ("image/png", png(40, 20, (0, 0, 255))),
        "/text": ("text/plain", b"no picture"),
    }
    assert off(pairs(browser, tmp_path, site)) == {}


def test_a_picture_is_the_one_that_was_chosen_for_every_reader(browser: Browser, tmp_path: Path) -> None:
    page = b"""<!doctype html><style>img { vertical-align: top }</style>
    <picture><source media="(prefers-color-scheme: dark)" srcset="/red.png 2x"><source media=print srcset=/lime.png><img src=/blue.png></picture>
    <picture><source srcset=/none.png><source media=print srcset=/lime.png><img src=/blue.png alt=neither></picture>"""
    colours = {"red": (255, 0, 0), "lime": (0, 255, 0), "blue": (0, 0, 255)}
    site = {f"/{name}.png": ("image/png", png(40, 20, rgb)) for name, rgb in colours.items()}

    def drive(page: Page, mark: Mark) -> None:
        mark("light")
        page.emulate_media(color_scheme="dark")
        mark("dark")
        page.emulate_media(media="print", color_scheme="light")
        mark("print")
        page.emulate_media(media="screen")
        mark("light again")

    seen = pairs(browser, tmp_path, {"/": ("text/html", page), **site}, drive, reader={"color_scheme": "dark"})
    assert [pair.live.getpixel((15, 12)) for pair in seen.values()] == [
        colours[name] for name in ("blue", "red", "lime", "blue")
    ]
    assert off(seen) == {}


def test_what_shows_while_a_control_has_the_focus(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        mark("none")
        for name in ("number", "search", "list", "date"):
            page.focus(f"#{name}")
            mark(name)

    page = """<style>input { caret-color: transparent }</style><input id=number type=number value=1> <input id=search type=search value=x> <input id=date list=l type=text>
    <datalist id=l><option>a</datalist><select id=list multiple><option selected>a<option>b</select>"""
    seen = pairs(browser, tmp_path, page, drive)
    assert len({pair.live.tobytes() for pair in seen.values()}) == 5
    assert off(seen) == {}


def test_a_pressed_button_is_pressed(hand: Hand, open_replay: Callable[..., Replay]) -> None:
    hand.start(["button", {}, "b"])
    hand.script.page("mouse", 60, 1, type="down", node=6, x=1, y=1, button=0)
    hand.script.page("mutation", 80, 1, ops=[["attr", 1, {}]])
    replay = open_replay(hand.close())
    for t, wanted in ((10, "outset"), (70, "inset"), (10, "outset")):
        replay.seek(t)
        assert replay.inside("getComputedStyle(doc.querySelector('button')).borderTopStyle") == wanted, t
