"""Where a name ends: before the next sentence, whose first word may be one letter."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

from .found import assert_masked_whole


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Thank you, Katja Brunner. A receipt goes to the office.", "Katja Brunner"),
        ("Katja Brunner. I think so.", "Katja Brunner"),
        ("Katja Brunner. E poi torno.", "Katja Brunner"),
        ("Signed by Maria Ostenvik. A copy was sent.", "Maria Ostenvik"),
    ],
)
def test_the_first_word_of_the_next_sentence_is_no_initial(text: str, name: str) -> None:
    (found,) = find_pii([text])
    assert [text[f.start : f.end] for f in found] == [name]


@pytest.mark.parametrize("name", ["Katja B. Brunner", "A. Brunner", "J. B. Ostenvik"])
def test_an_initial_is(name: str) -> None:
    assert_masked_whole(f"Thank you, {name}, for your order.", name)
