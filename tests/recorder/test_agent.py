"""What the agent tells: any value, from any thread, nested as it happened."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext

from pagereel.recorder import record
from pagereel.recorder.runtime.json_conversion import LIMIT, to_json

from .support import Recorded


def test_calls_results_notes_and_memory_belong_to_their_step(context: BrowserContext, reel: Path) -> None:
    with record(context, reel) as session:
        with session.step("outer"), session.step("inner", reasoning="because"):
            session.llm_call(
                model="m",
                input_tokens=12,
                output_tokens=3,
                cost_usd=0.01,
                prompt=[{"role": "user"}],
                response="r",
                **{"x.y": 1},
            )
            call = session.tool_call("search", {"q": "shoes"})
            session.tool_result(call, ["red"], duration=12.5)
            session.memory_op("write", "size", 42)
        session.note("between")
    recorded = Recorded(reel)
    outer, inner = recorded.of("step")
    assert outer["parent"] is None and inner["parent"] == outer["id"]
    llm = recorded.one("llm")
    assert llm["step"] == inner["id"] and llm["input_tokens"] == 12 and llm["attributes"] == {"x.y": 1}
    assert recorded.one("tool_call")["arguments"] == {"q": "shoes"}
    assert recorded.one("tool_result")["call"] == recorded.one("tool_call")["id"]
    assert recorded.one("memory")["value"] == 42
    assert recorded.one("note")["step"] is None
    ids = [e["id"] for k in ("step", "llm", "tool_call", "tool_result", "memory", "note") for e in recorded.of(k)]
    assert len(ids) == len(set(ids))
    recorded.whole_events()


def test_threads_write_under_the_open_step(context: BrowserContext, reel: Path) -> None:
    with record(context, reel) as session:
        with session.step("spread"), ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda i: session.note(f"n{i}"), range(200)))
        elsewhere = threading.Thread(target=lambda: session.mark("from a thread"))
        elsewhere.start()
        elsewhere.join()
    recorded = Recorded(reel)
    notes = recorded.of("note")
    assert sorted(n["text"] for n in notes) == sorted(f"n{i}" for i in range(200))
    assert {n["step"] for n in notes} == {recorded.one("step")["id"]}
    assert len({n["id"] for n in notes}) == 200
    assert recorded.one("mark")["name"] == "from a thread"


class Model:
    def model_dump(self) -> dict[str, Any]:
        return {"of": "pydantic"}


class Angry:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def model_dump(self) -> dict[str, Any]:
        raise RuntimeError("no dump")


@dataclass
class Point:
    x: int
    y: object


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({1: "a", None: 2}, {"1": "a", "null": 2}),
        (Model(), {"of": "pydantic"}),
        (Point(1, {3}), {"x": 1, "y": [3]}),
        (b"\0" * 5, "<5 bytes>"),
        (10**30, str(10**30)),
        (float("nan"), None),
        ("\ud800x", "?x"),
    ],
)
def test_values_become_json(value: object, expected: object) -> None:
    assert to_json(value) == expected


@pytest.mark.parametrize(
    "value", [Angry(), CYCLE, {"deep": CYCLE}, [Angry(), "\udfff", 2**99], object(), lambda: 0, type]
)
def test_no_value_is_an_error(value: object) -> None:
    to_json(value)


class Mute:
    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class MuteError(Exception):
    __str__ = Mute.__str__


def test_no_value_is_an_error_anywhere_and_every_event_follows_the_format(context: BrowserContext, reel: Path) -> None:
    mute: Any = Mute()
    with record(context, reel, metadata={"user": mute}) as session:
        with pytest.raises(MuteError), session.step(mute, reasoning=mute, iteration=mute) as step:
            step.outcome(message=mute, score=mute)
            raise MuteError
        session.llm_call(model=mute, input_tokens=mute, output_tokens=3.7, cost_usd=Decimal("0.5"), prompt=mute)  # type: ignore[arg-type]
        session.llm_call(input_tokens=10**30, duration=timedelta(seconds=2), cost_usd=float("nan"), response=mute)  # type: ignore[arg-type]
        session.tool_result(session.tool_call(mute, mute), mute, error=mute, duration=mute)
        session.tool_result(mute)
        session.memory_op(mute, mute, mute)
        session.note(mute, value=mute)
        session.mark(mute)
        session.screenshot(
            mute,
            boxes=[
                [1, 2, 3],
                [1, 2, 3, 4, mute],
                [0, 0, 1, 1, None, 0.93, "button"],
                [0, 0, 1, 1, "x", mute, None],
                mute,
            ],
            image=b"\x89PNG",
        )
        session.screenshot(mute, boxes=mute, image=mute)
        session.screenshot("of no page", page=mute)
    recorded = Recorded(reel)
    recorded.whole_events()
    first, second = recorded.of("llm")
    assert first["attributes"] == {"input_tokens": "<Mute>"} and (first["output_tokens"], first["cost_usd"]) == (4, 0.5)
    assert second["duration"] == 2000 and str(10**30) in str(second["attributes"])
    assert recorded.one("screenshot")["boxes"] == [
        [1, 2, 3, 4, "<Mute>"],
        [0, 0, 1, 1, None, 0.93, "button"],
        [0, 0, 1, 1, "x"],
    ]
    assert "No picture: of no page" in [note["text"] for note in recorded.of("note")]
    assert recorded.one("step_end")["error"] == "MuteError: <MuteError>"


def test_large_values_are_cut_and_say_so() -> None:
    text = to_json("é" * LIMIT)
    assert isinstance(text, str) and len(text.encode()) < LIMIT + 100 and text.endswith(f"{LIMIT:,} characters]")
    cut = to_json(["x" * 1000] * 1000)
    assert isinstance(cut, dict) and isinstance(cut["cut"], int) and cut["cut"] > 1_000_000
    assert str(cut["head"]).startswith('["xxx')


def test_after_the_end_the_session_is_quiet(context: BrowserContext, reel: Path) -> None:
    with record(context, reel) as session:
        session.note("in")
    session.note("after")
    session.mark("after")
    with session.step("after"):
        pass
    session.screenshot("after")
    session.stop()
    assert [n["text"] for n in Recorded(reel).of("note")] == ["in"]
    assert session.stats.events == 1
