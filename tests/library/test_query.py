"""What a query may say, and where it says something else."""

from __future__ import annotations

import pytest

from pagereel.library import QueryError, QueryTerm, parse_query

DAY = 86_400_000.0


def said(query: str) -> list[tuple[str, object, bool, str]]:
    return [(term.operator, term.value, term.negated, term.how) for term in parse_query(query, now=10 * DAY / 1_000)]


def test_terms() -> None:
    assert said("") == said("  ") == []
    assert said('agent:Bot -outcome:passed seen:"card \\"declined\\""  refund') == [
        ("agent", "bot", False, "="),
        ("outcome", "passed", True, "="),
        ("seen", 'card "declined"', False, "="),
        ("text", "refund", False, "="),
    ]
    assert said("cost:>=0.5 duration:<2m steps:3") == [
        ("cost", 0.5, False, ">="),
        ("duration", 120_000.0, False, "<"),
        ("steps", 3.0, False, "="),
    ]
    assert said("after:7d before:1970-01-02 after:1970-01-02T01:00+01:00") == [
        ("after", 3 * DAY, False, "="),
        ("before", DAY, False, "="),
        ("after", DAY, False, "="),
    ]
    assert said("-„Größe“ 結帳") == [("text", "„Größe“", True, "="), ("text", "結帳", False, "=")]


@pytest.mark.parametrize(
    ("query", "place", "words"),
    [
        ("agent:bot colour:red", 10, "Unknown operator colour"),
        ("agent:", 6, "needs a value"),
        ("seen:''", 5, "at least one letter"),
        ('seen:"open', 5, "is open"),
        ('x "open', 2, "is open"),
        ('a"b"', 1, "Put a space between"),
        ('"a"b', 3, "Put a space between"),
        ("cost:cheap", 5, "takes a number"),
        ("cost:>1m", 5, "takes a number"),
        ("after:yesterday", 6, "ISO 8601"),
        ("outcome:green", 8, "passed, failed or unknown"),
        ("-", 1, "word is missing"),
        ("x" * 2_001, 2_000, "at most 2,000"),
    ],
)
def test_an_error_points_at_its_place(query: str, place: int, words: str) -> None:
    with pytest.raises(QueryError, match=words) as caught:
        parse_query(query)
    assert caught.value.place == place
    assert f"at character {place + 1}" in str(caught.value)


def test_terms_know_where_they_stand() -> None:
    assert parse_query("a  outcome:failed")[1] == QueryTerm("outcome", "failed", place=3)
