"""Two sequences beside each other: every item once, what is the same paired, and fast where they are long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagereel.comparison.matching import alignment
from pagereel.comparison.matching.alignment import align_sequences, find_moved_items

keys = st.lists(st.sampled_from("abcdefg"), max_size=40)


def shown(first: str, second: str) -> list[str]:
    pairs = align_sequences(first, second, lambda a, b: 0.4 if first[a].lower() == second[b].lower() else -2)
    return [f"{'-' if a is None else first[a]}{'-' if b is None else second[b]}" for a, b in pairs]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("abc", "abc", "aa bb cc"),
        ("", "ab", "-a -b"),
        ("abc", "axc", "aa b- -x cc"),
        ("abc", "aBc", "aa bB cc"),
        ("abcd", "ad", "aa b- c- dd"),
        ("aab", "aaab", "aa aa -a bb"),
    ],
)
def test_the_same_is_paired_and_what_is_like_it_rather_than_left_alone(first: str, second: str, expected: str) -> None:
    assert shown(first, second) == expected.split()


@given(keys, keys)
def test_each_index_stands_once_and_in_order(first: list[str], second: list[str]) -> None:
    pairs = align_sequences(first, second)
    assert [a for a, _ in pairs if a is not None] == list(range(len(first)))
    assert [b for _, b in pairs if b is not None] == list(range(len(second)))
    assert all(first[a] == second[b] for a, b in pairs if a is not None and b is not None)


@given(keys)
def test_a_sequence_beside_itself_is_paired_throughout(items: list[str]) -> None:
    assert align_sequences(items, items) == [(number, number) for number in range(len(items))]


@given(keys, st.integers(0, 40), st.sampled_from("xyz"))
def test_one_that_came_in_between_is_all_that_differs(items: list[str], at: int, new: str) -> None:
    pairs = align_sequences(items, [*items[:at], new, *items[at:]])
    assert [pair for pair in pairs if None in pair] == [(None, min(at, len(items)))]


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30), st.sets(st.integers(0, 29), max_size=6))
def test_what_differs_in_place_is_found_as_by_a_look_at_all_keys(items: list[str], places: set[int]) -> None:
    other = [f"{n}!" if n in places else item for n, item in enumerate(items)]
    at_once = align_sequences(items, other, lambda a, b: -1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "_find_anchors_in_place", lambda *_: None)
        assert align_sequences(items, other, lambda a, b: -1.0) == at_once


def test_what_stands_elsewhere_was_moved() -> None:
    first, second = "abcd", "bcda"
    assert find_moved_items(align_sequences(first, second), first, second) == [(0, 3)]


@pytest.mark.parametrize("period", [1, 7, 5000])
def test_five_thousand_items_take_seconds(period: int) -> None:
    """Where keys stand once, and where they come again and again, which leaves nothing to hold on to."""
    first = [f"call {number % period}" for number in range(5000)]
    second = [key for number, key in enumerate(first) if number % 97] + ["end"] * 40
    for at in range(10, 5000, 211):
        second.insert(at, f"new {at % 5}")
    began = time.process_time()
    pairs = align_sequences(first, second, lambda a, b: -1.0)
    assert time.process_time() - began < 10
    assert sum(None not in pair for pair in pairs) >= 4900
