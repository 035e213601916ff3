"""Names that models have never read are found by a list: alone in a cell, behind a label, and where nobody but a person stands."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

SAID = (
    ("Londiwe", "Londiwe"),
    ("reising", "reising"),
    ("Hakala, Hilkka", "Hakala, Hilkka"),
    ("Delete Temidayo?", "Temidayo"),
    ("the fasasi family", "fasasi"),
    ("Best, Kiplangat", "Kiplangat"),
    ("can ninioluwa do it?", "ninioluwa"),
    ("LONDIWE: ON MY WAY", "LONDIWE"),
    ("Row 3: Giz | Kiplangat | paid", "Kiplangat"),
    ("we were met at Tolvane by Brackmoor, of all people, in the rain", "Brackmoor"),
)
PLAIN = (
    "Delete message?",
    "Best, cheapest, fastest",
    "Colour: red",
    "Settings, Help",
    "the default family",
    "Fonts: serif | sans",
    "Guardar",
    "Weiter",
    "Table for two at 8",
)


@pytest.mark.parametrize(("text", "name"), SAID)
def test_names_of_the_list_are_masked_whole(text: str, name: str) -> None:
    (found,) = find_pii([text])
    start = text.index(name)
    left = [c for i, c in enumerate(name, start) if c.isalnum() and not any(f.start <= i < f.end for f in found)]
    assert left == [], [text[f.start : f.end] for f in found]


@pytest.mark.parametrize("text", PLAIN)
def test_words_of_interfaces_are_no_names(text: str) -> None:
    (found,) = find_pii([text])
    assert [text[f.start : f.end] for f in found] == []
