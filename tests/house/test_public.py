"""What docs/stability.md calls public is what the committed list says: a name, an option or a key of JSON goes or comes on purpose."""

from __future__ import annotations

import difflib
import re

import pytest

from .public import LIST, MODULES, ROOT, player, shape, text

STABILITY = (ROOT / "docs" / "stability.md").read_text("utf-8")


def test_names_options_and_json_are_those_of_the_list() -> None:
    there = LIST.read_text("utf-8").splitlines()
    lines = list(difflib.unified_diff(there, text().splitlines(), "list", "code", n=2, lineterm=""))
    if lines:
        pytest.fail(
            "What is public has changed. Is it meant, and may this version do it (docs/stability.md)? Then write it with "
            "`python -m tests.house.public`, and a line for users into CHANGELOG.md:\n" + "\n".join(lines[:60])
        )


def test_the_page_names_each_module_and_each_member_of_the_player() -> None:
    assert set(re.findall(r"(?m)^\| `(pagereel[\w.]*)` \|", STABILITY)) == set(MODULES)
    told = STABILITY.split("`window.pagereel`")[1].split("\n")[0]
    assert [name for name in player() if f"`{name}" not in told] == []


def test_the_shape_of_a_list_has_the_keys_of_all_its_items() -> None:
    assert shape({"a": [{"x": 1}, {"x": None, "y": ["t"]}]}) == {"a": [{"x": "number", "y": ["text"]}]}
