"""Slots: what leads to an element, the same for the items of a list and in each run."""

from __future__ import annotations

import pytest

from pagereel.comparison.runs.slots import SlotCache, compute_slot
from pagereel.reel import DocumentModel, PageModel

CELL = ["td", {"class": "price c48213 hot"}, "48"]
ROWS = [["tr", {"id": f"r{n}"}, ["td", {}, "a"], " ", CELL] for n in range(3)]
TREE = ["#document", {}, ["html", {}, ["body", {"class": "show wide"}, ["table", {"id": "stock"}, ["tbody", {}, *ROWS]],
        ["main", {}, ["div", {}, ["div", {}, ["div", {}, ["div", {}, ["div", {"role": "list"}, ["p", {"id": "p48213"}, ["b", {}, "deep"]]]]]]]]]]]  # fmt: skip


@pytest.fixture
def model() -> PageModel:
    made = PageModel()
    made.apply({"k": "document", "t": 0, "d": 1, "page": 1, "top": True, "url": "http://127.0.0.1/"})
    made.apply({"k": "snapshot", "t": 0, "d": 1, "n": 0, "ops": [["doc", 1, TREE]]})
    return made


def named(document: DocumentModel, name: str) -> list[int]:
    return [node.id for node in document.nodes.values() if node.name == name]


def test_items_of_a_list_have_one_slot_and_columns_their_numbers(model: PageModel) -> None:
    document = model.documents[1]
    cells = SlotCache().get_slots(model, [(1, each) for each in named(document, "td")])
    assert set(cells) == {"table#stock>tbody>tr>td:0", "table#stock>tbody>tr>td.price.hot:1"}
    assert cells == tuple(compute_slot(document.nodes[each]) for each in named(document, "td"))


def test_a_slot_has_seven_steps_at_most(model: PageModel) -> None:
    (deep,) = named(model.documents[1], "b")
    assert compute_slot(model.documents[1].nodes[deep]) == "div>div>div>div>div[list]>p>b"
    assert SlotCache().get_slots(model, [(1, deep), (1, 4711), (7, 1)]) == ("div>div>div>div>div[list]>p>b", "", "")


def test_a_slot_stays_what_it_was_when_it_was_asked_for_first(model: PageModel) -> None:
    slots = SlotCache()
    (table,) = named(model.documents[1], "table")
    assert slots.get_slots(model, [(1, table)]) == ("table#stock",)
    model.apply({"k": "mutation", "t": 1, "d": 1, "n": 1, "ops": [["attr", table, {"id": "other"}]]})
    assert slots.get_slots(model, [(1, table)]) == ("table#stock",)
    assert compute_slot(model.documents[1].nodes[table]) == "table#other"
