"""No pattern goes back and forth: a text that is twice as long takes at most two and a half times as long, whatever it says."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest

from . import growth

ROOT = Path(__file__).parent.parent.parent
ROOMS = (
    *("css", "recorder", "reel", "sources", "reading", "comparison", "integrations", "library"),
    *(
        f"redaction.{floor}"
        for floor in (
            "contracts",
            "words",
            "normalise",
            "values",
            "content",
            "detect",
            "pictures",
            "passes",
            "gate",
            "vault",
        )
    ),
)
LONGEST = 20_000
"""Characters."""


def growing(room: str, longest: int) -> dict[str, str]:
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / room.split(".")[0]).rglob("*.py"))
    found = {}
    for where, pattern in growth.patterns_of(f"pagereel.{room}"):
        module, _, name = where.rpartition(".")
        own = name.startswith("_")  # A module's own pattern; others may have one of the same name.
        users = inspect.getsource(sys.modules[module]) if own else source
        at_start = growth.used_at_start_alone(name, users)
        run = growth.at_start(pattern) if at_start else growth.through(pattern)
        problems = (growth.grows(run, attack, longest) for attack in growth.attacks(pattern))
        if (problem := next(filter(None, problems), None)) is not None:
            found[where.removeprefix("pagereel.")] = f"{pattern.pattern[:80]}: {problem}"
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_no_pattern_takes_more_than_in_proportion(room: str) -> None:
    assert growing(room, LONGEST) == {}


def test_the_measure_sees_what_grows() -> None:
    import re

    for bad in (r"(?:a+)+b", r"\s+$", r"\w+@", r"<!--.*?-->"):
        pattern = re.compile(bad)
        assert any(growth.grows(growth.through(pattern), each, LONGEST) for each in growth.attacks(pattern)), bad
    for good in (r"(?<!\w)\w++@", r"<[^<>]*+>", r"\d{1,5}"):
        pattern = re.compile(good)
        assert not any(growth.grows(growth.through(pattern), each, LONGEST) for each in growth.attacks(pattern)), good
