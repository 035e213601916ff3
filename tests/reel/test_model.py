"""The page model: right for any sequence of ops, however wrong, and as deep and as large as pages come."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagereel.errors import ReelError
from pagereel.reel import (
    DocumentModel,
    Event,
    PageModel,
    build_snapshot_ops,
    find_event_problem,
    get_text_content,
    iter_light_nodes,
    iter_nodes,
    open_reel,
    require_valid_event,
    serialize_to_html,
    serialize_tree,
)
from pagereel.reel.nodes import SHADOW

from .reference import Reference
from .sample import write_sample

TAGS = st.sampled_from(["div", "p", "svg|g", "input", "select"])
ATTRS = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.sampled_from(["", "1", "é"]), max_size=2)
IDS = st.integers(1, 30)


def _elements(children: Any) -> Any:
    def build(tag: str, attrs: dict[str, str], inner: list[Any], below: list[Any]) -> list[Any]:
        return [tag, attrs, *inner, *below]

    shadow = st.builds(lambda below: [["#shadow", {"mode": "open"}, *below]], st.lists(children, max_size=2))
    return st.builds(build, TAGS, ATTRS, st.just([]) | shadow, st.lists(children, max_size=3))


LEAVES = st.sampled_from(["", "text", ["#comment", "c"]])
FRESH = st.recursive(LEAVES, _elements, max_leaves=8)
MIXED = st.recursive(LEAVES | IDS, _elements, max_leaves=8)
DOCS = st.lists(FRESH, max_size=4).map(lambda below: ["doc", 1, ["#document", {}, ["html", {}, *below]]])


def count(form: Any) -> int:
    """How many new nodes a tree makes."""
    if isinstance(form, int):
        return 0
    return 1 if isinstance(form, str) or form[0] == "#comment" else 1 + sum(count(child) for child in form[2:])


@st.composite
def sequences(draw: Any) -> list[Any]:
    """A document and ops on it: some right, some naming nodes that are gone, never were, or would stand below
    themselves.
    """
    first = draw(DOCS)
    ops = [first]
    fresh = 1 + count(first[2])
    points = IDS | IDS.map(lambda node: -node)
    for _ in range(draw(st.integers(0, 14))):
        kind = draw(st.sampled_from(["add", "add", "move", "del", "text", "attr"]))
        if kind == "add":
            forms = draw(st.lists(MIXED, min_size=1, max_size=3))
            ops.append(["add", draw(points), fresh, *forms])
            fresh += sum(map(count, forms))
        elif kind == "move":
            ops.append(["move", draw(points), *draw(st.lists(IDS, min_size=1, max_size=3))])
        elif kind == "del":
            ops.append(["del", draw(IDS.filter(lambda node: node > 2))])
        elif kind == "text":
            ops.append(["text", draw(IDS), draw(st.sampled_from(["x", ""]))])
        else:
            ops.append(["attr", draw(IDS), draw(st.dictionaries(st.sampled_from("abc"), st.none() | st.just("2")))])
    return ops


def check_links(model: DocumentModel) -> None:
    """Every node is reached exactly once, and all links agree."""
    seen = [node.id for node in model.walk()]
    assert len(seen) == len(set(seen)) and set(seen) == set(model.nodes)
    for node in model.walk():
        assert model.nodes[node.id] is node
        children = list(node.children)
        assert node.first is (children[0] if children else None)
        assert node.last is (children[-1] if children else None)
        for before, child in zip([None, *children], children, strict=False):
            assert child.parent is node and child.prev is before
            assert before is None or before.next is child
        assert node.inner is None or (node.inner.parent is node and node.inner.kind >= SHADOW)
    assert set(model.stateful) == {node.id for node in model.walk() if node.state is not None}


def without_ids(model: DocumentModel) -> list[str]:
    """The canonical lines with each id replaced by the node's place in document order."""
    place = {node.id: index for index, node in enumerate(model.walk(), 1)}
    lines = []
    for line in model.iter_canonical_lines():
        if line[0] in "YA":
            number, _, rest = line[1:].partition(" ")
            owner, _, text = rest.partition(" ")
            lines.append(
                f"Y{number} {place.get(int(owner), 0)} {text}" if line[0] == "Y" else f"A{place[int(number)]} {rest}"
            )
        elif line == ")\n":
            lines.append(line)
        else:
            head, _, rest = line.rstrip("\n").partition(" ")
            lines.append(f"{head[0]}{place[int(head[1:])]} {rest}")
    return lines


@settings(max_examples=250, deadline=None)
@given(ops=sequences())
def test_any_sequence_gives_what_the_reference_gives(ops: list[Any]) -> None:
    model, reference = DocumentModel(1), Reference()
    model.apply(ops)
    reference.apply(ops)
    assert model.root is not None
    assert serialize_tree(model.root) == reference.tree()
    assert model.errors == reference.errors
    check_links(model)


@settings(max_examples=200, deadline=None)
@given(ops=sequences(), cut=st.integers(0, 15))
def test_one_message_or_many_is_the_same(ops: list[Any], cut: int) -> None:
    whole, parts = DocumentModel(1), DocumentModel(1)
    whole.apply(ops)
    parts.apply(ops[:cut])
    parts.apply(ops[cut:])
    assert whole.compute_digest() == parts.compute_digest()


@settings(max_examples=200, deadline=None)
@given(ops=sequences(), depth=st.integers(1, 5))
def test_a_document_written_down_makes_the_same_document_again(ops: list[Any], depth: int) -> None:
    model, again = DocumentModel(1), DocumentModel(1)
    model.apply(ops)
    written, ids = build_snapshot_ops(model, depth=depth)
    again.apply(written)
    assert again.errors == 0
    assert without_ids(again) == without_ids(model)
    assert {new: again.nodes[new].name for new in ids.values()} == {
        ids[old]: node.name for old, node in model.nodes.items()
    }
    check_links(again)
    assert find_event_problem({"k": "snapshot", "t": 0, "d": 1, "n": 0, "why": "heal", "ops": written}) is None


@settings(max_examples=200, deadline=None)
@given(ops=sequences())
def test_an_insertion_undone_leaves_no_trace(ops: list[Any]) -> None:
    model = DocumentModel(1)
    model.apply(ops)
    before = model.compute_digest()
    model.apply([["add", 2, 1000, "a", ["div", {}, "b"]], ["value", 1001, "x"], ["del", 1000, 1001]])
    assert model.compute_digest() == before
    check_links(model)


@settings(max_examples=300, deadline=None)
@given(
    ops=st.lists(
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers(-9, 9)
            | st.floats()
            | st.sampled_from(["#shadow", "doc", "add", "attr", "a"]),
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
        )
        | st.tuples(
            st.sampled_from(["doc", "add", "move", "del", "text", "attr", "value", "sheet", "adopt", "open", "focus"])
        ).map(list),
        max_size=6,
    )
)
def test_ops_without_sense_raise_nothing(ops: list[Any]) -> None:
    model = DocumentModel(1)
    model.apply([["doc", 1, ["#document", {}, ["html", {}, "x"]]], *ops])
    model.compute_digest()
    check_links(model)


def test_animations_that_began_together_are_as_if_told_one_by_one() -> None:
    model = DocumentModel(1)
    css, turned = {"type": "css", "time": 40}, {"type": "css", "name": "turn", "time": 0, "rate": 0.5, "running": False}
    model.apply(
        [
            ["doc", 1, ["#document", {}, ["p", {}], ["p", {}], ["p", {}]]],
            ["anims", 7, css, "rise", 2, 99, 3, "turn", 4],
            ["anims", 11, {"type": "transition", "time": 0, "rate": 2, "from": "0", "to": "1"}, "opacity", 2, 3],
            ["anims", 12, {"type": "transition", "time": 5, "running": False}, "opacity", 3],
            ["anim", 4, 10, turned],
            ["unanim", 11],
        ]
    )
    playing = {**css, "rate": 1, "running": True}
    assert model.animations == {
        7: (2, {**playing, "name": "rise"}),
        9: (3, {**playing, "name": "rise"}),
        10: (4, turned),
        12: (
            3,
            {"type": "transition", "name": "opacity", "time": 5, "rate": 1, "running": False, "from": "0", "to": "1"},
        ),
    }
    assert model.problems == ["there is no node 99"]
    model.apply([["del", 3], ["unanim", 10, 50]])
    assert list(model.animations) == [7]


def test_the_state_of_a_document_survives_being_written_down() -> None:
    model, again = DocumentModel(1), DocumentModel(1)
    body: list[Any] = [
        ["input", {}],
        ["input", {"type": "checkbox"}],
        ["select", {}, ["option", {}], ["option", {}]],
        ["style", {}],
        ["dialog", {}],
        ["video", {}],
        ["x-a", {}, ["#shadow", {"mode": "open", "delegatesFocus": True}]],
    ]
    media = {"paused": False, "time": 2.5, "rate": 1, "volume": 1, "muted": True}
    model.apply(
        [
            ["doc", 1, ["#document", {}, *body]],
            ["add", -2, 50, ["p", {}, "first"]],
            ["masked", 2, "card"], ["value", 2, "•••••"], ["checked", 3, 1], ["indeterminate", 3, 1],
            ["selected", 4, [1]],
            ["sheet", 3, 7, "a{}", {"media": "print", "disabled": True}], ["sheet", 9, 0, "b{}"], ["adopt", 11, [9]],
            ["anim", 9, 1, {"type": "css", "time": 40, "rate": 1, "running": True}],
            ["open", 8, "modal"], ["media", 9, media], ["scroll", 1, 0, 7.5], ["focus", 2], ["pointed", 2, 0, 9],
            ["drawing", 10, {"x": 1, "y": 2, "scale": 3}], ["drawing", 10, {"time": 4, "paused": True}], ["cues", 9, [[0, 2.5, "said", {"line": 3}]]],
            ["selection", 51, 1, 51, 3, 2], ["bubble", 2, 0, "Fill this out", ""], ["exact", 8, "top: 12345678px"],
        ]
    )  # fmt: skip
    assert model.problems == []
    ops, ids = build_snapshot_ops(model)
    again.apply(ops)
    assert again.problems == []
    assert without_ids(again) == without_ids(model)
    assert again.animations == {1: (ids[9], {"type": "css", "time": 40, "rate": 1, "running": True})}
    assert again.top_layer == {ids[8]: "modal"} and again.focus == ids[2]
    assert again.selection == (ids[51], 1, ids[51], 3, 2)
    assert again.pointed == (ids[2], 0, ids[9])
    assert again.bubble == [ids[2], 0, "Fill this out", ""]
    assert again.nodes[ids[10]].state == {"drawing": {"x": 1, "y": 2, "scale": 3, "time": 4, "paused": True}}
    for old, node in model.stateful.items():
        assert again.nodes[ids[old]].state == node.state
    assert (again.sheets[3].media, again.sheets[3].disabled, again.sheets[3].owner) == ("print", True, ids[7])
    assert again.nodes[ids[8]].state == {"open": "modal", "exact": "top: 12345678px"}
    again.apply([["attr", ids[8], {"style": "top: 0"}], ["del", ids[2]]])
    assert again.nodes[ids[8]].state == {"open": "modal"}
    assert again.bubble == [] and again.focus == 0


def test_what_names_other_nodes_names_them_in_a_snapshot_too_and_forgets_those_that_went() -> None:
    model = DocumentModel(1)
    model.apply([["doc", 1, ["#document", {}, ["div", {}, ["p", {}], ["b", {}]]]], ["add", -3, 20, ["i", {}]]])
    model.apply(
        [
            ["scroll", 1, 0, 90, 20, -7.5],
            ["pointed", 20, 4, 3],
            ["assign", 3, [20, 4]],
            ["highlight", "a", 1, [20, 0, 20, 0, 3, 0, 4, 0]],
        ]
    )
    ops, ids = build_snapshot_ops(model)
    assert ["scroll", 1, 0, 90, ids[20], -7.5] in ops and ["pointed", ids[20], ids[4], ids[3]] in ops
    assert ["assign", ids[3], [ids[20], ids[4]]] in ops
    model.apply([["del", 20]])
    assert model.pointed == (0, 4, 3)
    assert ["highlight", "a", 1, [ids[20], 0, ids[20], 0, ids[3], 0, ids[4], 0]] in ops
    again, ids = build_snapshot_ops(model)
    assert ["highlight", "a", 1, [ids[3], 0, ids[4], 0]] in again
    assert ["scroll", 1, 0, 90] in again and ["assign", ids[3], [ids[4]]] in again
    model.apply([["pointed", 99, 0, 0]])
    assert model.errors == 1 and model.pointed == (0, 4, 3)


# -- pages that are large ----------------------------------------------------------------------------------------------


def deep_ops(depth: int) -> list[Any]:
    """A chain of divs, told in trees of depth 90 as an injector does."""
    ops: list[Any] = [["doc", 1, ["#document", {}, ["html", {}]]]]
    at, fresh = 2, 3
    while depth > 0:
        size = min(depth, 90)
        form: list[Any] = ["div", {}]
        for _ in range(size - 1):
            form = ["div", {}, form]
        ops.append(["add", at, fresh, form])
        fresh += size
        at, depth = fresh - 1, depth - size
    return ops


def test_a_page_5000_deep() -> None:
    model = DocumentModel(1)
    ops = deep_ops(5000)
    assert find_event_problem({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": ops}) is None
    model.apply([*ops, ["add", 5002, 6000, "bottom"], ["move", -3, 6000], ["move", 5002, 3]])
    assert model.errors == 1
    assert model.compute_digest()[1] == 5003
    assert model.root is not None and get_text_content(model.root) == "bottom"
    assert serialize_to_html(model.root).count("<div>") == 5000
    written, _ = build_snapshot_ops(model)
    again = DocumentModel(1)
    again.apply(written)
    assert without_ids(again) == without_ids(model)
    model.apply([["del", 3]])
    assert len(model.nodes) == 3


def table(rows: int) -> list[Any]:
    cells = [
        ["tr", {"data-i": str(i)}, *(["td", {"class": "c"}, f"cell {i} {j}"] for j in range(9))] for i in range(rows)
    ]
    return ["doc", 1, ["#document", {}, ["html", {}, ["table", {}, *cells]]]]


def test_a_page_of_250_000_nodes_costs_seconds_not_minutes() -> None:
    model = DocumentModel(1)
    began = time.process_time()
    model.apply([table(13_200)])
    assert len(model.nodes) == 250_803
    model.compute_digest()
    cells = [node.id for node in model.walk() if node.name == "td"]
    model.apply([["move", -cells[0], cell] for cell in cells[-5000:]])
    model.apply([["del", cell] for cell in cells[:5000]])
    assert model.errors == 0
    assert time.process_time() - began < 10


def test_siblings_cost_the_same_however_many_they_are() -> None:
    def cost(rows: int) -> float:
        model = DocumentModel(1)
        model.apply([["doc", 1, ["#document", {}, ["ul", {}, *(["li", {}] for _ in range(rows))]]]])
        ops: list[Any] = []
        for i in range(4000):
            ops += [["add", -(3 + rows // 2), 10**6 + i, ["li", {}]], ["move", 2, 10**6 + i], ["del", 10**6 + i]]
        began = time.process_time()
        model.apply(ops)
        assert model.errors == 0
        return time.process_time() - began

    assert min(cost(100_000) for _ in range(3)) < 5 * min(cost(100) for _ in range(3))


# -- documents and pages -----------------------------------------------------------------------------------------------


def document(d: int, **fields: Any) -> Event:
    view = {"w": 800, "h": 600, "dpr": 1}
    base = {"k": "document", "t": 0, "d": d, "page": 1, "frame": "F", "url": "https://a.example/", "top": True}
    return {**base, "viewport": view, "mode": "CSS1Compat", **fields}


def test_a_page_shows_the_latest_document_of_its_main_frame() -> None:
    model = PageModel()
    model.apply({"k": "page", "t": 0, "page": 1, "event": "open", "url": "about:blank"})
    model.apply(document(1))
    model.apply(document(2, top=False, frame="G"))
    assert model.pages[1].document == 1
    model.apply(document(3, url="https://b.example/", mode="BackCompat"))
    assert (model.pages[1].document, model.pages[1].url, model.documents[3].mode) == (
        3,
        "https://b.example/",
        "BackCompat",
    )
    model.apply({"k": "location", "t": 1, "d": 3, "n": 0, "url": "https://b.example/#x"})
    assert model.pages[1].url == "https://b.example/#x"
    model.apply({"k": "page", "t": 2, "page": 1, "event": "close"})
    assert not model.pages[1].open


def test_messages_that_are_lost_late_or_nobodys_are_counted() -> None:
    model = PageModel()
    model.apply(document(1))
    model.apply({"k": "snapshot", "t": 0, "d": 1, "n": 0, "why": "start", "ops": [["doc", 1, ["#document", {}, "a"]]]})
    model.apply({"k": "mutation", "t": 1, "d": 1, "n": 3, "ops": [["text", 2, "b"]]})
    model.apply({"k": "mutation", "t": 1, "d": 1, "n": 2, "ops": [["text", 2, "late"]]})
    model.apply({"k": "mutation", "t": 1, "d": 9, "n": 0, "ops": []})
    assert model.documents[1].lost == 2 and model.error_count == 2
    assert "".join(model.documents[1].iter_canonical_lines()) == "D1\nT2 b\n)\n"


def test_an_embed_may_come_before_or_after_its_document() -> None:
    for events in ([document(2), None], [None, document(2)]):
        model = PageModel()
        for event in events:
            model.apply(event or {"k": "embed", "t": 0, "d": 2, "parent": 1, "node": 7})
        assert model.documents[2].parent == (1, 7) and model.error_count == 0


def test_the_sample_ends_as_its_story_says(tmp_path: Path) -> None:
    write_sample(tmp_path / "a.reel")
    model = PageModel()
    with open_reel(tmp_path / "a.reel") as reel:
        for event in reel.timeline():
            model.apply(event)
    shop = model.documents[1]
    assert shop.root is not None and shop.find_element_by_id("nosuch") is None
    app = shop.find_element_by_id("app")
    assert app is not None and get_text_content(app).endswith("Your card was declined, Priya.")
    assert model.documents[2].parent == (1, 301) and model.documents[2].ended
    assert shop.nodes[1].state == {"scroll": [0.0, 120.0]}
    assert [node.name for node in iter_light_nodes(shop.root) if node.name == "slot"] == []
    assert [node.name for node in iter_nodes(shop.root) if node.name == "slot"] == ["slot"]


# -- the door ----------------------------------------------------------------------------------------------------------


def test_every_event_of_the_sample_follows_the_format(tmp_path: Path) -> None:
    write_sample(tmp_path / "a.reel")
    with open_reel(tmp_path / "a.reel") as reel:
        for event in reel.events():
            require_valid_event(event)
        assert reel.invalid_count == 0


CHECKPOINT = {"k": "checkpoint", "t": 0, "d": 1, "n": 0, "digest": "00000000", "nodes": 1}


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ({}, "without a kind"),
        ({"k": 1}, "without a kind"),
        ({"k": "mark", "name": "x"}, "missing required field `t`"),
        ({"k": "mark", "t": "1", "name": "x"}, "Expected `float`"),
        ({"k": "mark", "t": 1e300, "name": "x"}, "<= 1000000000000"),
        ({"k": "location", "t": 0, "d": 0, "n": 0, "url": ""}, ">= 1"),
        ({"k": "pointer", "t": 0, "d": 1, "n": 0, "points": [[0, 1]], "type": "mouse"}, "length 3"),
        ({"k": "resource", "t": 0, "sha256": "zz", "mime": "", "size": 0}, "regex"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": {}}, "array"),
        ({**CHECKPOINT, "look": {"view": [1, 2, 3]}}, "length 4"),
        ({**CHECKPOINT, "look": {"view": [1, 2, 0, 0], "styles": ["url(http://x)"]}}, "regex"),
        ({**CHECKPOINT, "look": {"view": [1, 2, 0, 0], "boxes": [["1", 0]]}}, "float"),
        ({**CHECKPOINT, "look": {"view": [1, 2, 0, 0], "media": [[1, 2, 3, 4]]}}, "<= 2"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [[]]}, "op 0"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["focus", 0], ["text", 1]]}, r"op 1 \(text\)"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["add", 0, 1, "x"]]}, r"op 0 \(add\)"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["add", 1, 2, True]]}, "no node"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["add", 1, 2, ["p", {"a": 1}]]]}, "no text"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["add", 1, 2, ["#document", {}]]]}, "where none can be"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["add", 1, 2, ["p"]]]}, "without attributes"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["attr", 1, {"a": 1}]]}, r"op 0 \(attr\)"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["open", 1, "loud"]]}, r"op 0 \(open\)"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["scroll", 1, float("nan"), 0]]}, r"op 0 \(scroll\)"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["scroll", 1, 0, 9, 2]]}, r"op 0 \(scroll\)"),
        ({"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["pointed", 1, "2", 0]]}, r"op 0 \(pointed\)"),
    ],
)  # fmt: skip
def test_what_breaks_the_format_is_said(event: Event, says: str) -> None:
    with pytest.raises(ReelError, match=says):
        require_valid_event(event)


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def test_depth_is_bounded_everywhere() -> None:
    chain: Any = ["p", {}]
    for _ in range(250):
        chain = ["p", {}, chain]
    for event in (
        {"k": "note", "t": 0, "id": 1, "text": "", "attributes": {"a": nested(300)}},
        {"k": "mark", "t": 0, "name": "", "extra": nested(300)},
        {"k": "new kind", "value": nested(50_000)},
        {"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["add", 1, 2, chain]]},
        {"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["new op", nested(300)]]},
    ):
        assert "deep" in (find_event_problem(event) or "")


def test_what_is_new_passes() -> None:
    for event in (
        {"k": "aura", "t": 0, "x": {"y": [1]}},
        {"k": "mark", "t": 0.5, "name": "a", "colour": {"r": 1}},
        {"k": "mutation", "t": 0, "d": 1, "n": 0, "ops": [["states", 4, ["open"]], ["aura", 3, {"x": 1}]]},
    ):
        assert find_event_problem(event) is None
