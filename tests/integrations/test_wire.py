"""What goes over each provider's wire is read as what it says: at once and streamed, in pieces of any size, whole and broken off."""

from __future__ import annotations

import gzip
import itertools
import json
import zlib
from collections.abc import Iterable
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from pagereel.fixtures.providers import FORMS, MODEL, ScriptedTurn
from pagereel.integrations.wire import ProviderKeys, WireExchange, find_wire_format, read_exchange
from pagereel.recorder import ModelCall

PATHS = {
    "chat": "https://api.openai.com/v1/chat/completions",
    "responses": "https://api.openai.com/v1/responses",
    "messages": "https://api.anthropic.com/v1/messages",
    "ollama": "http://127.0.0.1:11434/api/chat",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:streamGenerateContent?alt=sse",
}
TURN = ScriptedTurn(
    "Es gibt drei Vasen 🏺 — “Tern”, and two more.",
    "The cart is empty, so I look first.",
    (("search", {"query": "vase", "limit": 3}), ("open", {"url": "https://shop.example/ö"})),
    input_tokens=1200,
    cached_tokens=1000,
    output_tokens=80,
    reasoning_tokens=30,
)
WITHOUT_CACHE = {"ollama"}
WITHOUT_REASONING_COUNT = {"ollama", "messages"}


def exchanged(
    name: str, answer: Iterable[bytes], mime: str, body: dict[str, Any] | None = None, **more: Any
) -> ModelCall:
    chunks = [(10.0 + n, data) for n, data in enumerate(answer)]
    headers = [("content-type", mime), *more.pop("headers", ())]
    sent = json.dumps(body if body is not None else {"model": "m", "messages": [{"role": "user", "content": "hi"}]})
    fields: dict[str, Any] = {"status": 200, "whole": True, "ended": 90.0, **more}
    exchange = WireExchange(
        name, "POST", PATHS[name], 1.0, sent=[sent.encode()], headers=headers, chunks=chunks, **fields
    )
    return read_exchange(exchange, ProviderKeys())


def same(call: ModelCall, name: str, turn: ScriptedTurn = TURN) -> None:
    answered = call.answered
    assert answered.error is None
    assert "".join(answered.texts) == turn.text
    assert answered.reasoning == turn.reasoning
    assert [(use.name, use.arguments) for use in answered.calls] == list(turn.calls)
    assert (answered.model, answered.input_tokens, answered.output_tokens) == (MODEL, 1200, 80)
    assert answered.cached_tokens == (None if name in WITHOUT_CACHE else 1000)
    assert answered.reasoning_tokens == (None if name in WITHOUT_REASONING_COUNT else 30)
    assert answered.finish


@pytest.mark.parametrize("name", FORMS)
def test_an_answer_that_comes_at_once(name: str) -> None:
    call = exchanged(name, [json.dumps(FORMS[name].whole(TURN, 1)).encode()], "application/json")
    same(call, name)
    assert call.first is None and call.api == name


@pytest.mark.parametrize("name", FORMS)
def test_a_stream_in_pieces_of_every_size(name: str) -> None:
    data = "".join(FORMS[name].stream(TURN, 1)).encode()
    for size in (*range(1, 40), 1000, len(data)):
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        same(exchanged(name, pieces, FORMS[name].mime), name)


@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=60, deadline=None)
@given(borders=st.lists(st.floats(0, 1), max_size=30))
def test_a_stream_cut_anywhere(name: str, borders: list[float]) -> None:
    data = "".join(FORMS[name].stream(TURN, 1)).encode()
    cuts = sorted({0, len(data), *(int(at * len(data)) for at in borders)})
    same(exchanged(name, [data[a:b] for a, b in itertools.pairwise(cuts)], FORMS[name].mime), name)


@pytest.mark.parametrize("name", FORMS)
def test_a_stream_that_breaks_off_is_what_came_of_it(name: str) -> None:
    data = "".join(FORMS[name].stream(TURN, 1)).encode()
    begun = data[: data.index(b"drei") + 40]
    call = exchanged(name, [begun], FORMS[name].mime, whole=False)
    assert TURN.text.startswith("".join(call.answered.texts)) and call.answered.reasoning == TURN.reasoning
    assert "cancelled" in str(call.answered.error)
    assert call.wire is not None and not call.wire.whole


@pytest.mark.parametrize("name", FORMS)
def test_the_first_of_a_stream_is_the_piece_that_says_something(name: str) -> None:
    pieces = [piece.encode() for piece in FORMS[name].stream(ScriptedTurn("Yes indeed"), 1)]
    at = next(n for n, piece in enumerate(pieces) if b"Yes" in piece)
    assert exchanged(name, pieces, FORMS[name].mime).first == 10.0 + at


ERRORS = {
    "chat": {
        "error": {"message": "Rate limit reached", "type": "requests", "param": None, "code": "rate_limit_exceeded"}
    },
    "responses": {"error": {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}},
    "messages": {"type": "error", "error": {"type": "rate_limit_error", "message": "Rate limit reached"}},
    "ollama": {"error": "Rate limit reached"},
    "gemini": {"error": {"code": 429, "message": "Rate limit reached", "status": "RESOURCE_EXHAUSTED"}},
}


@pytest.mark.parametrize("name", FORMS)
def test_what_a_provider_refuses_is_told_in_its_words(name: str) -> None:
    call = exchanged(name, [json.dumps(ERRORS[name]).encode()], "application/json", status=429)
    assert str(call.answered.error).startswith("429: ") and "Rate limit reached" in str(call.answered.error)
    page = exchanged(name, [b"<html>Bad gateway"], "text/html", status=502)
    assert page.answered.error == "502: <html>Bad gateway"


def test_an_error_within_a_stream() -> None:
    told = {
        "chat": b'data: {"error": {"message": "overloaded", "type": "server_error"}}\n\n',
        "responses": b'event: error\ndata: {"type": "error", "code": "server_error", "message": "overloaded"}\n\n',
        "messages": b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}\n\n',
        "ollama": b'{"error": "overloaded"}\n',
        "gemini": b'data: {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}\n\n',
    }
    for name, data in told.items():
        assert "overloaded" in str(exchanged(name, [data], FORMS[name].mime).answered.error), name


def test_a_response_that_failed_or_was_cut_says_why() -> None:
    failed = {
        "type": "response.failed",
        "response": {"status": "failed", "error": {"code": "server_error", "message": "It broke"}},
    }
    call = exchanged("responses", [f"data: {json.dumps(failed)}\n\n".encode()], "text/event-stream")
    assert call.answered.error == "server_error: It broke"
    cut = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": []}
    assert exchanged("responses", [json.dumps(cut).encode()], "application/json").answered.finish == "max_output_tokens"


def test_refusals() -> None:
    chat = {
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": None, "refusal": "I can't help with that."},
                "finish_reason": "stop",
            }
        ]
    }
    assert (
        exchanged("chat", [json.dumps(chat).encode()], "application/json").answered.refusal == "I can't help with that."
    )
    message = {"type": "message", "content": [{"type": "text", "text": "No."}], "stop_reason": "refusal"}
    assert exchanged("messages", [json.dumps(message).encode()], "application/json").answered.refusal == "No."
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}}
    assert "SAFETY" in exchanged("gemini", [json.dumps(blocked).encode()], "application/json").answered.refusal


def test_several_choices_stay_apart() -> None:
    chunk = 'data: {{"choices": [{{"index": {}, "delta": {{"content": "{}"}}}}]}}\n\n'
    data = "".join(chunk.format(index, word) for index, word in ((0, "yes"), (1, "no"), (0, "!"))).encode()
    assert exchanged("chat", [data], "text/event-stream").answered.texts == ["yes!", "no"]


def test_gemini_streams_an_array_where_nobody_asks_for_events() -> None:
    parts = ['say "{', "}] \\ ", "done"]
    chunks = [{"candidates": [{"content": {"parts": [{"text": part}]}}], "modelVersion": MODEL} for part in parts]
    data = ("[" + ",\r\n".join(json.dumps(chunk) for chunk in chunks) + "]").encode()
    for size in (1, 2, 3, 7, 1000):
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        assert exchanged("gemini", pieces, "application/json").answered.texts == ["".join(parts)]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "zstd", "br", "identity"])
def test_compressed_bodies_of_both_sides(encoding: str) -> None:
    brotli = pytest.importorskip("brotli")
    pack = {
        "gzip": gzip.compress, "deflate": zlib.compress, "zstd": zstandard.ZstdCompressor().compress,
        "br": brotli.compress, "identity": bytes,
    }[encoding]  # fmt: skip
    data = pack("".join(FORMS["chat"].stream(TURN, 1)).encode())
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "Hallo"}]}).encode()
    exchange = WireExchange(
        "openai", "POST", PATHS["chat"], 0.0, sent_headers=[("Content-Encoding", encoding)], sent=[pack(body)], status=200,
        headers=[("Content-Type", "text/event-stream"), ("Content-Encoding", encoding)],
        chunks=[(float(n), data[n : n + 1]) for n in range(len(data))], ended=9.0, whole=True,
    )  # fmt: skip
    call = read_exchange(exchange, ProviderKeys())
    same(call, "chat")
    assert call.asked is not None and call.asked.messages == [{"role": "user", "content": "Hallo"}]
    assert call.wire is not None and call.wire.sent == body


def test_a_body_that_is_not_compressed_as_it_says_is_no_error_of_ours() -> None:
    call = exchanged("chat", [b"no gzip"], "application/json", headers=[("content-encoding", "gzip")])
    assert "could not be read" in str(call.answered.error)
    assert "could not be read" in str(
        exchanged("chat", [b"?"], "application/json", headers=[("content-encoding", "lzma")]).answered.error
    )


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("data", [b"", b"null", b"[]", b"{", b'data: {"choices": 3}\n\n', b"\xff\xfe\x00", b"[" * 5000])
def test_what_is_no_answer_at_all(name: str, data: bytes) -> None:
    for mime in ("application/json", FORMS[name].mime):
        exchanged(name, [data], mime)


def test_what_each_wire_asks() -> None:
    tool = {"type": "function", "function": {"name": "search"}}
    called = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    chat = exchanged("chat", [], "", {
        "model": "gpt", "temperature": 0, "stream": True, "tools": [tool],
        "messages": [{"role": "system", "content": "Shop."}, {"role": "assistant", "tool_calls": [called]}, {"role": "tool", "tool_call_id": "c1", "content": "none"}],
    }).asked  # fmt: skip
    assert chat is not None and chat.model == "gpt" and len(chat.messages) == 3 and chat.tools == [tool]
    assert chat.parameters == {"temperature": 0, "stream": True}
    assert [(r.id, r.result) for r in chat.results] == [("c1", "none")]

    responses = exchanged("responses", [], "", {
        "model": "gpt", "instructions": "Shop.", "previous_response_id": "r0",
        "input": [{"role": "user", "content": "hi"}, {"type": "function_call_output", "call_id": "c1", "output": "none"}],
    }).asked  # fmt: skip
    assert responses is not None and responses.system == ["Shop."] and len(responses.messages) == 2
    assert [(r.id, r.result) for r in responses.results] == [("c1", "none")]

    blocks = [{"type": "tool_result", "tool_use_id": "t1", "content": "no such page", "is_error": True}]
    messages = exchanged("messages", [], "", {
        "model": "claude", "system": [{"type": "text", "text": "Shop."}], "max_tokens": 9,
        "messages": [{"role": "user", "content": blocks}],
    }).asked  # fmt: skip
    assert messages is not None and messages.system == [[{"type": "text", "text": "Shop."}]]
    assert [(r.id, r.result, r.failed) for r in messages.results] == [("t1", "no such page", True)]

    gemini = exchanged("gemini", [], "", {
        "systemInstruction": {"parts": [{"text": "Shop."}]}, "generationConfig": {"temperature": 0},
        "contents": [
            {"role": "user", "parts": [{"text": "hi"}]}, {"role": "model", "parts": [{"functionCall": {"name": "search", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "search", "response": {"found": 0}}}]},
        ],
    }).asked  # fmt: skip
    assert gemini is not None and gemini.model == "gemini-x" and len(gemini.messages) == 3
    assert [(r.name, r.result) for r in gemini.results] == [("search", {"found": 0})]

    ollama = exchanged("ollama", [], "", {
        "model": "llama", "messages": [
            {"role": "tool", "content": "old", "tool_name": "search"},
            {"role": "assistant", "tool_calls": [{"function": {"name": "search", "arguments": {}}}]}, {"role": "tool", "content": "new"},
        ],
    }).asked  # fmt: skip
    assert ollama is not None and [(r.name, r.result) for r in ollama.results] == [("search", "new")]


def test_which_paths_are_calls_of_a_model() -> None:
    assert {name: find_wire_format(url).name for name, url in PATHS.items() if find_wire_format(url)} == {
        name: name for name in PATHS
    }  # type: ignore[union-attr]
    for other in ("/v1/models", "/v1/messages/count_tokens", "/api/tags", "/v1/embeddings", "/v1/responses/r1"):
        assert find_wire_format(f"https://x.example{other}") is None
    assert find_wire_format(PATHS["chat"], "GET") is None


KEY = "sk-canary-0123456789abcdef"


def test_no_key_is_left_wherever_it_stands() -> None:
    places = [
        ([("Authorization", f"Bearer {KEY}")], PATHS["chat"]),
        ([("x-api-key", KEY)], PATHS["chat"]),
        ([("x-goog-api-key", KEY)], PATHS["chat"]),
        ([("Cookie", f"a=1; session={KEY}")], PATHS["chat"]),
        ([], f"{PATHS['chat']}?key={KEY}&alt=sse"),
    ]
    said = {
        "choices": [
            {
                "message": {
                    "content": f"Your key {KEY} is fine",
                    "tool_calls": [{"id": "1", "function": {"name": "log", "arguments": json.dumps({"key": KEY})}}],
                }
            }
        ]
    }
    for headers, url in places:
        body = {"model": "m", "messages": [{"role": "user", "content": f"I use {KEY}"}], "user": KEY}
        exchange = WireExchange(
            "openai", "POST", url, 0.0, sent_headers=headers, sent=[json.dumps(body).encode()], status=200, ended=1.0, whole=True,
            headers=[("content-type", "application/json"), ("x-request-id", KEY), ("set-cookie", f"s={KEY}")],
            chunks=[(1.0, json.dumps(said).encode())],
        )  # fmt: skip
        call = read_exchange(exchange, ProviderKeys())
        assert KEY not in repr(call) and "•••••" in repr(call)
        assert call.wire is not None and "set-cookie" not in call.wire.headers


def test_a_key_that_comes_letter_by_letter_takes_the_streams_own_bytes_with_it() -> None:
    chunk = 'data: {{"choices": [{{"index": 0, "delta": {{"content": "{}"}}}}]}}\n\n'
    data = "".join(chunk.format(letter) for letter in KEY).encode()
    exchange = WireExchange(
        "openai", "POST", PATHS["chat"], 0.0, sent_headers=[("authorization", f"Bearer {KEY}")], sent=[b'{"model": "m"}'],
        status=200, headers=[("content-type", "text/event-stream")], chunks=[(1.0, data)], ended=1.0, whole=True,
    )  # fmt: skip
    call = read_exchange(exchange, ProviderKeys())
    assert call.answered.texts == ["•••••"] and call.wire is not None and call.wire.got == b""


def test_keys_of_other_services_in_a_request_are_not_kept() -> None:
    body = {
        "model": "m",
        "messages": [],
        "tools": [{"type": "mcp", "server_url": "https://mcp.example", "authorization": "tok-of-somebody"}],
    }
    exchange = WireExchange("openai", "POST", PATHS["responses"], 0.0, sent=[json.dumps(body).encode()], ended=1.0)
    assert "tok-of-somebody" not in repr(read_exchange(exchange, ProviderKeys()))
    known = WireExchange(
        "openai", "POST", PATHS["chat"], 0.0, sent=[b'{"model": "m", "messages": ["my-own-password"]}'], ended=1.0
    )
    assert "my-own-password" not in repr(read_exchange(known, ProviderKeys({"SMTP_PASSWORD": "my-own-password"})))


def test_a_price_names_its_list() -> None:
    pytest.importorskip("genai_prices")
    answer = {
        "model": "gpt-4o-mini-2024-07-18",
        "choices": [{"message": {"content": "x"}}],
        "usage": {"prompt_tokens": 1_000_000, "completion_tokens": 0},
    }
    call = exchanged("chat", [json.dumps(answer).encode()], "application/json")
    assert call.cost_usd == pytest.approx(0.15) and call.prices is not None and call.prices["name"] == "genai-prices"
    assert (
        exchanged("chat", [json.dumps(answer | {"model": "nobody-knows"}).encode()], "application/json").cost_usd
        is None
    )


def test_reasoning_in_details_and_tools_that_the_provider_runs_itself() -> None:
    delta = {"content": "", "reasoning_details": [{"type": "reasoning.text", "text": "I see"}]}
    data = f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta}]})}\n\n".encode()
    assert exchanged("chat", [data], "text/event-stream").answered.reasoning == "I see"
    searched = {
        "type": "web_search_call",
        "id": "ws_1",
        "status": "completed",
        "action": {"type": "search", "query": "vase"},
    }
    ran = {"type": "code_interpreter_call", "id": "ci_1", "code": "1 + 1", "container_id": "c"}
    body = {"status": "completed", "output": [searched, ran]}
    calls = exchanged("responses", [json.dumps(body).encode()], "application/json").answered.calls
    assert [(use.name, use.arguments) for use in calls] == [
        ("web_search_call", {"type": "search", "query": "vase"}),
        ("code_interpreter_call", "1 + 1"),
    ]


def test_who_hangs_up_after_the_end_has_cancelled_nothing() -> None:
    for last in ("data: [DONE]\n\n", 'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n'):
        said = 'data: {"choices": [{"index": 0, "delta": {"content": "Yes"}}]}\n\n'
        call = exchanged("chat", [(said + last).encode()], "text/event-stream", whole=False)
        assert call.answered.error is None and call.wire is not None and call.wire.whole
