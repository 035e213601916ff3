"""Nations in languages of Latin letters: found behind somebody's name or years and where somebody is said to be of one; left where a thing is of one."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii

SOMEBODYS = [
    ("María Quispe (boliviana)", "boliviana"),
    ("Ion Popescu, rumeno", "rumeno"),
    ("Luc Roy (belge)", "belge"),
    ("Ana Ruiz, peruana, 34 años", "peruana"),
    ("Hans Maier (Österreicher, 44)", "Österreicher"),
    ("Marie Petit, française", "française"),
    ("Sven Lund, norsk, 44 år", "norsk"),
    ("Fatou Diop, sénégalaise, infirmière", "sénégalaise"),
    ("La mujer es ciudadana rumana.", "rumana"),
    ("Sie ist serbisch staatsangehörig.", "serbisch"),
]
OF_THINGS = [
    "Tastatur, deutsch",
    "Teclado (español)",
    "Untertitel, französisch",
    "Firefox (deutsch)",
    "Build, 34, polnisch",
]


@pytest.mark.parametrize(("text", "said"), SOMEBODYS)
def test_a_nation_of_somebody_is_found(text: str, said: str) -> None:
    start = text.index(said)
    assert any(f.start <= start and start + len(said) <= f.end for f in find_pii([text])[0])


@pytest.mark.parametrize("text", OF_THINGS)
def test_a_language_of_a_thing_stays(text: str) -> None:
    assert find_pii([text]) == [[]]
