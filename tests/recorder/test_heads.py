"""Heads: an element's tag and attributes cross from the page once, and stand in the recording wherever they belong."""

from __future__ import annotations

import pytest

from pagereel.recorder.ingest.element_start_tags import KEPT, ElementStartTags


def test_trees_are_written_out() -> None:
    heads = ElementStartTags()
    heads.add_start_tags(0, [("li", {"class": "row"}), ("b", {})])
    event = {"k": "mutation", "ops": [["add", 1, 5, [0, "one", [1, "x"]], "text", 7], ["del", 0], ["move", 1, 0]]}
    heads.restore_start_tags(event)
    row = ["li", {"class": "row"}, "one", ["b", {}, "x"]]
    assert event["ops"] == [["add", 1, 5, row, "text", 7], ["del", 0], ["move", 1, 0]]


def test_each_element_has_attributes_of_its_own() -> None:
    heads = ElementStartTags()
    heads.add_start_tags(3, [("li", {"class": "row"})])
    event = {"ops": [["doc", 1, ["#document", {}, [3], [3]]]]}
    heads.restore_start_tags(event)
    _, _, first, second = event["ops"][0][2]  # type: ignore[misc]
    assert first == second == ["li", {"class": "row"}]
    assert first[1] is not second[1]


def test_a_head_that_never_came_or_is_long_gone_is_an_error() -> None:
    heads = ElementStartTags()
    heads.add_start_tags(0, [("p", {})] * (KEPT + 1))
    for number in (0, KEPT + 1):
        with pytest.raises(KeyError):
            heads.restore_start_tags({"ops": [["add", 1, 2, [number]]]})
