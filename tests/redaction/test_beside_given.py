"""A given name of any list and a word that no list has are a person by rule alone, in whatever they stand: no model need have heard of either."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.contracts.findings import Finding
from pagereel.redaction.detect.shapes.people_in_identifiers import find_joined_names, find_people_by_given_name
from pagereel.redaction.detect.shapes.shape_findings import find_by_shapes

FRAMES = (
    "{} {}",
    "Contact {} {} soon",
    "{} {} Handwriting",
    "{} {} Panel",
    "reviewed.by({} {})",
    "at http://x.example/mod/{} {}.js:3:7",
)
NAMES = (("Desmond", "Deilralakis"), ("Saoirse", "Lelkkvandidis"), ("Ottilie", "Skaaschjuirg"), ("Kwame", "Vloslunt"))
NOBODY = (
    "Ruby Rails",
    "Rose Kubectl",
    "Jasmine Webpack",
    "Mark Unread",
    "Paste Special",
    "Desmond. Deilralakis",
    "Desmond, deilralakis",
    "Desmond is deilralakish",
    "window.location.href",
    "DesmondPanel KvungkvaustPanel",
    "jasmine.configure",
    "include/violet.xkvung",
)


def left(text: str, value: str, found: list[Finding]) -> str:
    """What of a value no finding holds."""
    start = text.index(value)
    return "".join(
        c for i, c in enumerate(value, start) if c.isalnum() and not any(f.start <= i < f.end for f in found)
    )


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(("given", "family"), NAMES)
def test_they_are_a_person_by_rule_alone(frame: str, given: str, family: str) -> None:
    text = frame.format(given, family)
    found = find_by_shapes(text)
    assert left(text, given, found) == left(text, family, found) == ""


@pytest.mark.parametrize("change", [str.lower, str.upper])
@pytest.mark.parametrize("joint", [" ", "\u00a0", "."])
def test_they_are_one_without_capitals_too(change: Callable[[str], str], joint: str) -> None:
    name = change(f"desmond{joint}deilralakis")
    text = change(f"signed in as {name} today")
    assert left(text, name, find_by_shapes(text)) == ""


@pytest.mark.parametrize("text", NOBODY)
def test_words_that_somebody_knows_are_none(text: str) -> None:
    assert [text[f.start : f.end] for f in find_people_by_given_name(text)] == []


@pytest.mark.parametrize("name", ["michellewhite", "robertsmichelle42", "thijskramer", "zimmermanleslie"])
def test_written_as_one_word_alone_they_are_a_user_name(name: str) -> None:
    assert left(f" {name} ", name, find_pii([f" {name} "])[0]) == ""


@pytest.mark.parametrize(
    "word", ["terracotta", "registraci", "septilyon", "stylesheet", "masonry", "jasmineflower.png"]
)
def test_a_word_that_only_begins_like_a_name_stays(word: str) -> None:
    assert list(find_joined_names(word)) == []


@pytest.mark.parametrize("unseen", ["\u200d", "\u00ad", "\u2060"])
def test_what_nobody_sees_between_their_letters_changes_nothing(unseen: str) -> None:
    name = unseen.join("Desmond Deilralakis")
    text = f"Contact {name} soon"
    (found,) = find_pii([text])
    assert left(text, name, found) == ""


@pytest.mark.parametrize("text", ["SaoirseMarmdaurmberg", "new LeonoraLesveindberg()", "BozbağThanmorstrom"])
def test_a_name_in_humps_is_no_product(text: str) -> None:
    (found,) = find_pii([text])
    assert left(text, text.removeprefix("new ").removesuffix("()"), found) == ""
