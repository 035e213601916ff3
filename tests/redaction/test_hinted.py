"""Patterns with hints find what they find without, and the automaton of beginnings what a search for each pattern finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagereel.redaction.detect import detect  # noqa: F401  (so that all rules are known
from pagereel.redaction.detect.cues.engine import load_cues
from pagereel.redaction.values.automaton import PatternAutomaton
from pagereel.redaction.words import prefiltered_pattern
from pagereel.redaction.words.prefiltered_pattern import PrefilteredPattern

PATTERNS = (
    (r"\b(?:street|road|av(?:e|enue)?)\b\.?", re.IGNORECASE),
    (r"(?<!\w)(?:customer|client)s?[ ](?:no|number)?[ ]?\d+", re.IGNORECASE),
    (r"[Tt]he\s+(?P<s>[A-Z]\w+)\s+(?:Bank|Clinic)", 0),
    (r"(?:a|b)+x(?=yes)", re.IGNORECASE),
    (r"κωδικός|пароль|kis[ck]", re.IGNORECASE),
    (r"(?:ab){2,}c|\d{3}-x", 0),
    (r"(a|b)\1k", re.IGNORECASE),
    (r"[\u4e00-\u9fff]{2,4}(?:路|街|道)\d?", 0),
    (r"(?:[α-ω]{2}|[а-я]{3})x", re.IGNORECASE),
    (r"(?:[1-9]?\d|[٠-٩]) ?(?:лет|岁)?", 0),
    (r"[1-9]\d?(?=\s?(?:岁|x))", 0),
)


HINTED = tuple(PrefilteredPattern(pattern, flags) for pattern, flags in PATTERNS)
"""Made once: for each that comes later the search is made anew."""


@pytest.mark.parametrize("with_hints", HINTED, ids=lambda one: one.pattern)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_what_a_pattern_matches_holds_one_of_its_hints(with_hints: PrefilteredPattern, data: st.DataObject) -> None:
    without = with_hints.compiled_pattern
    text = data.draw(st.text(max_size=3)) + data.draw(st.from_regex(without)) + data.draw(st.text(max_size=3))
    assert [m.span() for m in with_hints.finditer(text)] == [m.span() for m in without.finditer(text)]


def test_what_stands_around_a_match_is_a_hint() -> None:
    assert PrefilteredPattern(r"[a-z]+(?=\s?(?:nord|ost))").compute_hints() == {"nord", "ost"}
    assert PrefilteredPattern(r"[a-z]+(?!\s?(?:nord|ost))").compute_hints() is None


def test_a_letter_of_another_script_is_told_in_either_case() -> None:
    far = [
        chr(c)
        for first, last in prefiltered_pattern._FAR_RANGES
        for c in range(ord(first), min(ord(last), 0x1FFFF) + 1)
    ]
    for letter in far:
        for other in {letter, letter.lower(), letter.upper(), letter.casefold()}:
            assert len(other) > 1 or prefiltered_pattern._MAY_BE_FAR.match(other), f"{ord(letter):x}"


@pytest.mark.parametrize(
    "text", ["12 PARK ſtreet", "µΩx", "Ωµx", "Rİde to BRİSTOL ROAD", "KISK", "Κωδικός: 4411", "ПАРОЛЬ"]
)
def test_letters_that_a_pattern_takes_for_others_are_hints_too(text: str) -> None:
    for one in HINTED:
        assert [m.span() for m in one.finditer(text)] == [m.span() for m in one.compiled_pattern.finditer(text)]


def test_most_patterns_have_hints() -> None:
    load_cues()
    every = [one for one in prefiltered_pattern._all if one.pattern not in {p for p, _ in PATTERNS}]
    assert len(every) > 150
    assert sum(one.compute_hints() is not None for one in every) > len(every) * 0.9


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab", min_size=1, max_size=40), unique=True, max_size=30), st.text("ab", max_size=120))
def test_an_automaton_finds_every_place_of_every_pattern(patterns: list[str], text: str) -> None:
    places = [
        (index, at, at + len(pattern))
        for index, pattern in enumerate(patterns)
        for at in range(len(text))
        if text.startswith(pattern, at)
    ]
    assert PatternAutomaton(patterns).find_occurrences(text) == sorted(places, key=lambda p: (p[2], p[1], p[0]))
    encoded = [pattern.encode() for pattern in patterns]
    assert sorted(PatternAutomaton(encoded).find_occurrences(text.encode())) == sorted(places)
