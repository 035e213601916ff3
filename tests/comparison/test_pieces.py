"""Lines that several elements say together: what varies in one of them makes the others no places that vary."""

from __future__ import annotations

from pathlib import Path

from pagereel.comparison import Comparison, compare
from pagereel.reel import Json

from .runs import Made

TREES = ("Ash", "Birch", "Cedar", "Elm")


def around(path: Path, *elements: Json, top: str = "header") -> Path:
    """A run that looks at a page whose first line these elements say together."""
    run = Made(path)
    run.step("Look around")
    run.open("/", [top, {}, *elements], ["h1", {}, "Shop"], "[Pay]")
    run.end_step()
    return run.end()


def sight(path: Path, offer: str, price: str = "48 EUR", named: str = "advert", until: str = "Open till six") -> Path:
    return around(
        path,
        ["b", {}, "Pots"],
        " ",
        ["span", {"class": named}, offer],
        " ",
        ["em", {}, price],
        " ",
        ["small", {}, until],
    )


def held(folder: Path, offers: tuple[str, ...], named: str) -> tuple[Path, list[Path]]:
    first, *others = [sight(folder / f"{number}.reel", offer, named=named) for number, offer in enumerate(offers)]
    return first, others


def against(runs: tuple[Path, list[Path]], other: Path) -> Comparison:
    return compare(runs[0], other, baseline=runs[1], redaction=None)


def test_what_stands_beside_what_varies_in_a_line_counts(tmp_path: Path) -> None:
    named = "word"
    runs = held(tmp_path, TREES, named)
    assert against(runs, sight(tmp_path / "again.reel", "Larch", named=named)).equal
    dearer = against(runs, sight(tmp_path / "dearer.reel", "Larch", "84 EUR", named=named)).divergence
    assert dearer is not None and dearer.kind == "page" and "84 EUR" in dearer.summary
    shut = against(runs, sight(tmp_path / "shut.reel", "Larch", named=named, until="Closed")).divergence
    assert shut is not None and "Closed" in shut.summary


def test_a_part_of_a_line_that_never_varied_is_a_difference_whatever_it_is_named(tmp_path: Path) -> None:
    runs = held(tmp_path, ("Soup, delivered",) * 4, "word")
    found = against(runs, sight(tmp_path / "other.reel", "Four nights in Porto", named="word")).divergence
    assert found is not None and "Porto" in found.summary


def test_each_of_several_elements_of_one_name_is_a_place(tmp_path: Path) -> None:
    def two(name: str, left: str, right: str) -> Path:
        return around(tmp_path / f"{name}.reel", ["span", {}, left], " and ", ["span", {}, right], top="p")

    runs = [two(tree, tree, "Moss") for tree in TREES]
    assert compare(runs[0], two("again", "Fir", "Moss"), baseline=runs[1:], redaction=None).equal
    found = compare(runs[0], two("other", "Fir", "Fern"), baseline=runs[1:], redaction=None).divergence
    assert found is not None and "Fern" in found.summary


def ticking(path: Path, offer: str, early: bool = False, price: str = "48 EUR") -> Path:
    """A line with an advert and a clock, which shows when it first ticks."""

    def line(time: str) -> Json:
        return ["header", {}, ["b", {}, "Pots"], " ", ["time", {}, time], " ", ["span", {"class": "ad"}, offer], " ", ["em", {}, price]]  # fmt: skip

    run = Made(path)
    run.step("Look around")
    run.open("/", line("10:41:07" if early else ""), ["h1", {}, "Shop"], "[Pay]")
    run.call("click", 'get_by_role("button", name="Pay")')
    run.show(line("10:41:08"), ["h1", {}, "Shop"], "[Pay]")
    run.end_step()
    return run.end()


def test_a_clock_that_shows_sooner_beside_another_advert_is_no_difference(tmp_path: Path) -> None:
    good = ticking(tmp_path / "good.reel", "Soup, delivered")
    others = [ticking(tmp_path / "other.reel", "Four nights in Porto")]
    early = ticking(tmp_path / "early.reel", "Learn the cello", early=True)
    assert compare(good, early, baseline=others, redaction=None).equal
    dear = ticking(tmp_path / "dear.reel", "Learn the cello", early=True, price="84 EUR")
    found = compare(good, dear, baseline=others, redaction=None).divergence
    assert found is not None and "84 EUR" in found.summary
