"""Numbers of programs are nobody's: how an answer ended, releases, lengths of time."""

from __future__ import annotations

import re

import pytest

from pagereel.redaction.contracts.findings import Finding, TextContext
from pagereel.redaction.detect.filters.not_personal import is_not_personal


@pytest.mark.parametrize(
    "text",
    ["529: scripted_error: The model is busy.", "529 overloaded_error", "HTTP 503", "HTTP/1.1 404: gone", "status code 429 received", "error: 511"],
)  # fmt: skip
def test_how_an_answer_ended_is_nobodys(text: str) -> None:
    (number,) = re.finditer(r"\b\d{3}\b", text)
    for entity in ("PHONE_NUMBER", "ADDRESS", "ZIP_CODE"):
        assert is_not_personal(text, Finding(*number.span(), entity, 0.9), TextContext()), entity


@pytest.mark.parametrize("text", ["529", "529 Ostendale", "Room of 529 guests", "call 911, 529 or 0161 496 0484"])
def test_a_number_of_three_digits_elsewhere_is_judged_as_before(text: str) -> None:
    number = re.search(r"\b529\b", text)
    assert number and not is_not_personal(text, Finding(*number.span(), "PHONE_NUMBER", 0.9), TextContext())


def test_a_release_and_a_time_with_a_fraction_are_whole_what_they_are() -> None:
    for text, part in (("Datasette v0.65.5", "v0"), ("Datasette v0.65.5", "65"), ("Queries took 390.31ms", "390")):
        at = text.index(part)
        for entity in ("GOVERNMENT_ID", "ZIP_CODE"):
            assert is_not_personal(text, Finding(at, at + len(part), entity, 0.9), TextContext()), (text, part)
    assert not is_not_personal("Licence 6578", Finding(8, 12, "GOVERNMENT_ID", 0.9), TextContext())


def test_the_class_of_an_exception_is_no_person_and_who_stands_beside_it_is_one() -> None:
    text = "The run ended by KeyError: no account of Ottilie Brandvold"
    for word, kept in (("KeyError", True), ("Ottilie Brandvold", False), ("Ottilie", False)):
        at = text.index(word)
        for entity in ("PERSON", "LOCATION", "TITLE"):
            assert is_not_personal(text, Finding(at, at + len(word), entity, 0.9), TextContext()) is kept, (
                word,
                entity,
            )
