"""What somebody works as is found by the last word of an occupation and by what stands around it; programs and things that are called so are not."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

SAID = (
    ("Alasdair is a gas fitter in Dundee.", "gas fitter"),
    ("our new dispatch coordinator starts soon", "dispatch coordinator"),
    ("He worked twenty years as a signalman.", "signalman"),
    ("her mother was a teacher, her sister a seamstress", "seamstress"),
    ("The customer is a pharmacist at Oldervale Chemists.", "pharmacist"),
    ("He is CEO and founder of Oldervale", "CEO"),
    ("the letter was signed by the company secretary", "company secretary"),
    ("Discharge summary prepared by ward sister Ana Silvera", "ward sister"),
    ("Nadia Osei (Data Protection Officer)", "Data Protection Officer"),
    ("Ana Silvera, Executive Vice President, Consumer Lending", "Executive Vice President, Consumer Lending"),
    ("role: junior welder", "junior welder"),
    ("Position held: trainee solicitor", "trainee solicitor"),
    ("Occupation retired tram driver", "retired tram driver"),
    ("profession - civil servant", "civil servant"),
    ("Forklift operator", "Forklift operator"),
    ("Land surveyor", "Land surveyor"),
    ("Sales & Marketing Director", "Sales & Marketing Director"),
    ("PREVIOUSLY DIRECTOR OF PHOTOGRAPHY AT VELDORIN", "DIRECTOR OF PHOTOGRAPHY"),
    ("Vertriebsleiter: Jonas Kolb", "Vertriebsleiter"),
    ("Directrice des achats, Maison Verlaine", "Directrice des achats"),
    ("Jefe de taller", "Jefe de taller"),
    ("our celebrant is Harriet Lindgren", "celebrant"),
    ("She works as a dog walker.", "dog walker"),
    ("Call the panel beater in Ludlow", "panel beater"),
    ("Ana Silvera, weigher", "weigher"),
)
PLAIN = (
    "Password manager",
    "Package owner",
    "Default vendor",
    "Transaction import assistant",
    "The owner of the file.",
    "Contact an administrator for help",
    "Artist/Artist - Album",
    "You are the author of this page",
    "Screen reader",
    "The service worker is waiting",
    "Responsable",
    "Add a driver for this printer",
    "Sort by composer",
    "Food processor",
    "Event handler",
    "Insert paper into the feeder",
    "Page breaker",
    "Weigher: 612 kg",
)


@pytest.mark.parametrize(("text", "job"), SAID)
def test_jobs_are_masked_whole(text: str, job: str) -> None:
    (found,) = find_pii([text])
    start = text.index(job)
    left = [c for i, c in enumerate(job, start) if c.isalnum() and not any(f.start <= i < f.end for f in found)]
    assert left == [], [text[f.start : f.end] for f in found]


@pytest.mark.parametrize("text", PLAIN)
def test_programs_and_things_are_no_jobs(text: str) -> None:
    (found,) = find_pii([text])
    assert [text[f.start : f.end] for f in found] == []
