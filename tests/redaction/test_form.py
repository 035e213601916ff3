"""What a style sheet asks for is form: it stays in the masked page, or is renamed alike in the page and its sheet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pagereel.redaction import redact
from pagereel.redaction.content.styled_attributes import SheetStyledAttributes
from pagereel.redaction.gate.generated_text import is_css_grammar
from pagereel.reel import open_reel

from .reels import Maker

SHEET = """
my-button[design="Emphasized"] { color: red } [inner-box] { border: 1px solid } .plugins[_ngcontent-ng-c225] { padding: 1px }
:host([data-size='Huge' i]) { width: 1px } [data-kind~=wide], [data-col|="span"], [data-path^="menu/"], [data-file$=".pdf"], [data-way*="up"] { top: 0 }
td::before { content: attr(data-label) }
"""
ATTRIBUTES = {
    "design": "Emphasized",
    "inner-box": "true",
    "_ngcontent-ng-c225": "",
    "data-size": "huge",
    "data-kind": "very wide",
    "data-col": "span-3",
    "data-path": "menu/file",
    "data-file": "list.pdf",
    "data-way": "pickup",
    "data-nobody-asks": "stone",
    "other": "word",
}
SHOWN = {**ATTRIBUTES, "inner-box": "", "data-nobody-asks": ""}
del SHOWN["other"]


def masked(m: Maker, tmp_path: Path) -> list[list[Any]]:
    redact(m.done(), tmp_path / "masked.reel")
    with open_reel(tmp_path / "masked.reel") as reel:
        return [op for event in reel.events({"snapshot", "mutation"}) for op in event["ops"]]


def body_of(ops: list[list[Any]]) -> list[Any]:
    return ops[0][2][2][3]  # type: ignore[no-any-return]


@pytest.mark.parametrize("where", ["element", "adopted", "changed text", "file"])
def test_what_a_sheet_selects_by_stays_wherever_the_sheet_comes_from(where: str, tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", dict(ATTRIBUTES), "x"], ["style", {}, ""])
    if where == "file":
        m.put("picture", d=1, page=1, body=m.resource("text/css", SHEET))
    else:
        op = {
            "element": ["add", -4, 9, ["style", {}, SHEET]],
            "adopted": ["sheet", 1, 0, SHEET],
            "changed text": ["text", 8, SHEET],
        }[where]
        m.ops(op)
    assert body_of(masked(m, tmp_path))[2][1] == SHOWN


def test_a_value_that_tells_something_is_renamed_alike_in_page_and_sheet(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    sheet = '[data-owner="zuberina@shop.example"] { color: red }'
    m.body(["style", {}, sheet], ["p", {"data-owner": "zuberina@shop.example"}, "x"])
    _, _, style, paragraph = body_of(masked(m, tmp_path))
    assert "zuberina" not in style[2]
    assert re.findall('"(.*)"', style[2]) == [paragraph[1]["data-owner"]] != [""]


def test_what_a_sheet_shows_of_an_attribute_is_text(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["style", {}, SHEET],
        ["p", {"data-label": "Delivery time"}, ""],
        ["p", {"data-label": "zuberina@shop.example"}, ""],
    )
    _, _, _, plain, mail = body_of(masked(m, tmp_path))
    assert plain[1] == {"data-label": "Delivery time"}
    assert "@" in mail[1]["data-label"]
    assert "zuberina" not in mail[1]["data-label"]


def test_no_sheet_lets_a_handler_pass(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["style", {}, '[onclick="f()"] { color: red } [content="who"] { top: 0 }'], ["p", {"onclick": "f()"}, "x"], ["meta", {"name": "a", "content": "who"}])  # fmt: skip
    assert [tree[1] for tree in body_of(masked(m, tmp_path))[3:]] == [{}, {}]


def test_a_choice_that_a_sheet_selects_by_keeps_its_value(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["style", {}, 'input[value="express"] { color: red }'], *(["input", {"type": "radio", "value": v}] for v in ("express", "grandma")))  # fmt: skip
    assert [tree[1]["value"] for tree in body_of(masked(m, tmp_path))[3:]] == ["express", ""]


def test_colours_and_numbers_of_sheets_are_no_known_value(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    sheet = "a{color:#482133;width:482133px;margin:1.482133em}p{--card:482133}#482133{top:0}"
    drawn = {"fill": "#482133", "d": "M482133,5 L1,2"}
    m.body(["style", {}, sheet], ["svg|path", drawn], ["label", {}, "Order ", ["input", {"value": "482133"}]], "Order 482133")  # fmt: skip
    _, _, style, path, label, text = body_of(masked(m, tmp_path))
    assert style[2].startswith("a{color:#482133;width:482133px;margin:1.482133em}p{")
    assert style[2].count("482133") == 3
    assert path[1] == drawn
    assert "482133" not in str([label, text])


def test_a_selector_is_no_declaration() -> None:
    text = "a:hover #facade{color:#facade}"
    assert not is_css_grammar(text, 9, 15)
    assert is_css_grammar(text, 23, 29)


def test_odd_selectors_are_read() -> None:
    form = SheetStyledAttributes()
    form.read_sheet(r"""[ A\:b = "\27 x" ],[svg|href],[c='d' s],[ e ],[f=g i],[h="\
i"],["j"],[=k],[l=],[m="n""")
    assert form.selects_value("a:b", "'x")
    assert all(map(form.selects_attribute, ["href", "c", "e", "f", "h"]))
    assert not any(map(form.selects_attribute, ["j", "k", "l", "m"]))
    assert form.selects_value("F", "G")
    assert form.selects_value("h", "i")


def test_a_catalogue_of_an_interface_tells_no_credential(tmp_path: Path) -> None:
    said = '{"account": {"username": "Username", "password": "Password"}, "vault": {"passphrase": "Passphrase", "help": "Password or passphrase"}}'
    m = Maker(tmp_path / "a.reel")
    m.body(["label", {}, "Password ", ["input", {"type": "password"}]], ["pre", {}, said])
    m.put("request", id="r", page=1, method="GET", url="https://shop.example/labels.json", type="fetch")
    m.put("response", id="r", url="https://shop.example/labels.json", status=200, headers={"content-type": "application/json"}, body=m.resource("application/json", said))  # fmt: skip
    _, _, label, catalogue = body_of(masked(m, tmp_path))
    assert label[2] == "Password "
    assert catalogue[2] == said
