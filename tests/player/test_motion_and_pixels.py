"""What shows without being in the tree: canvases, motion, the mode of a document; each as a function of time."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from pagereel.reel import Json
from tests.reel.sample import png

from ..recorder.support import Site
from .conftest import Hand, Replay

Open = Callable[..., Replay]


def picture(hand: Hand, rgb: tuple[int, int, int], t: float) -> str:
    """A resource; gives its SHA-256."""
    data = png(40, 20, rgb)
    sha256 = hashlib.sha256(data).hexdigest()
    encoded = base64.b64encode(data).decode()
    hand.script.run("resource", t, sha256=sha256, mime="image/png", size=len(data), base64=encoded)
    return sha256


def colour_at(replay: Replay, x: int, y: int) -> tuple[int, ...]:
    """The colour of a pixel of the page alone."""
    return tuple(Image.open(io.BytesIO(replay.page.screenshot())).convert("RGB").getpixel((x, y)))  # type: ignore[arg-type]


def test_a_canvas_takes_its_place_and_shows_its_pictures(hand: Hand, open_replay: Open) -> None:
    style: Json = ["style", {}, "body { margin: 0 } canvas { vertical-align: top }"]
    hand.start(["canvas", {"width": "40", "height": "20"}], ["b", {}, "after"], head=[style])
    red, blue = picture(hand, (255, 0, 0), 10), picture(hand, (0, 0, 255), 20)
    hand.script.page("mutation", 30, 1, ops=[["canvas", 8, red, 40, 20]])
    hand.script.page("mutation", 60, 1, ops=[["canvas", 8, blue, 40, 20]])
    hand.script.page("mutation", 90, 1, ops=[["attr", 1, {}]])
    replay = open_replay(hand.close(), "#bare")
    width = "doc.querySelector('canvas').getBoundingClientRect().width"
    for t, wanted in ((40, (255, 0, 0)), (70, (0, 0, 255)), (40, (255, 0, 0)), (5, (255, 255, 255))):
        replay.seek(t)
        assert replay.inside(width) == 40, t
        assert colour_at(replay, 10, 10) == wanted, t


def test_motion_stands_where_it_stood_whichever_way_one_came(hand: Hand, open_replay: Open) -> None:
    style: Json = [
        "style",
        {},
        "@keyframes go { from { margin-left: 0 } to { margin-left: 100px } } .go { animation: go 1s linear }"
        " .slide { transition: width 400ms linear } p { width: 10px }",
    ]
    hand.start(["p", {"class": "slide"}, "a"], ["p", {}, "b"], ["p", {}, "c"], head=[style])
    ids = {"slide": 8, "go": 10, "script": 12}
    poisoned: list[Json] = [
        {"offset": 0, "marginTop": "0px", "background": 'url("https://evil.example/x")'},
        {"offset": 1, "marginTop": "50px", "background": "\\75rl(https://evil.example/y)"},
    ]
    hand.script.page(
        "mutation", 100, 1,
        ops=[
            ["attr", ids["go"], {"class": "go"}],
            ["anim", ids["go"], 1, {"type": "css", "name": "go", "time": 0, "rate": 1, "running": True}],
            ["attr", ids["slide"], {"style": "width: 410px"}],
            ["anims", 2, {
                "type": "transition", "time": 0, "from": "10px", "to": "410px",
                "timing": {"duration": 400, "fill": "backwards"},
            }, "width", ids["slide"]],
            ["anims", 3, {
                "type": "script", "time": 0, "keyframes": poisoned,
                "timing": {"duration": 1000, "iterations": -1, "direction": "alternate"},
            }, "", ids["script"]],
        ],
    )  # fmt: skip
    hand.script.page("mutation", 500, 1, ops=[["unanim", 2]])
    hand.script.page(
        "mutation",
        600,
        1,
        ops=[["anim", ids["script"], 3, {"type": "script", "time": 250, "rate": 1, "running": False}]],
    )
    hand.script.page("mutation", 1100, 1, ops=[["anim", ids["go"], 1, None], ["anim", ids["script"], 3, None]])
    hand.script.page("mutation", 1200, 1, ops=[["attr", 1, {}]])
    replay = open_replay(hand.close())

    def look() -> list[float]:
        style = "doc.defaultView.getComputedStyle(p)"
        numbers = f"[...doc.querySelectorAll('p')].map((p) => [{style}.width, {style}.marginLeft, {style}.marginTop].map(parseFloat))"
        slide, go, script = replay.inside(numbers)
        return [slide[0], go[1], script[2]]

    resting = 16  # A paragraph's own margin.
    wanted = {
        50: [10, 0, resting],
        200: [110, 10, 5],
        300: [210, 20, 10],
        550: [410, 45, 22.5],
        800: [410, 70, 12.5],
        1150: [410, 0, resting],
    }
    for t in (50, 200, 300, 550, 800, 1150, 300, 50, 800, 200, 1150):
        replay.seek(t)
        assert look() == wanted[t], t
    assert replay.requests == []


def test_a_document_has_the_mode_of_its_doctype_and_of_the_one_that_was_written_later(
    hand: Hand, open_replay: Open
) -> None:
    hand.script.run("page", 0, page=1, event="open")
    # As documents begin: nothing has arrived, and no one knows the doctype yet.
    hand.script.run(
        "document", 0, d=1, page=1, frame="F", url="https://site.example/", top=True, mode="CSS1Compat",
        viewport={"w": 800, "h": 600, "dpr": 1},
    )  # fmt: skip
    hand.script.page("snapshot", 1, 1, ops=[["doc", 1, ["#document", {}]]], why="start")
    tree: Json = ["html", {}, ["head", {}], ["body", {}, "old"]]
    hand.script.page("mutation", 10, 1, ops=[["add", 1, 2, tree]])
    written: Json = ["html", {}, ["head", {}], ["body", {}, "written"]]
    hand.script.page("mutation", 50, 1, ops=[["del", 2], ["add", 1, 6, ["#doctype", "html", "", ""], written]])
    # A script that takes the doctype away, or brings another root, changes no mode.
    hand.script.page("mutation", 70, 1, ops=[["del", 6]])
    hand.script.page("mutation", 80, 1, ops=[["del", 7], ["add", 1, 20, ["html", {}, ["body", {}, "swapped"]]]])
    replay = open_replay(hand.close())
    for t, mode, text in (
        (20, "BackCompat", "old"),
        (60, "CSS1Compat", "written"),
        (75, "CSS1Compat", "written"),
        (85, "CSS1Compat", "swapped"),
        (20, "BackCompat", "old"),
    ):
        replay.seek(t)
        assert (replay.inside("doc.compatMode"), replay.inside("doc.body.textContent")) == (mode, text), t


def test_a_text_selection_looks_selected_and_a_file_field_names_its_files(hand: Hand, open_replay: Open) -> None:
    hand.start(["p", {}, "selected words"], ["input", {"type": "file", "multiple": ""}])
    hand.script.page("mutation", 20, 1, ops=[["selection", 7, 0, 7, 8], ["value", 8, "a.txt, b.pdf"]])
    hand.script.page("mutation", 50, 1, ops=[["value", 8, ""]])
    replay = open_replay(hand.close())
    files = "[...doc.querySelector('input').files].map((file) => file.name)"
    replay.seek(30)
    assert replay.inside(files) == ["a.txt", "b.pdf"]
    assert replay.inside("doc.getSelection().toString()") == "selected"
    replay.seek(60)
    assert replay.inside(files) == []


def test_documents_in_objects_show_and_a_pdf_is_a_box_that_says_so(
    recorded: Callable[..., Path], site: Site, open_replay: Open
) -> None:
    site.html("/inner", "<p>words within</p>")
    site.put("/dot.svg", "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><circle r='9'/></svg>")
    site.put("/plan.pdf", "application/pdf", "%PDF-1.4")
    size = "width=90 height=40"
    page = f"""<object {size} data=/inner>own</object><object {size} data=/dot.svg>own</object><object {size} data=/none>own</object>
    <embed {size} src=/inner type=text/html><embed {size} src=/dot.svg><embed {size} src=/plan.pdf type=application/pdf>"""
    replay = open_replay(recorded(page, lambda page, _: page.wait_for_timeout(1500)))
    replay.seek(replay.page.evaluate("pagereel.duration"))
    within = (
        "[...Array(doc.defaultView.length).keys()].map((n) => doc.defaultView[n].document.documentElement)"
        ".map((root) => root.textContent.trim() || root.firstElementChild.localName)"
    )
    assert sorted(replay.inside(within)) == ["circle", "circle", "words within", "words within"]
    shows = "[...doc.querySelectorAll('object')].map((each) => [each.offsetWidth, each.offsetHeight])"
    assert (
        replay.inside(shows)[:2] == [[90, 40]] * 2
        and replay.inside("doc.querySelectorAll('object')[2].offsetWidth") < 90
    )
    box = "getComputedStyle(doc.querySelector('embed[type*=pdf]')).backgroundImage"
    assert "a PDF: not shown" in replay.inside(f"decodeURIComponent({box})")


def test_an_object_that_showed_a_document_is_a_box_that_says_so(hand: Hand, open_replay: Open) -> None:
    size = {"width": "90", "height": "40", "data": "/plan.pdf"}
    hand.start(["object", size, ["p", {}, "No plans here."]], ["object", size])
    hand.script.page("mutation", 20, 1, ops=[["states", 6, ["embedded"]], ["states", 9, ["embedded"]]])
    replay = open_replay(hand.close())
    replay.seek(30)
    looks = "[...doc.querySelectorAll('object')].map((each) => [each.offsetWidth, each.offsetHeight, getComputedStyle(each).backgroundImage.slice(0, 20)])"
    assert replay.inside(looks) == [[90, 40, 'url("data:image/svg+']] * 2
    assert replay.inside("doc.querySelector('object p').checkVisibility()") is False
    replay.seek(10)
    assert replay.inside("doc.querySelector('object p').checkVisibility()") is True


def test_what_is_selected_in_a_field_is_selected_while_it_lasts(hand: Hand, open_replay: Open) -> None:
    hand.start(["input", {"value": "some words"}], ["p", {}, "more"])
    hand.script.page("mutation", 20, 1, ops=[["focus", 6, 1], ["selection", 6, 5, 6, 10]])
    hand.script.page("mutation", 50, 1, ops=[["selection", 0, 0, 0, 0]])
    replay = open_replay(hand.close(), "#bare")  # Elsewhere the player keeps the focus for its own keys.
    field = "doc.querySelector('input')"
    for t, selected in ((30, True), (60, False), (30, True), (10, False)):
        replay.seek(t)
        assert (replay.inside("doc.activeElement === " + field)) is selected, t
        if selected:
            assert replay.inside(f"[{field}.selectionStart, {field}.selectionEnd]") == [5, 10]


def test_a_page_that_says_one_colour_of_a_selection_says_nothing_of_the_other(hand: Hand, open_replay: Open) -> None:
    hand.start(["style", {}, "b::selection { background: transparent }"], ["p", {}, "plain ", ["b", {}, "bold"]])
    replay = open_replay(hand.close())
    replay.seek(10)
    colours = (
        "['p', 'b'].map((name) => getComputedStyle(doc.querySelector(name), '::selection')).map((style) => style.color)"
    )
    plain, bold = replay.inside(colours)
    assert plain == replay.inside("getComputedStyle(doc.documentElement, '::selection').color")
    assert bold == replay.inside("getComputedStyle(doc.querySelector('b')).color") != plain


def test_the_api_stands_when_the_page_has_loaded(hand: Hand, open_replay: Open) -> None:
    hand.start(["p", {}, "x"])
    replay = open_replay(hand.close())
    replay.page.add_init_script(
        "document.addEventListener('DOMContentLoaded', () => { window.seen = [String(window.pagereel), typeof pagereel.ready?.then, pagereel.steps.length]; });"
    )
    replay.page.reload()
    assert replay.page.evaluate("window.seen") == ["[object Object]", "function", 0]
    replay.page.evaluate("pagereel.ready")


def test_states_that_only_pseudo_classes_tell_and_names_that_only_parsers_make(hand: Hand, open_replay: Open) -> None:
    style: Json = [
        "style", {},
        "input:user-invalid { color: rgb(200, 0, 0) } x-a:state(ready) { color: rgb(0, 100, 0) }"
        " @media (prefers-color-scheme: dark) { b { color: rgb(1, 2, 3) } }",
    ]  # fmt: skip
    hand.start(
        ["input", {}],
        ["x-a", {}, "a"],
        ["o:p", {"href": "chrome://settings"}, "c"],
        ["b", {"=eq": "4"}, "d"],
        head=[style],
    )
    hand.script.page("mutation", 20, 1, ops=[["states", 8, ["user-invalid"]], ["states", 9, ["state(ready)"]]])
    hand.script.page("mutation", 50, 1, ops=[["states", 8, []], ["states", 9, []]])
    replay = open_replay(hand.close(), dark=True)

    def colours() -> list[str]:
        computed = "['input', 'x-a', 'b'].map((s) => doc.defaultView.getComputedStyle(doc.querySelector(s)).color)"
        return list(replay.inside(computed))

    replay.seek(30)
    assert colours()[:2] == ["rgb(200, 0, 0)", "rgb(0, 100, 0)"]
    assert replay.inside("doc.querySelector('b').attributes[0].name") == "=eq"
    # A page that was recorded light is light for a reader whose desktop is dark.
    assert colours()[2] == "rgb(0, 0, 0)"
    replay.seek(60)
    assert "rgb(200, 0, 0)" not in colours()
    assert replay.inside("[...doc.body.children].map((e) => e.localName)") == ["input", "x-a", "o:p", "b"]


@pytest.mark.parametrize("dark", [False, True], ids=["light desktop", "dark desktop"])
def test_a_page_recorded_dark_is_dark_for_every_reader(hand: Hand, open_replay: Open, dark: bool) -> None:
    css = (
        ":root { color-scheme: light dark } b { color: rgb(1, 1, 1) } i { color: light-dark(rgb(3, 3, 3), rgb(4, 4, 4)) }"
        " @media (prefers-color-scheme: dark) { b { color: rgb(2, 2, 2) } }"
        " @media (prefers-reduced-motion: reduce) { b { top: 5px } }"
    )
    hand.start(["b", {}, "x"], ["i", {}, "y"], head=[["style", {}, css]], scheme="dark", motion="reduce")
    size: dict[str, Json] = {"w": 800, "h": 600, "dpr": 1}
    hand.script.page("viewport", 50, 1, **size)
    hand.script.page("viewport", 100, 1, **size, scheme="light", motion="no-preference")
    replay = open_replay(hand.close(), dark=dark)

    def look(t: float) -> list[str]:
        replay.seek(t)
        styles = "[['b', 'color'], ['b', 'top'], ['i', 'color']]"
        return list(
            replay.inside(f"{styles}.map(([s, p]) => doc.defaultView.getComputedStyle(doc.querySelector(s))[p])")
        )

    def background() -> str:
        """Behind the page, which is transparent where its scheme is its frame's."""
        return str(replay.page.evaluate("getComputedStyle(pagereel.frame).backgroundColor"))

    for t in (10, 60, 10):
        assert look(t) == ["rgb(2, 2, 2)", "5px", "rgb(4, 4, 4)"]
    assert background() != "rgb(255, 255, 255)"
    assert look(110) == ["rgb(1, 1, 1)", "auto", "rgb(3, 3, 3)"]
    assert background() == "rgb(255, 255, 255)"
    assert look(60)[0] == "rgb(2, 2, 2)"
