"""What two runs have in common has one key, and what is another thing has another."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagereel.reading import comparison_keys, to_locator_key, to_text_key, to_url_key, to_value_key


def test_the_examples_hold() -> None:
    assert doctest.testmod(comparison_keys).failed == 0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("http://127.0.0.1:38123/cart/17", "http://localhost:9/cart/9001"),
        (
            "https://s.example/o/9f86d081-884c-4d65-a2fe-aa0c55ad015a",
            "http://s.example/o/0E984725-C51C-4BF4-9960-E1C80E27ABA0#top",
        ),
        ("https://s.example/?b=1&a=2026-11-22", "https://s.example/?a=2025-01-02T03:04:05Z&b=77"),
        ("https://s.example/app.3f2b9c1d.js", "https://s.example/app.aa01bc99.js"),
        ("https://ada:pw@s.example/", "https://s.example/"),
        ("https://s.example/heartbeat/1cicj2dczbq", "https://s.example/heartbeat/k3v90aq7d2x"),
        ("https://s.example/ticket/7488327331", "https://s.example/ticket/6824cf179b"),
    ],
)
def test_one_address_in_two_runs(first: str, second: str) -> None:
    assert to_url_key(first) == to_url_key(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("https://s.example/orders/1", "https://s.example/invoices/1"),
        ("https://s.example/orders/1", "https://t.example/orders/1"),
        ("https://s.example/?q=1", "https://s.example/?p=1"),
        ("https://s.example/?tab=cart", "https://s.example/?tab=help"),
    ],
)
def test_two_addresses(first: str, second: str) -> None:
    assert to_url_key(first) != to_url_key(second)


def test_texts_and_locators() -> None:
    assert to_text_key("Paid  1,299.00 EUR on Nov 3, 2026 at 14:05") == to_text_key(
        "Paid 4 EUR on 22 November 2026\nat 9:15 pm".replace("22 November 2026", "Dec 24, 2025")
    )
    assert to_text_key("deadbeef decade facade") == "deadbeef decade facade"
    assert to_locator_key("page2.get_by_text('Order 17')") == to_locator_key('page.get_by_text("Order 4711")')
    assert to_locator_key('page.locator("#pay")') != to_locator_key('page.locator("#cancel")')


@given(st.text(max_size=200))
def test_a_key_is_its_own_key_and_no_text_is_too_much(text: str) -> None:
    assert to_text_key(to_text_key(text)) == to_text_key(text)
    to_url_key(text), to_url_key(f"https://s.example/{text}")
    to_locator_key(text)


WORDS = [
    *(
        "Part",
        "here",
        "EUR",
        "or",
        "am",
        "Mon",
        "Tuesday,",
        "just",
        "an",
        "one",
        "hour",
        "2nd",
        "#4711",
        "SM-48213",
        "(",
        "|",
        "–",
        "€",
        "R",
    ),
    *(
        "5",
        "12,",
        "12:",
        "57.90",
        "1.5",
        "1999",
        "12345",
        "123456",
        "1234567",
        "٣",
        "٣٤٥٦٧٨",
        "{date}",
        "deadbeef1",
        "9:30",
        "1/2/34",
        "12%",
    ),
    *(
        "mar",
        "Mar.",
        "May",
        "December",
        "Market",
        "ago",
        "now",
        "ms",
        "s,",
        "sec",
        "seconds",
        "minutes",
        "ſec",
        "day",
        "\u00a0",
        ".",
    ),
]


@given(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))
def test_a_text_is_folded_alike_whether_or_not_its_words_were_looked_at_first(text: str) -> None:
    quick = to_value_key.__wrapped__(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison_keys, "_have_no_volatile_part", lambda words: False)
        assert to_value_key.__wrapped__(text) == quick


def test_texts_in_which_nothing_is_folded_are_not_searched_for_what_might_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_keys, "_SHAPES", None)
    for number in range(100):
        assert (
            to_value_key(f"Part  {number} | {number * 977} EUR, 57.90 here.")
            == f"Part {number} | {number * 977} EUR, 57.90 here."
        )
