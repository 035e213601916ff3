"""What a style sheet can say without a `content: "…"` that a search for such words would find; and what must stay."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pagereel.player_build import build
from pagereel.redaction import redact
from pagereel.redaction.content.css import mask_css
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker

SHEETS = {
    "an escaped property": 'a::before { c\\6fntent: "{said}" }',
    "an escaped function": "a { background: u\\72l({address}) }",
    "an escaped function with a string": 'a { background: \\75rl("{address}") }',
    "list-style-type": 'li { list-style-type: "{said}" }',
    "list-style": 'li { list-style: "{said}" inside }',
    "a counter style": '@counter-style steps { system: cyclic; symbols: "{said}" "b"; suffix: " {said} " }',
    "additive symbols": '@counter-style steps { system: additive; additive-symbols: 3 "{said}", 1 "x" }',
    "text-overflow": 'p { text-overflow: "{said}" }',
    "hyphenate-character": 'p { hyphenate-character: "{said}" }',
    "string-set": 'h1 { string-set: chapter "{said}" }',
    "a registered property": '@property --who { syntax: "*"; inherits: true; initial-value: "{said}" }',
    "an attribute's value, one word": '[title="{one}"] { color: red }',
    "an attribute's value": '[title="{said}"] { color: red }',
    "an attribute's value among classes": '.row > td[aria-label="{said}" i]:hover { color: red }',
    "an attribute's beginning": '[alt^="{said}"] { color: red }',
    "an import": '@import "{address}";',
    "an import with a url": "@import url({address}) screen;",
    "an image set": 'a { background: image-set("{address}" 1x, "{address}" 2x) }',
    "a prefixed image set": 'a { background: -webkit-image-set("{address}" 1x) }',
    "src()": 'a { background: src("{address}") }',
    "cross-fade()": 'a { background: cross-fade("{address}", url({address}), 50%) }',
    "quotes": 'q { quotes: "{said}" "»" }',
    "a fallback of attr()": 'a::after { content: attr(data-x, "{said}") }',
    "a custom property": ':root { --label: "{said}" }',
    "a custom property without quotes": ":root { --label: {said} }",
    "a custom property in a fallback": 'a::after { content: var(--label, "{said}") }',
    "within @supports": '@supports (content: "{said}") { a { color: red } }',
    "within a nested rule": 'main { & a { &::before { content: "{said}" } } }',
    "a string that the end cuts off": 'a::before { content: "{said}',
    "a string that a line cuts off": 'a::before { content: "{said}\n } b { color: red }',
    "a bad address": "a { background: url({address} 'x\") }",
    "a comment": "a { color: red /* {said} */ }",
    "an image's name for a program": 'a { background: image("{address}", red) }',
    "a container's condition": '@container style(--label: "{said}") { a { color: red } }',
    "an animation of a string": '@keyframes k { from { content: "{said}" } }',
}


def masked(sheet: str, secrets: list[str]) -> str:
    """The sheet with secrets that are only known where they are read: nothing searches for them elsewhere."""

    def words(text: str) -> str:
        return "hidden" if any(secret in text for secret in secrets) else text

    return mask_css(sheet, words, words, lambda text: text, lambda name: name)


@pytest.mark.parametrize("where", SHEETS)
def test_what_a_sheet_says_is_read(where: str) -> None:
    random = Random()
    said = (
        "".join(random.choices("bdfglmnprst", k=1) + random.choices("aeioudlmnr", k=6)).capitalize() + " Ostenorworth"
    )
    address = f"/avatars/{said.split()[0].lower()}.png"
    sheet = SHEETS[where].replace("{said}", said).replace("{one}", said.split()[0]).replace("{address}", address)
    out = masked(sheet, [said.split()[0], said.split()[0].lower()])
    assert said.split()[0].lower() not in out.lower(), out


KEPT = [
    'body { grid-template-areas: "header header" "main aside" } .x { grid-area: header }',
    'p { font-feature-settings: "liga" 1, "kern" 0; font-variation-settings: "wght" 400 }',
    '@font-face { font-family: "Open Sans"; src: local("Open Sans"), url(/f.woff2) format("woff2") }',
    '@charset "utf-8"; a { color: #fff0aa }',
    'a::before { content: "\\e001" counter(item) ". " }',
    '@property --x { syntax: "<length> | auto"; inherits: false; initial-value: 0px }',
    'a[href$=".pdf"]::after, input[type="checkbox" i] { margin: 1px }',
    "a{--x:{b:c};color:red}@media (min-width:40em){b>c~d{width:calc(100% - 2px)}}",
    "@layer base,theme;@import url(/a.css) layer(base) supports(display: grid) screen;",
    'a { content: "x" / "" } .sm\\:flex { display: flex } .\\31 0 { width: 1px }',
    ".broken { color: red ) ] } .next { color: blue",
    "<!-- a { b: c } -->",
    "div { background: url(\"data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg'/>\") }",
    "@namespace svg url(http://www.w3.org/2000/svg); svg|a { color: red }",
    "translate(10px, 20px) rotate(1turn)",
    "color: red; width: 10px",
    "U+0025-00FF, u+4??",
]


@pytest.mark.parametrize("sheet", KEPT)
def test_a_sheet_that_says_nothing_stays_as_it_is(sheet: str) -> None:
    assert mask_css(sheet, lambda t: t, lambda u: u, lambda t: t, lambda n: n) == sheet
    asked: list[str] = []

    def words(text: str) -> str:
        asked.append(text)
        return text

    mask_css(sheet, words, lambda u: u, lambda t: t, lambda n: n)
    assert {text for text in asked if text.strip(". ")} <= {"x"}


def test_the_same_property_said_twice_is_two_texts() -> None:
    """They were read as one, from the first's beginning to the second's end: what stood between was lost with it."""
    sheet = "@page { --who: Priya Raghunathan }\n@font-face { --who: Aoife Kelleher }"
    masked = mask_css(sheet, lambda text: text.upper(), lambda u: u, lambda t: t, lambda n: n)
    assert masked == "@page { --who: PRIYA RAGHUNATHAN }\n@font-face { --who: AOIFE KELLEHER }"


def test_a_number_in_a_custom_property_is_somebodys_with_few_digits_too() -> None:
    from pagereel.redaction.content.untokenized_css import add_numbers_and_emails

    found = [
        piece.text for piece in add_numbers_and_emails(".a { --g: 272888585; --z: 999999999; width: 272888585px }", [])
    ]
    assert found == ["272888585"]


def test_a_telephone_number_with_its_area_in_brackets_is_one() -> None:
    from pagereel.redaction.content.untokenized_css import add_numbers_and_emails

    found = [
        piece.text
        for piece in add_numbers_and_emails(
            ".a { --callback: +1 (312) 4393-7324; width: calc(100% - (20px - 3px)) }", []
        )
    ]
    assert found == ["+1 (312) 4393-7324"]


@pytest.mark.parametrize("sheet", ["a{" * 3000, "p{color:" + "calc(" * 3000, ":is(" * 3000 + "a" + ")" * 3000 + "{b:c}", "@media x{" * 3000])  # fmt: skip
def test_a_sheet_that_is_nested_a_thousand_deep_ends_no_build(sheet: str, tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["style", {}, f'i::before{{content:"mail priya@shop.nl"}}{sheet}'],
        ["p", {"style": f"width:{'calc(' * 3000}"}, "x"],
    )
    m.done()
    for policy in (None, "vendor"):
        build(tmp_path / "a.reel", tmp_path / f"{policy}.html", redaction=policy)
    redact(tmp_path / "a.reel", tmp_path / "b.reel")
    assert "priya@shop.nl" not in text_of(tmp_path / "b.reel")
