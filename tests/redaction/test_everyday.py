"""A word that the pages' own language says again and again is nobody's part, though a model took one text that begins with it for somebody's name."""

from __future__ import annotations

from pathlib import Path

from pagereel.redaction.detect.cross_text.repeated_words import find_everyday_words
from pagereel.redaction.values.known_values import KnownValues
from tests.redaction.test_cells import shown

SAID = ["Nuevo caso de prueba", "Buscar planes de prueba", "Resumen de la prueba", "Mis ejecuciones de prueba"]


def test_what_is_said_again_and_again_in_small_letters_is_a_word() -> None:
    assert "prueba" in find_everyday_words(SAID)
    assert "prueba" not in find_everyday_words(SAID[:2])
    assert (
        find_everyday_words(
            ["de maria y katya", "Con maria", "Sin maria", "Por maria", "Ostenvik ostenvik", "El klein"] * 4
        )
        == frozenset()
    )


def test_a_family_that_is_called_as_a_word_is_stays_a_part() -> None:
    assert "klein" not in find_everyday_words(["Das ist klein", "Sehr klein hier", "Zu klein dort", "Ganz klein da"])


def test_an_everyday_word_is_no_part_of_a_value_and_the_others_are() -> None:
    values = KnownValues()
    values.add("Prueba Vestergrove", "PERSON", "dom.text", frozenset({"prueba"}))
    assert "vestergrove" in values
    assert "Prueba Vestergrove" in values
    assert "prueba" not in values


def test_buttons_of_a_program_keep_a_word_of_which_one_text_is_taken_for_a_person(tmp_path: Path) -> None:
    said = shown(tmp_path, *[["button", {}, text] for text in [*SAID, "Prueba Marcos"]])
    assert said[: len(SAID)] == SAID
    assert "Prueba Marcos" not in said


def test_who_is_said_to_be_called_so_is_masked_everywhere(tmp_path: Path) -> None:
    named = [["label", {"for": "a"}, "Nombre completo"], ["output", {"id": "a"}, "Katya Prueba"]]
    said = shown(tmp_path, *[["button", {}, text] for text in SAID], *named, ["p", {}, "Prueba"])
    assert "Prueba" not in said
