"""Who signs, names under labels in small letters, days, ages and offices in other languages; and the moments and numbers of logs and papers, which stay."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.contracts.findings import TextContext

SIGNED = [
    ("Saludos,\nNerea Castellvino\nAbogada\nBufete Castellvino\nReus", ["Nerea Castellvino", "Abogada", "Bufete Castellvino"]),
    ("S pozdravem\nIng. Radana Bystřivá, Ph.D.\nVedoucí oddělení nákupu\nSklárny Moravia", ["Radana Bystřivá", "Sklárny Moravia"]),
    ("thx for the info\n\nrgds\nolu adeyinkade, stock control", ["olu adeyinkade"]),
    ("Doorgezet naar Ravindra Bhagwandien, locatie Zoetermeer.", ["Ravindra Bhagwandien"]),
]  # fmt: skip
UNSIGNED = ["Best\nSettings\nSave changes", "Thank you!\nSubmit\nCancel", "Merci\nRetour à l'accueil", "Best\nNew Arrivals\nTop Rated", "Att\nDashboard\nUsers"]  # fmt: skip
SMALL = [
    ("name: vasco teles de meneses", "vasco teles de meneses"),
    ("NAME: VASCO TELES DE MENESES", "VASCO TELES DE MENESES"),
    ("nome: vasco teles de meneses\nmorada: rua da sofia, 112", "vasco teles de meneses"),
    ("patient: lalremruata sailo", "lalremruata sailo"),
    ("cognome\tnome\tqualifica\nspampinato\tagatino\tmagazziniere\ntschurtscher\tevi\tbidello", "agatino"),
    ("postcode: 8911 ks", "8911 ks"),
    ("na účet cz14 0300 0000 0002 7480 6193", "cz14 0300 0000 0002 7480 6193"),
]
SMALL_NOBODYS = ["name: my first project", "name: nginx proxy manager", "customer: new", "cliente: pedido pendiente", "recipient: all users", "nombre: guardar como", "driver: nvidia", "cliente nuevo pedido pendiente"]  # fmt: skip
TOLD = [
    ("Datum narození: 8. 12. 1993", "8. 12. 1993"),
    ("narozen 8. prosince 1993", "8. prosince 1993"),
    ("született 1961. március 3.", "1961. március 3."),
    ("Pacjentka Stanisława Mądroszyk, lat 76, skierowana", "76"),
    ("Ecografista: dott. Davide Yilma", "Ecografista"),
    ('10.0.0.3 - mvdberg [10/Oct/2025:13:55:36 -0700] "GET /a HTTP/1.1" 200', "mvdberg"),
]
LOGGED = [
    "2026-02-09 17:41:33 ERREUR connexion refusée par le serveur distant (essai 2/5)",
    "2026-05-27 14:08:19 OSTRZEŻENIE nieprawidłowy format daty w wierszu 212",
    "2026-01-19 22:10:45 INFO copia di sicurezza completata in 318 s",
    "[2026-04-12 23:01:10,123] ERROR worker: job 8812 failed after 12 s",
    "Apr 11 07:30:02 mailgw postfix/smtp[2214]: queue flushed",
    "Delivery note 77120: 3 pallets received in good order",
]


@pytest.mark.parametrize(("text", "values"), SIGNED)
def test_a_signature_is_masked_line_by_line(text: str, values: list[str]) -> None:
    assert all(_is_masked(text, value) for value in values)


@pytest.mark.parametrize("text", UNSIGNED)
def test_buttons_below_a_closing_word_stay(text: str) -> None:
    assert find_pii([text]) == [[]]


@pytest.mark.parametrize(("text", "value"), [*SMALL, *TOLD])
def test_it_is_found(text: str, value: str) -> None:
    assert _is_masked(text, value)


@pytest.mark.parametrize("text", SMALL_NOBODYS)
def test_things_under_a_name_stay(text: str) -> None:
    assert find_pii([text]) == [[]]


@pytest.mark.parametrize(("label", "value"), [("Cognome", "spampinato"), ("Nome", "vasco teles de meneses"), ("Name", "vasco teles de meneses"), ("uczeń", "wit domagalskiej")])  # fmt: skip
def test_a_cell_in_small_letters_is_believed_under_its_label(label: str, value: str) -> None:
    (found,) = find_pii([value], [TextContext(label)])
    assert [value[f.start : f.end] for f in found] == [value]


@pytest.mark.parametrize("text", LOGGED)
def test_moments_and_numbers_of_logs_and_papers_stay(text: str) -> None:
    assert find_pii([text]) == [[]]


def test_a_day_in_a_record_is_no_line_of_a_log() -> None:
    assert _is_masked("Date: 1978-04-13 12:20:39\nName: Toshimi Arata", "1978-04-13 12:20:39")


def _is_masked(text: str, value: str) -> bool:
    (found,) = find_pii([text])
    start = text.index(value)
    return all(
        any(f.start <= at < f.end for f in found) for at in range(start, start + len(value)) if text[at].isalnum()
    )


@pytest.mark.parametrize("text", ["We meet again next Thursday in the big hall.", "Deliveries start in March and end in May every year."])  # fmt: skip
def test_a_day_of_the_week_or_a_month_by_itself_is_nobodys(text: str) -> None:
    assert find_pii([text]) == [[]]
