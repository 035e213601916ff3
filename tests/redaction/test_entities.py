"""The table of entities is all that a new one needs beside what finds it: no list elsewhere leaves one out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pagereel.redaction import ENTITIES
from pagereel.redaction.contracts.entities import RANK, TABLE, Entity, read_row
from pagereel.redaction.values.pseudonyms import Pseudonyms

DETECT = Path(__file__).resolve().parents[2] / "redaction" / "detect"
FINDERS = {p.name: p.read_text("utf-8") for ending in ("py", "txt") for p in DETECT.rglob(f"*.{ending}")}
VALUE = "Qv 4711-0815 Zbrk"
TOLD = "{} sign - {} yes - - - - - yes - - yes a pet, another pet"


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
    new = read_row(TOLD.format("PET_NAME", "yes"))
    assert "nothing finds it" in forgotten(new)[0]


def test_a_row_answers_every_question() -> None:
    for row in (TOLD.format("PET_NAME", ""), TOLD.format("PET_NAME", "no"), "PET_NAME sign"):
        with pytest.raises(
            ValueError, match="The row of PET_NAME does not answer every question of beside, called, named"
        ):
            read_row(row)


def test_each_entity_has_one_row() -> None:
    assert len(TABLE) == len(ENTITIES) == len(RANK)
