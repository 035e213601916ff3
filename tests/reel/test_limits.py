"""Whatever is told to a writer, what it wrote is read whole: cut or left out where it is more than a recording holds, and said."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pagereel.errors import ReelError
from pagereel.reel import Event, PageModel, ReelWriter, limits, open_reel, verify, writer
from pagereel.reel.kinds import KINDS
from pagereel.reel.ops import OPS
from tests.redaction.reels import Maker

from .as_told import AsTold

_SIZES = st.sampled_from([0, 1, 3, 99, 200, 1025, 5_000])
_TEXTS = st.builds(
    lambda letter, size: letter * size, st.sampled_from(["x", '"', "\\", "☃", "\x00", "\ud800", ","]), _SIZES
)
_NUMBERS = st.integers(-(2**60), 2**60) | st.floats() | st.sampled_from([2e9, -1e13, 1e300])
_LEAVES = st.none() | st.booleans() | _NUMBERS | _TEXTS
_JSON = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=3), max_leaves=8
)
_DEEP = st.integers(1, 400).map(lambda depth: _nested(depth))
_VALUES = _JSON | _DEEP | st.builds(lambda value, size: [value] * size, _LEAVES, _SIZES)
_OPS = st.lists(
    st.builds(lambda name, parts: [name, *parts], st.sampled_from(sorted(OPS)) | _TEXTS, st.lists(_VALUES, max_size=4)),
    max_size=5,
)


def _nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


@st.composite
def _events(draw: st.DrawFn) -> Event:
    """An event of any kind whose fields hold anything, most of it what the field may hold."""
    kind = draw(st.sampled_from(sorted(set(KINDS) - {"reel", "end"})) | st.just("a kind of later"))
    event: Event = {"k": kind, "t": draw(st.integers(0, 10**6) | _NUMBERS)}
    if kind in KINDS:
        for name in KINDS[kind].type.__struct_fields__:
            if name not in ("t", "from_") and draw(st.booleans()):
                event[name] = draw(_OPS if name == "ops" else st.integers(1, 9) | st.just("a word") | _VALUES)
    else:
        event["any"] = draw(_VALUES)
    return event


def _read(path: Path, events: int) -> list[Event]:
    """All of a reel, which must be whole."""
    with open_reel(path) as reel:
        assert reel.damage is None and reel.sealed
        found = list(reel.timeline())
        assert reel.invalid_count == 0, reel.invalid
        assert sorted(map(str, reel.events())) == sorted(map(str, found))
    assert len(found) == events
    return found


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(events=st.lists(_events(), max_size=4))
@example(
    events=[{"k": "response", "t": 1, "id": 1, "status": 200, "headers": {}, "end": 1, "size": 1, "mime": "x" * 3_000}]
)
@example(events=[{"k": "alias", "t": 0, "page": 0}])
@example(events=[{"k": "of later", "t": 1e12 + 1}, {"k": "alias", "t": 0}])
@example(events=[{"k": "mutation", "t": 1, "d": 1, "n": 1, "ops": [["states", 4, ["x"] * 400], ["del", 4]]}])
def test_what_was_written_is_read_whole_whatever_was_told(tmp_path: Path, events: list[Event]) -> None:
    told = 0
    with ReelWriter(tmp_path / "a.reel", {"started": 0}, flush_ms=1e9) as writing:
        for event in events:
            try:
                told += writing.write(event) is event
            except ReelError:  # no JSON: who writes is told at once
                told += 1
        cut = writing.cut
    found = _read(tmp_path / "a.reel", writing.events)
    gaps = [event for event in found if event["k"] == "gap" and event.get("reason") == "oversize"]
    assert len(gaps) >= cut and told + cut == len(events), "what was not written as it was told is said"


def test_a_word_a_number_and_an_op_past_their_limits_are_cut_and_the_rest_of_the_event_stays(tmp_path: Path) -> None:
    with ReelWriter(tmp_path / "a.reel", {"started": 0}) as writing:
        writing.write(
            {"k": "mouse", "t": 1, "d": 1, "n": 0, "type": "click" * 900, "node": 4, "x": 1e12, "y": 5, "button": 0}
        )
        writing.write(
            {"k": "mutation", "t": 2, "d": 1, "n": 1, "ops": [["text", 4, "kept"], ["states", 4, ["x"] * 400]]}
        )
        writing.write({"k": "error", "t": 3, "page": 1, "message": "kept", "stack": 7})
        writing.write({"k": "error", "t": 4, "page": 1, "stack": "there is nothing to say"})
    mouse, gap, mutation, _, error, _, last, _ = _read(tmp_path / "a.reel", writing.events)[1:]
    assert (mouse["type"], mouse["x"]) == (("click" * 900)[: limits.NAME_LENGTH], 1e9)
    assert gap["reason"] == "oversize" and gap["d"] == 1 and "$.type" in str(gap["detail"])
    assert mutation["ops"] == [["text", 4, "kept"]]
    assert error == {"k": "error", "t": 3, "page": 1, "message": "kept"}
    assert last["k"] == "gap" and "it was left out" in str(last["detail"])


def test_a_long_attribute_is_cut_and_what_follows_is_read(tmp_path: Path) -> None:
    with ReelWriter(tmp_path / "a.reel", {"started": 0}) as writing:
        writing.write({"k": "mutation", "t": 1, "d": 1, "n": 0, "ops": [["attr", 4, {"title": "x" * 34_000_000}]]})
        writing.write({"k": "note", "t": 2, "id": 1, "text": "after"})
    mutation, gap, note, _ = _read(tmp_path / "a.reel", writing.events)[1:]
    assert mutation["ops"] == [["attr", 4, {"title": "x" * limits.TEXT_LENGTH}]]
    assert gap["d"] == 1 and "its texts were cut to 16,777,216 characters" in str(gap["detail"])
    assert note["text"] == "after"


def test_a_message_of_too_many_parts_is_left_out_and_what_follows_is_read(tmp_path: Path) -> None:
    with ReelWriter(tmp_path / "a.reel", {"started": 0}) as writing:
        moves: Any = ["move", 4, *range(5, limits.LINE_PARTS + 9)]
        assert writing.write({"k": "mutation", "t": 1, "d": 1, "n": 0, "ops": [moves]}) is None
        writing.write({"k": "note", "t": 2, "id": 1, "text": "after"})
    gap, note, _ = _read(tmp_path / "a.reel", writing.events)[1:]
    assert "more than 1,200,000 parts; it was left out" in str(gap["detail"]) and note["text"] == "after"


def test_a_body_that_no_frame_holds_is_left_out_and_what_follows_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RESOURCE_BYTES", 3 << 20)
    with ReelWriter(tmp_path / "a.reel", {"started": 0}) as writing:
        writing.write(
            {"k": "resource", "t": 1, "sha256": "0" * 64, "mime": "text/plain", "size": 9, "text": "\x00" * (1 << 20)}
        )
        writing.write({"k": "note", "t": 2, "id": 1, "text": "after"})
    gap, note, _ = _read(tmp_path / "a.reel", writing.events)[1:]
    assert "resource: it is larger" in str(gap["detail"]) and note["text"] == "after"


def test_what_waits_for_a_full_disk_is_written_in_frames_that_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PENDING_LIMIT", 100_000)
    with ReelWriter(tmp_path / "a.reel", {"started": 0}, flush_ms=1e9, compact=False) as writing:
        for number in range(1, 9):
            writing.write({"k": "note", "t": number, "id": number, "text": "x" * 40_000})
    assert [event["id"] for event in _read(tmp_path / "a.reel", writing.events)[1:-1]] == list(range(1, 9))
    with open_reel(tmp_path / "a.reel") as reel:
        assert max(frame.bound for frame in reel._frames) < 130_000


# -- a long run --------------------------------------------------------------------------------------------------------


def _table(rows: int) -> Any:
    return [["tr", {}, *[["td", {"class": "c"}, "ok"]] * 4]] * rows


def test_a_table_that_is_drawn_anew_ten_times_a_second_is_read_to_its_end(tmp_path: Path) -> None:
    """Its recording has more texts for each byte than a bomb: the better a run compresses, the longer it may be."""
    m = Maker(tmp_path / "a.reel")
    m.body(["table", {}, ["tbody", {}]])
    first = 7
    for _ in range(400):
        m.ops(["del", first - 1], ["add", 5, first, ["tbody", {}, *_table(100)]])
        first += 1 + 100 * 9
    m.put("note", id=1, text="after")
    m.checkpoint()
    path = m.done()
    assert path.stat().st_size < 60_000
    report = verify(path)
    assert report.ok and report.checkpoints.equal == 1 and report.events == 406


# -- a hostile one -----------------------------------------------------------------------------------------------------


def _limit(monkeypatch: pytest.MonkeyPatch, name: str, value: int) -> None:
    for module in ("model", "document", "document_tree"):
        if hasattr(sys.modules[f"pagereel.reel.{module}"], name):
            monkeypatch.setattr(sys.modules[f"pagereel.reel.{module}"], name, value)


def _document(d: int, page: int = 1, **more: Any) -> Event:
    return {"k": "document", "t": d, "d": d, "page": page, "frame": "F", "url": "https://a.example/", "top": True,
            "viewport": {"w": 1, "h": 1, "dpr": 1}, "mode": "CSS1Compat", **more}  # fmt: skip


def _snapshot(d: int, *children: Any) -> Event:
    ops = [["doc", 1, ["#document", {}, ["html", {}, *children]]]]
    return {"k": "snapshot", "t": d, "d": d, "n": 0, "why": "start", "ops": ops}  # type: ignore[dict-item]


def test_nodes_past_the_limit_are_refused_and_what_takes_some_away_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    _limit(monkeypatch, "LIVE_NODES", 1_000)
    pages = PageModel()
    pages.apply(_document(1))
    pages.apply(_snapshot(1))
    for n in range(1, 50):
        pages.apply({"k": "mutation", "t": n, "d": 1, "n": n, "ops": [["add", 2, n * 100, *["x"] * 100]]})
    assert 1_000 <= len(pages.documents[1].nodes) < 1_101 and "more than 1,000 nodes" in pages.problem_texts[-1]
    assert pages.documents[1].over, "the ops that were refused are known"
    pages.apply({"k": "mutation", "t": 60, "d": 1, "n": 60, "ops": [["del", 2]]})
    assert len(pages.documents[1].nodes) == 1
    pages.apply({"k": "mutation", "t": 61, "d": 1, "n": 61, "ops": [["add", 1, 9_000, ["html", {}]]]})
    assert len(pages.documents[1].nodes) == 2 and not pages.documents[1].over


def test_texts_past_the_limit_are_refused_and_there_is_room_again_when_they_are_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _limit(monkeypatch, "LIVE_TEXT", 100_000)
    pages = PageModel()
    pages.apply(_document(1))
    pages.apply(_snapshot(1, *["x"] * 400))
    for n in range(1, 400):
        pages.apply({"k": "mutation", "t": n, "d": 1, "n": n, "ops": [["text", 2 + n, "x" * 1_000]]})
    held = pages.documents[1].count_characters()
    assert 50_000 < held < 120_000 and "characters" in pages.problem_texts[-1]
    for n in range(400, 790):
        pages.apply(
            {"k": "mutation", "t": n, "d": 1, "n": n, "ops": [["del", 2 + n - 399], ["text", 402, str(n) * 300]]}
        )
    assert pages.documents[1].nodes[402].data == "789" * 300 and not pages.documents[1].over


def test_a_text_that_changes_for_hours_never_runs_out_of_room(monkeypatch: pytest.MonkeyPatch) -> None:
    _limit(monkeypatch, "LIVE_TEXT", 100_000)
    pages = PageModel()
    pages.apply(_document(1))
    pages.apply(_snapshot(1, "x"))
    for n in range(1, 2_000):
        pages.apply({"k": "mutation", "t": n, "d": 1, "n": n, "ops": [["text", 3, f"{n}" * 300]]})
    assert pages.error_count == 0 and pages.documents[1].nodes[3].data == "1999" * 300


def test_documents_that_show_no_more_are_forgotten_and_those_that_do_are_not() -> None:
    pages = PageModel()
    pages.apply(_document(1, 1))
    pages.apply(_snapshot(1, ["iframe", {}]))
    pages.apply(_document(2, 1, top=False))
    pages.apply({"k": "embed", "t": 2, "d": 2, "parent": 1, "node": 3})
    for d in range(3, 2_000):
        pages.apply(_document(d, 2))
        pages.apply(_snapshot(d, "x"))
        pages.apply({"k": "mutation", "t": d, "d": d, "n": 2, "ops": [["text", 99, "x"]]})
    assert len(pages.documents) <= 2 * limits.PAST_DOCUMENTS + 2 and {1, 2, 1_999} <= set(pages.documents)
    assert pages.error_count == 1_997 and pages.lost_message_count == 1_997, "what they lacked is told as before"
    assert pages.problem_texts[0] == "document 3: there is no node 99"


def test_a_line_of_another_program_that_is_past_a_limit_costs_itself_alone(tmp_path: Path) -> None:
    with AsTold(tmp_path / "a.reel", {"started": 0}) as writing:
        writing.write({"k": "note", "t": 1, "id": 1, "text": "before"})
        writing.write({"k": "note", "t": 2, "id": 2, "text": "x" * (limits.LINE_BYTES + 1)})
        writing.write({"k": "note", "t": 3, "id": 3, "text": "after"})
    with open_reel(tmp_path / "a.reel") as reel:
        assert [event["text"] for event in reel.timeline() if event["k"] == "note"] == ["before", "after"]
        assert reel.damage is None and reel.invalid_count == 1 and "is the most" in str(reel.invalid[0])
    assert "1 events do not follow the format" in verify(tmp_path / "a.reel").problems[0]
