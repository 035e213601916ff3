"""Scripts that are not Latin: matcher and gate agree on what a word is, and a name of three letters is found within a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.redaction import Gate, KnownValues, redact
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker

NAMES = {
    "Chinese": ("陈建国", "昨天陈建国先生收到了我们寄出的包裹。"),
    "Japanese": ("佐藤花子", "きのう佐藤花子さんに荷物をお送りしました。"),
    "Korean": ("김민수", "어제 김민수님께 소포를 보냈습니다."),
    "Thai": ("สมชาย", "เมื่อวานคุณสมชายได้รับพัสดุแล้ว"),
}
WITHIN = {
    "Cyrillic": ("Иван", "Собор Ивановского монастыря открыт."),
    "Greek": ("Νίκη", "Η Νίκησις είναι λέξη."),
    "accents": ("Núñe", "Los Núñezes salieron."),
    "Han, two letters": ("李明", "李明白了这一点。"),
}


@pytest.mark.parametrize("script", NAMES)
def test_a_typed_name_is_masked_within_a_sentence(script: str, tmp_path: Path) -> None:
    name, sentence = NAMES[script]
    m = Maker(tmp_path / "a.reel")
    m.body(["input", {"autocomplete": "name", "value": name}], ["p", {}, sentence])
    report = redact(m.done(), tmp_path / "b.reel")
    assert name in report.known
    assert name not in text_of(tmp_path / "b.reel")


@pytest.mark.parametrize("script", WITHIN)
def test_a_short_value_within_another_word_is_neither_masked_nor_a_leak(script: str) -> None:
    name, sentence = WITHIN[script]
    known = KnownValues.given([(name, "PERSON")])
    assert Gate(known).search(sentence.encode()).clean
    assert not Gate(known).search(f"({name})".encode()).clean
