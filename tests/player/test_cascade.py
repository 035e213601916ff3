"""What the player says about a page's look gives way to the page, and what must hold, holds: in documents and shadow roots."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Hand, Replay

Open = Callable[..., Replay]

RING = "getComputedStyle({}).outlineStyle"


@pytest.mark.parametrize(
    ("css", "outline"),
    [
        ("", "auto"),
        (":focus{outline:none}", "none"),
        ("@layer base{:focus-visible{outline:none}}", "none"),
        ("@layer a.b{*{outline-style:none}} @layer c", "none"),
        ("@layer base{:focus-visible{outline:2px dashed red}}", "dashed"),
        ("button{outline-style:solid}", "solid"),
        (":where(button){outline:dotted}", "dotted"),
    ],
)
def test_the_focus_ring_gives_way_to_every_rule_of_the_page(
    hand: Hand, open_replay: Open, css: str, outline: str
) -> None:
    hand.start(["button", {}, "b"], head=[["style", {}, css]])
    hand.script.ops(20, 1, ["focus", 8, 1])
    replay = open_replay(hand.close(), "#t=30")
    assert replay.inside(RING.format("doc.querySelector('button')")) == outline


HOST = ":host(:focus){outline:none}"
LAYERED = "@layer x{:host(:focus-visible){outline:2px dashed red}}"


@pytest.mark.parametrize(
    ("css", "inner", "outline"),
    [("", "", "auto"), ("", HOST, "none"), ("", LAYERED, "dashed"), ("x-a:focus{outline:solid}", HOST, "solid")],
)
@pytest.mark.parametrize("mode", ["open", "closed"])
def test_the_focus_ring_of_a_host_gives_way_to_its_own_rules(
    hand: Hand, open_replay: Open, css: str, inner: str, outline: str, mode: str
) -> None:
    root = ["#shadow", {"mode": mode}, ["style", {}, inner or "i{}"], ["slot", {}]]
    hand.start(["x-a", {"tabindex": "0"}, root, "x"], head=[["style", {}, css or "i{}"]])  # 5 style, 8 x-a
    hand.script.ops(20, 1, ["focus", 8, 1])
    replay = open_replay(hand.close(), "#t=30")
    assert replay.inside(RING.format("doc.querySelector('x-a')")) == outline


@pytest.mark.parametrize("inner", ["::slotted(:focus){outline:none}", "i{}"])
def test_the_focus_ring_of_what_a_slot_shows_gives_way_to_the_slot(hand: Hand, open_replay: Open, inner: str) -> None:
    root = ["#shadow", {"mode": "open"}, ["style", {}, inner], ["slot", {}]]  # 7; 8 9; 10
    hand.start(["x-a", {}, root, ["button", {}, "x"]])  # 6; 11
    hand.script.ops(20, 1, ["focus", 11, 1])
    replay = open_replay(hand.close(), "#t=30")
    wanted = "none" if "slotted" in inner else "auto"
    assert replay.inside(RING.format("doc.querySelector('button')")) == wanted


def test_a_selection_gives_way_to_a_layer(hand: Hand, open_replay: Open) -> None:
    hand.start(["p", {}, "text"], head=[["style", {}, "@layer x{:root::selection{background:rgb(1,2,3)}}"]])
    replay = open_replay(hand.close(), "#t=30")
    assert replay.inside("getComputedStyle(doc.documentElement, '::selection').backgroundColor") == "rgb(1, 2, 3)"


def test_what_must_hold_beats_what_is_important_in_a_layer(hand: Hand, open_replay: Open) -> None:
    css = """@layer x{*{transition:all 9s !important} noscript{display:block !important}
        canvas{content:normal !important;width:auto !important}}"""
    inner = ":host{transition:all 9s !important} ::slotted(b){transition:all 9s !important}"
    hand.start(
        ["noscript", {}],
        ["p", {}, "p"],
        ["canvas", {"width": "40", "height": "40"}],
        ["x-a", {}, ["#shadow", {"mode": "open"}, ["style", {}, inner], ["slot", {}]], ["b", {}, "b"]],
        head=[["style", {}, css]],
    )
    replay = open_replay(hand.close(), "#t=30")
    for name in ("p", "x-a", "b"):
        assert replay.inside(f"getComputedStyle(doc.querySelector('{name}')).transitionDuration") == "0s", name
    assert replay.inside("getComputedStyle(doc.querySelector('noscript')).display") == "none"
    assert replay.inside("getComputedStyle(doc.querySelector('canvas')).content").startswith("url(")


@pytest.mark.parametrize(
    ("css", "style", "awake"),
    [
        ("p { color: red }", "", []),
        ("p { transition: opacity 9s }", "", ["*"]),
        ("", "transition: opacity 9s", ["*"]),
        ("li::marker { color: red }", "", []),
        ("li::marker { transition: color 9s }", "", ["*", "::marker"]),
    ],
)
def test_a_browser_is_asked_for_parts_of_elements_only_where_the_page_has_transitions_of_them(
    hand: Hand, open_replay: Open, css: str, style: str, awake: list[str]
) -> None:
    """Chromium looks for each part of each element that a rule names: `::scroll-button` alone took two seconds of a page of 60,000 elements."""
    hand.start(["p", {"style": style} if style else {}, "p"], ["li", {}, "li"], head=[["style", {}, css]])
    replay = open_replay(hand.close(), "#t=30")
    said = replay.inside(
        "[...doc.adoptedStyleSheets[0].cssRules[0].cssRules].filter((rule) => rule.style?.transition.includes('none'))"
        ".map((rule) => rule.selectorText.split(',')[0]).sort()"
    )
    assert said == awake
    assert replay.inside(
        "[...doc.querySelectorAll('p')].every((p) => /^(0s|)$/.test(getComputedStyle(p).transitionDuration))"
    )


def test_focus_within_a_shadow_tree_is_focus_of_its_host(hand: Hand, open_replay: Open) -> None:
    """Chromium: each host of the focused element's tree matches ``:focus``, and none ``:focus-visible``."""
    root = ["#shadow", {"mode": "closed"}, ["button", {}, "x"]]  # 10; 11
    hand.start(
        ["x-a", {}, root],  # 9
        head=[["style", {}, "x-a{display:block} x-a:focus{--f:1} x-a:focus-visible{--v:1}"]],
    )
    hand.script.ops(20, 1, ["focus", 10, 1])
    replay = open_replay(hand.close(), "#t=30")
    look = "['--f', '--v'].map((name) => getComputedStyle(doc.querySelector('x-a')).getPropertyValue(name)).join()"
    assert replay.inside(look) == "1,"
