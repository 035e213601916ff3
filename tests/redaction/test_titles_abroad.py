"""Positions and companies in other languages, and positions that are more than a word: found where something says that somebody does it, left where interfaces say so."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

POSITIONS = [
    ("Anna Körber\nSachbearbeiterin Debitorenbuchhaltung", "Sachbearbeiterin Debitorenbuchhaltung"),
    ("Sie arbeitet als Elektronikerin bei einer Werft.", "Elektronikerin"),
    ("Position: Pflegedienstleitung\nStandort: Nord", "Pflegedienstleitung"),
    ("Unser Hausmeister kommt morgen.", "Hausmeister"),
    ("Poste : Aide-soignante", "Aide-soignante"),
    ("Elle est infirmière en chef depuis mai.", "infirmière en chef"),
    ("Il travaille comme chauffeur routier.", "chauffeur routier"),
    ("Puesto solicitado: Camarero", "Camarero"),
    ("Trabaja como capataz de obra.", "capataz de obra"),
    ("Cargo: Enfermeira-chefe", "Enfermeira-chefe"),
    ("Trabalha como revisora de textos na editora.", "revisora de textos"),
    ("O chefe de turno assinou a folha.", "chefe de turno"),
    ("Lavora come magazziniere.", "magazziniere"),
    ("Zij werkt als verloskundige.", "verloskundige"),
    ("CARGO: JEFA DE PLANTA", "JEFA DE PLANTA"),
    ("he was second mate on a tanker", "second mate"),
    ("The on-call anaesthetist signed it.", "on-call anaesthetist"),
    ("Invited as Site Coordinator", "Site Coordinator"),
    ("Puesto: Ingeniero de minas", "Ingeniero de minas"),
    ("Il travaille comme sociologue à Lyon.", "sociologue"),
    ("OUR FAMILY LIAISON OFFICER WILL CALL YOU.", "FAMILY LIAISON OFFICER"),
]
COMPANIES = [
    ("Rechnung der Papierfabrik Ostrahl GmbH & Co. KG", "Papierfabrik Ostrahl GmbH & Co. KG"),
    ("Naviera Cantilmar S.L.", "Naviera Cantilmar S.L."),
    ("Lieferant: Holzbau Innerkofl", "Holzbau Innerkofl"),
    ("Employeur : Mairie de Vauxcreux", "Mairie de Vauxcreux"),
    ("Entidade patronal: Câmara Municipal de Alverde", "Câmara Municipal de Alverde"),
    ("Il travaille chez Kerdoncuff depuis deux ans.", "Kerdoncuff"),
    ("She moved here from Tavrenne last year.", "Tavrenne"),
    ("The merger between Quillavo and Northbeam was called off.", "Northbeam"),
    ("Bidders include Halvorsund, Lindhelm and Tavrenne.", "Lindhelm"),
    ("Any news from Tavrenne?", "Tavrenne"),
    ("Junior Underwriter, Pinnacle Mutual, 2019", "Pinnacle Mutual"),
    ("Vendor\tDue\nTavrennes\t1 Jul", "Tavrennes"),
]
NOBODYS = [
    "Función: administrador",
    "Responsable",
    "Rôle : éditeur",
    "Autor und Herausgeber",
    "Empresa: nombre de la empresa",
    "Agente de usuario",
    "Controlador de impresora",
    "Gestor de archivos",
    "Assistent für die Einrichtung",
    "Print service",
    "FM Radio",
    "Position: right",
    "Suppliers include all of them.",
]


def _covered(text: str, value: str) -> bool:
    (found,) = find_pii([text])
    start = text.index(value)
    masked = {i for f in found for i in range(f.start, f.end)}
    return all(i in masked for i in range(start, start + len(value)) if text[i].isalnum())


@pytest.mark.parametrize(("text", "value"), [*POSITIONS, *COMPANIES])
def test_what_somebody_is_and_where_is_masked_whole(text: str, value: str) -> None:
    assert _covered(text, value)


@pytest.mark.parametrize("text", NOBODYS)
def test_roles_of_programs_stay(text: str) -> None:
    (found,) = find_pii([text])
    assert [text[f.start : f.end] for f in found] == []


@pytest.mark.parametrize(
    "text", ["Ontem a doutora Ilza Vernova ligou sobre a fatura.", "O responsável é Iago Tarrega, ele começa hoje."]
)
def test_small_words_beside_a_name_do_not_save_it(text: str) -> None:
    """A model takes the verb along; that it is a word of the language says nothing of the name."""
    assert _covered(text, text.split(" Ilza ")[-1].split(" ligou")[0] if "Ilza" in text else "Iago Tarrega")
