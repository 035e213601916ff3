"""Strings of programs' catalogues in which a detector sees people, companies, days and passwords that are nobody's."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

NOBODYS = (
    "In dieser Community",
    "Neue Nachrichten in diesem Diskussionsstrang",
    "Delete Mailing List From HyperKitty",
    "SVG (MathML can be enabled via browser plugin)",
    "Neuer Termin am %d. April",
    "{{PLURAL:$1|Eine Version|$1 Versionen}} gelöscht",
    "Vielleicht gibt es Informationen auf der [[$2|Vorlagenseite]].",
    "contenu principal",
    "Página principal",
    "alle 12 Stunden",
    "SHA-384",
    "helles Meergrün",
    "mittleres Blau",
    "下午12点被认为是中午，凌晨12点是午夜。",
)
SOMEBODYS = {
    "I met JoAnn Bright and LaToya there": ("JoAnn Bright", "LaToya"),
    "Born in April, Maria works with DeShawn Miller": ("Maria", "DeShawn Miller"),
    "Anna Weber, school principal": ("Anna Weber", "school principal"),
    "She was born on 3 April 1996": ("3 April 1996",),
}


@pytest.mark.parametrize("text", NOBODYS)
def test_what_is_nobodys_in_a_string_of_a_program_stays(text: str) -> None:
    assert not find_pii([text])[0]


@pytest.mark.parametrize("text", SOMEBODYS)
def test_people_and_days_that_look_alike_are_found(text: str) -> None:
    found = [text[f.start : f.end] for f in find_pii([text])[0]]
    assert all(value in found for value in SOMEBODYS[text]), found


STRINGS = ("%d fichiers", "Ouvrir %s", "Page %d sur %d", "Fermer %s", "Enregistrer sous %s")
NAMED = (
    "Préférences de Quillavo",
    "Quillavo\u00a0!",
    "Masquer la fenêtre de Quillavo",
    "Placer Quillavo en plein écran",
)


def test_a_program_s_own_name_is_known_by_how_often_its_strings_have_it() -> None:
    assert not any(find_pii([*STRINGS, *NAMED]))


def test_where_no_string_is_a_program_s_such_a_name_stays_found() -> None:
    assert any(find_pii(NAMED))
