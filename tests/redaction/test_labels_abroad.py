"""Labels, keys, columns and heads in many languages: what stands under them is masked whole; the heads themselves stay, and whoever is called like one is masked."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.redaction import TextContext, find_pii
from pagereel.redaction.detect.tables import find_by_column_headers
from tests.redaction.test_cells import shown

UNDER_A_LABEL = [
    ("Stanowisko: operator wózka", "operator wózka"),
    ('{"cittadinanza": "rumena"}', "rumena"),
    ("Felhasználónév\tkovt84", "kovt84"),
    ("Wiek: 47\nStanowisko: operator wózka", "47"),
    ("Nombre\tCargo\tEdad\nRosa Marín\tgrapadora\t45", "grapadora"),
    ("Imię i nazwisko|Stanowisko|Wiek\nKowalska Anna|operator wózka|44\n", "operator wózka"),
]
BESIDE_A_LABEL = [
    ("operator wózka", "Stanowisko"),
    ("rumena", "cittadinanza"),
    ("47", "Életkor"),
    ("kovt84", "uzytkownik"),
]
CALLED_LIKE_A_HEAD = [
    ("Peter Town,Manager,47\nPaul City,Clerk,33\n", "Peter Town"),
    ("Ciudad, Vera\nCargo, Luis\nPuesto, Ana", "Vera"),
    ("Jméno;Věk;Obec\nObec Jan;33;Brno\n", "Obec Jan"),
    ("Rolle: Rolle Meyer", "Rolle Meyer"),
    ("Kowalski Jan, Wiek: 33", "Kowalski Jan"),
]
IN_A_SENTENCE_UNDER_A_LABEL = [
    ("Ort: Herr Ort wohnt in Köln", "Köln"),
    ("Ville : Madame Petit a appelé depuis Lyon", "Petit"),
    ("Firma: Herr Kunze ruft zurück", "Kunze"),
]
HEADS = ["Wiek: "]
NOBODYS = [
    "Firma: Bitte auswählen",
    "Nationalité : toutes",
    "Staatsangehörigkeit: bitte wählen",
    "Funktion: berechnet die Summe",
    "Rol: administrador",
    "Role,Permission\nadmin,write\neditor,read\n",
]


def _masked(text: str, label: str = "") -> str:
    """Return a text with a dot for each character that is masked."""
    letters = list(text)
    for f in find_pii([text], [TextContext(label)])[0]:
        letters[f.start : f.end] = "." * (f.end - f.start)
    return "".join(letters)


@pytest.mark.parametrize(("text", "said"), [*UNDER_A_LABEL, *CALLED_LIKE_A_HEAD, *IN_A_SENTENCE_UNDER_A_LABEL])
def test_what_stands_under_a_label_and_who_is_called_like_one_are_masked(text: str, said: str) -> None:
    start = text.rindex(said)
    assert _masked(text)[start : start + len(said)] == "." * len(said)


@pytest.mark.parametrize(("text", "label"), BESIDE_A_LABEL)
def test_what_stands_beside_a_label_is_masked_whole(text: str, label: str) -> None:
    assert _masked(text, label) == "." * len(text)


@pytest.mark.parametrize("head", HEADS)
def test_a_head_and_a_label_stay(head: str) -> None:
    assert _masked(f"{head}Kowalska Anna|operator wózka|44\n").startswith(head)


@pytest.mark.parametrize("text", NOBODYS)
def test_what_forms_and_programs_say_under_a_label_stays(text: str) -> None:
    assert _masked(text) == text


def test_a_text_of_empty_lines_is_no_table() -> None:
    assert list(find_by_column_headers("\n\n\n")) == []


@pytest.mark.parametrize(
    ("label", "value"), [("Puesto", "pegador de carteles rojos"), ("Occupation", "Glass eel counting")]
)
def test_work_that_somebody_typed_is_masked_elsewhere_too(label: str, value: str, tmp_path: Path) -> None:
    field = ["label", {}, label, ["input", {"type": "text", "value": value}]]
    said = " ".join(shown(tmp_path, field, ["p", {}, f"{value} since 2019"], ["button", {}, value]))
    assert not any(word in said for word in value.split())


def test_a_word_of_programs_that_somebody_typed_as_their_work_stays_elsewhere(tmp_path: Path) -> None:
    field = ["label", {}, "Stanowisko", ["input", {"type": "text", "value": "Manager"}]]
    assert shown(tmp_path, field, ["button", {}, "Manager"])[-1] == "Manager"
