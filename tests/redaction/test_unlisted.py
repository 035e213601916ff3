"""Names that no list of English has, positions, and companies in texts without capitals; and what looks like them and is nobody's."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.words.english import has_english_lists, is_english_word, is_no_name


def masked(text: str) -> list[str]:
    return [text[f.start : f.end] for f in find_pii([text])[0]]


def test_the_lists_of_the_installed_pipeline_are_read() -> None:
    assert has_english_lists()
    assert (
        is_english_word("kettles")
        and is_english_word("went")
        and is_english_word("Quicker")
        and not is_english_word("zwolniek")
    )
    assert is_no_name("complaining") and not is_no_name("bristol")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("have you met jozefin krabbel at the fair yet?", "jozefin krabbel"),
        ("the parcel was signed for by wozniakowa on friday", "wozniakowa"),
        ("HAS ZDENEK ALREADY SENT THE KEYS BACK?", "ZDENEK"),
        ("Zdenek is on the way with the keys.", "Zdenek"),
    ],
)
def test_a_word_of_no_list_is_a_name(text: str, name: str) -> None:
    assert name in masked(text)


@pytest.mark.parametrize(
    "text",
    [
        "could not connect to the database, retry in five seconds",
        "idk why but it kinda works for me lol",
        "uncancelled tasks are removed after a day",
        "my boss said that the stomach pain was from the soup",
    ],
)
def test_words_of_the_language_and_of_chats_are_nobodys(text: str) -> None:
    assert masked(text) == []


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("Orsolya Fekete | Senior Payroll Administrator | room 4", "Senior Payroll Administrator"),
        ("Orsolya Fekete\nLocal ferry captain\nsince May", "Local ferry captain"),
        ("Position: Deputy Stage Manager", "Deputy Stage Manager"),
        ("The acting head of research will not come.", "acting head of research"),
        ("she used to be a wedding photographer", "wedding photographer"),
    ],
)
def test_positions(text: str, position: str) -> None:
    assert position in masked(text)


@pytest.mark.parametrize(
    "text", ["Task Manager", "Service worker", "Event handler", "Device driver | Message broker", "Password manager", "Administrator", "Route planner"]
)  # fmt: skip
def test_programs_are_no_positions(text: str) -> None:
    assert masked(text) == []


@pytest.mark.parametrize(
    ("text", "company"),
    [
        ("approved by the board of grzelak holdings in may", "grzelak holdings"),
        ("THE BANK OF TARTU HAS SENT A LETTER", "BANK OF TARTU"),
    ],
)
def test_companies_without_capitals(text: str, company: str) -> None:
    assert any(company in m for m in masked(text))


@pytest.mark.parametrize(
    ("text", "company"),
    [
        ("my tarnow account was closed without a word", "tarnow"),
        ("At Brightwell, we never sell your data.", "Brightwell"),
        ("Supplier: Quernmore Dairy | due Friday", "Quernmore Dairy"),
        ("Kestrel Ferries has cancelled my crossing.", "Kestrel Ferries"),
    ],
)
def test_companies_by_what_stands_around_them(text: str, company: str) -> None:
    assert company in masked(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ask about the Settings page and the Dashboard team",
        "The GitHub account of the Support team",
        "Company: Settings",
        "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
        "0 5 10 15 20 25 30 35 40 45 50",
    ],
)
def test_words_of_interfaces_and_axes_are_no_companies_and_no_cards(text: str) -> None:
    assert masked(text) == []
