"""The table of entities is all that a new one needs beside what finds it: no list elsewhere leaves one out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pagereel.redaction import ENTITIES
from pagereel.redaction.contracts.entities import RANK, TABLE, Entity
from pagereel.redaction.values.pseudonyms import Pseudonyms

DETECT = Path(__file__).resolve().parents[2] / "redaction" / "detect"
FINDERS = {p.name: p.read_text("utf-8") for ending in ("py", "txt") for p in DETECT.rglob(f"*.{ending}")}
VALUE = "Qv 4711-0815 Zbrk"


def forgotten(entity: Entity) -> list[str]:
    """Return what is missing of an entity whose row is there."""
    name = entity.name
    named = re.compile(rf"\b{name}\b")
    missing = []
    if not any(file == f"{name}.txt" or named.search(text) for file, text in FINDERS.items()):
        missing.append(f"nothing finds it: a line of shapes.txt, secrets.txt or labels.txt, or a file cues/{name}.txt")
    if Pseudonyms(b"k" * 32).make_stand_in(VALUE, name) == VALUE:
        missing.append(f"its stand-in is the value itself: Pseudonyms._{name.lower()}")
    return missing


@pytest.mark.parametrize("entity", TABLE, ids=lambda entity: entity.name)
def test_an_entity_of_the_table_is_found_and_replaced(entity: Entity) -> None:
    assert forgotten(entity) == []


def test_a_row_that_nothing_finds_says_so() -> None:
    new = Entity("PET_NAME", named=False, beside="sign", digits=True, exact=False, prose=False, dated=False)
    assert "nothing finds it" in forgotten(new)[0]


def test_a_row_answers_every_question() -> None:
    with pytest.raises(TypeError, match="'digits', 'exact', 'prose', and 'dated'"):
        Entity("PET_NAME", named=False, beside="sign")  # type: ignore[call-arg]


def test_each_entity_has_one_row() -> None:
    assert len(TABLE) == len(ENTITIES) == len(RANK)
