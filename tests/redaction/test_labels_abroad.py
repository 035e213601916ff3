"""Labels, keys, columns and heads in many languages: what stands under them is masked whole; the heads themselves stay, and whoever is called like one is masked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.redaction.test_cells import shown


@pytest.mark.parametrize(
    ("label", "value"), [("Puesto", "pegador de carteles rojos"), ("Occupation", "Glass eel counting")]
)
def test_work_that_somebody_typed_is_masked_elsewhere_too(label: str, value: str, tmp_path: Path) -> None:
    field = ["label", {}, label, ["input", {"type": "text", "value": value}]]
    said = " ".join(shown(tmp_path, field, ["p", {}, f"{value} since 2019"], ["button", {}, value]))
    assert not any(word in said for word in value.split())


def test_a_word_of_programs_that_somebody_typed_as_their_work_stays_elsewhere(tmp_path: Path) -> None:
    field = ["label", {}, "Stanowisko", ["input", {"type": "text", "value": "Manager"}]]
    assert shown(tmp_path, field, ["button", {}, "Manager"])[-1] == "Manager"
