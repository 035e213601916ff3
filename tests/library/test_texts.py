"""Lines of text stand once in a catalogue, packed, and go with the last run that had them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagereel.library import Library
from pagereel.library.catalogue import CatalogueEntry
from pagereel.library.catalogue.catalogue_base import expand_file_name, shorten_file_name
from pagereel.library.run_facts import IndexedRunFacts, UsageFigures
from pagereel.reading import TimedTextLine

from .runs import lines_in


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "runs") as library:
        yield library


def put(library: Library, id: str, *lines: TimedTextLine) -> None:
    """Write a run of these lines into the catalogue."""
    facts = IndexedRunFacts(
        started=float(len(id)), duration=1.0, agent=None, outcome="passed", sealed=True, kind="reel", steps=0, calls=0, model_calls=0, tokens=0, cost=0.0,
        errors=0, gaps=0, used={("path", f"/{id}"): UsageFigures(1), ("host", "shop.example"): UsageFigures(1)}, lines=list(lines),
    )  # fmt: skip
    library.catalogue.write_run(CatalogueEntry(id, id, f"recordings/{id}", f"recordings/{id}"), facts)


def shown(*texts: str) -> list[TimedTextLine]:
    return [TimedTextLine("page", text, 10.0 * place, 500.0, 1) for place, text in enumerate(texts)]


def test_lines_stay_as_long_as_a_run_has_them(library: Library) -> None:
    put(library, "aaaaaa", *shown("Your cart", "One book"))
    put(library, "bbbbbb", *shown("Your cart", "Two books"), TimedTextLine("console", "Your cart", 0, 0))
    assert lines_in(library) == ["One book", "Two books", "Your cart"]
    library.catalogue.delete_run("aaaaaa")
    assert lines_in(library) == ["Two books", "Your cart"]
    assert [value for (value,) in library.catalogue.execute("SELECT value FROM name ORDER BY 1").fetchall()] == ["/bbbbbb", "shop.example"]  # fmt: skip
    library.catalogue.delete_run("bbbbbb")
    assert lines_in(library) == []
    put(library, "cccccc", *shown("Your cart"))
    assert lines_in(library) == ["Your cart"]
    assert [hit.text for run in library.search('seen:"your cart"').runs for hit in run.hits] == ["Your cart"]


def test_many_lines_need_many_chunks_and_each_is_found_again(library: Library, tmp_path: Path) -> None:
    dice = random.Random(7)
    with Library(tmp_path / "runs") as reader:
        reader.search("seen:nothing")
        for run in range(40):
            texts = [f"line {run} {n} " + "x" * dice.randrange(120) + ("é結" if n % 50 == 7 else "") for n in range(60)]
            put(library, f"run{run:03}", *shown(*texts, "the same in each"))
            answer = reader.search(
                f'seen:"line {run} 59"'
            )  # who reads meanwhile sees what is new in a chunk that it knows
            assert [found.id for found in answer.runs] == [f"run{run:03}"]
        assert library.catalogue.execute("SELECT count(*) FROM chunk").fetchone()[0] > 2
        assert reader.search('seen:"the same in each"').total == 40
        assert len(lines_in(library)) == 40 * 60 + 1
        for run in dice.sample(range(40), 30):
            library.catalogue.delete_run(f"run{run:03}")
        assert len(lines_in(library)) == 10 * 60 + 1
        assert reader.search('seen:"in each"').total == 10


def test_what_was_taken_back_is_not_remembered(library: Library) -> None:
    put(library, "aaaaaa", *shown("One book"))
    with pytest.raises(ZeroDivisionError), library.catalogue.transaction():
        library.catalogue._get_or_add_line_numbers(["never written"])
        library.catalogue._append_lines(["nor this"])
        raise ZeroDivisionError
    put(library, "bbbbbb", *shown("Two books"))
    assert lines_in(library) == ["One book", "Two books"]


def test_words_of_two_lines_are_no_phrase_but_words_of_a_run(library: Library) -> None:
    put(library, "aaaaaa", *shown("card", "declined"))
    put(library, "bbbbbb", *shown("card was declined", "declined card"))
    put(library, "cccccc", *shown("CARD, declined!"), TimedTextLine("console", "declined: card", 0, 0))
    for query, found in {
        'seen:"card declined"': ["cccccc"],
        'seen:"declined card"': ["bbbbbb"],
        '"declined card"': ["cccccc", "bbbbbb"],
        '-seen:"card declined"': ["bbbbbb", "aaaaaa"],
        'seen:"card card"': [],
    }.items():
        assert [run.id for run in library.search(query).runs] == found, query


def test_a_small_page_has_a_small_index(library: Library) -> None:
    """A hundred lines a run, forty of them its own: with a row for each place in which a line stood it took more than twice as much."""
    dice = random.Random(3)
    words = ["".join(dice.choices("abcdefghijklmno", k=dice.randrange(3, 9))) for _ in range(2_000)]
    usual = [" ".join(dice.choices(words, k=5)) for _ in range(60)]
    for run in range(200):
        put(library, f"run{run:03}", *shown(*usual, *(" ".join(dice.choices(words, k=6)) for _ in range(40))))
    library.catalogue.compact_storage(deleted=True)
    assert library.catalogue.measure_size() / 200 < 5_000


def test_where_a_run_lies_is_stored_without_its_id_and_read_with_it() -> None:
    for place in ("recordings/abc.reel", "*abc*", "abc*", "*i", "/x/**iabc", "", "*iabc**"):
        stored = shorten_file_name(place, "abc")
        assert expand_file_name(stored, "abc") == place and "abc" not in stored
