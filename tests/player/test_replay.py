"""The replay shows what was recorded, at any time, whichever way one came there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pagereel.recorder import record
from tests.reel.sample import png

from .conftest import Hand, Replay

Open = Callable[..., Replay]


def test_there_and_back_gives_the_same_dom_and_asks_nobody(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample)
    times = [0, 84, 190, 400, 505, 560, 900, 957, 970, 1300, 1420, 1470, 1560, 1580, 1905, 2020, 2030, 2410]
    forward = {}
    for t in times:
        replay.seek(t)
        forward[t] = replay.serialize()
    for t in [*reversed(times), 2410, 0, 1560, 190, 1905]:
        replay.seek(t)
        assert replay.serialize() == forward[t], f"at {t} ms"
    fresh = open_replay(sample, "#t=1580")
    assert fresh.serialize() == forward[1580]
    assert len(set(forward.values())) > 10
    assert replay.requests == [] and replay.problems == []


def test_playing_arrives_where_seeking_does(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample)
    replay.page.evaluate("pagereel.play()")
    replay.until("pagereel.time === pagereel.duration && !pagereel.playing")
    replay.seek(2410)
    played = replay.serialize()
    replay.seek(100)
    replay.seek(2410)
    assert replay.serialize() == played


def test_marks_steps_and_the_fragment(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, "#mark=before%20payment")
    assert replay.page.evaluate("pagereel.time") == 1905
    assert replay.page.evaluate("pagereel.marks") == [
        {"name": "catalogue loaded", "time": 410},
        {"name": "before payment", "time": 1905},
    ]
    steps = replay.page.evaluate("pagereel.steps")
    assert [(s["id"], s["title"], s["time"], s["duration"], s["success"]) for s in steps] == [
        (1, "Find a kettle", 20, 890, True),
        (5, "Put it in the cart", 920, 390, True),
        (9, "Pay", 1400, 650, False),
    ]
    assert [(s["tokens"], s["cost"]) for s in steps] == [(1280, 0.004), (0, 0), (0, 0)]
    replay.seek({"step": 5})
    assert replay.page.evaluate("pagereel.time") == 920
    with pytest.raises(Exception, match="no mark"):
        replay.seek({"mark": "nosuch"})
    replay.page.evaluate("location.hash = 't=400'")
    replay.until("pagereel.time === 400")
    info = replay.page.evaluate("pagereel.info")
    assert (
        info["sealed"] is True
        and info["fidelity"]["tree"] == {"equal": 6, "total": 6}
        and info["fidelity"]["verdict"] == "open"
        and info["gapCount"] == 1
    )
    assert info["redaction"] is None and set(info["sizes"]) == {"reel", "events", "resources"}


def test_a_link_names_the_page_whose_moment_it_is(browser: Browser, tmp_path: Path, open_replay: Open) -> None:
    context = browser.new_context()
    with record(context, tmp_path / "two.reel") as session:
        first, second = context.new_page(), context.new_page()
        first.set_content("<h1>first</h1>")
        second.set_content("<h1>second</h1>")
        session.mark("both")
    context.close()
    shown = "doc.querySelector('h1')?.textContent"
    titles = {
        fragment: open_replay(tmp_path / "two.reel", fragment).inside(shown)
        for fragment in ("#mark=both", "#bare&mark=both&page=1", "#page=2&mark=both", "#mark=both&page=99")
    }
    assert titles == {
        "#mark=both": "second",
        "#bare&mark=both&page=1": "first",
        "#page=2&mark=both": "second",
        "#mark=both&page=99": "second",  # There is none: the one that was in use shows.
    }


def test_bare_shows_the_page_alone_at_its_own_size(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, "#bare&t=400")
    box = replay.page.evaluate(
        "(({x, y, width, height}) => [x, y, width, height])(pagereel.frame.getBoundingClientRect())"
    )
    assert box == [0, 0, 1280, 720]
    assert replay.page.locator("button:visible").count() == 0


def test_styles_apply_in_the_order_of_the_cascade(hand: Hand, open_replay: Open) -> None:
    hand.start(
        ["p", {"class": "a"}, "x"],
        head=[
            ["style", {}, ".a{color:rgb(1,1,1)}"],
            ["style", {"media": "print"}, ".a{color:rgb(9,9,9)}"],
            ["style", {}, ""],
        ],
    )
    # document 1, doctype 2, html 3, head 4, styles 5, 7, 9 (text 10), body 11, p 12
    hand.script.ops(10, 1, ["text", 10, ".a{color:rgb(2,2,2)}"])
    hand.script.ops(20, 1, ["sheet", 1, 0, ".a{color:rgb(3,3,3)}", {}], ["adopt", 1, [1]])
    hand.script.ops(30, 1, ["sheet", 2, 5, ".a{color:rgb(4,4,4) !important}", {}])
    hand.script.ops(40, 1, ["unsheet", 2])
    hand.script.ops(50, 1, ["adopt", 1, []])
    replay = open_replay(hand.close(), "#t=5")
    expected = {5: 1, 10: 2, 20: 3, 30: 4, 40: 3, 50: 2}
    for t in [*expected, *reversed(expected)]:
        replay.seek(t)
        color = replay.inside("getComputedStyle(doc.querySelector('.a')).color")
        assert color == f"rgb({expected[t]}, {expected[t]}, {expected[t]})", f"at {t} ms"
    assert replay.inside("doc.querySelector('style').textContent") == ".a{color:rgb(1,1,1)}"


def test_pseudo_classes_follow_the_recorded_person(hand: Hand, open_replay: Open) -> None:
    css = "a,input{position:absolute;left:0;width:90px;height:40px;top:0} input{top:100px}" + "".join(
        f"{selector}{{--{name}:yes}}"
        for selector, name in [("a:hover", "hover"), ("a:active", "active"), ("input:focus", "focus"),
                               ("body:focus-within", "within"), ("a:target", "target")]
    )  # fmt: skip
    hand.start(["a", {"href": "/x", "id": "top"}, "x"], ["input", {}], head=[["style", {}, css]])
    # style 5, text 6, body 7, a 8, text 9, input 10
    hand.script.page("pointer", 10, 1, points=[[0, 500, 500], [10, 20, 20]], type="mouse")
    hand.script.page("mouse", 30, 1, type="down", node=8, x=20, y=20, button=0)
    hand.script.page("mouse", 40, 1, type="up", node=8, x=20, y=20, button=0)
    hand.script.ops(50, 1, ["focus", 10])
    hand.script.page("location", 60, 1, url="https://site.example/a/#top")
    replay = open_replay(hand.close(), "#t=5")

    def said(t: float) -> str:
        replay.seek(t)
        return str(
            replay.inside(
                "['hover','active','focus','within','target'].filter((name) =>"
                " [...doc.querySelectorAll('a,input,body')].some((e) =>"
                " getComputedStyle(e).getPropertyValue('--' + name) === 'yes')).join(' ')"
            )
        )

    expected = {5: "", 15: "", 20: "hover", 30: "hover active", 40: "hover", 50: "hover focus within"}
    for t in [*expected, *reversed(expected)]:
        assert said(t) == expected[t], f"at {t} ms"
    assert said(60) == "hover focus within target"
    assert replay.inside("doc.activeElement.localName") == "body"  # nothing takes the reader's focus


def test_shadow_roots_templates_and_foreign_elements(hand: Hand, open_replay: Open) -> None:
    hand.start(
        ["x-card", {}, ["#shadow", {"mode": "open"}, ["style", {}, "b{color:rgb(1,2,3)}"], ["b", {}, "s"], ["slot", {}]], ["i", {}, "l"]],
        ["x-closed", {}, ["#shadow", {"mode": "closed"}, ["b", {}, "hidden"]]],
        ["template", {}, ["#content", {}, ["p", {}, "in"]]],
        ["svg|svg", {"viewBox": "0 0 1 1"}, ["svg|linearGradient", {"gradientUnits": "userSpaceOnUse"}]],
        ["math|math", {}, ["math|mi", {}, "x"]],
        ["div", {"@click": "go()", ":key": "1", "[value]": "v"}],
        ["a\"b", {}, "odd"],
    )  # fmt: skip
    replay = open_replay(hand.close(), "#t=5")
    assert (
        replay.inside("getComputedStyle(doc.querySelector('x-card').shadowRoot.querySelector('b')).color")
        == "rgb(1, 2, 3)"
    )
    assert replay.inside("doc.querySelector('x-closed').shadowRoot") is None
    assert replay.inside("doc.querySelector('x-closed').offsetWidth") > 10
    assert replay.inside("doc.querySelector('template').content.textContent") == "in"
    assert replay.inside("doc.querySelector('svg').firstChild.tagName") == "linearGradient"
    assert replay.inside("doc.querySelector('mi').namespaceURI").endswith("MathML")
    assert replay.inside("doc.querySelector('div').getAttributeNames().sort().join()") == ":key,@click,[value]"
    assert replay.inside("doc.body.lastElementChild.localName") == 'a"b'


def test_quirks_mode(hand: Hand, open_replay: Open) -> None:
    assert open_replay(hand.start("x", mode="BackCompat").close(), "#t=5").inside("doc.compatMode") == "BackCompat"


def test_controls_dialogs_popovers_and_scroll(hand: Hand, open_replay: Open) -> None:
    hand.start(
        ["input", {"value": "a"}],  # 6
        ["input", {"type": "checkbox"}],  # 7
        ["select", {}, ["option", {}, "x"], ["option", {}, "y"]],  # 8, 9 11
        ["textarea", {}, "t"],  # 13
        ["dialog", {}, "d"],  # 15
        ["div", {"popover": "auto"}, "p"],  # 17
        ["div", {"style": "height:50px;overflow:auto;scroll-behavior:smooth"}, ["p", {"style": "height:900px"}]],  # 19
        ["p", {"style": "height:3000px"}],
    )
    hand.script.ops(
        10, 1, ["value", 6, "b"], ["checked", 7, 1], ["indeterminate", 7, 1], ["selected", 8, [1]], ["value", 13, "u"]
    )
    hand.script.ops(20, 1, ["attr", 15, {"open": ""}], ["open", 15, "modal"])
    hand.script.ops(30, 1, ["open", 17, "popover"])
    hand.script.ops(40, 1, ["scroll", 19, 0, 120], ["scroll", 1, 0, 700])
    replay = open_replay(hand.close(), "#t=5")
    look = (
        "[...doc.querySelectorAll('input,select,textarea')].map((e) => e.value).join()"
        " + doc.querySelectorAll('input')[1].checked + doc.querySelectorAll('input')[1].indeterminate"
        " + doc.querySelector('dialog').matches(':modal') + doc.querySelector('[popover]').matches(':popover-open')"
        " + doc.querySelectorAll('div')[1].scrollTop + ',' + doc.defaultView.scrollY"
    )
    expected = {
        5: "a,on,x,tfalsefalsefalsefalse0,0",
        10: "b,on,y,utruetruefalsefalse0,0",
        20: "b,on,y,utruetruetruefalse0,0",
        30: "b,on,y,utruetruetruetrue0,0",
        40: "b,on,y,utruetruetruetrue120,700",
    }
    for t in [*expected, *reversed(expected)]:
        replay.seek(t)
        assert replay.inside(look) == expected[t], f"at {t} ms"


def test_pictures_and_what_was_not_captured(hand: Hand, open_replay: Open) -> None:
    hand.script.fetch(0, "i", "https://site.example/a/x.png", "image", "image/png", png(30, 20, (9, 9, 9)))
    hand.start(
        ["img", {"src": "x.png", "class": "got"}],
        ["img", {"srcset": "x.png 2x, big.png 3x", "class": "dense"}],
        ["img", {"src": "nosuch.png", "width": "70", "height": "40", "class": "missing"}],
        ["p", {"style": "background:url(x.png);height:9px"}],
        head=[["style", {}, 'img[src="x.png"]{border:3px solid}']],
    )
    replay = open_replay(hand.close(), "#t=5")
    assert replay.inside("[doc.querySelector('.got').naturalWidth, doc.querySelector('.got').clientLeft]") == [30, 3]
    assert replay.inside("doc.querySelector('.dense').width") == 15
    assert replay.inside("[doc.querySelector('.missing').width, doc.querySelector('.missing').height]") == [70, 40]
    assert "blob:" in replay.inside("getComputedStyle(doc.querySelector('p')).backgroundImage")
    assert replay.inside("doc.querySelector('.got').getAttribute('data-pagereel-was-src')") == "x.png"
    assert replay.requests == []


def test_what_the_player_adds_is_only_its_own_attributes(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, "#t=957")
    names = set(replay.inside("[...doc.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())"))
    added = {name for name in names if name.startswith("data-pagereel")}
    assert "data-pagereel-hover" in added and names - added
    assert replay.inside("doc.querySelectorAll('style').length") == 1  # the page's own


def test_the_interface_is_driven_by_keyboard_and_fits_a_phone(sample: Path, open_replay: Open) -> None:
    replay = open_replay(sample, width=390)
    page = replay.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("End")
    replay.until("pagereel.time === pagereel.duration")
    page.keyboard.press("Home")
    replay.until("pagereel.time === 0")
    page.keyboard.press("ArrowDown")
    replay.until("pagereel.time === 20")
    page.keyboard.press("ArrowRight")
    replay.until("pagereel.time === 1020")
    page.keyboard.press("e")
    replay.until("pagereel.time === 2050")
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keyboard shortcuts").is_visible()
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Console").click()
    assert "prices are cached" in page.get_by_role("tabpanel").inner_text()
    page.get_by_role("button", name="Find a kettle").count()
    page.get_by_role("tab", name="Story").click()
    page.get_by_role("button", name="succeeded: 2 Put it in the cart").click()
    replay.until("pagereel.time === 920")
    assert replay.problems == []
