"""Ages are found by the words around a number, whatever the case of the letters, and numbers of interfaces are no ages."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

FOUND = {
    "Velda is 12 and his sister is 15.": ("12", "15"),
    "My father (82) lives alone.": ("82",),
    "The suspect, 19, was arrested near the mill.": ("19",),
    "Our eldest is 14 already": ("14",),
    "I am forty-two years old.": ("forty-two",),
    "He died at 90.": ("90",),
    "At 19, she moved away.": ("19",),
    "Pt 71 M with fever": ("71",),
    "a boy, aged 9, from the village": ("9",),
    "He turned six last week": ("six",),
    "an 18-month-old baby": ("18",),
    "Bought for his 60th birthday": ("60th",),
    "She was 21 when she married.": ("21",),
}
PLAIN = (
    "Page 12, 14 results",
    "Width is 12.",
    "The total is 30, and rising",
    "Turned 90 degrees",
    "Inbox (12)",
    "Port is 80.",
    "Session expired 10 minutes ago",
    "10 day old backup",
    "Hue is 120, saturation is 50",
    "This file is 30% smaller",
    "Turn 3 pages",
    "Aged 12 months",
)
CARDS = {
    "Card ending 4417": "4417",
    "your debit card (ending 0912) was declined": "0912",
    "Visa account ending •••• 7702": "7702",
    "the card ends with 3310": "3310",
}


@pytest.mark.parametrize("case", [str, str.lower, str.upper])
def test_ages_are_masked(case: type[str]) -> None:
    missed = []
    for (text, ages), found in zip(FOUND.items(), find_pii([case(t) for t in FOUND]), strict=True):
        for age in ages:
            start = text.index(age)
            if not any(f.start <= start and start + len(age) <= f.end for f in found):
                missed.append((text, age))
    assert missed == []


def test_other_numbers_are_not() -> None:
    touched = {t: [t[f.start : f.end] for f in found] for t, found in zip(PLAIN, find_pii(PLAIN), strict=True) if found}
    assert touched == {}


@pytest.mark.parametrize("case", [str, str.lower, str.upper])
def test_the_last_digits_of_a_card_are_masked(case: type[str]) -> None:
    for (text, digits), found in zip(CARDS.items(), find_pii([case(t) for t in CARDS]), strict=True):
        start = text.index(digits)
        assert any(f.start <= start and start + 4 <= f.end for f in found), text
