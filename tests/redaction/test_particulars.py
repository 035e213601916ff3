"""Ages, peoples, user names, years and codes are found by the words around them."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

from .found import assert_masked_whole

SAID = (
    ("a boy of eleven was hurt", "eleven"),
    ("Reg KX19 ZPF, keeper unknown", "KX19 ZPF"),
    ("tax code 1257L, NI QQ 12 34 56 C", "QQ 12 34 56 C"),
    ("my twins are both 6", "6"),
    ("aged between 18 and 25", "25"),
    ("Ana Silvera (aged 64½)", "64"),
    ("a practising Hindu", "Hindu"),
    ("Ethnicity: Kurdish", "Kurdish"),
    ("Log in as depot.admin and find the invoice", "depot.admin"),
    ("posted by u/quietharbor", "quietharbor"),
    ("my gamertag is FrostPike", "FrostPike"),
    ("ssh kbrandt@10.0.0.4", "kbrandt"),
    ("she worked there from 2009 to 2014", "2009"),
    ("Silvera\tOldervik Foods\t555-0142\tactive", "555-0142"),
    ("bic deutdeff500, please", "deutdeff500"),
    ("sec code: 771", "771"),
    ("card no. ending 1188", "1188"),
    ("BSB 062-000 Acc 12345678", "062-000"),
    ("pw: Kestrel#9", "Kestrel#9"),
    ("Locker combination 12-34-08", "12-34-08"),
)
PLAIN = (
    "Show accounting-style rules",
    "Signed in as administrator",
    "Sort results from 1 to 20",
    "Translated into Nepali",
    "English (United States)",
    "Assign to me",
    "Follow the link",
    "Login is required",
    "Created by default",
    "Page 3 of 12",
    "Children are shown below their parents",
)


@pytest.mark.parametrize(("text", "value"), SAID)
def test_it_is_masked_whole(text: str, value: str) -> None:
    assert_masked_whole(text, value)


@pytest.mark.parametrize("text", PLAIN)
def test_what_interfaces_say_stays(text: str) -> None:
    (found,) = find_pii([text])
    assert [text[f.start : f.end] for f in found] == []


def test_a_label_asks_for_a_job() -> None:
    masked, admin = find_pii(["Buyer", "Admin"], ["Job title", "Role"])
    assert [f.entity for f in masked] == ["TITLE"]
    assert admin == []
