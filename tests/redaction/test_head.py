"""The head on Rampart's layers finds who stands in a sentence by the sentence, touches no words of interfaces, and is not asked where Rampart is not."""

from __future__ import annotations

from importlib import resources

import pytest

from pagereel.redaction.detect.models import cascade, rampart, rampart_head
from tests.redaction.found import found_afresh

INTERFACE = """Save as…|Open recent|Sort by date|No results found|Export to PDF|Toggle fullscreen|The file could not be saved because the disk is full.
Zeilenumbruch umschalten|Alle Dateien ersetzen|Enregistrer sous…|Aucun résultat trouvé|Guardar los cambios|Cerrar todas las pestañas|Select a brush to paint with
Impossibile aprire il file|Rename the selected layer|Show line numbers in the margin|Undo the last operation|Keyboard shortcuts|Check for updates|Board of directors|Move to New Tab Group""".replace(
    "\n", "|"
).split("|")


@pytest.fixture
def without_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        rampart_head.RampartHead, "classify_text", lambda *_: rampart_head.RampartHeadOutput("", [], {})
    )


def _covered(text: str, value: str) -> bool:
    start = text.index(value)
    found = found_afresh([text])[0]
    return all(any(f.start <= i < f.end for f in found) for i in range(start, start + len(value)) if text[i].isalnum())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("our deck riggers met two hull surveyors", "deck riggers"),
        ("ask the hull surveyor first", "hull surveyor"),
        ("Please pay Fenwright by Friday", "Fenwright"),
    ],
)
def test_the_sentence_tells_a_position_and_a_company_that_no_list_has(text: str, value: str) -> None:
    assert _covered(text, value)


@pytest.mark.usefixtures("without_head")
def test_neither_is_found_without_the_head() -> None:
    assert not _covered("our deck riggers met two hull surveyors", "deck riggers")
    assert not _covered("ask the hull surveyor first", "hull surveyor")
    assert not _covered("Please pay Fenwright by Friday", "Fenwright")


@pytest.mark.parametrize(
    "text",
    ["hull cleaned by yuya last spring", "Hull cleaned by Yuya last spring", "Bed 14 is free, Priya Raghunathan left."],
)
def test_one_word_of_the_language_is_no_position_and_no_place_by_the_sentence_alone(text: str) -> None:
    first = text.split()[0]
    assert all(f.start >= len(first) for f in found_afresh([text])[0])


@pytest.mark.parametrize(
    "text", ["ניהול | רישום פעילות | Can change log entry", "Управление | Запись журнала | Can change log entry"]
)
def test_words_of_scripts_that_the_net_was_not_taught_are_left_to_the_rules(text: str) -> None:
    assert found_afresh([text])[0] == []


def test_each_window_of_a_long_text_is_weighed_by_its_own_words() -> None:
    model = rampart.load_rampart()
    assert model is not None
    text = "The table is empty and the page is slow. " * 60
    (look,) = model.classify_texts([text])
    assert len(look.windows) > 2
    for offsets, projected in look.windows:
        words, odds = rampart_head.load_rampart_head().compute_probabilities(text, offsets, projected)
        assert 0 < len(words) == len(odds) <= rampart.WINDOW
        assert offsets[0][0] <= words[0].start() and words[-1].end() <= offsets[-1][1]


def test_interface_words_stay_untouched() -> None:
    assert [text for text, found in zip(INTERFACE, found_afresh(INTERFACE), strict=True) if found] == []


def test_without_rampart_nothing_asks_for_the_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rampart, "load_rampart", lambda: None)
    monkeypatch.setattr(cascade, "load_rampart_head", lambda: pytest.fail("no layers, no head"))
    assert found_afresh(["Dana Okafor signed the lease."])[0]


def test_a_runtime_that_gives_no_layers_still_finds_tokens() -> None:
    model = rampart.load_rampart()
    assert model is not None
    kept, model.projection = model.projection, None
    try:
        (look,) = model.classify_texts(["Dana Okafor signed the lease."])
    finally:
        model.projection = kept
    assert look.tokens and look.windows == []


def test_the_weights_are_a_part_of_the_package() -> None:
    stored = resources.files("pagereel.redaction.detect.models").joinpath(rampart_head.WEIGHTS)
    assert stored.is_file() and len(stored.read_bytes()) < 1_000_000


def test_what_a_text_gets_does_not_depend_on_the_texts_beside_it() -> None:
    texts = ["the invoice from ostermarsh and quell came late", "we hired a loom technician", *INTERFACE]
    assert found_afresh(texts[:1])[0] == found_afresh(texts)[0]
