"""The time of the whole detector grows with a text's length, whatever the text says; the models, which read pieces of a fixed size, have no part in it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.detect import detect, detection_pool
from pagereel.redaction.detect.filters.findings_cache import FindingsCache
from tests.house import growth

SHAPES = (
    *("a", "A", "aA", "Aa ", "A'", "A+", "7", "7-", "7.", "+1 ", "(555) ", "12/", "a@", "@", "/a", "a=", "a:", "_a", "[", "{", '"', "(a", "<aa> "),
    *(" ", "\n", "\t", " \n", "\u200b", "e\u0301", "&#", "%41", "\\x41", "QUJD", "==", "--aa ", "jana ", "lica", "Dr. ", "I am ", "of ", "the "),
    *("王", "さん", "ア", "地址 :  ", "γεια ", "Иванов", "'Aaa", "aaionsa", "·", "| ", ", "),
)  # fmt: skip
MOST_TIMES = 2.5
FLOOR_S = 0.1
"""Seconds of noise."""


@pytest.fixture(autouse=True)
def _without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        detect, "_ask_models", lambda texts, by_rule: ([[] for _ in texts], [[] for _ in texts], [{} for _ in texts])
    )
    seconds("Wilhelmina Okonkwo, 12 High Street")  # What is loaded once.


def seconds(text: str) -> float:
    detection_pool._findings_cache = FindingsCache()  # Else a text that was asked before costs nothing.
    began = time.thread_time()
    find_pii([text])
    return time.thread_time() - began


def growing(shapes: Iterator[tuple[str, str, str]], length: int) -> dict[str, str]:
    """What of these takes more than in proportion when there is twice as much of it."""
    found = {}
    for begin, unit, end in shapes:
        half, whole = (begin + unit * (size // len(unit)) + end for size in (length // 2, length))
        if seconds(whole) <= MOST_TIMES * seconds(half) + FLOOR_S:
            continue
        once, twice = min(seconds(half) for _ in range(3)), min(seconds(whole) for _ in range(3))
        if twice > MOST_TIMES * once + FLOOR_S:
            found[f"{begin!r} + {unit!r} + {end!r}"] = f"{once:.2f} s, then {twice:.2f} s"
    return found


def test_no_text_takes_more_than_in_proportion() -> None:
    assert growing((("", shape, "\0") for shape in SHAPES), 5_000) == {}


@pytest.mark.slow
def test_no_long_text_does_either() -> None:
    shapes = ("a ", "7 ", "<aa> ", "Aa Bb, ", "x\n", "γεια ", "王")
    assert growing((("", shape, "") for shape in shapes), 60_000) == {}


@pytest.mark.slow
def test_nor_does_what_is_made_of_the_detectors_own_patterns() -> None:
    attacks = sorted(
        {attack for _, pattern in growth.patterns_of("pagereel.redaction") for attack in growth.attacks(pattern)}
    )
    chance = random.Random(20)
    assert growing(iter(chance.sample(attacks, 400)), 20_000) == {}
