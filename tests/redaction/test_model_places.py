"""More than 50 places of model traffic and screens, each with a value of its own that is made anew: none in a replay for a vendor, and no key in the raw reel."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pagereel import build, record, redact
from pagereel.integrations.wire import ProviderKeys, WireExchange, read_exchange
from pagereel.recorder import SyncSession
from tests.acceptance.test_7_canaries import decoded
from tests.redaction.places import Values
from tests.redaction.test_places import _plain, readings, told

OPENAI, ANTHROPIC = "https://api.openai.com/v1", "https://api.anthropic.com/v1/messages"
GEMINI = "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:streamGenerateContent"
SSE, JSON = "text/event-stream", "application/json"
KEY, ORGANIZATION = "key", "organization"
"""Kinds that no reel may hold, as it was recorded or masked."""


class Secrets(Values):
    """Values with keys among them."""

    def key(self, place: str, prefix: str = "") -> str:
        return self._put(KEY, place, prefix + "".join(self._random.choices("abcdefghkmnpqrstuvwxyz23456789", k=28)))


def sse(*events: Any) -> bytes:
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode()


def pieces(text: str, size: int = 5) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))


def call(session: SyncSession, url: str, body: Any, answer: bytes, mime: str = JSON, **more: Any) -> None:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    chunks = [(session.now, answer[at : at + 11]) for at in range(0, len(answer), 11)]
    fields: dict[str, Any] = {"status": 200, "whole": True, "ended": session.now, **more}
    fields["headers"] = [("content-type", mime), *fields.get("headers", ())]
    session.record_model_call(
        read_exchange(WireExchange("p", "POST", url, session.now, sent=[sent], chunks=chunks, **fields), ProviderKeys())
    )


def chat(session: SyncSession, v: Secrets) -> None:
    kind = "chat"
    given = json.dumps(
        {
            "to": v.email(kind, "streamed arguments"),
            "body": json.dumps({"card": v.card(kind, "JSON in streamed arguments")}),
        }
    )
    schema = {"type": "object", "description": f"As {v.person(kind, 'description of a schema')} wants it", "properties": {"to": {
        "enum": [v.email(kind, "enum")], "examples": [v.email(kind, "example")], "default": v.email(kind, "default"), "const": v.email(kind, "const"),
        "pattern": f"^{v.email(kind, 'pattern')}$", "title": f"Mail of {v.person(kind, 'title of a schema')}"}}}  # fmt: skip
    inner = json.dumps({"rows": [json.dumps({"mail": v.email(kind, "JSON in JSON of a result")})]})
    picture = base64.b64encode(f"scan for {v.email(kind, 'base64 text in a message')}".encode()).decode()
    body = {
        "model": f"ft:gpt-4o:acme:{v.email(kind, 'fine tune')}:9", "stop": [f"Regards, {v.person(kind, 'stop sequence')}"], "user": v.email(kind, "user"),
        "metadata": {v.email(kind, "key of metadata"): v.email(kind, "value of metadata")}, "prompt_cache_key": v.email(kind, "cache key"), "safety_identifier": v.email(kind, "safety identifier"),
        "logit_bias": {v.email(kind, "logit bias"): 1}, "prediction": {"type": "content", "content": f"Dear {v.person(kind, 'prediction')}"},
        "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {"enum": [v.email(kind, "response format")]}}},
        "messages": [
            {"role": "system", "content": f"You help {v.person(kind, 'system prompt')}."}, {"role": "user", "name": v.email(kind, "name of a sender"), "content": [
                {"type": "text", "text": f"I am {v.person(kind, 'part')}"}, {"type": "file", "file": {"filename": f"{v.email(kind, 'file name')}.pdf", "file_data": f"data:text/plain;base64,{picture}"}},
                {"type": "image_url", "image_url": {"url": f"https://x.example/{v.email(kind, 'address of a picture')}.png"}}]},
            {"role": "tool", "tool_call_id": f"c-{v.email(kind, 'id of a call')}", "content": inner}],
        "tools": [{"type": "function", "function": {"name": "mail", "description": f"Mails {v.person(kind, 'description of a tool')}", "parameters": schema}}],
    }  # fmt: skip
    deltas = [
        {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": {"name": "mail", "arguments": ""}}]}
    ]
    deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": part}}]} for part in pieces(given)]
    deltas += [{"content": part} for part in pieces(f"Dear {v.person(kind, 'streamed words')}, done")]
    deltas += [{"reasoning_content": part} for part in pieces(f"He writes from {v.email(kind, 'streamed reasoning')}")]
    answer = sse(*({"model": "m", "choices": [{"index": 0, "delta": delta}]} for delta in deltas), {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}, )  # fmt: skip
    call(
        session,
        f"{OPENAI}/chat/completions",
        body,
        answer,
        SSE,
        headers=[("x-request-id", v.email(kind, "id of a request"))],
    )


def responses(session: SyncSession, v: Secrets) -> None:
    kind = "responses"
    summary, given = (
        f"{v.person(kind, 'summary of reasoning')} asks",
        json.dumps({"q": v.email(kind, "streamed arguments")}),
    )
    body = {"model": "m", "instructions": f"Help {v.person(kind, 'instructions')}", "previous_response_id": f"resp_{v.email(kind, 'earlier response')}", "input": [
        {"role": "user", "content": [{"type": "input_file", "file_id": f"file-{v.email(kind, 'file id')}", "filename": f"{v.email(kind, 'file name')}.csv"}]},
        {"type": "function_call_output", "call_id": "c", "output": json.dumps({"a": v.email(kind, "output of a call")})}],
        "tools": [{"type": "web_search", "user_location": {"city": v.email(kind, "place of a search")}}, {"type": "mcp", "server_label": "a", "server_url": f"https://m.example/?key={v.key('address of an MCP server')}", "headers": {"Authorization": f"Bearer {v.key('header of an MCP server')}", "X-Api-Key": v.key("key of an MCP server")}}]}  # fmt: skip
    output = [
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": summary}]},
        {"type": "function_call", "id": "f", "call_id": "c9", "name": "find", "arguments": given},
    ]
    events: list[Any] = [
        {"type": "response.output_item.added", "output_index": 0, "item": {**output[0], "summary": []}}
    ]
    events += [
        {
            "type": "response.reasoning_summary_text.delta",
            "output_index": 0,
            "item_id": "r",
            "summary_index": 0,
            "delta": part,
        }
        for part in pieces(summary)
    ]
    events += [{"type": "response.output_item.added", "output_index": 1, "item": {**output[1], "arguments": ""}}]
    events += [
        {"type": "response.function_call_arguments.delta", "output_index": 1, "item_id": "f", "delta": part}
        for part in pieces(given)
    ]
    call(
        session,
        f"{OPENAI}/responses",
        body,
        sse(
            *events, {"type": "response.completed", "response": {"model": "m", "status": "completed", "output": output}}
        ),
        SSE,
    )


def messages(session: SyncSession, v: Secrets) -> None:
    kind = "messages"
    given, thought = json.dumps({"to": v.email(kind, "streamed arguments")}), f"{v.person(kind, 'thinking')} is waiting"
    source = {"type": "text", "media_type": "text/plain", "data": f"Paid by {v.email(kind, 'document')}"}
    body = {"model": "m", "max_tokens": 9, "metadata": {"user_id": v.email(kind, "metadata.user_id")}, "stop_sequences": [v.email(kind, "stop sequence")], "system": [{"type": "text", "text": f"For {v.person(kind, 'system block')}"}],
        "messages": [{"role": "user", "content": [{"type": "document", "title": f"Bill of {v.person(kind, 'title of a document')}", "context": v.email(kind, "context of a document"), "source": source}]},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": f"{v.person(kind, 'earlier thinking')} again", "signature": base64.b64encode(f"sig {v.email(kind, 'signature')}".encode()).decode()}, {"type": "tool_use", "id": "t1", "name": "mail", "input": {v.email(kind, "key of an argument"): 1}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": [{"type": "text", "text": f"no mail for {v.email(kind, 'result')}"}]}]}]}  # fmt: skip
    events: list[Any] = [{"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 1}}}]
    events += [
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "thinking", "thinking": "", "signature": ""},
        }
    ]
    events += [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": part}}
        for part in pieces(thought)
    ]
    events += [
        {
            "type": "content_block_start",
            "index": 1,
            "content_block": {"type": "tool_use", "id": "t2", "name": "mail", "input": {}},
        }
    ]
    events += [
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": part}}
        for part in pieces(given)
    ]
    call(
        session,
        ANTHROPIC,
        body,
        sse(
            *events,
            {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ),
        SSE,
    )


def others(session: SyncSession, v: Secrets) -> None:
    ask = {"contents": [{"role": "user", "parts": [{"text": f"I am {v.person('gemini', 'part')}"}, {"functionResponse": {"name": "a", "response": {"mail": v.email("gemini", "response of a function")}}}]}],
        "systemInstruction": {"parts": [{"text": f"For {v.person('gemini', 'system instruction')}"}]}, "labels": {"who": v.email("gemini", "label")}}  # fmt: skip
    parts = [
        {"functionCall": {"name": "mail", "args": {"to": {"deep": [v.email("gemini", "args")]}}}},
        {"text": f"{v.person('gemini', 'thought')} waits", "thought": True},
    ]
    call(
        session,
        f"{GEMINI}?alt=sse&key={v.key('key= of an address')}",
        ask,
        sse({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]}),
        SSE,
    )
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": f"Mail {v.email('ollama', 'message')}"}],
        "options": {"stop": [v.email("ollama", "stop")]},
        "format": {"enum": [v.email("ollama", "format")]},
    }
    said = {"model": "m", "message": {"role": "assistant", "content": "", "thinking": f"As {v.person('ollama', 'thinking')} says", "tool_calls": [{"function": {"name": "a", "arguments": {"to": v.email("ollama", "arguments")}}}]}, "done": True}  # fmt: skip
    call(session, "http://127.0.0.1:11434/api/chat", body, json.dumps(said).encode() + b"\n", "application/x-ndjson")


def keys(session: SyncSession, v: Secrets) -> None:
    plain = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    headers = {"Authorization": "Bearer {}", "x-api-key": "{}", "api-key": "{}", "x-goog-api-key": "{}", "Cookie": "a=1; session={}", "Proxy-Authorization": "Basic {}", "X-Amz-Security-Token": "{}", "Helicone-Auth": "Bearer {}", "Ocp-Apim-Subscription-Key": "{}", "cf-aig-authorization": "Bearer {}"}  # fmt: skip
    for name, form in headers.items():
        key = v.key(name, "sk-proj-" if name == "Authorization" else "")
        refused = json.dumps(
            {"error": {"message": f"Incorrect API key provided: {key}.", "code": "invalid_api_key"}}
        ).encode()
        call(
            session,
            f"{OPENAI}/chat/completions",
            plain,
            refused,
            status=401,
            sent_headers=[(name, form.format(key))],
            headers=[("set-cookie", f"s={key}"), ("www-authenticate", key)],
        )
    for name in ("OpenAI-Organization", "OpenAI-Project", "anthropic-organization-id"):
        value = v.email(ORGANIZATION, name)
        call(session, f"{OPENAI}/chat/completions", plain, b"{}", sent_headers=[(name, value)], headers=[(name, value)])
    part = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{v.email("upload", "file name")}.txt"\r\n\r\n{v.email("upload", "body")}\r\n--b--'
    call(
        session,
        f"{OPENAI}/files",
        part.encode(),
        b"{}",
        sent_headers=[
            ("content-type", "multipart/form-data; boundary=b"),
            ("authorization", f"Bearer {v.key('upload')}"),
        ],
    )


def told_of_itself(session: SyncSession, v: Secrets, folder: Path) -> None:
    kind = "told"
    picture = Image.new("RGB", (64, 48), "white")
    session.screen(
        picture,
        window=f"Mail of {v.person(kind, 'title of a window')}",
        action={"action": "type", "text": v.email(kind, "typed")},
        label=f"at {v.email(kind, 'label')}",
    )
    session.screen(
        action=f"click the row of {v.person(kind, 'action in words')}",
        cursor=(3, 4),
        pointer=f"on {v.email(kind, 'label of a pointer')}",
    )
    session.screen(
        action={"actions": [{"type": "type", "text": v.email(kind, "typed among several")}]},
        visible=[[1, 1, 9, 9, v.email(kind, "label of a box")]],
    )
    question = session.ask(
        f"May I mail {v.person(kind, 'question')}?", agent=f"bot of {v.person(kind, 'agent that asks')}"
    )
    session.answer(question, f"Yes, {v.email(kind, 'answer')}", by=v.email(kind, "who answered"))
    session.score("tone", 1, comment=f"{v.person(kind, 'comment of a score')} was content")
    home = folder / v.person(kind, "folder of an artifact", "-")
    home.mkdir()
    (home / f"{v.email(kind, 'file name of an artifact')}.txt").write_text(
        f"Paid by {v.email(kind, 'content of an artifact')}"
    )
    session.artifact(next(home.iterdir()))
    session.message(v.email(kind, "sender"), v.email(kind, "receiver"), f"Hand {v.person(kind, 'message')} over")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Secrets, int]:
    folder = tmp_path_factory.mktemp("model places")
    seed = random.randrange(10**6)
    v = Secrets(seed)
    with record(None, folder / "run.reel", agent=f"bot of {v.person('told', 'name of the run')}") as session:
        for plant in (chat, responses, messages, others, keys):
            plant(session, v)
        told_of_itself(session, v, folder)
    with (
        record(None, folder / "other.reel", agent=f"bot of {v.person('joined', 'name of a part')}") as session,
        session.step("Look", agent=f"aid of {v.person('joined', 'agent')}"),
    ):
        session.note(f"for {v.email('joined', 'note')}")
    return folder / "run.reel", folder / "other.reel", v, seed


def test_no_key_and_no_organization_is_in_the_raw_reel_and_the_rest_is(run: tuple[Path, Path, Secrets, int]) -> None:
    path, _, v, seed = run
    raw = readings(path)
    seen = set(told(raw, v))
    assert sorted(name for name in seen if name.startswith((f"{KEY}:", f"{ORGANIZATION}:"))) == [], f"seed {seed}"
    assert len(v.planted) >= 80
    personal = {f"{k}: {p}" for k, p in v.planted if k not in (KEY, ORGANIZATION, "joined")}
    assert sorted(personal - seen - NOT_KEPT) == [], f"seed {seed}"


NOT_KEPT = {"told: folder of an artifact"}
"""Places that no recording keeps: of a file that an agent made, its name alone."""


@pytest.mark.parametrize("policy", ["vendor", "internal", "strict"])
def test_no_place_is_in_a_masked_reel(run: tuple[Path, Path, Secrets, int], policy: str, tmp_path: Path) -> None:
    path, _, v, seed = run
    redact(path, tmp_path / "masked.reel", policy)
    assert told(readings(tmp_path / "masked.reel"), v) == [], f"seed {seed}"


def test_no_place_is_in_any_layer_of_a_replay_for_a_vendor(
    run: tuple[Path, Path, Secrets, int], tmp_path: Path
) -> None:
    path, other, v, seed = run
    build([path, other], tmp_path / "run.html")
    text = decoded(tmp_path / "run.html")
    assert told(_plain(text) + _plain(re.sub(r"\\+[nt]", "", text)), v) == [], f"seed {seed}"
