"""A masked day is a day: written as it was, another one, the same in each of its spellings, and in the same age."""

from __future__ import annotations

import datetime
import itertools
import re

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.content.form_controls import make_valid_control_value
from pagereel.redaction.detect.shapes.shape_findings import find_by_shapes
from pagereel.redaction.values.pseudonyms import Pseudonyms
from pagereel.redaction.words.months import FULL

SPELLINGS = {
    "Feb. 22, 1974": r"[A-Z][a-z]{2}\.? \d\d?, (?:19|20)\d\d",
    "22nd February 1974": r"\d\d?(?:st|nd|rd|th) [A-Z][a-z]+ (?:19|20)\d\d",
    "1974-02-22": r"(?:19|20)\d\d-\d\d-\d\d",
    "22/02/1974": r"\d\d/\d\d/(?:19|20)\d\d",
    "22.02.74": r"\d\d\.\d\d\.\d\d",
    "1974年2月22日": r"(?:19|20)\d\d年\d\d?月\d\d?日",
    "22 فبراير 1974": r"\d\d? [\u0600-\u06ff]+ (?:19|20)\d\d",
    "1962年12月29日": r"(?:19|20)\d\d年[1-9]\d?月[1-9]\d?日",
    "22 февраля 1974 г.": r"\d\d? [а-я]+ (?:19|20)\d\d г\.",
    "22. Februar 1974": r"\d\d?\. [A-Z][a-zä]+ (?:19|20)\d\d",
    "٢٢/٠٢/١٩٧٤": r"[٠-٩]{2}/[٠-٩]{2}/[٠-٩]{4}",
}


@pytest.mark.parametrize("entity", ["DATE_TIME", "ID", "VALUE"])
def test_a_day_is_written_as_it_was_and_is_one_day_in_all_its_spellings(entity: str) -> None:
    p = Pseudonyms()
    made = {day: p.make_stand_in(day, entity) for day in SPELLINGS}
    assert {day: out for day, out in made.items() if not re.fullmatch(SPELLINGS[day], out)} == {}
    assert not set(made) & set(made.values())
    days = {tuple(map(int, re.findall(r"\d+", made[day]))) for day in ("1974-02-22", "1974年2月22日")}
    days |= {tuple(map(int, reversed(re.findall(r"\d+", made[day])))) for day in ("22/02/1974", "٢٢/٠٢/١٩٧٤")}
    assert len(days) == 1


def test_births_stay_births_and_what_is_new_stays_new() -> None:
    p = Pseudonyms()
    births = [int(p.make_stand_in(f"{year}-05-17", "DATE_TIME")[:4]) for year in range(1930, 2010)]
    orders = [int(p.make_stand_in(f"{year}-05-17", "DATE_TIME")[:4]) for year in range(2010, 2027)]
    assert max(births) < 2000 <= min(orders)
    assert len(set(births)) > 20


def test_days_and_times_stay_in_their_order_and_tell_no_distance() -> None:
    """A journal sorted by day, a chat sorted by time: what came first still does. Two keys place and space them otherwise."""
    first = datetime.date(2024, 11, 1)
    days = [(first + datetime.timedelta(nth)).isoformat() for nth in range(800)]
    times = [f"{minute // 60:02}:{minute % 60:02}" for minute in range(0, 1440, 7)]
    spans, last = set(), set()
    for _ in range(8):
        p = Pseudonyms()
        made = [p.make_stand_in(day, "DATE_TIME") for day in days]
        assert made == sorted(set(made))
        spans.add((datetime.date.fromisoformat(made[90]) - datetime.date.fromisoformat(made[0])).days)
        last.add(made[-1])
        said = [p.make_stand_in(time, "DATE_TIME") for time in times]
        assert all(a <= b or int(a[3:]) - int(b[3:]) == 1 for a, b in itertools.pairwise(said))
        assert not [time for time, other in zip(times, said, strict=True) if time == other]
        assert p.make_stand_in("1:46 p.m.", "DATE_TIME").endswith("p.m.")
    assert len(spans) > 1
    assert len(last) > 5, "two keys may place one day alike"


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("Nov. 25, 2026, 1:46 a.m.", r"[A-Z][a-z]{2}\.? \d\d?, 20\d\d, \d\d?:\d\d a\.m\."),
        ("Wednesday, 25 November 2026", r"[A-Z][a-z]+day, \d\d? [A-Z][a-z]+ 20\d\d"),
        ("2026-11-25T01:46:00Z", r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
        ("Fri, 01 May 2026 10:34:00 +0000", r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]+ 20(?!26)\d\d \d\d:\d\d:\d\d \+0000"),
        ("3 days ago", r"\d days ago"),
        ("12:30", r"[01]\d:[0-5]\d"),
        ("next Monday", r"next [A-Z][a-z]+day"),
        ("May 2026", r"[A-Z][a-z]+ 20\d\d"),
    ],
)
def test_a_time_keeps_its_words(value: str, shape: str) -> None:
    assert all(re.fullmatch(shape, Pseudonyms().make_stand_in(value, "DATE_TIME")) for _ in range(20))


@pytest.mark.parametrize("row", FULL, ids=lambda row: row[0])
def test_a_month_is_known_wherever_a_day_is_read(row: tuple[str, ...]) -> None:
    """Found in a text, written again by a name that stands in the same list, and nobody's as the caption of a calendar."""
    p = Pseudonyms()
    for name in row:
        day = f"22 {name} 1974"
        assert any(f.entity == "DATE_TIME" and (f.start, f.end) == (0, len(day)) for f in find_by_shapes(day)), day
        assert any(p.make_stand_in(day, "DATE_TIME").split()[1] in other for other in FULL if name in other)
        assert not any(f.entity == "DATE_TIME" for f in find_pii([f"{name} 2024"])[0]) or not name.isalpha()


def test_what_is_no_day_is_not_taken_for_one() -> None:
    p = Pseudonyms()
    assert p.make_stand_in("192.168.10.22", "IP_ADDRESS").startswith("192.0.2.")
    assert re.fullmatch(r"\d{3} 555-01\d\d", p.make_stand_in("22/02/1974", "PHONE_NUMBER")) is None
    assert "/" not in p.make_stand_in("Marta 22 Vantaskel", "PERSON")


def test_a_field_of_a_date_shows_the_day_that_the_rest_of_the_page_shows() -> None:
    assert make_valid_control_value("date", "1985-06-04", {}, "1974-02-22") == "1985-06-04"
    assert make_valid_control_value("date", "1985-06-04", {"min": "2000-01-01"}, "2004-02-22") >= "2000-01-01"


def test_two_people_have_two_telephones() -> None:
    p = Pseudonyms()
    made = {p.make_stand_in(f"+44 161 496 {n:04}", "PHONE_NUMBER") for n in range(100)}
    assert len(made) > 95
    assert all(re.fullmatch(r"[2-8]\d\d 555-01\d\d", each) for each in made)
    assert re.fullmatch(r"[2-8]\d\d55501\d\d", p.make_stand_in("13444609013", "PHONE_NUMBER"))
    assert re.fullmatch(r"[2-8]\d\d-555-01\d\d", p.make_stand_in("(0161)4960123", "PHONE_NUMBER")), (
        "no line breaks in it"
    )
