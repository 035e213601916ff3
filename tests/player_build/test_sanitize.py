"""The second wall: nothing that runs, loads by itself or navigates reaches the built file."""

from __future__ import annotations

import pytest

from pagereel.player_build.allow_lists import canonical_tag, may_keep_attribute, parse_scheme
from pagereel.player_build.painted_values import count_nodes
from pagereel.player_build.sanitize import Sanitizer
from pagereel.reel import Json


@pytest.mark.parametrize(
    ("tag", "name", "value"),
    [
        ("img", "onerror", "alert(1)"),
        ("svg|svg", "onload", "alert(1)"),
        ("div", "ONCLICK", "alert(1)"),
        ("body", "onpageshow", "alert(1)"),
        ("a", "href", "javascript:alert(1)"),
        ("a", "href", " \tjava\nscript:alert(1)"),
        ("a", "href", "JaVaScRiPt:alert(1)"),
        ("a", "href", "\x01javascript:alert(1)"),
        ("a", "href", "vbscript:x"),
        ("svg|a", "xlink:href", "javascript:alert(1)"),
        ("form", "action", "javascript:alert(1)"),
        ("button", "formaction", "javascript:alert(1)"),
        ("iframe", "src", "javascript:alert(1)"),
        ("iframe", "srcdoc", "<script>alert(1)</script>"),
        ("object", "data", "javascript:alert(1)"),
        ("svg|animate", "values", "javascript:alert(1)"),
        ("svg|animate", "values", "#a; javascript:alert(1)"),
        ("svg|set", "to", "javascript:alert(1)"),
        ("p", "nonce", "abc"),
        ("p", "data-pagereel-hover", ""),
    ],
)
def test_never_kept(tag: str, name: str, value: str) -> None:
    assert not may_keep_attribute(tag, name, value)


@pytest.mark.parametrize(
    ("tag", "name", "value"),
    [
        ("a", "href", "https://a.example/?q=javascript:1"),
        ("a", "href", "/relative:colon"),
        ("a", "href", "mailto:a@b.example"),
        ("link", "href", "chrome://settings"),  # Kept to be read; the player paints no such scheme.
        ("p", "title", "javascript: the good parts"),
        ("form", "action", "/buy"),
        ("iframe", "sandbox", "allow-scripts"),
        ("img", "src", "data:image/png;base64,AA=="),
        ("x-a", "@click", "go()"),
    ],
)
def test_kept(tag: str, name: str, value: str) -> None:
    assert may_keep_attribute(tag, name, value)


def test_schemes_are_read_as_browsers_read_them() -> None:
    assert parse_scheme(" \n JAVA\tSCRIPT:x") == "javascript"
    assert parse_scheme("//host/x:y") == ""
    assert parse_scheme("a b:c") == "ab"  # too strict is right here


def nothing_known(node: Json, *, parent: bool = False) -> tuple[str, dict[str, str]]:
    return "", {}


def test_a_script_stays_as_an_empty_element_and_ids_do_not_move() -> None:
    tree: Json = [
        "div",
        {},
        ["script", {"src": "x.js", "type": "module"}, "alert(1)"],
        ["p", {"onclick": "x()", "id": "p"}, "t"],
    ]
    wall = Sanitizer()
    clean = wall.sanitize_tree(tree)
    assert clean == ["div", {}, ["script", {}, ""], ["p", {"id": "p"}, "t"]]
    assert count_nodes(clean) == count_nodes(tree) == 5
    assert wall.removed == 4


def test_late_mutations_meet_the_same_wall() -> None:
    def look(node: Json, *, parent: bool = False) -> tuple[str, dict[str, str]]:
        known: dict[Json, tuple[str, dict[str, str]]] = {
            1: ("a", {"href": "/x"}),
            2: ("svg|animate", {"attributeName": "href"}),
            3: ("script", {}),
        }
        return known.get(3 if parent else node, ("", {}))

    ops = Sanitizer().sanitize_ops(
        [
            ["attr", 1, {"href": "javascript:x", "onclick": "x", "class": "a"}],
            ["attr", 2, {"to": "/harmless"}],
            ["text", 4, "alert(1)"],
            ["shown", 1, {"href": "javascript:x"}],
            ["css", 4, "x"],
        ],
        look,
    )
    assert ops == [["attr", 1, {"href": None, "onclick": None, "class": "a"}], ["attr", 2, {"to": None}]]


def test_an_animation_may_move_a_circle_but_write_no_address() -> None:
    wall = Sanitizer()
    assert wall.sanitize_tree(["svg|animate", {"attributeName": "r", "values": "1;2"}]) == [
        "svg|animate",
        {"attributeName": "r", "values": "1;2"},
    ]
    assert wall.sanitize_tree(["svg|animate", {"attributeName": "xlink:href", "to": "#a"}]) == [
        "svg|animate",
        {"attributeName": "xlink:href"},
    ]


@pytest.mark.parametrize(
    ("tag", "canonical"),
    [
        ("http://www.w3.org/2000/svg|animate", "svg|animate"),
        ("http://www.w3.org/1998/Math/MathML|mi", "math|mi"),
        ("http://www.w3.org/1999/xhtml|style", "style"),
        ("html|script", "script"),
        ("html|na|me", "html|na|me"),
        ("svg|a|b", "svg|a|b"),
        ("http://www.w3.org/1999/xhtml|#shadow", "html|#shadow"),
        ("https://other.example/ns|style", "https://other.example/ns|style"),
        ("|style", "|style"),
        ("p", "p"),
    ],
)
def test_an_element_has_one_name_however_its_namespace_is_spelt(tag: str, canonical: str) -> None:
    assert canonical_tag(tag) == canonical
    assert Sanitizer().sanitize_tree([tag, {}]) == [canonical, {}]


def test_a_namespace_spelt_out_goes_round_no_list() -> None:
    wall = Sanitizer()
    animation: dict[str, Json] = {"attributeName": "href", "values": "#;javascript:x"}
    assert wall.sanitize_tree(["http://www.w3.org/2000/svg|animate", animation]) == [
        "svg|animate",
        {"attributeName": "href"},
    ]
    assert wall.sanitize_tree(["http://www.w3.org/1999/xhtml|script", {"src": "x"}, "x"]) == ["script", {}, ""]


def test_a_very_deep_tree_is_no_problem() -> None:
    tree: Json = "leaf"
    for _ in range(20_000):
        tree = ["b", {"onclick": "x"}, tree]
    assert count_nodes(Sanitizer().sanitize_tree(tree)) == 20_001
