"""Two trees beside each other: what changed is found, and nothing else, whatever the ids."""

from __future__ import annotations

import time
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from pagereel.comparison.matching.tree_matching import TreeChange, TreeMatcher
from pagereel.comparison.runs.element_sketches import SketchMaker
from pagereel.reel import ELEMENT, DocumentModel, Json, Node


def tree(*body: Json) -> Node:
    document = DocumentModel(1)
    document.apply([["doc", next(IDS), ["#document", {}, ["html", {}, ["body", {}, *body]]]]])
    assert document.root is not None
    return document.root


IDS = count(1, 1000)


def said(changes: list[TreeChange]) -> list[str]:
    return [f"{c.kind} {(c.a or c.b).name} {c.name}{f' {c.was}→{c.now}' if c.name else ''}".strip() for c in changes]  # type: ignore[union-attr]


def beside(a: Node, b: Node) -> list[str]:
    return said(list(TreeMatcher().iter_changes(SketchMaker().sketch_element(a), SketchMaker().sketch_element(b))))


PAY: Json = ["button", {"id": "pay"}, "Pay"]


def test_the_same_page_with_other_ids_classes_and_times_is_the_same() -> None:
    a = tree(["p", {"class": "x-1f"}, "Seen 12:40"], ["a", {"href": "http://127.0.0.1:80/o/17"}, "Order"], PAY)
    b = tree(["p", {"class": "x-9c"}, "Seen 13:01"], ["a", {"href": "http://127.0.0.1:81/o/18"}, "Order"], PAY)
    assert beside(a, b) == []


def test_an_attribute_that_says_something_is_told() -> None:
    assert beside(tree(PAY), tree(["button", {"id": "pay", "disabled": ""}, "Pay"])) == [
        "attribute button disabled None→"
    ]
    a, b = (tree(["a", {"href": f"/{name}"}, "Go on"]) for name in ("cart", "login"))
    assert beside(a, b) == ["attribute a href /cart→/login"]


def test_what_came_and_what_is_gone_is_told_once_and_not_with_all_that_is_in_it() -> None:
    box: Json = ["section", {}, ["h2", {}, "News"], ["p", {}, "x"], ["img", {"alt": "A pot"}]]
    assert beside(tree(PAY), tree(PAY, box)) == ["added section"]
    assert beside(tree(["div", {}, PAY, box]), tree(["div", {}, PAY])) == ["removed section"]


def test_what_stands_elsewhere_was_moved_and_is_looked_into_where_it_changed() -> None:
    aside: Json = ["aside", {}, ["p", {}, "one"]]
    assert beside(tree(["main", {}, PAY], aside), tree(["main", {}], ["aside", {}, ["p", {}, "one"], PAY])) == [
        "moved button"
    ]
    changed: Json = ["button", {"id": "pay", "disabled": ""}, "Pay now"]
    assert beside(tree(["main", {}, PAY], aside), tree(["main", {}], ["aside", {}, ["p", {}, "one"], changed])) == [
        "attribute button disabled None→"
    ]


leaves = st.builds(
    lambda name, text: [name, {}, text], st.sampled_from(["p", "b", "li"]), st.sampled_from(["one", "two", "three"])
)
trees = st.recursive(
    leaves, lambda inner: st.builds(lambda items: ["div", {}, *items], st.lists(inner, max_size=4)), max_leaves=25
)


@given(trees, trees)
def test_a_tree_is_equal_to_itself_and_nothing_is_told_twice(first: Json, second: Json) -> None:
    assert beside(tree(first), tree(first)) == []
    changes = list(
        TreeMatcher().iter_changes(
            SketchMaker().sketch_element(tree(first)), SketchMaker().sketch_element(tree(second))
        )
    )
    for side in (0, 1):
        told = [id((c.a, c.b)[side]) for c in changes if c.kind != "attribute" and (c.a, c.b)[side] is not None]
        assert len(told) == len(set(told))


def test_a_sketch_says_what_was_there_whatever_becomes_of_the_page() -> None:
    document, sketches = DocumentModel(1), SketchMaker()
    document.apply([["doc", 1, ["#document", {}, ["html", {}, ["body", {}, PAY, ["p", {}, "one"]]]]]])
    before = sketches.sketch_document(document)
    ids = {node.name: node.id for node in document.nodes.values()}
    document.apply([["attr", ids["button"], {"disabled": ""}], ["del", ids["p"]]])
    after = sketches.sketch_document(document)
    assert before is not None and after is not None
    assert said(list(TreeMatcher().iter_changes(before, after))) == ["attribute button disabled None→", "removed p"]
    assert sketches.sketch_document(document) is after


def test_two_pages_of_sixty_thousand_elements_take_seconds() -> None:
    def rows(changed: int) -> list[Json]:
        return [
            [
                "tr",
                {},
                ["td", {}, f"Row {n}"],
                ["td", {}, ["a", {"href": f"/r/{'x' if n == changed else 'y'}"}, "open"]],
                ["td", {}, f"{n % 97}.50"],
            ]
            for n in range(12_000)
        ]

    a, b = tree(["table", {}, *rows(-1)]), tree(["table", {}, *rows(6_000)])
    assert sum(node.kind == ELEMENT for node in _all(a)) > 60_000
    began = time.process_time()
    assert beside(a, b) == ["attribute a href /r/y→/r/x"]
    assert time.process_time() - began < 10


def _all(root: Node) -> list[Node]:
    out, stack = [], [root]
    while stack:
        node = stack.pop()
        out.append(node)
        stack += node.children
    return out
