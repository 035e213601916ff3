"""Companies and institutions are found by the words that they are called by; headings and menus that use such words are not."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

SAID = (
    ("Copper Kettle Brewing", "Copper Kettle Brewing"),
    ("marlow timber", "marlow timber"),
    ("BRIGHT ACORN CHILDCARE", "BRIGHT ACORN CHILDCARE"),
    ("Pay Oldervik Orthopaedics by Friday", "Oldervik Orthopaedics"),
    ("a quote from tolver & grebe came in", "tolver & grebe"),
    ("Grupo Altamira", "Grupo Altamira"),
    ("Boulangerie Petit", "Boulangerie Petit"),
    ("Reference from the Technical University of Oldervale", "Technical University of Oldervale"),
    ("seen at St Oldric's Infirmary", "St Oldric's Infirmary"),
    ("my bank, first prairie, closed the account", "first prairie"),
)
PLAIN = (
    "Liabilities & Equity",
    "Terms & Conditions",
    "FM Radio",
    "QIF Import",
    "Episode Properties",
    "Search in Online Stores",
    "Board of directors",
    "Office of the day",
    "Save & close",
    "Show lighting and cleaning",
)


@pytest.mark.parametrize(("text", "name"), SAID)
def test_names_of_businesses_are_masked_whole(text: str, name: str) -> None:
    (found,) = find_pii([text])
    start = text.index(name)
    left = [c for i, c in enumerate(name, start) if c.isalnum() and not any(f.start <= i < f.end for f in found)]
    assert left == [], [text[f.start : f.end] for f in found]


@pytest.mark.parametrize("text", PLAIN)
def test_headings_are_no_businesses(text: str) -> None:
    (found,) = find_pii([text])
    assert [text[f.start : f.end] for f in found] == []
