"""Style sheets for the replay: pseudo-classes become attributes, addresses become resources, nothing else changes."""

from __future__ import annotations

import pytest
import tinycss2  # type: ignore[import-untyped]
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pagereel.player_build.sheet_rewriting import NOTHING, ImportedSheet, rewrite_declarations, rewrite_sheet


def resolve(address: str, base: str) -> str | None:
    return None if "gone" in address else f"pagereel:{address}"


def load(address: str, base: str) -> ImportedSheet | None:
    sheets = {
        "a.css": '@charset "utf-8"; .a:hover { color: red }',
        "b.css": '@import "c.css"; .b { background: url(in-b.png) }',
        "c.css": '.c { color: blue } @import "a.css";',
        "ring.css": '@import "ring.css"; .ring {}',
        "open.css": ".open { color: red; background: url(x",
    }
    return ImportedSheet(sheets[address], f"https://h/{address}") if address in sheets else None


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("a:hover{}", "a[data-pagereel-hover]{}"),
        ("select:open,a{}", "select:is(:open, [data-pagereel-open]),a{}"),
        (
            "#s::picker(select):popover-open,[popover]:popover-open{}",
            "#s[data-pagereel-picker]::picker(select),[popover]:popover-open{}",
        ),
        ("A:HOVER{}", "A[data-pagereel-hover]{}"),
        ("a:hover:not(:focus):active{}", "a[data-pagereel-hover]:not([data-pagereel-focus])[data-pagereel-active]{}"),
        (":is(a,b:focus-visible) > c{}", ":is(a,b[data-pagereel-focus-visible]) > c{}"),
        ("li:nth-child(2n of :hover){}", "li:nth-child(2n of [data-pagereel-hover]){}"),
        ("form:focus-within,p:target{}", "form[data-pagereel-focus-within],p[data-pagereel-target]{}"),
        (":host(:hover) ::slotted(a:hover){}", ":host([data-pagereel-hover]) ::slotted(a[data-pagereel-hover]){}"),
        ("a:link,a:visited{}", "a:any-link,a[data-pagereel-visited]{}"),
        ("x-a:not(:defined){}", "x-a:not(:not([data-pagereel-undefined])){}"),
        ("x-a:state(busy){}", 'x-a[data-pagereel-states~="busy"]{}'),
        (
            "@media print{@supports (x:y){@layer l{@container (width>1px){a:hover{}}}}}",
            "@media print{@supports (x:y){@layer l{@container (width>1px){a[data-pagereel-hover]{}}}}}",
        ),
        (
            ".a{color:red;&:hover{x:y}b:focus &{x:y}}",
            ".a{color:red;&[data-pagereel-hover]{x:y}b[data-pagereel-focus] &{x:y}}",
        ),
        (
            "@scope (.a:hover) to (.b:hover){:scope:focus{}}",
            "@scope (.a[data-pagereel-hover]) to (.b[data-pagereel-hover]){:scope[data-pagereel-focus]{}}",
        ),
    ],
)
def test_pseudo_classes_become_attributes_of_the_same_weight(css: str, expected: str) -> None:
    assert rewrite_sheet(css, resolve) == expected


@pytest.mark.parametrize(
    "css",
    [
        "a{content:':hover'}",  # a string
        "/* a:hover{} */",  # a comment
        ".a\\:hover{}",  # Tailwind's escaped class
        "a{--x:hover;color:red}",
        "a{--rule:{b:hover{}}}",  # a custom property's value is not a rule
        "::-webkit-scrollbar-thumb:hover{}",  # no attribute may stand after a pseudo-element
        "@supports selector(:hover){}",
        "@namespace svg url(http://www.w3.org/2000/svg);",
        "a:hovering{}",
        "a{clip-path:url(#shape)}",
        "@keyframes k{from{top:0}50%{top:1px}to{top:2px}}",
        "a{color:red",
        "}}} b{color:red}",
        "a{b}c;d{e:f}",
        "",
    ],
)
def test_what_is_not_meant_stays_byte_for_byte(css: str) -> None:
    assert rewrite_sheet(css, resolve) == css


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("a{b:url(x.png)}", 'a{b:url("pagereel:x.png")}'),
        ("a{b:url( 'x y.png' ) no-repeat}", 'a{b:url("pagereel:x y.png") no-repeat}'),
        ("a{b:URL(x.png),url(y.png)}", 'a{b:url("pagereel:x.png"),url("pagereel:y.png")}'),
        ("@font-face{src:url(f.woff2) format('woff2')}", "@font-face{src:url(\"pagereel:f.woff2\") format('woff2')}"),
        ("a{--v:url(x.png)}", 'a{--v:url("pagereel:x.png")}'),
        (
            "a{b:image-set('x' 1x,url(y) type('image/png'))}",
            "a{b:image-set(url(\"pagereel:x\") 1x,url(\"pagereel:y\") type('image/png'))}",
        ),
        ("a{b:url(gone.png)}", f'a{{b:url("{NOTHING}")}}'),
        ("a{b:url(data:image/png;base64,AA==)}", 'a{b:url("pagereel:data:image/png;base64,AA==")}'),
        ("a{b:url(x", 'a{b:url("pagereel:x")'),
        ("é{b:url(ü.png)}\n😀{b:url(x)}", 'é{b:url("pagereel:ü.png")}\n😀{b:url("pagereel:x")}'),
        ("a{b:url(\"x\\\"y\")}", 'a{b:url("pagereel:x\\"y")}'),
    ],
)  # fmt: skip
def test_addresses_become_resources(css: str, expected: str) -> None:
    assert rewrite_sheet(css, resolve) == expected


def test_a_selector_finds_what_the_player_moved_aside() -> None:
    assert (
        rewrite_sheet('img[src$=".png" i]{}', resolve) == 'img:is([src$=".png" i],[data-pagereel-was-src$=".png" i]){}'
    )
    assert rewrite_sheet("[src],[class=x]{}", resolve) == ":is([src],[data-pagereel-was-src]),[class=x]{}"
    # A name that no list has is never painted; one with other signs in it is none of HTML's, and is.
    assert rewrite_sheet("my-tab[Active]{}", resolve) == "my-tab:is([Active],[data-pagereel-was-active]){}"
    assert rewrite_sheet("[data-a],[_ngcontent-x],[hidden]{}", resolve) == "[data-a],[_ngcontent-x],[hidden]{}"
    assert rewrite_sheet("i::after{content:attr(glyph) attr(title)}", resolve) == (
        "i::after{content:attr(data-pagereel-was-glyph) attr(title)}"
    )


def only(name: str) -> str:
    return f':is({name}:not(*),:where([data-pagereel-name="{name}"]))'


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("Div.Big#Top > p, * DIV[Lang]:not(P, q){}", f"{only('Div')}.Big#Top > p, * {only('DIV')}[Lang]:not({only('P')}, q){{}}"),
        ("@scope (Main){:scope > B{}}", f"@scope ({only('Main')}){{:scope > {only('B')}{{}}}}"),
        ("a{& Em{}} svg|Rect, *|Div, p:lang(EN):nth-child(ODD)::-webkit-X{}", f"a{{& {only('Em')}{{}}}} svg|Rect, *|Div, p:lang(EN):nth-child(ODD)::-webkit-X{{}}"),
        ("@keyframes Big{FROM{color:Red} To{}} p{animation: Big; font: Arial}", None),
    ],
)  # fmt: skip
def test_names_of_elements_are_told_apart_by_their_case_in_xml_alone(css: str, expected: str | None) -> None:
    assert rewrite_sheet(css, resolve, xml=True) == (expected or css)
    assert rewrite_sheet(css, resolve) == css


def test_imports_stand_in_the_place_of_their_rule() -> None:
    css = '@import "a.css" layer(base) supports(display: grid) screen and (min-width: 9px);.z{}'
    text = rewrite_sheet(css, resolve, load, base="https://h/")
    assert "".join(text.split()) == (
        "@mediascreenand(min-width:9px){@supports(display:grid){@layerbase{"
        '@charset"utf-8";.a[data-pagereel-hover]{color:red}}}}.z{}'
    )


def test_imports_nest_and_keep_their_own_base() -> None:
    seen: list[tuple[str, str]] = []

    def note(address: str, base: str) -> str:
        seen.append((address, base))
        return "pagereel:1"

    text = rewrite_sheet('@import url("b.css");', note, load, base="https://h/")
    assert ".c { color: blue }" in text and "pagereel:1" in text
    assert seen == [("in-b.png", "https://h/b.css")]
    assert "a.css" not in text and ".a" not in text  # an import after a rule does not count


def test_imports_in_a_ring_missing_ones_and_open_ones_do_no_harm() -> None:
    assert rewrite_sheet('@import "ring.css";', resolve, load).count(".ring") == 1
    assert rewrite_sheet('@import "nosuch.css"; .z{}', resolve, load).strip() == ".z{}"
    assert rewrite_sheet('@import "a.css";', resolve).strip() == ""
    assert rewrite_sheet('@import "open.css"; .z{}', resolve, load).rstrip().endswith("}\n .z{}")


def test_inline_styles() -> None:
    assert rewrite_declarations("color:red;background:url(x.png)", resolve) == (
        'color:red;background:url("pagereel:x.png")'
    )


PIECES = [
    "a", ":hover", ":focus", "{", "}", "(", ")", "[", "]", ";", ",", "url(x.png)", "url('y')", '"', "'", "/*", "*/",
    "@media", "@import", "\\", "\n", " ", ":", "::before", "--v:", "!", "é", "😀", "\0", "\r\n", "&", "url(", "#a",
    ".b",
]  # fmt: skip


@settings(max_examples=1500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("[a]{")
@example("b:not([ SRC = 'x' i ]){")
def test_any_text_is_taken_and_what_is_rewritten_stays_rewritten(css: str) -> None:
    once = rewrite_sheet(css, lambda address, base: "pagereel:7")
    again = rewrite_sheet(once, lambda address, base: address if address.startswith("pagereel:") else None)
    assert again == once
    tinycss2.parse_stylesheet(once)
