"""A long text of the same few characters over and over (a row of tabs, a file in one word) is read in a time that grows as it does."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pagereel.redaction import redact
from pagereel.redaction.detect import detect
from pagereel.redaction.normalise.spelled_text import join_spelled_words
from pagereel.redaction.values.variants import ENCODINGS
from tests.redaction.reels import Maker

SIZE = 10_000
SECONDS = 2.0
"""Of the processor, for one finder and one text of that size, on a slow machine; what went back and forth took 3 to 100."""
UNITS = ("\t", "\n\t", "a", "&", "+ ", "_", "'é")


@pytest.mark.parametrize(
    "find", [join_spelled_words, *detect.RULES, *detect.OF_PROSE], ids=lambda find: str(find.__name__)
)
def test_no_finder_goes_back_and_forth_over_a_long_text(find: object) -> None:
    assert callable(find)
    find("A text before, for what is compiled when it comes to it: our chief actuary, Zlode Ltd, 用户名: x")
    for unit in UNITS:
        text = (unit * SIZE)[:SIZE]
        begin = time.process_time()
        list(find(text) or ()) if find is not join_spelled_words else find(text)
        assert time.process_time() - begin < SECONDS, unit


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_line_to_write_on_has_its_variants_at_once(name: str) -> None:
    """Of a value with signs in a row, each one more doubled the time that was spent on what joins its parts."""
    begin = time.process_time()
    ENCODINGS[name]("1" + "_" * 38 + "%")
    assert time.process_time() - begin < 1


def test_a_value_that_repeats_itself_is_looked_for_at_once(tmp_path: Path) -> None:
    """A table of all states for one such value of 6,400 letters took minutes."""
    value = "Kwame Ostenvik " * 430
    reel = Maker(tmp_path / "raw.reel")
    reel.body(["p", {}, "Desk"], ["label", {}, "Full name ", ["input", {"name": "full_name", "value": value}]])
    redact(reel.done(), tmp_path / "warm.reel", gate=False)  # loads the models
    begin = time.process_time()
    redact(tmp_path / "raw.reel", tmp_path / "masked.reel")
    assert time.process_time() - begin < 10
