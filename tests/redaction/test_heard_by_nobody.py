"""People, user names, companies and positions that no list has, by how they are written and by what stands around them; and what only looks like one."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.detect.cues.engine import find_by_cues

from .found import assert_masked_whole


def masked(text: str) -> list[str]:
    return [text[f.start : f.end] for f in find_pii([text])[0]]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ngaio Tamihana", "Ngaio Tamihana"),
        ("- row \"Obadiah Winslade Paralegal 3 open matters\" [ref=e88]", "Obadiah Winslade"),
        ("Ngaio Tamihana, paper conservator, Harbour Museum", "Ngaio Tamihana"),
        ("ngaio tamihana, paper conservator, harbour museum", "ngaio tamihana"),
        ("Lebenslauf_Wharu_Tamekohi_2025.docx", "Wharu_Tamekohi"),
        ("contract_marguerite_osten_2024.pdf", "marguerite_osten"),
        ("Le notaire, Maître Vaucanson, attend votre signature.", "Vaucanson"),
        ("Najemca: Świętopełk Gródecki, ul. Wiślana 8, Toruń", "Świętopełk Gródecki"),
        ("임차인: 박하늘, 3층", "박하늘"),
        ("Fr. Ignacio Belmonte is away, Deacon Ray takes the service", "Fr. Ignacio Belmonte"),
    ],
)  # fmt: skip
def test_somebody_of_whom_no_list_has_heard(text: str, name: str) -> None:
    assert_masked_whole(text, name)


def test_whom_a_title_announces_ends_where_a_word_is_known_though_no_capital_says_so() -> None:
    text = "gestern rief mevrouw vokansart-oestenhof wegen der rechnung an"
    assert [text[f.start : f.end] for f in find_by_cues(text)] == ["vokansart-oestenhof"]


@pytest.mark.parametrize(
    "text",
    ["- row \"Open Matters Paralegal 3 rows\" [ref=e88]", "New Window", "Zeile löschen", "application_form_2024.pdf", "scan_page_12.png", "Besitzer: keiner"],
)  # fmt: skip
def test_words_of_interfaces_are_nobody(text: str) -> None:
    assert masked(text) == []


def test_names_of_files_and_programs_are_no_user_names() -> None:
    assert masked("users data_table and user_list were blocked by index_7") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Loyalty no. QK 7731 0926 is yours", "QK 7731 0926"),
        ("the witness gave her age as 63", "63"),
        ("Frau Lang kommt am 4. Juni", "4. Juni"),
        ("Il rappelle le 12 février sans faute", "12 février"),
    ],
)
def test_numbers_and_days_of_somebody(text: str, value: str) -> None:
    assert_masked_whole(text, value)


@pytest.mark.parametrize(
    ("text", "company"),
    [
        ("Kündigung durch Zimmerei Achleitner, Ansprechpartner Korbinian Sedlmayr", "Zimmerei Achleitner"),
        ("i told blue pelican taxis to wait outside", "blue pelican taxis"),
        ("Advokatbyrån Sjölundh ringde", "Advokatbyrån Sjölundh"),
    ],
)
def test_a_company_by_the_trade_in_its_name(text: str, company: str) -> None:
    assert_masked_whole(text, company)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("Frau Wiebke Tönnies (Gerichtsvollzieherin) kommt", "Gerichtsvollzieherin"),
        ("Jarmo Hietala on uusi isännöitsijä", "isännöitsijä"),
        ("Bărbulescu Ionuț este notar la Cluj", "notar"),
        ("نجلاء الشامي، تعمل صيدلانية", "صيدلانية"),
        ("row 3: Celestine Oduro,millwright,Abbot Paper,Kumasi", "millwright"),
    ],
)
def test_a_position_beside_a_person_in_other_languages_and_in_rows(text: str, position: str) -> None:
    assert_masked_whole(text, position)
