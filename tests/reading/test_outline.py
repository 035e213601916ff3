"""A page's outline that remembers what its blocks said says what one says that remembers nothing, whatever changed in between; and so do trees that are hashed once."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pagereel.comparison.matching.tree_matching import TreeMatcher
from pagereel.comparison.runs.element_sketches import SketchMaker
from pagereel.comparison.runs.run_items import ElementSketch
from pagereel.reading import BlockTextCache, build_outline_lines
from pagereel.reel import ELEMENT, DocumentModel, Json, PageModel

TAGS = st.sampled_from(
    ["div", "p", "b", "span", "li", "table", "tr", "td", "h2", "iframe", "button", "select", "script"]
)
ATTRS = st.sampled_from(
    [{}, {}, {"role": "cell"}, {"hidden": ""}, {"style": "display: none"}, {"aria-label": "Name"}, {"id": "a"}, {"href": "/b", "class": "c"}]
)  # fmt: skip
LEAVES = st.sampled_from(["one", "Two", "3", " ", "", ["input", {"name": "n", "value": "v"}], ["#comment", "c"]])


def _elements(children: Any) -> Any:
    inner = st.just([]) | st.lists(children, max_size=2).map(lambda below: [["#shadow", {"mode": "open"}, *below]])
    return st.builds(
        lambda tag, attrs, shadow, below: [tag, attrs, *shadow, *below], TAGS, ATTRS, inner, st.lists(children, max_size=4)
    )  # fmt: skip


FORMS = st.recursive(LEAVES, _elements, max_leaves=12)
WITH_MOVED = st.recursive(LEAVES | st.integers(2, 60), _elements, max_leaves=6)
NODE = st.integers(1, 60)
OPS = st.one_of(
    st.builds(lambda at, turned, form: ["add", -at if turned else at, 0, form], NODE, st.booleans(), WITH_MOVED),
    st.builds(lambda at, turned, which: ["move", -at if turned else at, *which], NODE, st.booleans(), st.lists(NODE, min_size=1, max_size=2)),
    st.builds(lambda node: ["del", node], st.integers(3, 60)),
    st.builds(lambda node, text: ["text", node, text], NODE, st.sampled_from(["four", "", "5"])),
    st.builds(lambda node, attrs: ["attr", node, attrs], NODE, st.sampled_from([{"hidden": ""}, {"hidden": None}, {"id": "z"}, {"href": "/d"}])),
    st.builds(lambda node, value: ["value", node, value], NODE, st.sampled_from(["w", ""])),
)  # fmt: skip
TWO = st.tuples(st.sampled_from([1, 1, 1, 2]), OPS)


def _made(form: list[Any]) -> PageModel:
    """A page and, in its first frame, another."""
    model = PageModel()
    for d in (1, 2):
        document = model.documents[d] = DocumentModel(d)
        document.apply([["doc", 1, ["#document", {}, ["html", {}, ["body", {}, *form]]]]])
    frame = next((node.id for node in model.documents[1].nodes.values() if node.name == "iframe"), None)
    model.documents[2].parent = (1, frame) if frame is not None else None
    return model


def _said(model: PageModel, blocks: BlockTextCache | None = None) -> tuple[Any, ...]:
    places: list[tuple[int, int]] = []
    pieces: dict[int, list[tuple[tuple[int, int], str]]] = {}
    lines = build_outline_lines(model, model.documents[1], places=places, pieces=pieces, blocks=blocks)
    return lines, places, pieces


@given(st.lists(FORMS, max_size=5), st.lists(st.lists(TWO, max_size=4), max_size=6))
@settings(max_examples=100, deadline=None)
def test_what_is_remembered_is_what_would_be_read(form: list[Any], turns: list[list[tuple[int, Json]]]) -> None:
    model, blocks = _made(form), BlockTextCache()
    assert _said(model, blocks) == _said(model)
    for ops in turns:
        for d, op in ops:
            _apply(model.documents[d], op)
        assert _said(model, blocks) == _said(model)


@given(st.lists(FORMS, max_size=5), st.lists(st.lists(OPS, max_size=4), max_size=6))
@settings(max_examples=100, deadline=None)
def test_trees_that_are_hashed_once_differ_as_new_ones_do(form: list[Any], turns: list[list[Json]]) -> None:
    first, second, sketches = _made(form).documents[1], _made(form).documents[1], SketchMaker()
    for ops in turns:
        for op in ops:
            _apply(second, op)
        kept, new = (
            _changes(each.sketch_document(first), each.sketch_document(second)) for each in (sketches, SketchMaker())
        )
        assert kept == new


def _changes(first: ElementSketch | None, second: ElementSketch | None) -> list[tuple[Any, ...]]:
    assert first is not None and second is not None
    return [
        (kind, a and a.node, b and b.node, *said) for kind, a, b, *said in TreeMatcher().iter_changes(first, second)
    ]


def _apply(document: DocumentModel, op: Any) -> None:
    document.apply([["add", op[1], document.last_id + 1, *op[3:]] if op[0] == "add" else op])


def test_what_an_attribute_hides_and_what_a_field_holds_is_read_again() -> None:
    model, blocks = _made([["p", {}, "one"], ["div", {}, ["input", {"name": "n"}]]]), BlockTextCache()
    assert _said(model, blocks)[0] == ["one", "[input n: ]"]
    ids = {node.name: node.id for node in model.documents[1].nodes.values()}
    model.documents[1].apply([["attr", ids["p"], {"hidden": ""}], ["value", ids["input"], "w"]])
    assert _said(model, blocks)[0] == ["[input n: w]"]


def test_what_did_not_change_is_not_read_again() -> None:
    """Where nothing was touched, the lines of a block are the very same texts."""
    model, blocks = _made([["p", {}, "one ", ["b", {}, "two"]], ["p", {}, "three"]]), BlockTextCache()
    before, _, _ = _said(model, blocks)
    text = next(node for node in model.documents[1].nodes.values() if node.data == "three")
    model.documents[1].apply([["text", text.id, "four"]])
    after, _, _ = _said(model, blocks)
    assert after == ["one two", "four"] and after[0] is before[0]
    assert model.documents[1].root is not None and model.documents[1].root.kind != ELEMENT


def test_a_row_of_a_table_is_a_line() -> None:
    def cell(*content: Any) -> list[Any]:
        return ["td", {}, *content]

    rows: list[list[Any]] = [
        ["tr", {}, ["th", {}, "Day"], "\n ", ["th", {}, "Sum"], "\n"],
        ["tr", {}, cell("Mon"), cell(["div", {}, "\n", ["p", {}, "20.00"]]), cell(["button", {}, "Edit"]), cell()],
        ["tr", {}, cell("a | b"), cell("c", ["p", {}, "of two lines"]), cell("d")],
        ["div", {}, ["div", {"role": "gridcell"}, "Tue"], ["div", {"role": "gridcell"}, ["span", {}, "5"]]],
    ]
    model = _made([["table", {}, *rows]])
    lines = build_outline_lines(model, model.documents[1])
    assert lines == ["Day | Sum", "Mon | 20.00 | [button: Edit]", "a | b | c", "of two lines", "d", "Tue | 5"]
