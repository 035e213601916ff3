"""Converts the bytes of a request to a model provider, and of its answer, to a model call.

The proxy or the client's hook stores the bytes with their times in a :class:`WireExchange`. Afterwards a separate
thread makes a :class:`~pagereel.recorder.ModelCall` of it with :func:`read_exchange`, so that the traffic does not
wait.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from pagereel.recorder import ModelAnswer, ModelCall, ModelHttpExchange

from .anthropic import AnthropicFormat
from .api_format import AnswerReader, ModelApiFormat
from .decoded_body import DecodedBody
from .gemini import GeminiFormat
from .json_values import as_object, parse_json, read_error_message
from .ollama import OllamaFormat
from .openai_chat import OpenAiChatFormat
from .openai_responses import OpenAiResponsesFormat
from .prices import set_call_cost
from .provider_keys import ProviderKeys, mask_keys_in_url, select_kept_headers
from .stream_decoders import JsonArrayDecoder, create_stream_decoder

Headers = list[tuple[str, str]]

FORMATS: Final[tuple[tuple[re.Pattern[str], ModelApiFormat], ...]] = (
    (re.compile(r"/chat/completions$|(?<!/api)/completions$"), OpenAiChatFormat()),
    (re.compile(r"/responses$"), OpenAiResponsesFormat()),
    (re.compile(r"/messages$"), AnthropicFormat()),
    (re.compile(r"/api/(?:chat|generate)$"), OllamaFormat()),
    (re.compile(r":(?:stream)?[gG]enerateContent$"), GeminiFormat()),
)
"""The wire format for each pattern of a path."""
PATHS: Final = "|".join(f"(?:{pattern.pattern})" for pattern, _ in FORMATS)
"""A regular expression that matches the paths of model calls, and no others."""
_CANCELLED: Final = "cancelled: the client did not wait for the answer's end"


@dataclass(slots=True)
class WireExchange:
    """The bytes of one request to a model provider and its answer, as they arrived.

    Times in ms on the recording's clock.
    """

    provider: str
    method: str
    url: str
    """The provider's own address."""
    began: float
    step: int | None = None
    agent: str | None = None
    """The name of the agent that makes the call."""
    sent_headers: Headers = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)
    status: int = 0
    headers: Headers = field(default_factory=list)
    chunks: list[tuple[float, bytes]] = field(default_factory=list)
    """The pieces of the answer's body, each with its time."""
    ended: float = 0.0
    whole: bool = False
    """Whether the answer is complete."""
    failed: str = ""
    """What failed on the way, if the provider did not answer."""


def find_wire_format(url: str, method: str = "POST") -> ModelApiFormat | None:
    """Return the wire format of a request with this URL and method; None if it is no model call."""
    if method != "POST":
        return None
    path = urlsplit(url).path.rstrip("/")
    return next((known for pattern, known in FORMATS if pattern.search(path)), None)


def decode_request_body(exchange: WireExchange) -> bytes:
    """Return a request's decompressed body; b"" if it cannot be decompressed."""
    body = DecodedBody(_find_header(exchange.sent_headers, "content-encoding"), [b"".join(exchange.sent)])
    return b"".join(body.pieces)


def read_exchange(exchange: WireExchange, keys: ProviderKeys) -> ModelCall:
    """Convert an exchange (a request to a model provider, and its answer) to a model call in which all API keys are
    masked.

    If the exchange is no model call, the result's `asked` is None. Never raises.
    """
    keys.add_request_keys(exchange.sent_headers, exchange.url)
    sent_mime = _find_header(exchange.sent_headers, "content-type")
    sent = keys.mask_keys(decode_request_body(exchange))
    call = ModelCall(exchange.began, exchange.ended or exchange.began, exchange.provider, step=exchange.step)
    call.agent = exchange.agent
    told = False
    form = find_wire_format(exchange.url, exchange.method)
    body = as_object(parse_json(sent)) if form is not None else {}
    mime = _find_header(exchange.headers, "content-type")
    answer = DecodedBody(_find_header(exchange.headers, "content-encoding"), [data for _, data in exchange.chunks])
    if form is not None and body:
        call.asked = form.read_request(body, urlsplit(exchange.url).path)
        call.api = form.name
        call.first = _read_answer(form, call, exchange, answer.pieces, mime)
        if call.answered.error is None:
            call.answered.error = _describe_exchange_error(exchange, call.answered, answer.understood)
        told = _mask_answer_keys(call.answered, keys)
        set_call_cost(call)
    got, coding, why = answer.choose_kept_bytes(keys)
    if told and form is not None:
        # A key that arrived letter by letter is not found in any piece, so the bytes of this answer are not kept.
        again = ModelCall(call.began, call.ended)
        _read_answer(form, again, exchange, [got], mime)
        if _mask_answer_keys(again.answered, keys):
            got, why = b"", "a credential stood in it piece by piece"
    url = keys.mask_keys_in_text(mask_keys_in_url(exchange.url))
    kept = {name: keys.mask_keys_in_text(value) for name, value in select_kept_headers(exchange.headers).items()}
    if coding:
        kept["content-encoding"] = coding
    call.wire = ModelHttpExchange(
        exchange.method,
        url,
        sent,
        sent_mime,
        exchange.status,
        kept,
        got,
        mime.partition(";")[0],
        exchange.whole or bool(call.answered.finish),
        why,
    )
    return call


def _read_answer(
    api_format: ModelApiFormat, call: ModelCall, exchange: WireExchange, pieces: list[bytes], mime: str
) -> float | None:
    """Read the answer's decompressed pieces into the model call.

    Return the time at which the first part of a streamed answer arrived (ms).
    """
    answer: AnswerReader = api_format.create_answer_reader()
    call.answered = answer.answered
    if exchange.status >= 400:
        call.answered.error = exchange.failed or _describe_error_answer(b"".join(pieces), exchange.status)
        return None
    stream = create_stream_decoder(mime)
    if stream is None and api_format.name == "ollama" and b"\n" in b"".join(pieces).strip():
        stream = create_stream_decoder("application/x-ndjson")
    if stream is None and b"".join(pieces).lstrip()[:1] == b"[":
        stream = JsonArrayDecoder()
    if stream is None:
        answer.read_answer(as_object(parse_json(b"".join(pieces))))
        return None
    first: float | None = None
    for (t, _), data in zip(exchange.chunks, pieces, strict=False):
        exchange.whole |= _feed_events(answer, stream.feed(data))
        if first is None and answer.speaks:
            first = t
    exchange.whole |= _feed_events(answer, stream.flush())
    return first


def _feed_events(answer: AnswerReader, events: Iterable[tuple[str, str]]) -> bool:
    """Pass the next events to an answer's reader. Return whether the last event of the stream was among them.

    After the last event some client libraries close the connection.
    """
    done = False
    for name, data in events:
        if data.strip() == "[DONE]":
            done = True
        else:
            answer.read_event(name, data)
    return done


def _describe_error_answer(body: bytes, status: int) -> str:
    """Return the error message in a provider's answer, with the HTTP status."""
    told = parse_json(body)
    if isinstance(told, list):  # Gemini streams a list
        told = told[0] if told else None
    text = (
        read_error_message(as_object(told).get("error"))
        or read_error_message(told)
        or body[:500].decode("utf-8", "replace").strip()
    )
    return f"{status}: {text}" if text else str(status)


def _describe_exchange_error(exchange: WireExchange, answered: ModelAnswer, understood: bool) -> str | None:
    if exchange.failed:
        return exchange.failed
    if not exchange.whole and not answered.finish:  # Some clients close the connection once the model has ended.
        return _CANCELLED
    if not understood:
        return f"its answer could not be read: {_find_header(exchange.headers, 'content-encoding')}"
    return None


def _mask_answer_keys(answered: ModelAnswer, keys: ProviderKeys) -> bool:
    """Mask the keys in an answer. Return whether there were any."""
    before = (answered.texts, answered.reasoning, answered.refusal, [use.arguments for use in answered.calls])
    for use in answered.calls:  # first the arguments, whose names identify keys
        use.arguments = keys.mask_keys_in_json(use.arguments)
    answered.texts = [keys.mask_keys_in_text(text) for text in answered.texts]
    answered.reasoning = keys.mask_keys_in_text(answered.reasoning)
    answered.refusal = keys.mask_keys_in_text(answered.refusal)
    if answered.error is not None:
        answered.error = keys.mask_keys_in_text(answered.error)
    return before != (answered.texts, answered.reasoning, answered.refusal, [use.arguments for use in answered.calls])


def _find_header(headers: Headers, name: str) -> str:
    return ", ".join(value for known, value in headers if known.lower() == name)
