"""Names of currencies, units and scripts are nobody's; people who are called alike stay found."""

from __future__ import annotations

import pytest

from pagereel.redaction.detect.interface import is_measure


@pytest.mark.parametrize(
    "text",
    [
        "Dirham Marroquí",
        "Dolar jamaicano",
        "Nieuw-Zeelandse dollar",
        "Franco svizzero",
        "Miglia nautiche",
        "Gigahertz",
        "Cyrillique (Windows-1251)",
    ],
)
def test_what_a_program_counts_in_is_nobody(text: str) -> None:
    assert is_measure(text)


@pytest.mark.parametrize(
    "text", ["Franco Rossi", "Franco Giordano", "Pascal", "Julio", "Cayman Islands", "Peso Anderson", "Leone"]
)
def test_a_name_that_money_has_too_is_one(text: str) -> None:
    assert not is_measure(text)
