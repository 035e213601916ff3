"""Names whose parts stand in elements of their own: in neighbouring cells, beneath a ruby's readings, turned round by the page."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from pagereel.redaction import redact
from pagereel.redaction.content.bodies import mask_body, mask_json
from pagereel.redaction.content.name_parts import iter_split_names
from pagereel.redaction.contracts.policy import Policy
from pagereel.redaction.contracts.sink import Slot
from pagereel.redaction.passes.structural_masker import StructuralMasker
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
        "a block above": ["section", {}, ["div", {}, first], ["div", {}, last]],
        "a block below, the family first": ["section", {}, ["h3", {}, last], ["p", {}, first]],
        "a line that was full": ["pre", {}, f"signed for by {first}\n  {last} in the morning"],
        "a line break": ["p", {}, f"Dear {first}", ["br", {}], f"{last},"],
        "a label over a half": ["p", {}, "Family name", ["br", {}], last],
        "columns of halves": ["table", {}, ["tr", {}, ["th", {}, "First"], ["th", {}, "Last"]], ["tr", {}, ["td", {}, first], ["td", {}, last]]],
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
    names = [(first, word(chance)) for first in ["Desmond", "Kwame", "Maria", "Linnea"] * 5][
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
        ["ul", {}, ["li", {}, "Overview"], ["li", {}, "Grafana"], ["li", {}, "Alerts"]],
    )
    redact(reel.done(), tmp_path / "masked.reel", policy)
    said = text_of(tmp_path / "masked.reel")
    for kept in (
        "Home",
        "Products",
        "Contact",
        "Python",
        "Django",
        "Flask",
        "Settings",
        "Overview",
        "Grafana",
        "Alerts",
        "kan",
        "ji",
        "txet emoS",
    ):
        assert kept in said


BODIES = {
    "a row of JSON": ("application/json", '{{"rows": [[7, "{last}", "{first}", true]]}}'),
    "a table with tabs": ("text/tab-separated-values", "n\tgiven\tfamily\n1\t{first}\t{last}\n"),
    "a table as plain text": ("text/plain", "nr,surname,forename\n7,{last},{first}\n"),
    "a row with an initial": ("text/csv", "n,a,b\n7,{last},{first[0]}.\n"),
}


class Asked(StructuralMasker):
    """A sink that notes what it is asked about texts and leaves, and gives them back."""

    def __init__(self) -> None:
        super().__init__(Policy(), lambda sha256, channel: None)
        self.seen: list[tuple[str, str]] = []

    def visit_body_leaf(self, text: str, slot: Slot) -> str:
        self.seen.append((text, slot.label))
        return text

    visit_text = visit_body_leaf


@pytest.mark.parametrize("body", BODIES)
def test_neighbouring_cells_of_a_body_are_read_as_one_name(body: str) -> None:
    mime, text = BODIES[body]
    asked = Asked()
    mask_body(text.format(first="Kwame", last="Ostenvik"), mime, asked, Slot("request.post"))
    said = {(" ".join(sorted(text.split())), label) for text, label in asked.seen}
    assert ("K. Ostenvik" if "initial" in body else "Kwame Ostenvik", "Full name") in said


def test_a_name_in_neighbouring_cells_of_what_an_agent_tells_is_read_as_one() -> None:
    asked = Asked()
    mask_json({"rows": [["Kwame", "Ostenvik"], ["Python", "Django"]]}, asked, Slot("tool_call.arguments"), private_by_place=False)  # fmt: skip
    assert [text for text, label in asked.seen if label == "Full name"] == ["Kwame Ostenvik"]


def test_two_cells_are_a_name_by_a_given_name_or_an_initial_beside_a_word_of_no_list() -> None:
    assert list(iter_split_names(["Ostenvik", "Maria", "open"])) == [0]
    assert list(iter_split_names(["Open", "M.", "Ostenvik"])) == [1]
    assert list(iter_split_names(["Maria", "Settings"])) == []
    assert list(iter_split_names(["Ostenvik", "Kesselring"])) == []


def test_of_two_blocks_an_initial_or_a_known_word_is_a_coincidence() -> None:
    assert list(iter_split_names(["Maria", "Ostenvik"], in_one_column=True)) == [0]
    assert list(iter_split_names(["M.", "Ostenvik"], in_one_column=True)) == []
    assert list(iter_split_names(["Maria", "Johnson"], in_one_column=True)) == []
    assert list(iter_split_names(["Grace", "Kubernetes", "Home"], in_one_column=True)) == []


@pytest.mark.parametrize("name", ["Poststildez", "Langreindez", "Leindkrungstrom"])
def test_a_word_that_ends_with_a_short_form_or_like_a_compound_may_be_a_name(name: str, tmp_path: Path) -> None:
    reel = Maker(tmp_path / "raw.reel")
    reel.body(_row("D.", name, "3"), ["p", {}, "Dear Kwame", ["br", {}], f"{name},"])
    redact(reel.done(), tmp_path / "masked.reel", "vendor")
    assert name not in text_of(tmp_path / "masked.reel")
