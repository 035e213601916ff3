"""Names whose parts stand in elements of their own: in neighbouring cells, beneath a ruby's readings, turned round by the page."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from pagereel.redaction import redact
from pagereel.redaction.content.name_parts import parts_of_names
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker
from tests.redaction.strange_oracle import readings, shown
from tests.redaction.strange_values import squashed, word


def _row(*cells: str) -> list[Any]:
    return ["table", {}, ["tr", {}, *(["td", {}, cell] for cell in cells)]]


def _ruby(*parts: tuple[str, str]) -> list[Any]:
    return ["ruby", {}, *(piece for base, above in parts for piece in (base, ["rt", {}, above]))]


def _page(first: str, last: str) -> dict[str, list[Any]]:
    turned = {"style": "direction: rtl; unicode-bidi: bidi-override"}
    half = len(last) // 2
    return {
        "cells, the family first": _row("7", last, first, "open"),
        "cells, the given name first": _row(first, last, "12.50"),
        "an initial and a name": _row(f"{first[0]}.", last, "3"),
        "cells of a grid": ["div", {"role": "row"}, ["span", {"role": "cell"}, last], ["span", {"role": "cell"}, first]],
        "bold in a cell": ["table", {}, ["tr", {}, ["td", {}, ["b", {}, last]], ["td", {}, " ", ["i", {}, first], "\n"]]],
        "a ruby over each": ["p", {}, _ruby((first, "de-su")), " ", _ruby((last, "ma-su"))],
        "a ruby over both": ["p", {}, _ruby((first, "x"), (last, "y"))],
        "a ruby that splits a name": ["p", {}, "Signed by ", first, " ", _ruby((last[:half], "ka"), (last[half:], "na"))],
        "a name above": ["p", {}, _ruby(("高", f"{first} {last[:half]}"), ("橋", last[half:]))],
        "a letter each": ["p", {}, "by ", _ruby(*((letter, ".") for letter in last))],
        "turned round": ["bdo", {"dir": "rtl"}, f"{first} {last}"[::-1]],
        "one name turned round": ["p", {}, f"{first}, ", ["bdo", {"dir": "rtl"}, ["b", {}, last[::-1]]]],
        "turned round by a style": ["p", turned, f"{first} {last}"[::-1]],
    }  # fmt: skip


@pytest.mark.parametrize("policy", ["internal", "vendor", "strict"])
def test_a_name_in_parts_is_masked(policy: str, tmp_path: Path) -> None:
    chance = Random(seed := Random().randrange(10**6))
    names = [(first, word(chance)) for first in ["Desmond", "Kwame", "Maria", "Linnea"] * 4][
        : len(_page("A", "Bcdefg"))
    ]
    ways = list(_page("A", "Bcdefg"))
    reel = Maker(tmp_path / "raw.reel")
    reel.body(*(_page(*names[at])[way] for at, way in enumerate(ways)))
    redact(reel.done(), tmp_path / "masked.reel", policy)
    said = text_of(tmp_path / "masked.reel")
    flat = "\n".join(map(squashed, [*readings(said.encode(), set()), *shown(tmp_path / "masked.reel")]))
    told = [
        way
        for way, (_, last) in zip(ways, names, strict=True)
        if squashed(last) in flat or squashed(last[::-1]) in flat
    ]
    assert told == [], f"seed {seed}: {names}"


@pytest.mark.parametrize("policy", ["internal", "vendor"])
def test_rows_of_words_and_a_readings_of_ruby_stay(policy: str, tmp_path: Path) -> None:
    reel = Maker(tmp_path / "raw.reel")
    reel.body(
        _row("Home", "Products", "Contact"),
        _row("Python", "Django", "Flask"),
        _row("A.", "Settings", "12"),
        ["p", {}, _ruby(("漢", "kan"), ("字", "ji")), " are signs"],
        ["bdo", {"dir": "rtl"}, "txet emoS"],
    )
    redact(reel.done(), tmp_path / "masked.reel", policy)
    said = text_of(tmp_path / "masked.reel")
    for kept in ("Home", "Products", "Contact", "Python", "Django", "Flask", "Settings", "kan", "ji", "txet emoS"):
        assert kept in said


def test_two_cells_are_a_name_by_a_given_name_or_an_initial_beside_a_word_of_no_list() -> None:
    assert list(parts_of_names(["Ostenvik", "Maria", "open"])) == [0]
    assert list(parts_of_names(["Open", "M.", "Ostenvik"])) == [1]
    assert list(parts_of_names(["Maria", "Settings"])) == []
    assert list(parts_of_names(["Ostenvik", "Kesselring"])) == []
