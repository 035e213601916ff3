"""What programs number, name and date is no address, no telephone and nobody's name; a company is masked without the word that leads to it."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.content.untokenized_css import add_numbers_and_emails
from pagereel.redaction.contracts.findings import TextContext
from pagereel.redaction.values.dates import make_other_day

PROGRAMS = (
    "Order 8812 is glazed, Rosalind Penhaligon can fetch it.",
    "Powered by Tresk 1.6",
    "\n  #3 (Günter Eigenwillig wants his money back)",
    "Date: 2026-11-22.00:00:00",
    "Ln 1, Col 1",
    "Page 3 of 12",
    "Failed to load resource: the server responded with a status of 404 (Not Found)",
)


def test_versions_numbers_of_issues_and_days_of_machines_are_no_addresses_and_no_telephones() -> None:
    for text, found in zip(PROGRAMS, find_pii(list(PROGRAMS)), strict=True):
        assert not {f.entity for f in found} & {"ADDRESS", "PHONE_NUMBER"}, text
    (home,) = find_pii(["12 Elmswell Street #3"])
    assert [(f.start, f.end) for f in home] == [(0, 21)]


def test_a_files_number_and_a_programmers_short_word_are_nobodys() -> None:
    names = [
        "jsi18n",
        "es2015",
        "a11y",
        "fa solid 900 woff2",
        "fa regular 400 woff2",
        "fira mono latin 400 normal woff2",
    ]
    assert find_pii(names, [TextContext(kind="slug")] * len(names)) == [[]] * len(names)
    (home,) = find_pii(["12 elmswell close html"], [TextContext(kind="slug")])
    assert {f.entity for f in home} == {"ADDRESS"}


@pytest.mark.parametrize("text", ["By Hollowmere Software", "By\nHollowmere Software"])
def test_the_small_word_before_a_company_is_no_part_of_it(text: str) -> None:
    (found,) = find_pii([text])
    assert [(f.start, f.end) for f in found] == [(3, len(text))]


def test_a_parameter_that_begins_with_an_at_is_no_users_name_and_a_users_name_is() -> None:
    for text in ("input[name='@search_text']", "@columns"):
        assert find_pii([text]) == [[]], text
    for text, value in (("ask @ostenquill_text", "ostenquill_text"), ("ask @grace", "grace")):
        (found,) = find_pii([text])
        assert [text[f.start : f.end] for f in found] == [value]


@pytest.mark.parametrize("text", ["7" * 5_000, f"{'7' * 5_000} days ago", f"on 4 May {'7' * 5_000}"])
def test_a_number_that_is_longer_than_python_reads_ends_nothing(text: str) -> None:
    find_pii([text])
    assert make_other_day(text, lambda kind, word, of: 1) is None
    add_numbers_and_emails(f"a {{ --x: 1, {'7' * 5_000}, 3; }}", [])
