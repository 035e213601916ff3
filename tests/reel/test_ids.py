"""Event ids: one for each event, the same ones in the raw recording and in its masked copy, and no word of what is in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagereel.errors import UsageError
from pagereel.reel import EventIds, id_prefix

CASES = json.loads((Path(__file__).parent / "fixtures_ids.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["header"].get("id")))
def test_ids_are_those_that_the_player_gives(case: dict) -> None:
    ids = EventIds(case["header"])
    assert [ids.compute_next_id(event) for event, _ in case["events"]] == [wanted for _, wanted in case["events"]]
    assert len({wanted for _, wanted in case["events"]}) == len(case["events"])


def test_an_id_stands_on_nothing_that_a_redaction_changes() -> None:
    for case in CASES:
        kept = ("k", "t", "d", "n", "id", "page", "sha256")
        ids = EventIds({name: case["header"].get(name) for name in ("id", "started")})
        for event, wanted in case["events"]:
            assert ids.compute_next_id({name: value for name, value in event.items() if name in kept}) == wanted


def test_a_prefix_is_four_to_sixteen_digits() -> None:
    assert id_prefix(" 3FA9 ") == "3fa9"
    for text in ("3fa", "3fa91c000000000000", "mark", ""):
        with pytest.raises(UsageError, match="not the id of an event"):
            id_prefix(text)
