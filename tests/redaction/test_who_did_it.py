"""Names of users where an application says who did something: in a column, in a list to choose from, before a day."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagereel.redaction import find_pii, redact
from tests.redaction.reels import Maker
from tests.redaction.reels import words as said

COLUMNS = ("Assigned To", "Created by", "Last edited by", "modified_by", "Reporter", "Creator", "Posted by")


def masked(tmp_path: Path, *children: Any) -> str:
    m = Maker(tmp_path / "a.reel")
    m.body(*children)
    redact(m.done(), tmp_path / "b.reel")
    return said(tmp_path / "b.reel")


@pytest.mark.parametrize("label", COLUMNS)
def test_who_did_it_is_somebody_under_its_header(label: str) -> None:
    (found,) = find_pii(["ostenquill"], [label])
    assert [(f.start, f.end, f.entity) for f in found] == [(0, 10, "PERSON")]


@pytest.mark.parametrize("nobody", ["admin", "None", "nobody", "5 minutes ago", "system", "-"])
def test_nobody_is_nobody_there(nobody: str) -> None:
    assert find_pii([nobody], ["Assigned To"]) == [[]]


def test_a_user_that_a_list_of_people_offers_is_known_wherever_the_name_stands(tmp_path: Path) -> None:
    select = ["select", {"name": "assignedto", "aria-label": "Assigned To"}, *(["option", {"value": str(n)}, each] for n, each in enumerate(["no selection", "ostenquill", "kverdalen"]))]  # fmt: skip
    told = masked(tmp_path, select, ["p", {}, "ostenquill"], ["p", {}, "no selection"])
    assert "ostenquill" not in told and "kverdalen" not in told and told.count("no selection") == 1


@pytest.mark.parametrize("day", ["21st November 2026 at 10:15am", "2026-11-21 10:15", "21. November 2026"])
def test_a_word_before_a_day_is_who_wrote_it_though_a_style_sheet_alone_keeps_them_apart(
    day: str, tmp_path: Path
) -> None:
    told = masked(tmp_path, ["div", {}, ["a", {"href": "#x"}, "ostenquill"], day])
    assert "ostenquill" not in told


def test_an_entry_of_a_menu_before_a_number_stays(tmp_path: Path) -> None:
    assert "Inbox" in masked(tmp_path, ["div", {}, ["a", {"href": "#x"}, "Inbox"], "21 unread"])


TRACKERS = (
    ("Priority", ["blocker", "critical", "major", "minor", "trivial"]),
    ("Type", ["defect", "enhancement", "task"]),
    ("Milestone", ["milestone1", "milestone2", "milestone3"]),
    ("Resolution", ["fixed", "invalid", "wontfix", "duplicate", "worksforme"]),
)


@pytest.mark.parametrize(("label", "options"), TRACKERS)
def test_what_a_tracker_lets_one_choose_is_everybodys(label: str, options: list[str], tmp_path: Path) -> None:
    told = masked(tmp_path, ["select", {"name": "x", "aria-label": label}, *(["option", {}, each] for each in options)])
    assert all(each in told for each in options)
