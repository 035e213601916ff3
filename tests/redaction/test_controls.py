"""Masked controls tell the story still: options by their words or their place, numbers on their track, dates that are dates."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from pagereel.redaction import Policy, redact
from pagereel.redaction.content import sibling_groups
from pagereel.redaction.content.form_controls import make_valid_control_value
from pagereel.redaction.content.sibling_groups import is_about_people
from pagereel.redaction.detect.cues.label_entities import find_label_entity
from pagereel.reel import open_reel
from tests.redaction.reels import Maker


def tree_of(path: Path) -> list[Any]:
    with open_reel(path) as reel:
        found = next(e for e in reel.events() if e["k"] == "snapshot")["ops"][0][2][2][3]
    assert isinstance(found, list)
    return found


def shown(tmp_path: Path, *children: Any, policy: Policy | str = "vendor") -> list[Any]:
    m = Maker(tmp_path / "a.reel")
    m.body(*children)
    redact(m.done(), tmp_path / "b.reel", policy)
    return tree_of(tmp_path / "b.reel")[2:]


def select(label: str, *options: Any, name: str = "x") -> list[Any]:
    made = [
        ["option", {"value": o[0]} if isinstance(o, tuple) else {}, o[1] if isinstance(o, tuple) else o]
        for o in options
    ]
    return ["select", {"name": name, "aria-label": label}, *made]


def words(tree: list[Any]) -> list[str]:
    return [option[2] for option in tree[2:]]


THE_SAME_FOR_ALL = [
    select("Sort by", "Price", "Newest first", "Rating"),
    select("Delivery", "Standard", "Express", name="delivery"),
    select("Rows per page", "10", "25", "50"),
    select("Page size", *((f"https://shop.example/list?q=Mensah-Boateng&page_size={n}", f"{n}") for n in (10, 25, 50))),
    select("Language", "English", "Deutsch", "Français"),
    select(
        "User settings", "Browser", "Deutsch", "English", "Español (España)", "Korean", "Português (Brasil)", "日本語"
    ),
    select("User", ("browser", "浏览器"), "Deutsch", "English", "简体中文"),
    select("Status", "Open", "In progress", "Done"),
    select("Order", "Relevancy", "Customer rating", "Price high to low", "Title Z to A"),
    select("Filter", "---------", "Unread", "Unanswered", "This and subfolders"),
    select(
        "Interface",
        "العربيّة",
        "हिंदी",
        "ภาษาไทย",
        "norsk (bokmål)",
        "Tiếng Việt",
        "español de Argentina",
        "日本語",
        "oʻzbek tili",
    ),
    select("Size", ("s", "Small"), ("l", "Large")),
    select(
        "Status",
        *(
            (str(n), s)
            for n, s in enumerate(
                ("unread", "deferred", "chatting", "need-eg", "in-progress", "testing", "done-cbb", "resolved")
            )
        ),
    ),
    select(
        "Operator",
        ("contains", "contains"),
        ("not", "does not contain"),
        ("in", "in"),
        ("glob", "glob"),
        ("date", "date"),
    ),
    select(
        "Columns", ("", "Sort..."), ("name", "Sort by name"), ("kiln", "Sort by kiln"), ("teacher", "Sort by teacher")
    ),
    select("Field", ("id", "Id"), ("name", "Name"), ("nights", "Nights"), ("room", "Room"), ("price", "Price")),
    select(
        "Group on",
        ("", "- nothing -"),
        *(
            (s, s)
            for s in (
                "activity",
                "actor",
                "assignedto",
                "creator",
                "files",
                "keyword",
                "messages",
                "nosy",
                "priority",
                "status",
                "superseder",
                "title",
            )
        ),
    ),
    [
        "datalist",
        {"id": "shades", "aria-label": "shades"},
        ["option", {}, "#8a63bf"],
        ["option", {}, "#445461"],
    ],
    select("פעולה", ("", "---------"), ("delete_selected", "מחק משתמשים שנבחרו")),
]
RIGHTS = (
    ("1", "אימות והרשאה | קבוצה | Can add group"),
    ("2", "ניהול | רישום פעילות | Can change log entry"),
    ("3", "Authentication and Authorization | user | Can view user"),
)
OF_SOMEBODY = [
    select("Customer", "Alpha", "Beta"),
    select("Pay from account", ("1", "Main"), ("2", "Savings")),
    select("Gender", "Female", "Male", "Other"),
    select("Country", "Netherlands", "Belgium"),
    select("Choose", ("anna@mail.example", "First"), ("b@mail.example", "Second")),
    select("Choose", ("1", "Priya Raghunathan"), ("2", "Nobody")),
    select("Choose", "Ostenvik", "Large"),
    select("Choose", "Ostenvik", "Large", "Small", "Blue", "Red"),
    select("Choose", "ostenvik", "large", "small"),
    select("Choose", ("ostenvik", "ostenvik"), "large", "small", "blue", "red"),
    select("Choose", ("tamsin", "tamsin"), "large", "small", "blue", "red"),
    select("Interface", "日本語", "田中太郎"),
    select("Customer's language", "French", "German", "English"),
    select("Account", "Deutsch", "English", "日本語", "ostenvik"),
    select("Columns", ("x", "Sort..."), ("ostenvik", "Sort by ostenvik")),
    select("Choose", ("ostenvik_selected", "מחק משתמשים"), ("x", "Large")),
    select("Filter", "Unostenvik", "Subfolders"),
    select("Choose", "Order x7k2", "None"),
    select("Choose", "Ref 44719920", "None"),
    select("Deliver to", "Keizersgracht 123, 1015 CJ Amsterdam", "Office"),
]


@pytest.mark.parametrize("given", THE_SAME_FOR_ALL, ids=lambda tree: tree[1]["aria-label"])
def test_options_that_are_the_same_for_everybody_are_shown(given: list[Any], tmp_path: Path) -> None:
    assert words(shown(tmp_path, given)[0]) == words(given)
    assert words(shown(tmp_path, given, policy="strict")[0])[0] == f"Option 1 of {len(given) - 2}"


@pytest.mark.parametrize("given", OF_SOMEBODY, ids=lambda tree: f"{tree[1]['aria-label']} {tree[2][2]}")
def test_options_that_tell_of_somebody_are_told_by_their_place(given: list[Any], tmp_path: Path) -> None:
    total = len(given) - 2
    assert words(shown(tmp_path, given)[0]) == [f"Option {n} of {total}" for n in range(1, total + 1)]


def test_who_a_list_of_people_offers_has_the_name_that_the_page_gives_and_nobody_is_nobody(tmp_path: Path) -> None:
    paid = select("Who paid?", ("1", "Tomasz Kowalczyk"), ("2", "Ada Ostenvik"))
    [choice, name] = shown(tmp_path, paid, ["p", {}, "Ada Ostenvik"])
    assert words(choice)[1] == name[2]
    offered = select("Assigned to", ("", "---------"), ("1", "Tomasz Kowalczyk"), ("2", "Ada Ostenvik"), ("3", "Q"))
    [choice, name] = shown(tmp_path, offered, ["p", {}, "Ada Ostenvik"])
    assert words(choice)[0] == "---------"
    assert words(choice)[2] == name[2] != "Ada Ostenvik"
    assert words(choice)[1] not in ("Tomasz Kowalczyk", "Option 2 of 4")
    assert words(choice)[3] == "Option 4 of 4"
    [choice, _] = shown(tmp_path, offered, ["p", {}, "Ada Ostenvik"], policy="strict")
    assert words(choice) == [f"Option {n} of 4" for n in range(1, 5)]


def test_of_a_list_that_everybody_has_the_place_is_all_that_is_told(tmp_path: Path) -> None:
    [choice, _] = shown(tmp_path, select("Country", ("", "Please select"), ("be", "Belgium"), ("nl", "Netherlands")), ["p", {}, "Netherlands"])  # fmt: skip
    assert words(choice) == ["Please select", "Option 2 of 3", "Option 3 of 3"]


def test_options_that_come_later_are_counted_on(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["select", {"aria-label": "Address"}, ["option", {}, "Home"]])
    m.ops(
        [
            "add",
            5,
            8,
            ["option", {}, "Tomasz Kowalczyk"],
            ["optgroup", {"label": "Friends of Tomasz"}, ["option", {}, "Ada"]],
        ]
    )
    redact(m.done(), tmp_path / "b.reel")
    with open_reel(tmp_path / "b.reel") as reel:
        added = json.dumps(next(e for e in reel.events() if e["k"] == "mutation")["ops"])
    assert '"Option 2"' in added and '"Option 3"' in added and '"label": "Option"' in added and "Tomasz" not in added


CONTROLS: list[tuple[dict[str, str], str]] = [
    ({"type": "range"}, "37"),
    ({"type": "range", "min": "-5", "max": "5", "step": "0.5"}, "1.5"),
    ({"type": "number", "min": "1", "max": "9"}, "4"),
    ({"type": "number"}, "1234"),
    ({"type": "number", "step": "0.01"}, "19.99"),
    ({"type": "date"}, "1987-06-05"),
    ({"type": "date", "min": "2026-01-10", "max": "2026-02-20"}, "2026-02-01"),
    ({"type": "month"}, "2026-11"),
    ({"type": "week"}, "2026-W31"),
    ({"type": "time"}, "13:37"),
    ({"type": "datetime-local"}, "2026-11-22T09:46"),
    ({"type": "color"}, "#aa3311"),
]


@pytest.mark.parametrize(("attributes", "value"), CONTROLS, ids=lambda v: str(v))
def test_a_masked_control_shows_something_of_its_kind(attributes: dict[str, str], value: str, tmp_path: Path) -> None:
    made = shown(tmp_path, ["input", {**attributes, "value": value}])[0][1]["value"]
    kind = attributes["type"]
    if kind in ("range", "number"):
        low, high = float(attributes.get("min", "0")), float(attributes.get("max", "100" if kind == "range" else "1e9"))
        assert low <= float(made) <= high
        assert len(made.partition(".")[2]) == len(value.partition(".")[2])
        if kind == "number" and "max" not in attributes:
            assert len(made) == len(value)
        return
    assert made and made != value and len(made) == len(value)
    if kind == "date":
        assert attributes.get("min", "0") <= made <= attributes.get("max", "9")
        datetime.date.fromisoformat(made)
    if kind == "datetime-local":
        datetime.datetime.fromisoformat(made)
    if kind == "time":
        datetime.time.fromisoformat(made)


def test_what_is_typed_into_one_is_too(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["input", {"type": "range", "min": "10", "max": "20"}])
    m.ops(["value", 5, "13"])
    redact(m.done(), tmp_path / "b.reel")
    with open_reel(tmp_path / "b.reel") as reel:
        assert 10 <= float(next(e for e in reel.events() if e["k"] == "mutation")["ops"][0][2]) <= 20


def test_the_stand_in_is_never_what_stood_there() -> None:
    for minute in range(60):
        for kind, value in (
            ("time", f"13:{minute:02d}"),
            ("date", f"2000-03-{1 + minute % 28:02d}"),
            ("range", str(minute)),
        ):
            assert all(make_valid_control_value(kind, f"x{n}", {}, value) != value for n in range(200))


def test_bounds_that_make_no_sense_do_no_harm() -> None:
    for attributes in (
        {"min": "9", "max": "1"},
        {"min": "x"},
        {"step": "0"},
        {"step": "-1", "min": "0", "max": "3"},
        {"min": "1e9"},
    ):
        for kind in ("range", "number"):
            assert make_valid_control_value(kind, "masked77", attributes, "5")
    assert make_valid_control_value("number", "masked", {}, "no number") == ""
    assert make_valid_control_value("text", "masked", {}, "x") == "masked"


@pytest.mark.parametrize("name", ["user_permissions", "user_permissions_old", "group-permissions"])
def test_rights_are_named_by_the_program_in_any_language(name: str, tmp_path: Path) -> None:
    [choice] = shown(tmp_path, select("הרשאות המשתמש", *RIGHTS, name=name))
    assert words(choice) == [text for _, text in RIGHTS]


def test_among_rights_a_person_is_masked_and_the_rights_stay(tmp_path: Path) -> None:
    [choice] = shown(tmp_path, select("Rights", *RIGHTS, ("4", "Files of Priya Raghunathan"), name="permissions"))
    assert words(choice)[:3] == [text for _, text in RIGHTS]
    assert "Priya" not in words(choice)[3] and "Raghunathan" not in words(choice)[3]


def test_a_choice_that_is_not_called_after_rights_shows_none(tmp_path: Path) -> None:
    [choice] = shown(tmp_path, select("משתמשים", *RIGHTS, name="members"))
    assert words(choice) == ["Option 1 of 3", "Option 2 of 3", "Option 3 of 3"]


def test_a_number_longer_than_any_is_masked_as_one() -> None:
    for like in ("1" * 400, "-" + "9" * 5_000, "1." + "0" * 400):
        assert float(make_valid_control_value("number", "masked", {}, like)) not in (float(like), float("inf"))


def test_what_stands_over_many_groups_and_in_them_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counted(label: str) -> str | None:
        asked.append(label)
        return find_label_entity(label)

    monkeypatch.setattr(sibling_groups, "find_label_entity", counted)
    rows = [is_about_people(["Quorbel sizes"], ["Quorbel", "Zwint", f"Frob {n % 3}"]) for n in range(60)]
    assert not any(rows)
    assert sorted(asked) == ["frob 0", "frob 1", "frob 2", "quorbel", "quorbel", "sizes", "zwint"]


def test_a_datalist_of_people_tells_none_of_them(tmp_path: Path) -> None:
    given: list[Any] = ["datalist", {"id": "who"}, ["option", {}, "Priya Raghunathan"], ["option", {}, "Ostenvik"]]
    assert not {"Priya", "Raghunathan", "Ostenvik"} & set(" ".join(words(shown(tmp_path, given)[0])).split())
