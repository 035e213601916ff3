"""Whatever two recordings hold: a comparison ends, says something that is JSON, and a recording is equal to itself."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagereel.comparison import compare, format_as_markdown
from pagereel.reel import Event, ReelWriter, open_reel, pick_header_fields

from ..reel.sample import write_sample
from .runs import Made, purchase


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    folder = tmp_path_factory.mktemp("runs")
    write_sample(folder / "sample.reel")
    with open_reel(purchase(folder / "a.reel")) as one, open_reel(folder / "sample.reel") as other:
        return [*one.timeline(), *(event for event in other.timeline() if event["k"] != "reel")]


def written(path: Path, events: list[Event]) -> Path:
    with ReelWriter(path, pick_header_fields(events[0])) as writer:
        for event in events[1:]:
            if event["k"] not in ("end", "frame"):
                writer.write(event)
    return path


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_events_that_are_gone_doubled_or_late_end_no_comparison(events: list[Event], data: st.DataObject) -> None:
    changed: list[Event] = []
    for event in events:
        fate = data.draw(st.sampled_from(["kept"] * 12 + ["gone", "twice", "late", "other step", "other text"]))
        new = dict(event)
        if fate == "late":
            new["t"] = float(str(event.get("t") or 0)) + 5000
        elif fate == "other step" and "step" in new:
            new["step"] = data.draw(st.integers(1, 12))
        elif fate == "other text":
            new |= {
                name: "\ue000x\ue001 $"
                for name in ("title", "text", "message", "error")
                if isinstance(new.get(name), str)
            }
        changed += [new] * {"gone": 0, "twice": 2}.get(fate, 1)
    if not changed or changed[0]["k"] != "reel":
        changed.insert(0, events[0])
    with tempfile.TemporaryDirectory() as folder:
        a, b = written(Path(folder) / "a.reel", events), written(Path(folder) / "b.reel", changed)
        for pair in ((a, b), (b, a)):
            result = compare(*pair, redaction=None)
            assert json.loads(json.dumps(result.to_json()))["equal"] is result.equal
            assert format_as_markdown(result, *pair)
        assert compare(b, b, redaction=None).equal


def test_steps_that_nest_without_end_are_no_trouble(tmp_path: Path) -> None:
    def nested(path: Path) -> Path:
        run = Made(path)
        for number in range(1, 3000):
            run.script.run("step", float(number), id=number, title=f"Step {number}", parent=number - 1 or None)
        return run.end()

    assert compare(nested(tmp_path / "a.reel"), nested(tmp_path / "b.reel"), redaction=None).equal


def test_runs_that_have_nothing_in_common_are_compared_and_empty_ones_say_so(tmp_path: Path) -> None:
    empty = Made(tmp_path / "empty.reel").end()
    result = compare(purchase(tmp_path / "a.reel"), empty, redaction=None)
    assert not result.equal and any("no calls, clicks or pages" in note for note in result.notes)
    assert compare(empty, empty, redaction=None).equal


def test_a_run_without_calls_is_compared_by_pages_and_clicks(tmp_path: Path) -> None:
    def by_hand(path: Path, label: str) -> Path:
        run = Made(path)
        run.call = lambda *_, **__: None  # type: ignore[method-assign]
        run.open("/", "Shop", "[Buy]")
        button = next(node for node in run.script.model.documents[1].walk() if node.name == "button")
        run.script.page("mouse", run.t, 1, type="click", node=button.id, x=1, y=1, button=0)
        run.show("Thank you", label)
        return run.end()

    a, b = by_hand(tmp_path / "a.reel", "See you"), by_hand(tmp_path / "b.reel", "Good bye")
    result = compare(a, b, redaction=None)
    assert [pair.kind for pair in result.pairs] == ["paired", "paired"]
    assert result.divergence is not None and "“Good bye” instead of “See you”" in result.divergence.summary
