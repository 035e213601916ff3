"""Calls of models with all that went over the wire: each message once, tools joined to their results; and runs without a browser."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagereel import open_recording, record
from pagereel.reading import build_story, read_run_lines
from pagereel.recorder import (
    ModelAnswer,
    ModelCall,
    ModelHttpExchange,
    ModelRequest,
    SyncSession,
    ToolCallResult,
    ToolUse,
)
from pagereel.reel import (
    ModelMessageStore,
    build_recipe,
    build_text_of_recipe,
    expand_recipe,
    find_event_problem,
    open_reel,
    shorten_recipe,
)


def events_of(reel: Path, *kinds: str) -> list[dict[str, Any]]:
    with open_reel(reel) as opened:
        events = list(opened.timeline())
    assert [wrong for event in events if (wrong := find_event_problem(event))] == []
    return [event for event in events if event["k"] in kinds]


def asked(*messages: Any, **more: Any) -> ModelRequest:
    return ModelRequest("m", [], list(messages), **more)


def ask(session: SyncSession, given: ModelRequest, answered: ModelAnswer | None = None, **more: Any) -> int:
    call = ModelCall(
        session.now, session.now + 1, "openai", "chat", given, answered or ModelAnswer(texts=["ok"]), **more
    )
    return session.record_model_call(call)


def test_a_run_without_a_browser(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path, agent="bot") as session:
        with session.step("Look"):
            session.note("nothing here")
        session.mark("end")
        assert session.screenshot("what it saw", image=b"\x89PNG") > 0
    kinds = [event["k"] for event in events_of(path, "step", "note", "step_end", "mark", "screenshot", "page")]
    assert kinds == ["step", "note", "step_end", "mark", "screenshot"]
    with open_reel(path) as opened:
        assert opened.sealed and opened.header["agent"] == "bot" and "browser" not in opened.header


async def _in_a_loop(path: Path) -> None:
    with record(None, path) as session:
        session.note("from a loop")


def test_a_run_without_a_browser_in_an_event_loop(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as thread:  # Playwright's sync API, which other tests use, has a loop on this one.
        thread.submit(asyncio.run, _in_a_loop(tmp_path / "run.reel")).result()
    assert len(events_of(tmp_path / "run.reel", "note")) == 1


def test_fifty_turns_keep_each_message_once(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    messages: list[Any] = [{"role": "system", "content": "Shop. " * 50}]
    tool = {"type": "function", "function": {"name": "search"}}
    with record(None, path) as session:
        for turn in range(50):
            messages.append({"role": "user", "content": f"turn {turn} " * 20})
            ask(session, asked(*messages, tools=[tool]))
    said = events_of(path, "said")
    assert len(said) == 52
    reader = ModelMessageStore()
    for event in said:
        reader.store_message(event)
    *_, last = events_of(path, "llm")
    assert reader.fill_in_messages(last)["prompt"] == messages and len(last["tools"]) == 1


def test_what_was_sent_is_there_again_to_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    messages: list[Any] = [
        {"role": "user", "content": "é “x” \u2028 \\ 😀"},
        {"content": "hi", "role": "user", "n": 1.0},
    ]
    body = {"model": "m", "messages": messages, "temperature": 0.1}
    forms = [
        json.dumps(body), json.dumps(body, ensure_ascii=False), json.dumps(body, separators=(",", ":")),
        json.dumps(body, separators=(",", ":"), ensure_ascii=False), json.dumps(body, indent=1), "no JSON", "",
    ]  # fmt: skip
    with record(None, path) as session:
        for text in forms:
            ask(
                session,
                asked(*messages),
                wire=ModelHttpExchange("POST", "https://x.example/v1", text.encode(), "application/json"),
            )
    contents = {event["id"]: event["content"] for event in events_of(path, "said")}
    bodies = {event["sha256"]: event["text"] for event in events_of(path, "resource")}
    again = [
        bodies[event["sent_body"]] if "sent_body" in event else build_text_of_recipe(event.get("form", "compact"), event.get("sent", []), contents)
        for event in events_of(path, "wire")
    ]  # fmt: skip
    assert again == forms
    assert [len(event.get("sent", [])) for event in events_of(path, "wire")] == [5, 5, 5, 5, 0, 0, 0]


def test_a_hundredth_request_is_as_short_as_the_first(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    messages: list[Any] = []
    bodies = []
    with record(None, path) as session:
        for turn in range(60):
            messages.append({"role": "user", "content": f"turn {turn}"})
            bodies.append(json.dumps({"model": "m", "messages": messages}, separators=(",", ":")))
            wire = ModelHttpExchange("POST", "https://x.example/v1", bodies[-1].encode(), "application/json")
            ask(session, asked(*messages), wire=wire)
    contents = {event["id"]: event["content"] for event in events_of(path, "said")}
    told = {event["id"]: event["said"] for event in events_of(path, "llm")}
    wires = events_of(path, "wire")
    assert [
        build_text_of_recipe(
            event["form"], expand_recipe(event["sent"], event.get("runs", ()), told[event["call"]]), contents
        )
        for event in wires
    ] == bodies
    assert {len(event["sent"]) for event in wires[2:]} == {4}


@given(
    st.lists(st.integers(1, 6), max_size=9), st.lists(st.one_of(st.integers(1, 6), st.sampled_from(",;")), max_size=20)
)
def test_any_recipe_is_unfolded_again(said: list[int], recipe: list[Any]) -> None:
    told, runs = shorten_recipe(recipe, said)
    assert expand_recipe(told, runs, said) == recipe


def test_a_recipe_of_messages_that_stand_twice_and_in_another_order() -> None:
    text = '{"tools":["b"],"messages":["a","a","c"]}'
    found = build_recipe(text, [(1, "a"), (1, "a"), (3, "c"), (2, "b"), (9, "not there")])
    assert found is not None and found[1].count(1) == 2
    assert build_text_of_recipe(*found, {1: "a", 2: "b", 3: "c"}) == text
    assert build_text_of_recipe("compact", [7], {}) is None and build_text_of_recipe("unknown", [], {}) is None


def test_a_tool_gets_the_result_that_a_later_request_tells_once(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    result = ToolCallResult("64 euros", "c1")
    with record(None, path) as session:
        llm = ask(
            session,
            asked("hi"),
            ModelAnswer(calls=[ToolUse("price", {"of": "vase"}, "c1"), ToolUse("price", {}, "c2")]),
        )
        ask(
            session,
            asked(
                "hi",
                results=[result, ToolCallResult("no such thing", "c2", failed=True), ToolCallResult("?", "unknown")],
            ),
        )
        ask(session, asked("hi", results=[result]))
    first, second = events_of(path, "tool_call")
    assert (first["llm"], first["arguments"]) == (llm, {"of": "vase"})
    told = [{name: event.get(name) for name in ("call", "result", "error")} for event in events_of(path, "tool_result")]
    assert told == [
        {"call": first["id"], "result": "64 euros", "error": None},
        {"call": second["id"], "result": None, "error": "no such thing"},
    ]


def test_results_without_an_id_go_to_the_calls_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        ask(session, asked("hi"), ModelAnswer(calls=[ToolUse("open", 1), ToolUse("open", 2)]))
        ask(
            session,
            asked(
                "hi",
                results=[
                    ToolCallResult("one", name="open"),
                    ToolCallResult("two", name="open"),
                    ToolCallResult("three", name="open"),
                ],
            ),
        )
    calls = events_of(path, "tool_call")
    assert [(e["call"], e["result"]) for e in events_of(path, "tool_result")] == [
        (calls[0]["id"], "one"),
        (calls[1]["id"], "two"),
    ]


def test_files_in_messages_are_kept_beside_them(tmp_path: Path) -> None:
    import base64

    path = tmp_path / "run.reel"
    document = base64.b64encode(b"%PDF-1.7 " + bytes(range(256)) * 8).decode()
    with record(None, path) as session:
        ask(session, asked({"role": "user", "content": [{"type": "file", "data": document}, {"text": "A a" * 2000}]}))
    (said,) = events_of(path, "said")
    (resource,) = events_of(path, "resource")
    assert said["content"]["content"][0]["data"] == f"pagereel:resource/{resource['sha256']}"


@pytest.mark.parametrize(
    "value", [None, 3, "text", ["list"], {"role": 7}, {"content": None}, float("nan"), {1: 2}, object()]
)
def test_messages_of_any_kind_are_no_error(value: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session:
        ask(session, asked(value))
    assert len(events_of(path, "llm")) == 1


def test_calls_of_a_model_belong_to_the_step_that_is_open(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    with record(None, path) as session, session.step("Ask") as step:
        ask(session, asked("hi"), ModelAnswer(calls=[ToolUse("t")]), step=session.open_step_id)
    assert {event["step"] for event in events_of(path, "llm", "tool_call")} == {step.id}


def test_a_long_result_stands_in_the_message_that_tells_it(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    page = "A page of a shop. " * 40
    message = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": page}]}
    result = ToolCallResult(page, "c1", message=0, path=("content", 0, "content"))
    with record(None, path) as session:
        ask(session, asked("hi"), ModelAnswer(calls=[ToolUse("read", {}, "c1")]))
        ask(session, asked(message, results=[result]))
    (event,) = events_of(path, "tool_result")
    assert "result" not in event and event["path"] == ["content", 0, "content"]
    (call,) = [call for call in open_recording(path).calls() if call["kind"] == "tool"]
    assert call["result"] == page
    said = ModelMessageStore()
    for each in events_of(path, "said"):
        said.store_message(each)
    assert said.fill_in_messages(event | {"path": ["content", 7]})["result"] is None
    assert said.fill_in_messages(event | {"said": 99}) == event | {"said": 99}


def test_what_is_told_of_a_run_has_each_message_once(tmp_path: Path) -> None:
    path = tmp_path / "run.reel"
    messages = [{"role": "user", "content": f"message number {turn}"} for turn in range(20)]
    with record(None, path) as session:
        for turn in range(20):
            ask(
                session,
                asked(*messages[: turn + 1]),
                ModelAnswer(texts=[f"answer {turn}"], error="529: overloaded" if turn == 7 else None),
            )
    reading = open_recording(path)
    prompts = [call["prompt"] for call in reading.calls()]
    assert [len(prompt) for prompt in prompts] == list(range(1, 21))
    told = [record["prompt"] for record in build_story(reading) if record["kind"] == "model"]
    assert told == [[message] for message in messages]
    texts = [line.text for line in read_run_lines(path, reading) if line.kind == "prompt" and "number" in line.text]
    assert texts == [message["content"] for message in messages]
    assert [(error["kind"], error["message"]) for error in reading.errors()] == [("model", "529: overloaded")]
