"""Improbable words of findings, and findings of such words alone, are dropped by all the evidence on them together."""

from __future__ import annotations

import numpy as np
import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.contracts.findings import RAMPART, Finding, TextContext
from pagereel.redaction.detect import word_odds as odds


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


@pytest.mark.parametrize("text", ["Route neu berechnen", "Minor keys, Major keys, Chief tones", "Ausgewählte Zeilen"])
def test_a_finding_of_words_that_are_all_nobodys_is_none(text: str) -> None:
    assert find_pii([text])[0] == []


def judged(
    monkeypatch: pytest.MonkeyPatch, text: str, found: list[Finding], sure: tuple[str, ...] = (), **by: list[Finding]
) -> list[str]:
    """Return what is left of findings if the trees are sure of some words, and take all others for nobody's."""
    words: list[str] = []

    class Doubting:
        def predict_probabilities(self, rows: list[list[float]]) -> np.ndarray:
            return np.array([0.9 if word in sure else 0.0 for word in words])

    def rows(self: odds.WordFeatures, places: list[odds.Place]) -> list[list[float]]:
        words[:] = [text[slice(*at)] for at in places]
        return [[0.0]] * len(places)

    monkeypatch.setattr(odds, "load_trees", Doubting)
    monkeypatch.setattr(odds.WordFeatures, "compute_feature_rows", rows)
    judge = odds.WordJudge(odds.DetectionEvidence(text, TextContext(), {"rampart": found, **by}))
    return [text[f.start : f.end] for f in judge.drop_improbable_words(found)]


def test_improbable_words_within_a_name_part_it_and_the_numbers_of_an_address_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "Ana of 12 has met Bert"
    found = [Finding(0, len(text), "PERSON", 0.9, RAMPART)]
    assert judged(monkeypatch, text, found, ("Ana", "Bert")) == ["Ana", "Bert"]
    assert judged(monkeypatch, text, found) == []
    street = [Finding(0, 9, "ADDRESS", 0.9, RAMPART)]
    assert judged(monkeypatch, text, street, ("Ana",)) == ["Ana", "12"]


def test_a_surname_belongs_to_its_given_name_and_a_small_word_to_the_company_around_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "We met Peter Town at Harbour and Sons"
    person = [Finding(7, 17, "PERSON", 0.9, RAMPART)]
    assert judged(monkeypatch, text, person, ("Peter",)) == ["Peter Town"]
    company = [Finding(21, len(text), "ORGANIZATION", 0.9, RAMPART)]
    assert judged(monkeypatch, text, company, ("Harbour", "Sons")) == ["Harbour and Sons"]


def test_what_a_label_or_a_shape_tells_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Ana: hunter2"
    name, secret = Finding(0, 3, "PERSON", 0.9, RAMPART), Finding(5, 12, "SECRET", 0.9)
    assert judged(monkeypatch, text, [name, secret], shape=[secret]) == ["hunter2"]
    assert judged(monkeypatch, text, [name, secret], shape=[secret], label=[name]) == ["Ana", "hunter2"]


def test_an_address_is_one_word(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "See https://ostenvik.example/a for Ana"
    found = [Finding(4, len(text), "PERSON", 0.9, RAMPART)]
    address = "https://ostenvik.example/a"
    assert judged(monkeypatch, text, found, (address, "Ana")) == [address, "Ana"]


def test_every_number_that_the_trees_ask_for_is_there() -> None:
    text = "Reçu de Ana"
    words = odds.WordFeatures(odds.DetectionEvidence(text, TextContext(), {"net": [Finding(8, 11, "PERSON", 0.9)]}))
    places = words.find_word_spans(Finding(8, 11, "PERSON", 0.9))
    assert places == [(8, 11)]
    (row,) = words.compute_feature_rows(places)
    assert len(row) > int(odds.load_trees()._feature.max())
    with_a_new_entity = odds.DetectionEvidence(text, TextContext(), {"net": [Finding(8, 11, "AAA_NEW", 0.9)]})
    assert len(odds.WordFeatures(with_a_new_entity).compute_feature_rows(places)[0]) == len(row)
