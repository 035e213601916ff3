"""What stands beside a finding and belongs to it is masked with it, and what a rule knows is not lost where a model takes it for something that it is not."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

from .found import assert_masked_whole

SAID = (
    ("M. Oldervik", "M. Oldervik"),
    ("WITNESS: P. OLDERVIK", "P. OLDERVIK"),
    ("Trustees: A. de Holvander, Ana Silvera and H. Burvander", "A. de Holvander"),
    ("kweku de graft", "kweku de graft"),
    ("Elin, 34, from Bergen", "34"),
    ("my address is 14 Harrow Lane, Ballymena. Thanks", "14 Harrow Lane, Ballymena"),
    ("ID | Name | City\n1 | Ewan Strachan | Inverness", "Inverness"),
    ("id,name,score\n7,Sefora Vantongeren,12", "Sefora Vantongeren"),
    ("CVC 442", "442"),
)
PLAIN = (
    "Ticket 14, 3 comments",
    "Mot de passe",
    "Name | Size | Kind\nreport | 14 kB | text",
    "Sort by name, size",
    "Plan A. Then plan B.",
)


@pytest.mark.parametrize(("text", "value"), SAID)
def test_it_is_masked_whole(text: str, value: str) -> None:
    assert_masked_whole(text, value)


@pytest.mark.parametrize("text", PLAIN)
def test_what_belongs_to_nobody_stays(text: str) -> None:
    (found,) = find_pii([text])
    assert [text[f.start : f.end] for f in found] == []
