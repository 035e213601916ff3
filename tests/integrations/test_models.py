"""`models(session)`: the providers' own libraries, sync and async, at once and streamed, are recorded as they are; nothing of the process changes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest

from pagereel import record
from pagereel.errors import UsageError
from pagereel.fixtures.providers import Body, ScriptedProviders, ScriptedTurn
from pagereel.integrations import ModelProxy, models, parse_upstreams
from pagereel.recorder import SyncSession

from .conftest import events_of

TOOLS: Any = [{"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}]
ASK: Any = [{"role": "user", "content": "A vase"}]


def script(number: int, body: Body) -> ScriptedTurn:
    return ScriptedTurn("I look.", "A vase is wanted.", (("search", {"query": "vase"}),), 100, 40, 20, 5)


@pytest.fixture
def providers() -> Iterator[ScriptedProviders]:
    with ScriptedProviders(script) as running:
        yield running


@pytest.fixture
def reel(tmp_path: Path) -> Path:
    return tmp_path / "run.reel"


@pytest.fixture
def session(reel: Path) -> Iterator[SyncSession]:
    with record(None, reel) as running:
        yield running


def apart(work: Coroutine[Any, Any, None]) -> None:
    """Run it on a thread of its own: Playwright's sync API, which other tests use, has a loop on this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def told(reel: Path, session: SyncSession) -> list[dict[str, Any]]:
    session.stop()
    calls = events_of(reel, "llm")
    for call in calls:
        assert call["response"] == {
            "content": "I look.",
            "tool_calls": [{"name": "search", "arguments": {"query": "vase"}}],
        }
        assert (call["reasoning"], call["input_tokens"], call.get("error")) == ("A vase is wanted.", 100, None)
    return calls


def test_openai(providers: ScriptedProviders, reel: Path, session: SyncSession) -> None:
    from openai import OpenAI

    client = OpenAI(base_url=providers.provider_url("openai"), api_key="sk-canary-0123456789")
    models(session, client)
    with session.step("Ask") as step:
        client.chat.completions.create(model="m", messages=ASK, tools=TOOLS)
        for _ in client.chat.completions.create(model="m", messages=ASK, tools=TOOLS, stream=True):
            pass
        client.responses.create(model="m", input="A vase")
        with client.responses.stream(model="m", input="A vase") as stream:
            stream.until_done()
    calls = told(reel, session)
    assert [call["api"] for call in calls] == ["chat", "chat", "responses", "responses"]
    assert {(call["provider"], call["step"]) for call in calls} == {("openai", step.id)}
    assert ["first_token" in call for call in calls] == [False, True, False, True]
    assert b"canary" not in b"".join(str(event).encode() for event in events_of(reel, "llm", "said", "wire"))


def test_openai_in_an_event_loop(providers: ScriptedProviders, reel: Path, session: SyncSession) -> None:
    from openai import AsyncOpenAI

    async def ask() -> None:
        async with AsyncOpenAI(base_url=providers.provider_url("openai"), api_key="none") as client:
            models(session, client)
            await client.chat.completions.create(model="m", messages=ASK, tools=TOOLS)
            stream = await client.chat.completions.create(model="m", messages=ASK, tools=TOOLS, stream=True)
            async for _ in stream:
                pass

    apart(ask())
    assert len(told(reel, session)) == 2


def test_anthropic(providers: ScriptedProviders, reel: Path, session: SyncSession) -> None:
    from anthropic import Anthropic, AsyncAnthropic

    client = Anthropic(base_url=providers.provider_url("anthropic"), api_key="none")
    models(session, client)
    client.messages.create(model="m", max_tokens=9, messages=ASK)
    with client.messages.stream(model="m", max_tokens=9, messages=ASK) as stream:
        stream.until_done()

    async def ask() -> None:
        other = AsyncAnthropic(base_url=providers.provider_url("anthropic"), api_key="none")
        models(session, other)
        await other.messages.create(model="m", max_tokens=9, messages=ASK)

    apart(ask())
    assert {call["provider"] for call in told(reel, session)} == {"anthropic"}
    assert len(events_of(reel, "llm")) == 3


def test_gemini_and_ollama(providers: ScriptedProviders, reel: Path, session: SyncSession) -> None:
    import ollama
    from google import genai

    one = genai.Client(api_key="none", http_options={"base_url": providers.provider_url("gemini")})
    other = ollama.Client(providers.provider_url("ollama"))
    models(session, one, other)
    one.models.generate_content(model="m", contents="A vase")
    assert list(one.models.generate_content_stream(model="m", contents="A vase"))
    other.chat(model="m", messages=ASK)
    assert list(other.chat(model="m", messages=ASK, stream=True))
    assert [call["provider"] for call in told(reel, session)] == ["gemini", "gemini", "ollama", "ollama"]


@pytest.mark.parametrize("library", [httpx, httpx2])
def test_any_client_of_httpx(library: Any, providers: ScriptedProviders, reel: Path, session: SyncSession) -> None:
    heard: list[Any] = []
    with library.Client(event_hooks={"response": [heard.append]}) as client:
        models(session, client)
        answer = client.post(
            f"{providers.provider_url('openai')}/chat/completions", json={"model": "m", "messages": ASK}
        )
        assert answer.content == providers.answered[-1]
        assert client.post(f"{providers.provider_url('openai')}/other", json={}).status_code == 404
        told(reel, session)
        assert client.event_hooks == {"request": [], "response": [heard.append]}
        client.post(f"{providers.provider_url('openai')}/chat/completions", json={"model": "m", "messages": ASK})
    assert len(events_of(reel, "llm")) == 1 and len(heard) == 3


def test_without_a_client_the_environment_leads_over_here_and_is_as_before_afterwards(
    providers: ScriptedProviders, reel: Path, session: SyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    from anthropic import Anthropic
    from openai import OpenAI

    monkeypatch.setenv("OPENAI_BASE_URL", providers.provider_url("openai"))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", providers.provider_url("anthropic"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")
    before = dict(os.environ)
    models(session)
    assert os.environ["OPENAI_BASE_URL"] != before["OPENAI_BASE_URL"]
    OpenAI().chat.completions.create(model="m", messages=ASK, tools=TOOLS)
    Anthropic(api_key="none").messages.create(model="m", max_tokens=9, messages=ASK)
    assert [call["provider"] for call in told(reel, session)] == ["openai", "anthropic"]
    assert dict(os.environ) == before


def test_litellm(
    providers: ScriptedProviders, reel: Path, session: SyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    litellm = pytest.importorskip("litellm")
    for name, value in {
        "OPENAI_API_BASE": "openai",
        "OPENAI_BASE_URL": "openai",
        "ANTHROPIC_API_BASE": "anthropic",
        "ANTHROPIC_BASE_URL": "anthropic",
    }.items():
        monkeypatch.setenv(name, providers.provider_url(value))
    models(session)
    litellm.completion(model="openai/m", messages=ASK, tools=TOOLS, api_key="none")
    assert list(litellm.completion(model="openai/m", messages=ASK, tools=TOOLS, api_key="none", stream=True))
    litellm.completion(model="anthropic/m", messages=ASK, api_key="none")
    assert [call["provider"] for call in told(reel, session)] == ["openai", "openai", "anthropic"]


def test_the_same_events_as_over_the_proxy(
    providers: ScriptedProviders, reel: Path, session: SyncSession, tmp_path: Path
) -> None:
    from openai import OpenAI

    def ask(url: str) -> OpenAI:
        return OpenAI(base_url=url, api_key="none")

    here = ask(providers.provider_url("openai"))
    models(session, here)
    with (
        record(None, tmp_path / "other.reel") as other,
        ModelProxy(other, parse_upstreams([f"openai={providers.provider_url('openai')}"], {})) as proxy,
    ):
        for client in (here, ask(proxy.environment({})["OPENAI_BASE_URL"])):
            client.chat.completions.create(model="m", messages=ASK, tools=TOOLS, temperature=0)
            assert list(client.chat.completions.create(model="m", messages=ASK, tools=TOOLS, stream=True))
    session.stop()

    def plain(path: Path) -> list[dict[str, Any]]:
        timed = {"t", "duration", "first_token", "end", "headers", "url"}
        kinds = ("llm", "said", "tool_call", "tool_result")
        return [
            {name: value for name, value in event.items() if name not in timed} for event in events_of(path, *kinds)
        ]

    def order(event: dict[str, Any]) -> int:
        return int(event["id"])

    assert sorted(plain(reel), key=order) == sorted(plain(tmp_path / "other.reel"), key=order)


def test_a_call_that_never_got_an_answer_is_told(reel: Path, session: SyncSession) -> None:
    with httpx2.Client() as client:
        models(session, client)
        with pytest.raises(httpx2.ConnectError):
            client.post("http://127.0.0.1:9/v1/chat/completions", json={"model": "m", "messages": ASK})
    session.stop()
    (call,) = events_of(reel, "llm")
    assert "no answer" in call["error"]


def test_what_cannot_be_listened_to(session: SyncSession) -> None:
    with pytest.raises(UsageError, match="has no HTTP client"):
        models(session, object())
    session.stop()
    with pytest.raises(UsageError, match="No recording is running"):
        models()
