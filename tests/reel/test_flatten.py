"""``flatten``: the state at a moment as first events, with the ids and numbers that it had, and nothing from before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagereel.reel import DocumentModel, Event, PageModel, build_state_events, find_event_problem, open_reel
from pagereel.reel.state_events import build_document_ops

from .flat import check_moment
from .sample import write_sample
from .test_model import check_links, deep_ops, sequences


@settings(max_examples=150, deadline=None)
@given(ops=sequences(), depth=st.integers(1, 5))
def test_any_document_is_made_again_with_its_ids(ops: list[Any], depth: int) -> None:
    model, again = DocumentModel(1), DocumentModel(1)
    model.apply(ops)
    written = build_document_ops(model, 0, depth=depth)
    again.apply(written)
    assert again.problems == []
    assert list(again.iter_canonical_lines()) == list(model.iter_canonical_lines())
    check_links(again)
    assert find_event_problem({"k": "snapshot", "t": 0, "d": 1, "n": 0, "why": "flat", "ops": written}) is None


def test_a_page_of_which_nothing_went_is_one_tree_and_one_that_is_deep_nests_no_deeper_than_it_may() -> None:
    model, again = DocumentModel(1), DocumentModel(1)
    model.apply([["doc", 1, ["#document", {}, ["p", {}, "a"], ["p", {}, ["#shadow", {"mode": "open"}, "b"], "c"]]]])
    assert len(build_document_ops(model, 0)) == 1
    model.apply(deep_ops(500))
    again.apply(build_document_ops(model, 0))
    assert again.compute_digest() == model.compute_digest()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    path = tmp_path_factory.mktemp("flat") / "sample.reel"
    write_sample(path)
    with open_reel(path) as reel:
        return list(reel.timeline())


def test_every_moment_of_the_sample(sample: list[Event]) -> None:
    shown = [len(check_moment(sample, moment).documents) for moment in range(1, len(sample), 3)]
    assert max(shown) == 2


def test_what_was_before_is_not_in_it() -> None:
    model = PageModel()
    n = {1: -1, 2: -1, 3: -1, 4: -1}

    def put(k: str, d: int = 0, **fields: Any) -> None:
        if k in ("snapshot", "mutation", "location"):
            n[d] += 1
            fields["n"] = n[d]
        model.apply({"k": k, "t": 10.0 * sum(n.values()), **({"d": d} if d else {}), **fields})

    def begin(d: int, page: int, body: list[Any], top: bool = True) -> None:
        view = {"w": 8, "h": 6, "dpr": 1}
        put("document", d, page=page, frame="F", url="/GONE-url", top=top, viewport=view, mode="CSS1Compat", title="GONE title", referrer="GONE-from")  # fmt: skip
        put("snapshot", d, why="start", ops=[["doc", 1, ["#document", {}, *body]]])

    begin(1, 1, ["GONE document"])
    put("page", page=2, event="open", url="/GONE-page")
    begin(2, 2, ["GONE page"])
    put("page", page=2, event="close")
    begin(3, 1, [["title", {}, "GONE"], ["input", {"class": "GONE"}], ["video", {}], ["iframe", {}], ["style", {}]])
    put("embed", 4, parent=3, node=6)
    begin(4, 1, ["GONE frame"], top=False)
    media = {"paused": False, "time": 1, "rate": 2, "volume": 1, "muted": True}
    put("mutation", 3, ops=[
        ["value", 4, "GONE"], ["sheet", 1, 7, "GONE"], ["media", 5, media], ["anims", 1, {"type": "script", "time": 5, "keyframes": [{"a": "GONE"}]}, "", 4],
        ["anims", 2, {"type": "css", "time": 5}, "still here", 5], ["cues", 5, [[0, 1.2, "GONE", {}], [1, 90, "being said", {}]]],
        ["highlight", "GONE", 1, [3, 0, 3, 1]], ["states", 4, ["state(GONE)"]], ["bubble", 4, 1, "GONE", ""], ["focus", 4, 1],
    ])  # fmt: skip
    put("mutation", 3, ops=[
        ["text", 3, "now"], ["attr", 4, {"class": "now"}], ["value", 4, "now"], ["sheet", 1, 7, "now{}"], ["unanim", 1], ["del", 6],
        ["highlight", "GONE", 1, []], ["states", 4, []], ["bubble", 0],
    ])  # fmt: skip
    put("location", 3, url="/now")
    flat = build_state_events(model, 1_000)
    assert "GONE" not in json.dumps(flat)
    assert [(e["k"], e.get("d")) for e in flat] == [("page", None), ("document", 3), ("snapshot", 3)]
    assert flat[1]["title"] == "now" and flat[1]["url"] == "/now" and flat[2]["n"] == 3
    told = {op[0]: op for op in flat[2]["ops"]}  # type: ignore[index, union-attr]
    begun = model.documents[3].told["media", 5]
    assert told["media"][2]["time"] == 1 + 2 * (1_000 - begun) / 1000
    assert told["anims"] == ["anims", 2, {"type": "css", "time": 5 + 1_000 - begun, "rate": 1, "running": True}, "still here", 5]  # fmt: skip
    assert told["cues"][2] == [[1, 90, "being said", {}]]
    assert told["focus"] == ["focus", 4, 1]


def test_a_hole_after_it_is_still_a_hole(sample: list[Event], tmp_path: Path) -> None:
    model, again = PageModel(), PageModel()
    for event in sample[: len(sample) // 2]:
        model.apply(event)
    for event in build_state_events(model, model.time):
        again.apply(event)
    d, document = next(iter(again.documents.items()))
    again.apply({"k": "location", "t": 0, "d": d, "n": document.n + 3, "url": "/"})
    assert document.lost == 2
