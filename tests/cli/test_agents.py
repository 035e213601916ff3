"""Recordings of several agents on the command line: joined in one replay, and asked for one of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagereel import record

from .conftest import Command


@pytest.fixture
def day(tmp_path: Path) -> Path:
    for agent in ("planner", "buyer"):
        with record(None, tmp_path / f"{agent}.reel", agent=agent) as session, session.step(f"{agent} works"):
            session.note(f"{agent} says so")
    return tmp_path


def test_a_file_behind_o_joins_several_and_a_folder_does_not(pagereel: Command, day: Path) -> None:
    done = pagereel("build", day / "*.reel", "-o", day / "run.html", "--redaction", "off")
    assert done.status == 0 and (day / "run.html").is_file() and "within 10 ms" in done.out
    told = pagereel(
        "build", day / "planner.reel", day / "buyer.reel", "-o", day / "run.html", "--redaction", "off", "--json"
    )
    assert json.loads(told.out)["notes"]
    (day / "replays").mkdir()
    assert pagereel("build", day / "*.reel", "-o", day / "replays", "--redaction", "off").status == 0
    assert sorted(path.name for path in (day / "replays").iterdir()) == ["buyer.html", "planner.html"]
    again = pagereel("build", day / "planner.reel", day / "planner.reel", "-o", day / "x.html", "--redaction", "off")
    assert again.status == 2 and "twice" in again.err and not (day / "x.html").exists()


def test_one_agent_is_asked_for(pagereel: Command, day: Path) -> None:
    pagereel("build", day / "*.reel", "-o", day / "run.html", "--redaction", "off")
    for query, says in (("steps", "buyer works"), ("notes", "buyer says so")):
        told = pagereel("query", day / "run.html", query, "--agent", "Buyer", "--redaction", "off")
        assert says in told.out and "planner" not in told.out
    assert pagereel("query", day / "run.html", "console", "--agent", "x").status == 2
