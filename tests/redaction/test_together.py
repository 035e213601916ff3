"""What texts that are given together say of one another: programs, lists to choose from, strings of a catalogue; and what stays a person all the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pagereel.redaction import find_pii, redact
from pagereel.redaction.contracts.findings import Finding
from pagereel.redaction.detect.cross_text.choice_lists import drop_list_entries
from pagereel.redaction.detect.cross_text.learned_program_names import drop_program_names
from pagereel.redaction.detect.cross_text.program_strings import drop_in_program_strings
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker

COUNTRIES = ["Albanien", "Belgien", "Dänemark", "Estland", "Finnland", "Griechenland", "Irland", "Kroatien", "Lettland", "Malta", "Polen", "Zypern"]  # fmt: skip


def found(text: str, value: str, entity: str = "PERSON") -> list[Finding]:
    return [Finding(text.index(value), text.index(value) + len(value), entity, 0.9)]


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Tangrammel", ["Quit Tangrammel"]),
        ("Tangrammel", ["Tangrammel beenden"]),
        ("Tangrammel", ["Quitter Tangrammel"]),
        ("Tangrammel", ["Salir de Tangrammel"]),
        ("Tangrammel", ["Tangrammel 2.1"]),
        ("Tangrammel", ["Tangrammel is a lightweight music player"]),
        ("Tangrammel", ["Tangrammel-Plugin"]),
        ("Tangrammel", ["Tangrammelを終了"]),
    ],
)
def test_what_stands_where_only_programs_do_is_one_in_all_texts(name: str, others: Sequence[str]) -> None:
    texts = [f"{name} has new photos", *others]
    findings = [found(text, name) for text in texts]
    assert drop_program_names(texts, findings) == [[] for _ in texts]


@pytest.mark.parametrize(
    "others",
    [
        ["Assign to Ostenworthy", "Ostenworthy's files", "Files of Ostenworthy"],
        ["About Ostenworthy", "About Ostenworthy and others"],
        ["Ostenworthy cannot log in", "Ostenworthy will call again", "Ostenworthy ist nicht da"],
        [
            "Open Ostenworthy",
            "Show Ostenworthy",
            "Ostenworthy project",
            "Ostenworthy is running late",
            "Ostenworthy, extension 204",
        ],
        ["Ostenworthy-Allee", "Ostenworthy aktualisieren"],
        ["Quit Ostenworthy", "Ostenworthy wrote: see you"],
        ["Quit Ostenworthy", "Dear Mr Ostenworthy,"],
        ["Quit Ostenworthy", "Written for Priya Ostenworthy"],
    ],
)
def test_a_person_who_recurs_or_whom_a_text_introduces_is_none(others: Sequence[str]) -> None:
    texts = ["Ostenworthy has new photos", *others]
    findings = [found(text, "Ostenworthy") for text in texts]
    assert drop_program_names(texts, findings) == findings


def test_a_dozen_countries_are_a_list_and_one_is_where_somebody_lives() -> None:
    findings = [found(text, text, "LOCATION") for text in COUNTRIES]
    assert drop_list_entries(COUNTRIES, findings) == [[] for _ in COUNTRIES]
    assert drop_list_entries(COUNTRIES[:5], findings[:5]) == findings[:5]
    other = [*COUNTRIES, "Ostenworthy"]
    assert drop_list_entries(other, [*findings, found("Ostenworthy", "Ostenworthy")])[-1]


CATALOGUE = [
    "%d files",
    "_Open…",
    "{count} new",
    "<b>Bold</b>",
    "E&xit",
    "Delete %s?",
    "${n} of ${all}",
    "%(name)s left",
] * 6


def test_among_strings_of_a_catalogue_a_strange_word_is_nobody() -> None:
    texts = [*CATALOGUE[:24], "Rasteio", "Priya", "Giovanni Panozzo", "Sig. Ostenworthy", *CATALOGUE[24:]]
    findings: list[list[Finding]] = [[] for _ in texts]
    findings[24] = found(texts[24], "Rasteio")
    findings[25] = found(texts[25], "Priya")
    findings[26] = found(texts[26], "Giovanni Panozzo")
    findings[27] = found(texts[27], "Ostenworthy")
    assert [bool(f) for f in drop_in_program_strings(texts, findings)[24:28]] == [False, True, True, True]


def test_texts_beside_a_catalogue_are_none_of_it() -> None:
    texts = [*CATALOGUE, *(f"Line {n}" for n in range(30)), "Ostenworthy"]
    findings: list[list[Finding]] = [[] for _ in texts]
    findings[-1] = found("Ostenworthy", "Ostenworthy")
    assert drop_in_program_strings(texts, findings)[-1]


@pytest.mark.parametrize(
    "text",
    [
        "anna_keller",
        "R&D with Ostenworthy",
        "_Ostenworthy_ wrote",
        "100% Ostenworthy",
        "$5 for Ostenworthy",
        "?q=%d0%b0&name=Ostenworthy",
        "{Ostenworthy}",
        "from <ostenworthy>",
        "50%C3%A9 Ostenworthy",
    ],
)
def test_names_with_marks_make_no_catalogue(text: str) -> None:
    value = next((v for v in ("Ostenworthy", "ostenworthy") if v in text), text)
    assert drop_in_program_strings([text], [found(text, value)]) == [found(text, value)]


TOUCHED_NOT = [
    "Chinois (simplifié)",
    "ISO 8859-1",
    "32 KiB",
    "Basic Information",
    "Kolibrella の設定",
    "Mit KWallet speichern",
    "Eine private Nachricht an einen Nick schicken",
    "Ben je zeker dat je deze reeks wil verwijderen?",
    "Massimo di applicazioni per utente",
    "bind address (127.0.0.1 for local connections only)",
    "为 TED Talks 视频下载字幕",
    "%C22*%O$t%C18$1%O sets mode %C24$2%O on %C18$3%O",
]


def test_standards_sizes_languages_and_words_of_another_script_stay() -> None:
    touched = {t: f for t, f in zip(TOUCHED_NOT, find_pii(TOUCHED_NOT), strict=True) if f}
    assert touched == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Authorization: Basic cHJpeWE6aHVudGVyMg==", "cHJpeWE6aHVudGVyMg=="),
        ("Priya さんから新しいメッセージ", "Priya"),
        ("Ben heeft een bericht gestuurd naar de klant", "Ben"),
        ("Massimo ha inviato un messaggio al cliente", "Massimo"),
        ("The server at 84.23.17.201 answered", "84.23.17.201"),
        ("Call +49 30 901820 today", "+49 30 901820"),
        ("She lives at 8859 Rose Close, Leeds", "8859 Rose Close, Leeds"),
    ],
)
def test_what_looks_like_them_is_found(text: str, value: str) -> None:
    [findings] = find_pii([text])
    start = text.index(value)
    covered = {i for f in findings for i in range(f.start, f.end)}
    assert all(i in covered for i in range(start, start + len(value)) if text[i].isalnum())


def test_a_recording_shows_the_name_of_its_program_and_masks_its_people(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["button", {}, "Quit Tangrammel"],
        ["p", {}, "Please wait while Tangrammel is updating albums"],
        ["p", {}, "Priya Raghunathan shared an album with you"],
    )
    m.done()
    redact(tmp_path / "a.reel", tmp_path / "b.reel")
    shown = text_of(tmp_path / "b.reel")
    assert "while Tangrammel is updating" in shown
    assert "Raghunathan" not in shown


def test_countries_in_strings_of_a_program_are_a_list() -> None:
    strings = [f"%d files in folder {i}" for i in range(20)]
    texts = [*strings[:10], "Rumania", "Liberia", "Hong Kong", *strings[10:]]
    assert [t for t, f in zip(texts, find_pii(texts), strict=True) if f] == []
