"""`verify` and `checkpoints` see what is wrong with a reel, and say it; timelines are in order; old formats are brought
up to date.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagereel.errors import ReelError
from pagereel.reel import Event, PageModel, ReelWriter, compare_checkpoints, encode_event, open_reel, verify
from pagereel.reel import reader as reader_module
from pagereel.reel.migrations import migrate_event
from pagereel.reel.repeated_texts import RepeatedTextTable
from pagereel.reel.timeline import ZstdFrameLineCache, sort_by_time

from .as_told import AsTold
from .sample import write_sample


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    write_sample(tmp_path / "sample.reel")
    return tmp_path / "sample.reel"


def rewrite(source: Path, change: Any) -> Path:
    """The reel again, with each event replaced by what `change` makes of it (``None``: left out)."""
    target = source.with_name("changed.reel")
    with open_reel(source) as reel, AsTold(target, reel.header) as writer:
        for event in reel.events():
            if event["k"] not in ("reel", "end") and (changed := change(dict(event))) is not None:
                writer.write(changed)
    return target


def test_a_sound_reel_holds(sample: Path) -> None:
    report = verify(sample)
    assert report.ok and report.problems == []
    assert (report.checkpoints.equal, report.checkpoints.total) == (6, 6)
    assert str(report.checkpoints) == "tree equal at 6 of 6 checkpoints"
    assert report.resources == 7


def test_an_unsealed_reel_does_not_hold_and_its_checkpoints_still_do(tmp_path: Path) -> None:
    write_sample(tmp_path / "a.reel", seal=False)
    report = verify(tmp_path / "a.reel")
    assert not report.ok and "unsealed" in report.problems[0]
    assert report.checkpoints.equal == report.checkpoints.total == 6


def test_damage_is_named(sample: Path) -> None:
    data = bytearray(sample.read_bytes())
    data[-1] ^= 1
    sample.write_bytes(data)
    report = verify(sample)
    assert not report.ok and report.damage is not None
    assert f"frame {report.damage.frame} at byte {report.damage.offset}" in report.problems[0]


def test_a_difference_names_the_checkpoint(sample: Path) -> None:
    def change(event: Event) -> Event:
        if event["k"] == "mutation" and event["t"] == 970:
            event["ops"] = [op for op in event["ops"] if op[0] != "text"]  # type: ignore[union-attr, index]
        return event

    changed = rewrite(sample, change)
    with open_reel(changed) as reel:
        result = compare_checkpoints(reel)
    assert (result.equal, result.total) == (3, 6)
    assert result.first_difference is not None and result.first_difference.t == 1300
    assert "document 1 (https://shop.example/catalogue?session=s-4711) at 1300 ms" in str(result.first_difference)
    assert not verify(changed).ok
    assert msgspec.to_builtins(result)["first_difference"]["d"] == 1


def test_lost_messages_fail_unless_a_gap_owns_up_to_them(sample: Path) -> None:
    def lose(event: Event) -> Event | None:
        return None if event["k"] == "pointer" else event

    report = verify(rewrite(sample, lose))
    assert report.lost == 1 and not report.ok and "no gap says so" in report.problems[0]

    def own_up(event: Event) -> Event:
        if event["k"] == "pointer":
            return {"k": "gap", "t": event["t"], "reason": "lost", "d": 1, "count": 1}
        return event

    report = verify(rewrite(sample, own_up))
    assert report.lost == report.lost_said == 1 and report.ok


def test_wrong_ops_events_and_resources_are_counted(sample: Path) -> None:
    def change(event: Event) -> Event:
        if event["k"] == "mutation" and event["t"] == 505:
            event["ops"] = [["text", 9999, "x"], *event["ops"]]  # type: ignore[misc, list-item]
        if event["k"] == "mark":
            event["name"] = None
        if event["k"] == "resource" and event["mime"] == "text/css":
            event["text"] = "body{}"
        if event["k"] == "screenshot":
            event["body"] = "0" * 64
        return event

    report = verify(rewrite(sample, change))
    assert (report.model_errors, report.invalid_count, report.resources_wrong, report.resources_missing) == (1, 2, 1, 1)
    assert "there is no node 9999" in report.model_problems[0]
    assert len(report.problems) == 4


# -- the timeline ------------------------------------------------------------------------------------------------------


def test_events_are_told_in_the_order_in_which_they_happened(tmp_path: Path) -> None:
    events: list[Event] = [
        {"k": "location", "t": 50, "d": 1, "n": 1, "url": "b"},
        {"k": "mark", "t": 40, "name": "x"},
        {"k": "location", "t": 30, "d": 1, "n": 0, "url": "a"},
        {"k": "location", "t": 45, "d": 1, "n": 2, "url": "c"},  # a clock that went back
        {"k": "mark", "t": 50, "name": "y"},
        {"k": "location", "t": 50, "d": 2, "n": 0, "url": "d"},
        {"k": "mark", "t": 45, "name": "z"},
    ]
    with ReelWriter(tmp_path / "a.reel", {}, flush_ms=0) as writer:
        for event in events:
            writer.write(event)
    with open_reel(tmp_path / "a.reel") as reel:
        told = [event.get("name") or event["url"] for event in reel.timeline() if event["k"] in ("mark", "location")]
    assert told == ["a", "x", "z", "b", "c", "y", "d"]


@settings(max_examples=300, deadline=None)
@given(
    events=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), max_size=30),
    shuffle=st.randoms(use_true_random=False),
)
def test_no_message_overtakes_another_and_time_never_goes_back_elsewhere(events: Any, shuffle: Any) -> None:
    numbers: dict[int, int] = {}
    rows = []
    for t, d in events:
        numbers[d] = numbers.get(d, -1) + 1
        rows.append((float(t), d, numbers[d] if d else -1))
    shuffle.shuffle(rows)
    told = [rows[index] for index in sort_by_time([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows])]
    assert sorted(told) == sorted(rows)
    for d in (1, 2):
        assert [n for _, of, n in told if of == d] == sorted(n for _, of, n in rows if of == d)
    free = [t for t, d, _ in told if d == 0]
    assert free == sorted(free)
    assert [row for row in told if row[1] == 0] == sorted((row for row in rows if row[1] == 0), key=lambda row: row[0])


def test_the_timeline_needs_only_the_frames_it_is_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "_CACHE_BYTES", 1)
    with ReelWriter(tmp_path / "a.reel", {}, compact=False) as writer:
        for t in (5, 1, 9, 3, 7, 0, 8, 2):
            writer.write({"k": "mark", "t": t, "name": str(t)})
            writer.flush()
    with open_reel(tmp_path / "a.reel") as reel:
        assert [event["t"] for event in reel.timeline() if event["k"] == "mark"] == [0, 1, 2, 3, 5, 7, 8, 9]


def _drawn(*messages: Event) -> Iterator[Event]:
    yield {"k": "document", "t": 0, "d": 1, "page": 1, "frame": "F", "url": "https://a.example/", "top": True,
           "viewport": {"w": 1, "h": 1, "dpr": 1}, "mode": "CSS1Compat"}  # fmt: skip
    yield {
        "k": "snapshot",
        "t": 0,
        "d": 1,
        "n": 0,
        "why": "start",
        "ops": [["doc", 1, ["#document", {}, ["html", {}]]]],
    }
    yield from messages


def test_each_line_of_ops_is_read_once_and_a_frame_is_held_until_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a page that changes all the time these are nearly all bytes: eight hours of it took twice as long."""
    with AsTold(tmp_path / "a.reel", {}, compact=False) as writer:
        for event in _drawn():
            writer.write(event)
        for n in range(1, 40):
            writer.write({"k": "mutation", "t": n, "d": 1, "n": n, "ops": [["add", 2, n * 9, ["p", {}, "x" * 300]]]})
            writer.flush()
    read: list[bytes] = []
    held: list[int] = []
    whole, line = RepeatedTextTable.expand_line, ZstdFrameLineCache.get_line
    monkeypatch.setattr(RepeatedTextTable, "expand_line", lambda self, data: read.append(data) or whole(self, data))

    def taken(self: ZstdFrameLineCache, frame: int, number: int) -> bytes:
        found = line(self, frame, number)
        held.append(len(self._held))
        return found

    monkeypatch.setattr(ZstdFrameLineCache, "get_line", taken)
    with open_reel(tmp_path / "a.reel") as reel:
        assert [event["n"] for event in reel.timeline() if "ops" in event] == list(range(40))
        assert sorted(Counter(data for data in read if b'"ops":' in data).values()) == [1] * 40
        assert len(held) == 43 and max(held) == 1


def test_ops_that_do_not_follow_the_format_are_passed_over_and_told_each_time(tmp_path: Path) -> None:
    def add(n: int, *tree: Any) -> Event:
        return {"k": "mutation", "t": n, "d": 1, "n": n, "ops": [["add", 2, n * 9, *tree]]}

    twice = encode_event(add(3, "never told"))[:-1] + b',"t":7}'
    with AsTold(tmp_path / "a.reel", {}) as writer:
        for event in _drawn(add(1, "one"), add(2, ["p"])):
            writer.write(event)
        writer._add_line(add(3), twice)
        for event in (add(4, "four"), add(5, [1, {}]), {"k": "mark", "t": 6, "name": None}, add(8, "eight")):
            writer.write(event)
    with open_reel(tmp_path / "a.reel") as reel:
        told = list(reel.events())
        reasons = [str(each) for each in reel.invalid]
        assert len(reasons) == reel.invalid_count == 3, "in the order of the file there is nothing that is said twice"
        for _ in range(2):
            assert [event["n"] for event in reel.timeline() if event["k"] == "mutation"] == [1, 4, 8]
            assert reel.invalid_count == 4
            found = {str(each) for each in reel.invalid}
            assert found > set(reasons) and "whose it is, or when it was" in str(found - set(reasons))
        assert [event["n"] for event in told if event["k"] == "mutation"] == [1, 3, 4, 8]


@pytest.mark.parametrize("most", [1 << 20, 1])
def test_a_short_recording_that_is_kept_is_read_once_and_playing_it_changes_nothing(
    sample: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(reader_module, "_KEPT_BYTES", most)
    with open_reel(sample) as reel:
        read = list(reel.timeline())
    with open_reel(sample) as reel:
        reel.cache_timeline_events()
        for _ in range(2):
            model = PageModel()
            for event in reel.timeline():
                model.apply(event)
        again = list(reel.timeline())
        assert again == read
        assert all(one is other for one, other in zip(again, reel.timeline(), strict=True)) == (most > 1)
    with pytest.raises(ReelError):
        next(reel.timeline())


# -- older formats -----------------------------------------------------------------------------------------------------


def test_old_events_go_through_each_step_once() -> None:
    def first(event: Event) -> list[Event]:
        return [{**event, "steps": [1]}]

    def second(event: Event) -> list[Event]:
        return [{**event, "steps": [*event["steps"], 2], "half": half} for half in (1, 2)]  # type: ignore[misc]

    steps: Any = {1: first, 2: second}
    assert migrate_event({"k": "x"}, 3, target=3, steps=steps) == [{"k": "x"}]
    assert migrate_event({"k": "x"}, 2, target=3, steps={2: first}) == [{"k": "x", "steps": [1]}]
    assert migrate_event({"k": "x"}, 1, target=3, steps=steps) == [
        {"k": "x", "steps": [1, 2], "half": 1},
        {"k": "x", "steps": [1, 2], "half": 2},
    ]


def test_a_reel_of_an_older_format_is_read_as_one_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ReelWriter(tmp_path / "a.reel", {}, compact=False) as writer:
        for t in (3, 1, 2):
            writer.write({"k": "moment", "t": t, "label": f"m{t}"})

    def step(event: Event, *_: Any) -> list[Event]:
        if event["k"] != "moment":
            return [event]
        mark: Event = {"k": "mark", "t": event["t"], "name": event["label"]}
        return [mark, {**mark, "t": 10, "name": f"{event['label']} again"}]

    monkeypatch.setattr(reader_module, "EVENTS_SINCE", 3)
    monkeypatch.setattr(reader_module, "migrate_event", step)
    with open_reel(tmp_path / "a.reel") as reel:
        assert [event["name"] for event in reel.events() if event["k"] == "mark"][:2] == ["m3", "m3 again"]
        told = [event["name"] for event in reel.timeline() if event["k"] == "mark"]
    assert told == ["m1", "m2", "m3", "m3 again", "m1 again", "m2 again"]
