"""Numbers with a blank after each digit: somebody's whatever their digits are where hyphens group them, and never the keys of a pad."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii


@pytest.mark.parametrize("number", ["212-12-4112", "144-55-5154", "123-45-6789"])
def test_a_number_that_hyphens_group_is_one_of_few_digits_too(number: str) -> None:
    text = " ".join(number)
    (found,) = find_pii([text])
    assert [(f.start, f.end) for f in found] == [(0, len(text))]


@pytest.mark.parametrize("text", ["1 2 3 4 5 6 7 8 9", "9 - 8 - 7 - 6 - 5 - 4 - 3 - 2 - 1"])
def test_keys_of_a_pad_are_no_number(text: str) -> None:
    (found,) = find_pii([text])
    assert found == []
