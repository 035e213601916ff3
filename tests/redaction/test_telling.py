"""A surname that no list has, alone: in a name, an address, a key, a string of a sheet, a line of a program. And what is nobody's there stays."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from pagereel.redaction import redact
from tests.redaction.newer_places import Newer, write
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker
from tests.redaction.test_places import readings, told

READ_AS_PROSE = {
    "newer attribute: small print of an option",
    "format: base64 in JSON in JSON",
    "told by the agent: content of an artifact",
    "told by the agent: result",
}
"""Places that are a page's text or a sentence: there a word with a capital is a product's as often as somebody's, and the models decide."""


class Alone(Newer):
    """Surnames in the place of e-mail addresses and numbers."""

    def one(self, kind: str, place: str) -> str:
        return self.surname(kind, place)

    def email(self, kind: str, place: str) -> str:
        return self.surname(kind, place)

    def card(self, kind: str, place: str) -> str:
        return self.surname(kind, place)

    def ssn(self, kind: str, place: str, joint: str = "-") -> str:
        return self.surname(kind, place)


@pytest.mark.parametrize("policy", ["vendor", "internal", "strict"])
def test_a_surname_alone_is_told_by_no_name_address_or_line_of_a_program(policy: str, tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    raw = write(tmp_path / "raw.reel", values := Alone(seed))
    assert len(told(readings(raw), values)) == len(values.planted) > 250
    redact(raw, tmp_path / "masked.reel", policy)
    assert set(told(readings(tmp_path / "masked.reel"), values)) - READ_AS_PROSE == set(), f"seed {seed}"


SHEET = (
    '@font-face { font-family: "Zorbek"; src: url(/z.woff2) } @font-face { font-family: Zorbek Display; src: url(/y.woff2) }'
    " a { font-family: Zorbek, Helvetica Neue, Avenir, BlinkMacSystemFont; --face: Zorbek, serif; font: italic bold 12px/1.5 Zorbek, serif }"
    ' b { font-family: "Zorbek Display", Iowan Old Style }'
    " s { --stack: Zorbek, Comfort, Roboto, sans-serif; --body-font: -apple-system, San Francisco, Roboto }"
    ' i { font: bold 9px Zorbek Display } u::after { content: "Weiterlesen" }'
    " .Muirow-panel .MuiButton-root, .CodeMirror-lines, .ReactModal__Overlay { animation: Muirow-in 1s; color: ButtonText }"
)


@pytest.fixture
def page(tmp_path: Path) -> str:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["style", {}, SHEET],
        ["p", {"class": "Muirow-panel MuiButton-root", "style": "font-family: Zorbek"}, "x"],
        ["svg|svg", {}, ["svg|text", {"font-family": "Zorbek"}, "x"]],
        ["a", {"href": "/wiki/Glorpstone/Muirow?x=1"}, "x"],
        ["h2", {}, "Glorpstone Kettle"],
    )
    body = m.resource("application/json", '{"UpdateSubnetGroup": true, "Glorpstone": true, "Muirow": true}')
    m.put("response", id="1", status=200, end=m.t, size=1, body=body, mime="application/json", headers={})
    drawing = m.resource(
        "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"><text font-family="Zorbek">x</text></svg>'
    )
    m.put("response", id="2", status=200, end=m.t, size=1, body=drawing, mime="image/svg+xml", headers={})
    m.put("console", page=1, level="log", text="Hydrated")
    m.put("console", page=1, level="log", text="Muirow:")
    m.done()
    redact(tmp_path / "a.reel", tmp_path / "b.reel")
    return text_of(tmp_path / "b.reel")


def test_what_a_program_or_the_page_says_stays(page: str) -> None:
    kept = ("Helvetica Neue", "Avenir", "BlinkMacSystemFont", "italic bold", "Iowan Old Style", "Comfort, Roboto, sans-serif", "-apple-system, San Francisco, Roboto", "Weiterlesen", ".MuiButton-root, .CodeMirror-lines, .ReactModal__Overlay")  # fmt: skip
    assert [words for words in (*kept, "ButtonText", "/wiki/Glorpstone/", "UpdateSubnetGroup", "Hydrated") if words not in page] == []  # fmt: skip
    assert "Muirow" not in page


def test_a_face_has_one_name_in_rules_shorthands_properties_and_drawings(page: str) -> None:
    assert "Zorbek," not in page and '"Zorbek"' not in page
    assert len(displays := re.findall(r"(\w+) Display\b", page)) >= 3 and len(set(displays)) == 1
    [name] = {part.split('\\"')[1] for part in page.split("@font-face { font-family: ")[1:2]}
    for written in (f'a {{ font-family: \\"{name}\\", Helv', f"--face: {name}, serif", f'1.5 \\"{name}\\", serif', f'"font-family:\\"{name}', f'"font-family": "\\"{name}\\""'):  # fmt: skip
        assert written.replace('"font-family:\\', "font-family: \\") in page or written in page, written
    assert f'font-family="&quot;{name}&quot;"' in page.replace('\\"', '"')
    assert page.count(".Muirow") == 0
