"""Words at the ends of a finding, and findings, that are nobody's by what is said of them all together."""

from __future__ import annotations

import numpy as np
import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.contracts.types import ENTITIES, Finding, TextContext
from pagereel.redaction.detect import odds

EMPTY = odds.DetectionEvidence("Reçu de Ana", TextContext(), {})


@pytest.mark.parametrize(
    ("text", "name", "stays"),
    [
        ("Reçu de Ndeye Fall la somme de vingt mille francs", "Ndeye Fall", "Reçu"),
        ('{"client":"Bella Vista","persoana":"Ioana Oprișor","rol":"agent de pază"}', "Ioana Oprișor", "persoana"),
    ],
)
def test_a_word_beside_a_name_that_is_nobodys_stays(text: str, name: str, stays: str) -> None:
    masked = {at for f in find_pii([text])[0] for at in range(f.start, f.end)}
    assert masked.issuperset(range(text.index(name), text.index(name) + len(name)))
    assert masked.isdisjoint(range(text.index(stays), text.index(stays) + len(stays)))


@pytest.mark.parametrize("text", ["Route neu berechnen", "Minor keys, Major keys, Chief tones"])
def test_a_finding_of_words_that_are_all_nobodys_is_none(text: str) -> None:
    assert find_pii([text])[0] == []


@pytest.mark.parametrize("context", [TextContext("Customer"), TextContext(kind="slug"), TextContext(kind="code")])
def test_what_stands_under_a_label_or_in_an_address_is_not_judged(context: TextContext) -> None:
    found = [Finding(0, 4, "PERSON", 0.9)]
    assert odds.without_unlikely_words(odds.DetectionEvidence("Reçu de Ana", context, {}), found) == found


def test_a_number_at_the_end_and_what_a_shape_tells_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    class Doubting:
        def odds(self, rows: list[list[float]]) -> np.ndarray:
            return np.array([0.9] + [0.01] * (len(rows) - 1))

    monkeypatch.setattr(odds, "load_trees", Doubting)
    text = "Ana of 12 said: hunter2"
    evidence = odds.DetectionEvidence(text, TextContext(), {})
    said = odds.without_unlikely_words(evidence, [Finding(0, 14, "PERSON", 0.9), Finding(16, 23, "SECRET", 0.9)])
    assert [(text[f.start : f.end], f.entity) for f in said] == [("Ana of 12", "PERSON"), ("hunter2", "SECRET")]


def test_every_number_that_the_trees_ask_for_is_there() -> None:
    (places, rows) = odds.WordFeatures(EMPTY).rows(Finding(8, 11, "PERSON", 0.9))
    assert places == [(8, 11)]
    assert len(rows[0]) > int(odds.load_trees()._feature.max())


def test_an_address_in_a_finding_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    class SureOfTheFirst:
        def odds(self, rows: list[list[float]]) -> np.ndarray:
            return np.array([0.9] + [0.01] * (len(rows) - 1))

    monkeypatch.setattr(odds, "load_trees", SureOfTheFirst)
    text = "https://ostenvik.example/a and more"
    found = [Finding(0, 26, "LOCATION", 0.9)]
    assert odds.without_unlikely_words(odds.DetectionEvidence(text, TextContext(), {}), found) == found


def test_a_new_entity_moves_no_number_of_the_trees() -> None:
    before = odds.WordFeatures(EMPTY).rows(Finding(8, 11, "PERSON", 0.9))[1][0]
    assert set(odds.trained_entities()) <= set(ENTITIES)
    unknown = odds.WordFeatures(EMPTY).rows(Finding(8, 11, "AAA_NEW", 0.9))[1][0]
    assert len(unknown) == len(before) and sum(a != b for a, b in zip(before, unknown, strict=True)) == 1
