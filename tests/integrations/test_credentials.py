"""No credential of any name, in any place of a request or an answer, is in what is recorded; what was found in one place is masked in all later ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pagereel.credentials import (
    is_credential_header,
    is_credential_name,
    is_credential_parameter,
    is_header_without_credential,
)
from pagereel.integrations.wire import ProviderKeys, WireExchange, read_exchange
from pagereel.recorder import ModelCall
from pagereel.reel import MASK

CHAT = "https://api.openai.com/v1/chat/completions"
HEADERS = (
    "api-key", "apikey", "X-Auth-Token", "Cookie", "x-goog-api-key", "Authorization", "Proxy-Authorization", "X-Api-Key", "PRIVATE-TOKEN",
    "X-Vault-Token", "Ocp-Apim-Subscription-Key", "xi-api-key", "DD-APPLICATION-KEY", "X-Amz-Security-Token", "X-Session-Id", "X-Csrf-Token",
    "CF-Access-Client-Secret", "X-Signature", "X-Auth", "X-Of-Our-House", "Linear-Workspace", "x-functions-key", "X-Algolia-Application-Id",
)  # fmt: skip
FIELDS = (
    "api_key", "apiKey", "accessToken", "refresh_token", "client_secret", "password", "newPassword", "passphrase", "private_key", "authorization",
    "OPENAI_API_KEY", "SMTP_PASSWORD", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "subscription-key", "account_key", "bearer", "jwt", "cookie",
    "session_token", "secret_id", "pwd",
)  # fmt: skip
VALUE = 'qz-7731-Tern"é&x'
"""With what JSON, addresses and shells write otherwise."""


def places(name: str, value: str) -> list[Any]:
    """Return where somebody may put a header."""
    arguments = json.dumps({"url": "https://shop.example", "headers": {name: value}})
    call = {"id": "1", "type": "function", "function": {"name": "fetch", "arguments": arguments}}
    return [
        {"tools": [{"type": "mcp", "server_url": "https://mcp.example", "headers": {name: value}}]},
        {"tools": [{"type": "mcp", "headers": [{"name": name, "value": value}]}]},
        {"tools": [{"type": "mcp", "headers": [{"value": value, "key": name}]}]},
        {"tools": [{"type": "mcp", "http_headers": [[name, value]]}]},
        {"tools": [{"type": "mcp", "extraHTTPHeaders": {name: [value]}}]},
        {"tools": [{"type": "mcp", "rawHeaders": ["Host", "shop.example", name, value]}]},
        {"tools": [{"type": "mcp", "headers": [f"{name}: {value}"]}]},
        {"tools": [{"type": "mcp", "headers": {"common": {name: value}}}]},
        {"messages": [{"role": "assistant", "content": None, "tool_calls": [call]}]},
        {"messages": [{"role": "tool", "tool_call_id": "1", "content": json.dumps({"request": {"headers": {name: value}}})}]},
        {"metadata": {"config": json.dumps({"mcpServers": {"crm": {"headers": {name: json.dumps({"v": value})}}}})}},
    ]  # fmt: skip


def asked(body: dict[str, Any], answer: Any = None, keys: ProviderKeys | None = None, url: str = CHAT) -> ModelCall:
    told = json.dumps(answer if answer is not None else {"choices": []}).encode()
    exchange = WireExchange(
        "openai", "POST", url, 0.0, sent=[json.dumps({"model": "m", "messages": [], **body}).encode()], status=200, ended=1.0,
        headers=[("content-type", "application/json")], chunks=[(1.0, told)], whole=True,
    )  # fmt: skip
    return read_exchange(exchange, keys or ProviderKeys())


def said(text: str) -> dict[str, Any]:
    return {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}


def stands_in(call: ModelCall, value: str) -> bool:
    return any(form in repr(call) for form in (value, json.dumps(value)[1:-1], "qz-7731", "hunt3"))


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_is_a_secret_wherever_headers_stand(name: str) -> None:
    for value in (VALUE, "hunt3"):
        for body in places(name, value):
            assert not stands_in(asked(body), value), body


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_of_that_name_is_a_secret_wherever_it_stands(name: str) -> None:
    inner = {"env": {name: VALUE}, "args": [f"--{name}={VALUE[:12]}", f"--{name}", VALUE]}
    for body in (
        {"tools": [{"type": "mcp", name: VALUE}]},
        {"messages": [{"role": "tool", "content": json.dumps({"servers": [inner]})}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": json.dumps(json.dumps(inner))}]}]},
        {"metadata": {"fields": [{"name": name, "value": VALUE}]}},
    ):
        assert not stands_in(asked(body), VALUE), body
        assert not stands_in(asked({}, body), VALUE), body


@pytest.mark.parametrize(
    "name", ["subscription-key", "key", "api-key", "sig", "X-Amz-Signature", "access_token", "auth"]
)
def test_a_parameter_of_that_name_is_a_secret_in_every_address(name: str) -> None:
    address = f"https://tools.example/a?b=1&{name}=qz-7731-Tern&c=2#d"
    for body in (
        {"tools": [{"server_url": address}]},
        {"messages": [{"role": "user", "content": f"Look at {address} please."}]},
        {
            "messages": [
                {"role": "assistant", "tool_calls": [{"function": {"arguments": json.dumps({"goto": address})}}]}
            ]
        },
    ):
        call = asked(body, said(f"I looked at {address}"))
        assert "qz-7731" not in repr(call) and "c=2#d" in repr(call)
    assert "qz-7731" not in repr(asked({}, said("qz-7731-Tern"), url=f"{CHAT}?{name}=qz-7731-Tern"))


def test_what_a_shell_is_told_is_looked_through() -> None:
    for command in (
        'curl -H "X-Auth-Token: qz-7731-Tern" https://shop.example',
        "curl --header='Authorization: Bearer qz-7731-Tern' https://shop.example",
        "tool --api-key qz-7731-Tern --verbose",
        "tool --password=qz-7731-Tern",
        "POST / HTTP/1.1\r\nHost: shop.example\r\nCookie: a=qz-7731-Tern; b=2\r\n\r\n",
        "requests.get(url, headers={'X-Api-Key': 'qz-7731-Tern'})",
    ):
        call = asked({"messages": [{"role": "user", "content": command}]}, said("It was qz-7731-Tern."))
        assert "qz-7731" not in repr(call) and call.answered.texts == [f"It was {MASK}."], command


def test_a_value_that_was_masked_by_its_name_is_masked_in_the_answer_and_in_all_that_comes_later() -> None:
    for body in places("X-Of-Our-House", VALUE):
        keys = ProviderKeys()
        first = asked(body, said(f"The key is {VALUE}."), keys)
        assert first.answered.texts == [f"The key is {MASK}."], body
        later = asked({"messages": [{"role": "user", "content": f"I used {VALUE}, you know"}]}, said(VALUE), keys)
        assert not stands_in(first, VALUE) and not stands_in(later, VALUE)


def test_what_a_model_asks_a_tool_with_is_masked_where_the_tool_answers() -> None:
    keys = ProviderKeys()
    arguments = json.dumps({"headers": {"X-Of-Our-House": VALUE}})
    uses = {
        "choices": [{"message": {"tool_calls": [{"id": "1", "function": {"name": "fetch", "arguments": arguments}}]}}]
    }
    first = asked({}, uses, keys)
    assert first.answered.calls[0].arguments == {"headers": {"X-Of-Our-House": MASK}}
    assert not stands_in(first, VALUE)
    assert not stands_in(asked({"messages": [{"role": "tool", "content": f"sent {VALUE}"}]}, None, keys), VALUE)


def test_a_credential_that_comes_in_pieces_takes_the_streams_own_bytes_with_it_though_it_stands_whole_elsewhere() -> (
    None
):
    arguments = json.dumps({"headers": {"X-Auth-Token": "qz-7731-Tern"}})
    deltas = [
        {"content": "qz-7731-Tern "},
        *({"tool_calls": [{"index": 0, "function": {"arguments": letter}}]} for letter in arguments),
    ]
    data = "".join(f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta}]})}\n\n" for delta in deltas).encode()
    exchange = WireExchange(
        "openai", "POST", CHAT, 0.0, sent=[b'{"model": "m", "messages": []}'], status=200, ended=1.0, whole=True,
        headers=[("content-type", "text/event-stream")], chunks=[(1.0, data)],
    )  # fmt: skip
    call = read_exchange(exchange, ProviderKeys())
    assert call.answered.calls[0].arguments == {"headers": {"X-Auth-Token": MASK}}
    assert call.answered.texts == [f"{MASK} "] and call.wire is not None and call.wire.got == b""


def test_what_is_no_credential_stays_byte_for_byte() -> None:
    """Names in schemas, pieces of an answer that are called tokens as well, counts, tables with headers, code, and prose."""
    schema = {
        "type": "object",
        "properties": {
            "password": {"type": "string", "description": "The password of the account"},
            "headers": {"type": "object", "description": "Headers to send", "additionalProperties": {"type": "string"}},
            "token": {"type": "string"},
        },
        "required": ["password", "token"],
    }
    body = {
        "model": "m", "max_tokens": 4096, "max_completion_tokens": 100_000, "prompt_cache_key": "shop-agent-2026",
        "tools": [{"type": "function", "function": {"name": "sign_in", "parameters": schema}}],
        "messages": [
            {"role": "system", "content": "Token: what a model reads.\nHeaders: keep them short.\nThe password is asked for later."},
            {"role": "user", "content": "def login(password: str, token=None):\n    key = request.headers.get('X-Auth-Token')\n"},
            {"role": "user", "content": "Ticket: SHOP-1234\nKey: Enter\nSession: 2026-11\nuse the --token option, or X-Auth-Token instead"},
            {"role": "tool", "content": json.dumps({"header": "Total: 5 of them", "press": {"name": "key", "value": "Enter"}})},
            {"role": "tool", "content": json.dumps({"headers": ["Date", "Amount"], "rows": [["2026-11-28", "64"]]})},
            {"role": "tool", "content": json.dumps({"headers": {"Content-Type": "text/html", "Server": "granian", "X-RateLimit-Left": "3"}})},
            {"role": "tool", "content": json.dumps({"fetch": {"credentials": "same-origin", "key": "Enter", "page_token": "CAUQAA11"}})},
        ],
    }  # fmt: skip
    logprobs = {"content": [{"token": " information", "logprob": -0.1, "bytes": [32], "top_logprobs": []}]}
    answer = {
        "choices": [{"message": {"content": "information"}, "logprobs": logprobs, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 120_000, "completion_tokens_details": {"reasoning_tokens": 12_345}},
    }
    call = asked(body, answer)
    assert call.wire is not None and json.loads(call.wire.sent) == body and json.loads(call.wire.got) == answer


def test_names_are_compared_by_their_words() -> None:
    for words in (
        ["api", "key"],
        ["access", "token"],
        ["client", "secret"],
        ["subscription", "key"],
        ["new", "password"],
        ["private", "key"],
    ):
        camel = words[0] + words[1].title()
        for name in (
            "-".join(words),
            "_".join(words),
            " ".join(words),
            "_".join(words).upper(),
            camel,
            camel[0].upper() + camel[1:],
            f"x-{camel}",
        ):
            assert is_credential_name(name) and is_credential_header(name) and is_credential_parameter(name), name
    for name in (
        "max_tokens",
        "token_type",
        "tokenizer",
        "password_hint",
        "primary_key",
        "author",
        "page_token",
        "keyboard",
        "secretary",
    ):
        assert not is_credential_name(name), name
    assert not any(is_header_without_credential(name) for name in HEADERS)
