"""Names that are words of the web's languages too: they are masked where they are names, and take nothing else along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagereel.errors import GateError
from pagereel.player_build import build
from pagereel.player_build.html_file import render_shell
from pagereel.redaction import Gate, KnownValues, redact
from pagereel.reel import open_reel
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker

NAMES = ["Violet", "Olive", "Meta", "Sienna", "Coral", "Thead"]
SHEET = """mark { color: violet; display: block; will-change: transform } .mark, #page { color: olive } @page { margin: 1cm }
thead { display: table-header-group } iframe, [data-page] { border: 0 } a { animation: step-end 1s }"""


def made(path: Path, name: str) -> Path:
    m = Maker(path)
    m.body(
        ["style", {}, SHEET],
        ["input", {"autocomplete": "given-name", "value": name}],
        ["mark", {"class": f"to-{name}", "title": f"for {name}"}, f"Hello {name}, this is {name.upper()}"],
        ["table", {}, ["thead", {}, ["tr", {}, ["th", {"scope": "col"}, "Total"]]]],
        ["svg|svg", {"fill": "violet", "viewBox": "0 0 9 9"}, ["svg|clipPath", {"id": "c"}]],
    )
    m.resource("text/css", SHEET)
    m.put("mark", name="iframe")
    m.put("step", id=1, parent=None, title=f"Ask {name}", reasoning="", attributes={name.lower(): f"by {name}"})
    m.put("gap", reason="late", detail="")
    return m.done()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_a_word_of_the_web_leaves_markup_and_styles_whole(name: str, tmp_path: Path) -> None:
    reel = made(tmp_path / "a.reel", name)
    report = redact(reel, tmp_path / "b.reel")
    assert name in report.known
    shown = text_of(tmp_path / "b.reel")
    assert name not in shown.replace("clipPath", "")
    assert f"Hello {name}" not in shown and name.upper() not in shown and f"to-{name}" not in shown
    with open_reel(tmp_path / "b.reel") as masked:
        tree = json.dumps(next(e for e in masked.events() if e["k"] == "snapshot")["ops"])
    for kept in (
        "mark {",
        "color: violet; display: block; will-change: transform",
        "@page {",
        "thead {",
        '"fill": "violet"',
    ):
        assert kept in tree, kept
    build(reel, tmp_path / "a.html")


def leaks(tmp_path: Path, *children: Any, **attributes: Any) -> bool:
    m = Maker(tmp_path / "a.reel")
    m.body(*children)
    m.put("step", id=1, parent=None, title="Pay", reasoning="", attributes=attributes)
    m.done()
    build(tmp_path / "a.reel", tmp_path / "a.html", redaction=None)
    gate = Gate(KnownValues.given([("mark", "PERSON")]), shell=render_shell().encode())
    found = {not gate.search((tmp_path / file).read_bytes()).clean for file in ("a.reel", "a.html")}
    assert len(found) == 1, "the recording and the replay agree"
    return found.pop()


def test_the_gate_tells_markup_from_what_is_said(tmp_path: Path) -> None:
    assert not leaks(tmp_path, ["mark", {}, "Hello"], ["style", {}, "mark { color: red }"], ["input", {"type": "text"}])
    assert leaks(tmp_path, ["p", {}, "mark"])
    assert leaks(tmp_path, ["p", {}, "Mark"])
    assert leaks(tmp_path, ["p", {"title": "mark"}])
    assert leaks(tmp_path, ["p", {"class": "mark"}])
    assert leaks(tmp_path, ["p", {"id": "mark"}])
    assert leaks(tmp_path, ["style", {}, ".mark { color: red }"])
    assert leaks(tmp_path, ["x-mark", {}])
    assert leaks(tmp_path, who="mark")
    assert leaks(tmp_path, mark="x")


def test_a_word_of_the_player_is_searched_for_in_the_recording(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "Kestrelina"])
    m.done()
    build(tmp_path / "a.reel", tmp_path / "a.html", redaction=None)
    gate = Gate(KnownValues.given([("Kestrelina", "PERSON")]), shell=b"kestrelina")
    assert not gate.search((tmp_path / "a.html").read_bytes()).clean
    with pytest.raises(GateError):
        gate.raise_on_leak((tmp_path / "a.reel").read_bytes())


def test_a_recording_that_is_named_after_a_person_is_built_without_that_name(tmp_path: Path) -> None:
    reel = made(tmp_path / "violet.reel", "Violet")
    build(reel, tmp_path / "a.html")
    assert "<title>violet" not in (tmp_path / "a.html").read_text()
    assert "<title>Recording" in (tmp_path / "a.html").read_text()


def test_a_keyword_that_holds_a_name_is_a_keyword() -> None:
    gate = Gate(KnownValues.given([("Roman", "PERSON")]))
    for clean in (b"ol { list-style: lower-roman }", b"<style>li { list-style-type: upper-roman; color: red }</style>"):
        assert gate.search(clean).clean, clean
    for leak in (
        b"<p>Roman</p>",
        b"<p>roman</p>",
        b".lower-roman { color: red }",
        b"li { content: 'roman' }",
        b"x-roman {}",
    ):
        assert not gate.search(leak).clean, leak


def test_type_faces_in_custom_properties_stay(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    sheet = ":root { --ck-font-face: Helvetica, Arial, Tahoma, Verdana, Sans-Serif; --fa-family: 'Font Awesome 7 Free'; --font-owner: 'Ines Halloran'; --family-of: Ines Halloran; --tw-gradient-position: in oklab; --at: to right }"
    m.body(["style", {}, sheet], ["p", {}, "Signed in as Ines Halloran"])
    m.done()
    redact(tmp_path / "a.reel", tmp_path / "b.reel")
    shown = text_of(tmp_path / "b.reel")
    assert "Helvetica, Arial, Tahoma, Verdana, Sans-Serif" in shown and "'Font Awesome 7 Free'" in shown
    assert "in oklab" in shown and "to right" in shown
    assert "Halloran" not in shown
