"""What stands among its equals is what they are: a word in a menu of things is none of a person, and one in a list of people is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.redaction.test_cells import shown, table

TEAS = ["Earl Grey", "Jasmine", "Rose", "Chamomile", "Peppermint"]
SPICES = ["Cinnamon", "Coriander", "Rosemary", "Dill", "Saffron"]
COLOURS = ["Crimson", "Amber", "Turquoise", "Violet", "Jade", "Beige"]
GEMS = ["Quartz", "Ruby", "Pearl", "Citrine", "Crystal", "Peridot"]
PEOPLE = ["Katya Vestergrove", "Joaquin Holmstad", "Rose", "Jasmine"]


def buttons(texts: Sequence[str]) -> list[Any]:
    return ["div", {}, *[["button", {"aria-label": text}, text] for text in texts]]


def radios(texts: Sequence[str]) -> list[Any]:
    made = [["div", {}, ["input", {"type": "radio", "name": "x"}], ["label", {}, f" {text}"]] for text in texts]
    return ["fieldset", {}, ["legend", {}, "Choose one"], *made]


def menu(texts: Sequence[str]) -> list[Any]:
    return ["ul", {"role": "menu"}, *[["li", {"role": "menuitem"}, ["span", {}, text]] for text in texts]]


def column(texts: Sequence[str], header: str = "Kind") -> list[Any]:
    return table(["No", header], *[[f"{number}", text] for number, text in enumerate(texts, 1)])


GROUPS = pytest.mark.parametrize("group", [buttons, radios, menu, column])


@GROUPS
@pytest.mark.parametrize("things", [TEAS, SPICES, COLOURS, GEMS])
def test_words_among_things_of_their_kind_are_things(group: Any, things: list[str], tmp_path: Path) -> None:
    said = shown(tmp_path, group(things))
    assert [text for text in things if text not in said] == []


@GROUPS
def test_people_stay_masked_among_things(group: Any, tmp_path: Path) -> None:
    said = shown(tmp_path, group(["Chamomile", "Peppermint", "Sencha", "Katya Vestergrove", "Jasmine"]))
    assert "Katya Vestergrove" not in said
    assert "Jasmine" not in said, "beside a person it may be one"


@GROUPS
def test_a_given_name_that_is_no_thing_stays_masked_among_things(group: Any, tmp_path: Path) -> None:
    assert "Joaquin" not in shown(tmp_path, group(["Chamomile", "Peppermint", "Joaquin", "Sencha"]))


@GROUPS
def test_people_who_are_called_as_things_are_stay_masked_among_people(group: Any, tmp_path: Path) -> None:
    said = shown(tmp_path, group(PEOPLE))
    assert [text for text in PEOPLE if text in said] == []


@GROUPS
def test_of_towns_side_by_side_all_are_masked(group: Any, tmp_path: Path) -> None:
    towns = ["Uppsala", "Turku", "Utrecht", "Berlin", "München", "Malmö"]
    said = shown(tmp_path, group([*towns, "Other"]))
    assert [text for text in towns if text in said] == []
    assert "Other" in said or group is column


@GROUPS
def test_a_group_of_words_that_may_all_be_people_says_nothing_of_any(group: Any, tmp_path: Path) -> None:
    assert "Jasmine" not in shown(tmp_path, group(["Jasmine", "Violet", "Iris", "Heather", "Rosemary"]))


@pytest.mark.parametrize("group", [buttons, radios, menu])
@pytest.mark.parametrize("over", ["Assigned to", "Baked by", "Team", "Guests", "Send to", "Florist", "担当者"])
def test_under_a_heading_of_people_nobody_is_a_thing(group: Any, over: str, tmp_path: Path) -> None:
    said = shown(tmp_path, ["h3", {}, over], ["div", {}, group(["Chamomile", "Peppermint", "Jasmine", "Sencha"])])
    assert "Jasmine" not in said


@pytest.mark.parametrize("header", ["Assignee", "Barista", "Made by", "Host"])
def test_in_a_column_of_people_nobody_is_a_thing(header: str, tmp_path: Path) -> None:
    assert "Jasmine" not in shown(tmp_path, column(["Chamomile", "Peppermint", "Jasmine", "Sencha"], header))


@pytest.mark.parametrize("name", ["assignee", "guest", "colleague"])
def test_a_select_of_people_stays_masked(name: str, tmp_path: Path) -> None:
    options = [["option", {}, text] for text in ["Chamomile", "Peppermint", "Jasmine", "Sencha"]]
    assert "Jasmine" not in shown(tmp_path, ["select", {"name": name}, *options])


def test_beside_everyone_and_me_nobody_is_a_thing(tmp_path: Path) -> None:
    assert "Jasmine" not in shown(tmp_path, buttons(["Everyone", "Me", "Chamomile", "Peppermint", "Jasmine"]))


def test_who_stands_outside_of_the_group_as_well_stays_masked(tmp_path: Path) -> None:
    assert "Jasmine" not in shown(tmp_path, buttons(TEAS), ["p", {}, "Jasmine"])


def test_somebody_known_from_elsewhere_stays_masked_in_the_group(tmp_path: Path) -> None:
    said = shown(tmp_path, buttons(TEAS), ["label", {"for": "a"}, "Customer name"], ["output", {"id": "a"}, "Jasmine"])
    assert "Jasmine" not in said


def test_a_menu_of_the_program_with_its_user_in_it_says_nothing_of_him(tmp_path: Path) -> None:
    assert "Jasmine" not in shown(tmp_path, menu(["Home", "Orders", "Garden", "Settings", "Jasmine"]))
