"""What media queries and colour schemes told the page is told to every reader, whatever the reader's own preferences."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from .conftest import Hand, Replay
from .pictures import Mark, off, pairs

Open = Callable[..., Replay]

SCHEMES = """<meta name=color-scheme content='light dark'><style>i { color: light-dark(red, lime) }</style>
<p>text <i>either</i> <a href=/x>link</a> <input value=v> <button>b</button> <select><option>1</select> <input type=checkbox checked>
<iframe src=/inner width=100 height=80></iframe><iframe src=/plain width=100 height=80></iframe>"""
INNER = b"<!doctype html><meta name=color-scheme content='dark light'><p>q<input>"
SITE = {
    "/": ("text/html", b"<!doctype html>" + SCHEMES.encode()),
    "/inner": ("text/html", INNER),
    "/plain": ("text/html", b"<!doctype html><p>plain"),
}


@pytest.mark.parametrize(("recorded", "reader"), [("dark", "light"), ("light", "dark")])
def test_a_page_whose_meta_element_names_its_schemes_has_the_recorded_one_for_every_reader(
    browser: Browser, tmp_path: Path, recorded: str, reader: str
) -> None:
    seen = pairs(browser, tmp_path, SITE, context={"color_scheme": recorded}, reader={"color_scheme": reader})
    assert (seen["shown"].live.getpixel((790, 590)) == (255, 255, 255)) is (recorded == "light")
    assert off(seen) == {}


def test_the_first_meta_element_that_says_something_counts_while_it_is_there(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        page.evaluate(
            "m = document.createElement('meta'); m.name = 'Color-Scheme'; m.content = 'dark'; document.head.append(m)"
        )
        mark("dark")
        page.evaluate("m.content = 'light'")
        mark("light")
        page.evaluate("m.content = 'dark light'")
        mark("either")
        page.evaluate("document.head.prepend(Object.assign(m.cloneNode(), {content: 'only dark'}))")
        mark("another")
        page.evaluate("document.querySelectorAll('meta').forEach((each) => each.remove())")
        mark("gone")

    seen = pairs(browser, tmp_path, "<p>x <input>", drive, reader={"color_scheme": "dark"})
    assert [pair.live.getpixel((790, 590)) == (255, 255, 255) for pair in seen.values()] == [
        False, True, True, False, True,
    ]  # fmt: skip
    assert off(seen) == {}


@pytest.mark.parametrize("dark", [False, True])
def test_a_scheme_in_a_style_attribute_is_the_recorded_one(hand: Hand, open_replay: Open, dark: bool) -> None:
    style = "color-scheme: light dark; color: light-dark(rgb(1, 1, 1), rgb(2, 2, 2))"
    hand.start(["p", {"style": style}, "x"], scheme="dark")
    hand.script.page("viewport", 50, 1, w=800, h=600, dpr=1, scheme="light")
    replay = open_replay(hand.close(), dark=dark)
    for t, colour in ((10, "rgb(2, 2, 2)"), (60, "rgb(1, 1, 1)"), (10, "rgb(2, 2, 2)")):
        replay.seek(t)
        assert replay.inside("getComputedStyle(doc.querySelector('p')).color") == colour


QUERIES = """<style>b { display: inline-block; width: 80px; height: 20px }
@media print { .p { background: red } } @media screen { .s { background: lime } } @media not print { .n { border: 2px solid } }
@media (prefers-contrast: more) { .c { background: blue } } @media (prefers-contrast) { .d { background: aqua } }
@media only screen and (hover: hover) { .h { background: tan } } @media (hover) { .g { background: gold } }
@media (pointer:coarse), (any-pointer: none) { .f { background: pink } } @media (scripting: none) { .j { background: red } }
@media (min-resolution: 1.5dppx) { .r { background: cyan } } @media (-webkit-max-device-pixel-ratio: 1) { .w { background: plum } }
</style><style media=print>p { border: 1px solid }</style><style media='screen and (prefers-contrast: more)'>p { color: red }</style>
<p>p<p><b class=p>p</b><b class=s>s</b><b class=n>n</b><b class=c>c</b><b class=d>d</b><b class=h>h</b><b class=g>g</b><b class=f>f</b>
<b class=j>j</b><b class=r>r</b><b class=w>w</b>"""


def test_print_and_contrast_are_shown_while_they_were_emulated(browser: Browser, tmp_path: Path) -> None:
    def drive(page: Page, mark: Mark) -> None:
        mark("plain")
        page.emulate_media(media="print")
        mark("print")
        page.emulate_media(media="screen", contrast="more")
        mark("contrast")
        page.emulate_media(contrast="no-preference")
        mark("again")

    seen = pairs(browser, tmp_path, QUERIES, drive)
    assert len({pair.live.tobytes() for pair in seen.values()}) == 3
    assert off(seen) == {}


@pytest.mark.parametrize("touch", [False, True])
def test_what_a_page_was_told_of_pointer_and_density_holds_for_every_reader(
    browser: Browser, tmp_path: Path, touch: bool
) -> None:
    seen = pairs(
        browser, tmp_path, QUERIES, context={"has_touch": touch}, reader={"has_touch": not touch, "contrast": "more"}
    )
    assert off(seen) == {}


def test_queries_of_a_hostile_recording_are_known_ones(hand: Hand, open_replay: Open) -> None:
    css = "@media (hover: none) { b { color: rgb(1, 2, 3) } } @media (x: y) { b { top: 5px } }"
    hand.start(["b", {}, "x"], head=[["style", {}, css]], media=["(x: y)", "(hover: none)"])
    replay = open_replay(hand.close())
    replay.seek(10)
    style = "getComputedStyle(doc.querySelector('b'))"
    assert replay.inside(f"[{style}.color, {style}.top]") == ["rgb(1, 2, 3)", "auto"]
