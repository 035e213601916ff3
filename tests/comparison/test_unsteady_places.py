"""Expected runs that differ from each other: what differs in the same places is doubted, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.comparison import ENOUGH_RUNS, Comparison, compare

from .runs import USUAL_NOTICES as USUAL
from .runs import shop_with_notices as shop


def held(folder: Path, expected: list[Path], second: Path) -> Comparison:
    return compare(expected[0], second, baseline=expected[1:], redaction=None)


def sure(result: Comparison) -> list[str]:
    return [each.said for each in result.differences if each.is_sure]


@pytest.fixture
def expected(tmp_path: Path) -> list[Path]:
    """Three runs alike, and one with a notice that none of the others has."""
    return [shop(tmp_path / f"{n}.reel", *USUAL, *(["The kiln is hot."] if n == 2 else [])) for n in range(4)]


def test_what_one_expected_run_has_alone_makes_its_place_doubtful(tmp_path: Path, expected: list[Path]) -> None:
    result = held(
        tmp_path,
        expected,
        shop(tmp_path / "b.reel", *USUAL, "A guest has come, with two dogs and a cat, and asks for tea."),
    )
    assert result.equal and [each.is_sure for each in result.differences] == [False]
    (note,) = result.notes
    assert (
        note.startswith("1 of the 4 expected runs differs from the others as well (page).")
        and f"record {ENOUGH_RUNS}" in note
    )


def test_a_price_and_a_request_elsewhere_are_told_all_the_same(tmp_path: Path, expected: list[Path]) -> None:
    result = held(tmp_path, expected, shop(tmp_path / "b.reel", *USUAL, price="80", asks="/api/charge"))
    assert result.failed("page") and result.failed("network")


def test_two_expected_runs_show_no_place_to_be_doubtful(tmp_path: Path, expected: list[Path]) -> None:
    result = held(tmp_path, expected[1:3], shop(tmp_path / "b.reel", *USUAL, price="80"))
    assert sure(result) and not result.notes


def test_equal_expected_runs_leave_no_note(tmp_path: Path) -> None:
    expected = [shop(tmp_path / f"{n}.reel", *USUAL) for n in range(4)]
    result = held(tmp_path, expected, shop(tmp_path / "b.reel", *USUAL, "A guest has come."))
    assert sure(result) and not result.notes


def test_of_many_expected_runs_one_that_differs_does_not_excuse(tmp_path: Path) -> None:
    extra = [["The kiln is hot."] if n == 2 else [] for n in range(ENOUGH_RUNS + 2)]
    expected = [shop(tmp_path / f"{n}.reel", *USUAL, *more) for n, more in enumerate(extra)]
    result = held(
        tmp_path,
        expected,
        shop(tmp_path / "b.reel", *USUAL, "A guest has come, with two dogs and a cat, and asks for tea."),
    )
    assert sure(result)
