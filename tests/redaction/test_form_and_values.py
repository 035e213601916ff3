"""Form stays where a value stands beside it: numbers of a length, colours, outlines, what a program sets; and what is nobody's is not looked for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pagereel.redaction import known_values, redact
from pagereel.redaction.gate.generated_text import extract_page_data, is_css_grammar
from pagereel.redaction.values.known_values import KnownValues
from pagereel.redaction.values.pseudonyms import Pseudonyms
from pagereel.reel import open_reel
from tests.redaction.reels import Maker


def shown(tmp_path: Path, *children: Any) -> str:
    m = Maker(tmp_path / "a.reel")
    m.body(*children)
    redact(m.done(), tmp_path / "b.reel")
    with open_reel(tmp_path / "b.reel") as reel:
        return json.dumps([e for e in reel.events() if e["k"] == "snapshot"], ensure_ascii=False)


@pytest.mark.parametrize("number", ["7", "12", "120", "4500", "12345"])
def test_a_number_keeps_its_digits(number: str) -> None:
    made = Pseudonyms().make_stand_in(f"{number} %", "VALUE")
    assert re.fullmatch(rf"\d{{{len(number)}}} %", made)
    assert made != f"{number} %"


def test_no_number_becomes_another_number_of_the_recording() -> None:
    values = KnownValues.given((str(number), "ZIP_CODE") for number in range(10_000, 99_999, 3))
    made = Pseudonyms()
    made.set_known_values(values)
    assert [
        n for n in range(10_000, 11_000, 3) if made.make_stand_in(f"Order {n}", "VALUE").split()[-1] in values
    ] == []


def test_a_slider_stays_on_its_track(tmp_path: Path) -> None:
    said = shown(
        tmp_path, ["div", {"role": "slider", "aria-valuemin": "50", "aria-valuemax": "200", "aria-valuenow": "120"}]
    )
    assert '"aria-valuemin":"50"' in said.replace(": ", ":")
    assert '"aria-valuemax":"200"' in said.replace(": ", ":")
    now = re.search(r'"aria-valuenow": "(\d+)"', said)
    assert now is not None
    assert 50 <= int(now[1]) <= 200


def test_a_colour_of_a_field_stays_in_a_style(tmp_path: Path) -> None:
    style = "color:#aa5533ff; background: #aa5533"
    said = shown(tmp_path, ["input", {"value": "#aa5533"}], ["p", {"style": style}, "x"])
    assert style in said


def test_a_colour_in_a_title_is_nobodys_number(tmp_path: Path) -> None:
    said = shown(tmp_path, ["button", {"title": "#a5d8ff"}, "x"], ["style", {}, "p{color:#a5d8ff}"])
    assert said.count("#a5d8ff") == 2


def test_an_outline_and_an_uppermost_layer_are_form(tmp_path: Path) -> None:
    css = "p{--layer-top:2147480000;clip-path:path('M 0 8 A 4 4 0 0 0 2.82842712474619 6.82842712474619 L 6.585786437626905 3.0710678118654755 Z')}"
    assert "2147480000" in (said := shown(tmp_path, ["p", {}, "x"], ["style", {}, css]))
    assert "6.82842712474619 L 6.585786437626905" in said


@pytest.mark.parametrize("sheet", ["a{color:#aa5533ff}", "a{color:#aa5533}"])
def test_a_colour_with_its_sign_is_grammar(sheet: str) -> None:
    assert is_css_grammar(sheet, sheet.index("#"), sheet.index("#") + 7)


def test_a_style_sheet_s_file_has_grammar_too() -> None:
    event = {"k": "resource", "mime": "text/css", "text": "p{color:#a5d8ff}q::before{content:'a5d8ff'}"}
    said = extract_page_data(json.dumps(event).encode())
    assert said is not None
    assert said.count(b"a5d8ff") == 1


def test_what_a_program_sets_is_not_looked_for(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    attributes = {"data-form-key-value": "unsavedChanges", "data-ping-token": "10000", "data-user": "ostenvik"}
    m.body(["div", attributes, "x"])
    known = {v.text for v in known_values(m.done())}
    assert not known & {"unsavedChanges", "10000"}
    assert "ostenvik" in known


@pytest.mark.parametrize("text", ["Name: customers.ipynb\nSize: 6.1 KB", "See http://example.com/ for more"])
def test_a_file_and_an_example_are_nobodys(text: str, tmp_path: Path) -> None:
    assert json.dumps(text)[1:-1] in shown(tmp_path, ["p", {"title": text}, text])


def test_the_site_s_name_is_no_position(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel", title="x")
    m.body(["p", {}, "x"])
    for at, title in enumerate(("登录 | Django 站点管理员", "选择 客户 来修改 | Django 站点管理员")):
        m.ops(["add", 3, 7 + 2 * at, ["title", {}, title]])
    redact(m.done(), tmp_path / "b.reel")
    with open_reel(tmp_path / "b.reel") as reel:
        said = json.dumps([e["ops"] for e in reel.events() if e["k"] == "mutation"], ensure_ascii=False)
    assert said.count("站点管理员") == 2


def test_a_colour_in_a_field_becomes_one_and_is_not_looked_for(tmp_path: Path) -> None:
    said = shown(tmp_path, ["input", {"value": "#aa5533"}], ["p", {"title": "#aa5533"}, "#aa5533"])
    assert said.count("#aa5533") == 2
    assert "#808080" in said
