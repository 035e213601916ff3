"""Several recordings of one run as one: on one clock, nothing of them mixed up, masked as one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagereel import build, open_recording
from pagereel.errors import UsageError
from pagereel.player_build import unpack_replay
from pagereel.reel import PageModel, ReelWriter, find_event_problem, open_reel
from pagereel.sources import join_recordings
from tests.redaction.reels import Maker

NAME = "Priya Raghunathan"


def made(path: Path, agent: str | None, started: float, *lines: str, steps: int = 1, **header: Any) -> Path:
    maker = Maker(path, agent=agent, started=started, **header)
    maker.put("page", page=1, event="open", url="https://shop.example/")
    maker.body(["p", {}, lines[0]])
    for number in range(1, steps + 1):
        maker.put("step", id=number * 10, title=f"{agent} {number}", parent=None)
        maker.put("said", id=number * 10 + 1, role="user", content=f"see pagereel:screenshot/{number * 10 + 2}")
        maker.put("screenshot", id=number * 10 + 2, step=number * 10, page=1, label="seen", body="0" * 64, boxes=[])
        maker.put(
            "llm", id=number * 10 + 3, step=number * 10, model="m", said=[number * 10 + 1], tools=[], attributes={}
        )
        maker.put(
            "request", id="r1", page=1, d=1, method="GET", url=f"https://{agent}.example/", type="fetch", headers={}
        )
        maker.put("response", id="r1", status=200, headers={}, end=maker.t + 17, size=3)
        maker.t += 100
        maker.put("step_end", id=number * 10, success=True)
    for line in lines[1:]:
        maker.ops(["text", 6, line])
    return maker.done()


def events_of(path: Path) -> list[dict[str, Any]]:
    with open_reel(path) as reel:
        events = list(reel.timeline())
    assert [wrong for event in events if (wrong := find_event_problem(event))] == []
    return events


def test_parts_stand_on_one_clock_and_share_no_number(tmp_path: Path) -> None:
    a = made(tmp_path / "a.reel", "planner", 1_000, "plan", steps=3, id="aa" * 16)
    b = made(tmp_path / "b.reel", "buyer", 1_250, "shop", "shop sold", steps=2, id="bb" * 16)
    joined = join_recordings([b, a], tmp_path / "joined.reel")
    assert [(part.agent, part.begins, part.by) for part in joined.parts] == [
        ("planner", 0, "clock"),
        ("buyer", 250, "clock"),
    ]
    assert "within 10 ms" in " ".join(joined.notes)
    events = events_of(joined.path)
    assert [event["t"] for event in events] == sorted(event["t"] for event in events)
    ids = [event["id"] for event in events if event["k"] in ("step", "said", "screenshot", "llm")]
    assert len(ids) == len(set(ids)) == 5 * 4
    steps = {event["id"]: event for event in events if event["k"] == "step"}
    assert sorted((step["agent"], step["title"]) for step in steps.values()) == [
        ("buyer", "buyer 1"), ("buyer", "buyer 2"), ("planner", "planner 1"), ("planner", "planner 2"), ("planner", "planner 3"),
    ]  # fmt: skip
    said = {event["id"]: event for event in events if event["k"] == "said"}
    pictures = {event["id"]: event for event in events if event["k"] == "screenshot"}
    for call in (event for event in events if event["k"] == "llm"):
        (message,) = call["said"]
        picture = int(said[message]["content"].rpartition("/")[2])
        assert call["agent"] == steps[call["step"]]["agent"] == pictures[picture]["agent"]
        assert pictures[picture]["step"] == call["step"]
    requests = {event["id"]: event for event in events if event["k"] == "request"}
    assert set(requests) == {"r1", "1.r1"}
    assert {requests[event["id"]]["url"] for event in events if event["k"] == "response"} == {
        "https://planner.example/",
        "https://buyer.example/",
    }
    assert all(event["end"] - event["t"] == 7 for event in events if event["k"] == "response")
    model = PageModel()
    for event in events:
        model.apply(event)
    assert {document.page for document in model.documents.values()} == {1, 2}
    said_at_end = {page["text"] for page in open_recording(joined.path).text()}
    assert said_at_end == {"plan", "shop sold"}


def test_a_part_does_not_begin_before_it_was_begun(tmp_path: Path) -> None:
    a = Maker(tmp_path / "a.reel", agent="planner", started=5_000.0, id="aa" * 16)
    a.put("step", id=1, title="Hand over", parent=None)
    a.t = 800
    a.put("handed_on", id=2, step=1, span="12" * 8)
    a.put("step_end", id=1, success=True)
    b = Maker(tmp_path / "b.reel", agent="buyer", started=5_300.0, id="bb" * 16, parent="12" * 8, trace="aa" * 16)
    b.put("step", id=1, title="Buy", parent=None)
    c = Maker(
        tmp_path / "c.reel", agent="packer", started=5_350.0, id="cc" * 16, parent=("bb" * 16)[:16], trace="aa" * 16
    )
    c.put("step", id=1, title="Pack", parent=None)
    joined = join_recordings([each.done() for each in (a, b, c)], tmp_path / "joined.reel")
    first, second, third = joined.parts
    assert (second.begins - first.begins, second.by, second.moved) == (second.begins, "trace", second.begins - 300)
    assert second.begins >= 800 and third.begins >= second.begins
    steps = {event["title"]: event for event in events_of(joined.path) if event["k"] == "step"}
    assert steps["Buy"]["parent"] == steps["Hand over"]["id"] and steps["Pack"]["parent"] is None
    assert any("later than its machine's clock says" in note for note in joined.notes)


def test_agents_of_one_name_are_told_apart_and_a_nameless_one_is_called_as_its_file(tmp_path: Path) -> None:
    paths = [made(tmp_path / f"{name}.reel", agent, 1_000 + n, "x", id=f"{n}{n}" * 16) for n, (name, agent) in enumerate((("a", "bot"), ("b", "bot"), ("c", None)), 1)]  # fmt: skip
    assert [part.agent for part in join_recordings(paths, tmp_path / "joined.reel").parts] == ["bot", "bot (2)", "c"]


def test_what_is_no_part_of_one_run_is_refused(tmp_path: Path) -> None:
    a = made(tmp_path / "a.reel", "a", 1_000, "x", id="aa" * 16)
    late = made(tmp_path / "late.reel", "b", 1_000 + 30 * 3_600_000, "x", id="bb" * 16)
    for paths, said in (([a], "two"), ([a, a], "twice"), ([a, late], "30 hours")):
        with pytest.raises(UsageError, match=said):
            join_recordings(paths, tmp_path / "joined.reel")


def test_a_part_that_was_not_closed_is_told_and_the_rest_plays(tmp_path: Path) -> None:
    a = made(tmp_path / "a.reel", "a", 1_000, "x", id="aa" * 16)
    writer = ReelWriter(tmp_path / "b.reel", {"started": 1_100.0, "id": "bb" * 16, "agent": "b"})
    writer.write({"k": "note", "t": 5.0, "id": 1, "text": "still here"})
    writer.flush()
    joined = join_recordings([a, tmp_path / "b.reel"], tmp_path / "joined.reel")
    events = events_of(joined.path)
    assert [event["reason"] for event in events if event["k"] == "gap"] == ["unsealed"]
    assert "still here" in json.dumps(events)


def test_one_replay_of_several_has_one_stand_in_for_one_person_and_none_of_the_values(tmp_path: Path) -> None:
    a = made(
        tmp_path / "a.reel", "planner", 1_000, f"Customer {NAME}", id="aa" * 16, tenant="Quartz Holdings", user="priya7"
    )
    b = made(
        tmp_path / "b.reel", "buyer", 1_250, f"Customer {NAME}", id="bb" * 16, tenant="Quartz Holdings", user="priya7"
    )
    report = build([a, b], tmp_path / "run.html")
    built = unpack_replay((tmp_path / "run.html").read_bytes())
    whole = json.dumps([built.index, *built.events], ensure_ascii=False)
    for value in (NAME, "Raghunathan", "Quartz", "priya7"):
        assert value not in whole
    texts = {page["text"] for page in open_recording(tmp_path / "run.html").text()}
    assert len(texts) == 1 and texts != {f"Customer {NAME}"}
    assert built.index["info"]["whose"] == {"1": "planner", "2": "buyer"}
    assert [part["agent"] for part in built.index["info"]["parts"]] == ["planner", "buyer"]
    assert report.notes and built.index["info"]["tenant"] and built.index["info"]["user"]
