"""Agents' own instrumentation on the timeline: OpenTelemetry spans, LangChain callbacks, decorated tools."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool as langchain_tool
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Status, StatusCode
from playwright.sync_api import BrowserContext

from pagereel.integrations import ReplayCallbackHandler, ReplayProcessor, tool
from pagereel.integrations.otel_names import read_span
from pagereel.recorder import get_active_session, record

from .conftest import events_of

MESSAGES = [{"role": "user", "parts": [{"type": "text", "content": "Buy a kettle"}]}]


def test_spans_become_steps_and_calls_and_link_back(recorded_context: BrowserContext, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    provider = TracerProvider()
    provider.add_span_processor(ReplayProcessor(replay_url="https://ci.example/{name}-{session}.html"))
    tracer = provider.get_tracer("agent")
    with tracer.start_as_current_span("before any recording", attributes={"gen_ai.operation.name": "chat"}) as early:
        pass
    with record(recorded_context, reel) as session:
        page = recorded_context.new_page()
        agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "shopper"}
        with tracer.start_as_current_span("invoke_agent shopper", attributes=agent) as span:
            with tracer.start_as_current_span("chat m", attributes={"gen_ai.operation.name": "chat"}) as chat:
                chat.set_attributes(
                    {
                        "gen_ai.request.model": "m",
                        "gen_ai.response.model": "m-2026",
                        "gen_ai.provider.name": "example",
                        "gen_ai.usage.input_tokens": 120,
                        "gen_ai.usage.output_tokens": 8,
                        "gen_ai.input.messages": json.dumps(MESSAGES),
                        "gen_ai.request.temperature": 0.5,
                    }
                )
            with tracer.start_as_current_span(
                "execute_tool click",
                attributes={
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": "click",
                    "gen_ai.tool.call.arguments": '{"selector": "h1"}',
                },
            ) as call:
                page.set_content("<!doctype html><h1>Kettles</h1>")
                call.set_attribute("gen_ai.tool.call.result", "clicked")
            with pytest.raises(ValueError), tracer.start_as_current_span("chat m") as failing:
                failing.set_attributes({"gen_ai.system": "example", "gen_ai.request.model": "m"})
                raise ValueError("overloaded")
            with tracer.start_as_current_span("GET /health"):
                pass
        identity = session.id
    assert "pagereel.session.id" not in (early.attributes or {})  # type: ignore[attr-defined]
    assert span.attributes["pagereel.session.id"] == identity  # type: ignore[attr-defined]
    assert span.attributes["pagereel.replay.url"].startswith(f"https://ci.example/run-{identity}.html#t=")  # type: ignore[attr-defined]

    (step,) = events_of(reel, "step")
    assert step["title"] == "invoke_agent shopper" and len(step["attributes"]["otel.trace_id"]) == 32
    (end,) = events_of(reel, "step_end")
    assert end["id"] == step["id"] and end["success"] is True
    good, bad = events_of(reel, "llm")
    assert (good["model"], good["provider"], good["input_tokens"], good["output_tokens"]) == (
        "m-2026",
        "example",
        120,
        8,
    )
    assert good["prompt"] == MESSAGES and good["step"] == step["id"] and good["duration"] >= 0
    assert good["attributes"]["gen_ai.request.temperature"] == 0.5
    assert bad["attributes"]["error"] == "ValueError: overloaded"
    (called,), (result,) = events_of(reel, "tool_call"), events_of(reel, "tool_result")
    assert called["name"] == "click" and called["arguments"] == {"selector": "h1"} and called["step"] == step["id"]
    assert result["call"] == called["id"] and result["result"] == "clicked"
    (content,) = [e for e in events_of(reel, "call") if e["method"] == "set_content"]
    assert content["step"] == step["id"] and called["t"] <= content["t"] <= result["t"]


@pytest.mark.parametrize(
    ("name", "attributes", "kind", "fields"),
    [
        (
            "openai.chat",
            {
                "gen_ai.system": "OpenAI",
                "llm.request.type": "chat",
                "gen_ai.request.model": "m",
                "gen_ai.usage.prompt_tokens": 5,
                "gen_ai.usage.completion_tokens": 6,
                "gen_ai.prompt.0.role": "user",
                "gen_ai.prompt.0.content": "hi",
                "gen_ai.completion.0.content": "ho",
            },
            "llm",
            {"model": "m", "provider": "OpenAI", "input_tokens": 5, "output_tokens": 6,
             "prompt": [{"role": "user", "content": "hi"}], "response": [{"content": "ho"}]},
        ),
        (
            "ChatModel",
            {
                "openinference.span.kind": "LLM",
                "llm.model_name": "m",
                "llm.token_count.prompt": 7,
                "llm.input_messages.0.message.content": "hi",
                "output.value": "ho",
            },
            "llm",
            {"model": "m", "input_tokens": 7, "prompt": [{"content": "hi"}], "response": "ho"},
        ),
        ("search", {"openinference.span.kind": "TOOL", "tool.name": "search", "input.value": '{"q": 1}'}, "tool",
         {"arguments": {"q": 1}}),
        ("execute_tool pay", {"gen_ai.operation.name": "execute_tool"}, "tool", {"arguments": None}),
        ("plan.task", {"traceloop.span.kind": "task", "traceloop.entity.name": "plan"}, "step", {}),
        ("agent run", {"gen_ai.operation.name": "invoke_agent"}, "step", {}),
        ("SELECT 1", {"db.system": "postgresql"}, "", {}),
    ],
    ids=["openllmetry", "openinference", "openinference tool", "tool by its name", "traceloop task", "agent", "other"],
)  # fmt: skip
def test_names_of_today_and_of_before(name: str, attributes: dict[str, Any], kind: str, fields: dict[str, Any]) -> None:
    reading = read_span(name, attributes)
    assert reading.kind == kind
    assert {key: reading.fields[key] for key in fields} == fields
    if name == "execute_tool pay":
        assert reading.name == "pay"


def test_a_broken_session_does_not_reach_the_traced_program(recorded_context: BrowserContext, tmp_path: Path) -> None:
    class Broken:
        id = "x"

        def __getattr__(self, name: str) -> Any:
            raise RuntimeError("broken")

    provider = TracerProvider()
    provider.add_span_processor(ReplayProcessor(Broken()))  # type: ignore[arg-type]
    with pytest.warns(UserWarning, match="broken"), provider.get_tracer("x").start_as_current_span("chat") as span:
        span.set_status(Status(StatusCode.ERROR))


@langchain_tool
def lookup(word: str) -> str:
    """Looks a word up."""
    if word == "bad":
        raise ValueError("no such word")
    return f"{word} found"


def test_a_langchain_run_is_told(recorded_context: BrowserContext, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    answer = AIMessage("look it up", usage_metadata={"input_tokens": 3, "output_tokens": 2, "total_tokens": 5})
    model = GenericFakeChatModel(messages=iter([answer]))
    page = recorded_context.new_page()

    def act(message: AIMessage) -> str:
        page.set_content("<!doctype html><p>acting</p>")
        return str(lookup.invoke({"word": str(message.content)[-2:]}))

    chain = (model | RunnableLambda(act)).with_config(run_name="shopper")
    with record(recorded_context, reel):
        handler = ReplayCallbackHandler()
        assert chain.invoke("kettle", config={"callbacks": [handler]}) == "up found"
        with pytest.raises(ValueError):
            lookup.invoke({"word": "bad"}, config={"callbacks": [handler]})
    (step,), (end,) = events_of(reel, "step"), events_of(reel, "step_end")
    assert step["title"] == "shopper" and end["success"] is True
    (llm,) = events_of(reel, "llm")
    assert (llm["input_tokens"], llm["output_tokens"], llm["response"]) == (3, 2, "look it up")
    assert llm["prompt"] == [{"role": "human", "content": "kettle"}] and llm["step"] == step["id"]
    good, bad = events_of(reel, "tool_call")
    assert good["name"] == "lookup" and good["arguments"] == {"word": "up"} and good["step"] == step["id"]
    found, failed = events_of(reel, "tool_result")
    assert found["result"] == "up found" and failed["error"] == "ValueError: no such word"
    assert bad["step"] is None
    (content,) = [e for e in events_of(reel, "call") if e["method"] == "set_content"]
    assert content["step"] == step["id"]


def test_decorated_tools_are_told_and_give_what_they_give(recorded_context: BrowserContext, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"

    @tool
    def search(query: str, limit: int = 3) -> list[str]:
        """Searches."""
        return [query] * limit

    @tool(name="pay")
    async def settle(amount: float) -> None:
        raise PermissionError("declined")

    assert search("unrecorded", limit=1) == ["unrecorded"] and search.__doc__ == "Searches."
    assert get_active_session() is None
    with record(recorded_context, reel) as session:
        assert get_active_session() is session
        assert search("kettle", limit=2) == ["kettle", "kettle"]
        with pytest.raises(PermissionError):
            settle(3.5).send(None)  # type: ignore[attr-defined]
    assert get_active_session() is None
    first, second = events_of(reel, "tool_call")
    assert first["name"] == "search" and first["arguments"] == {"query": "kettle", "limit": 2}
    assert second["name"] == "pay" and second["arguments"] == {"amount": 3.5}
    good, bad = events_of(reel, "tool_result")
    assert good["result"] == ["kettle", "kettle"] and bad["error"] == "PermissionError: declined"
    assert asyncio.iscoroutinefunction(settle)


def test_spans_say_which_of_several_agents_it_is(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    provider = TracerProvider()
    with record(None, reel) as session:
        provider.add_span_processor(ReplayProcessor(session))
        tracer = provider.get_tracer("agents")
        for name in ("planner", "buyer"):
            told = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}
            with tracer.start_as_current_span(f"invoke_agent {name}", attributes=told):
                with tracer.start_as_current_span("chat m", attributes={"gen_ai.operation.name": "chat"}):
                    pass
                used = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "t", "gen_ai.agent.name": "helper"}
                with tracer.start_as_current_span("execute_tool t", attributes=used):
                    pass
    assert [step["agent"] for step in events_of(reel, "step")] == ["planner", "buyer"]
    assert [event["agent"] for event in events_of(reel, "llm")] == ["planner", "buyer"]
    assert [event["agent"] for event in events_of(reel, "tool_call")] == ["helper", "helper"]
