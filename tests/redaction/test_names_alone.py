"""Names that are a whole text, and towns by the list."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

NAMES = ["Della Rovere Mafalda", "Müller, Hans"]  # fmt: skip
TOWNS = [("Abfahrt 5:40 ab Bautzen", "Bautzen"), ("Odlewnia\tformierz\tKońskie", "Końskie"), ("vive en Detmold", "Detmold")]  # fmt: skip
NOBODYS = ["Mark Read", "New Tab", "Max Size", "Grace Period", "Rose Gold", "May Contain Nuts", "Will Retry"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_all_of_a_cell_is_masked_whole(name: str) -> None:
    (found,) = find_pii([name])
    assert all(any(f.start <= at < f.end for f in found) for at, c in enumerate(name) if c.isalpha())


@pytest.mark.parametrize(("text", "town"), TOWNS)
def test_a_town_of_the_list_is_found(text: str, town: str) -> None:
    (found,) = find_pii([text])
    assert town in [text[f.start : f.end] for f in found]


@pytest.mark.parametrize("text", NOBODYS)
def test_words_that_are_names_too_stay(text: str) -> None:
    assert find_pii([text]) == [[]]
