"""Writes the events of model calls taken from HTTP traffic: each message once, the call, its tool calls and their results.

A proxy or a client's hooks build a :class:`ModelCall` from the traffic, whatever the provider's format; this module
writes its events. It may be called from any thread.
"""

from __future__ import annotations

import base64
import binascii
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, cast

import orjson

from pagereel.reel import TOOL, Event, Json, build_recipe, encode_stream, shorten_recipe

from .agent_attribution import AgentAttribution
from .agent_context import build_agent_field
from .inferred_steps import InferredSteps
from .model_screens import ModelScreenRecorder, offers_computer_tool
from .runtime.json_conversion import LIMIT, to_json, to_nonnegative_number, to_text

_LARGEST: Final = 8_000_000
"""Largest message that is kept, in bytes."""
_WORTH_LOOKING: Final = 1_000
"""Smallest message that is searched for pictures, in bytes."""
_BASE64: Final = re.compile(r"(?P<head>data:[\w.+/-]{1,80};base64,)?(?P<data>[A-Za-z0-9+/]{400,}={0,2})")
_PICTURES: Final = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}
_KEPT_ANSWERS: Final = frozenset({"text/event-stream", "application/x-ndjson", "application/json"})
"""Types of answers whose body is kept although the `llm` event describes them."""
_SHORT: Final = 200
"""Longest tool result that is written beside the message that contains it, in characters."""
_MESSAGE: Final = "user"
"""The role of a message that names none."""
_KNOWN_RESULTS: Final = 100_000
"""Largest number of tool calls that wait for a result."""


@dataclass(slots=True)
class ToolUse:
    """A tool call in a model's answer. `id`: the provider's id, "" if there is none."""

    name: str
    arguments: Json = None
    id: str = ""


@dataclass(slots=True)
class ToolCallResult:
    """The result of a tool call, as the next request to the model contains it. `id`: the id of the call; without one,
    `name` identifies the call. `message`: the index of the message that contains the result, and `path`: where in that
    message.
    """

    result: Json = None
    id: str = ""
    name: str = ""
    failed: bool = False
    message: int = -1
    path: tuple[str | int, ...] = ()


@dataclass(slots=True)
class ModelRequest:
    """The content of a request to a model. Messages and tools are the JSON of the HTTP request."""

    model: str | None = None
    system: list[Json] = field(default_factory=list)
    """Instructions outside of the messages."""
    messages: list[Json] = field(default_factory=list)
    tools: list[Json] = field(default_factory=list)
    parameters: dict[str, Json] = field(default_factory=dict)
    results: list[ToolCallResult] = field(default_factory=list)


@dataclass(slots=True)
class ModelAnswer:
    """A model's answer. Tokens: `input` includes the cached tokens, `output` those of the reasoning."""

    model: str | None = None
    texts: list[str] = field(default_factory=list)
    """One text for each choice; usually one."""
    reasoning: str = ""
    refusal: str = ""
    calls: list[ToolUse] = field(default_factory=list)
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    finish: str | None = None
    error: str | None = None


@dataclass(slots=True)
class ModelHttpExchange:
    """The HTTP request and response of a model call, stored so that the call can be replayed. Secrets are already
    removed from `url` and `headers`.
    """

    method: str
    url: str
    sent: bytes
    sent_mime: str = ""
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    got: bytes = b""
    mime: str = ""
    whole: bool = True
    """Whether the answer is complete."""
    why: str = ""
    """Why the answer's body is not kept."""


@dataclass(slots=True)
class ModelCall:
    """One request to a model and its answer. Times in ms on the recording's clock."""

    began: float
    ended: float
    provider: str | None = None
    api: str | None = None
    """The wire's format: ``chat``, ``responses``, ``messages``…"""
    asked: ModelRequest | None = None
    """None: not a model call; only the exchange is kept."""
    answered: ModelAnswer = field(default_factory=ModelAnswer)
    first: float | None = None
    """When the first piece of a streamed answer arrived."""
    cost_usd: float | None = None
    prices: dict[str, str] | None = None
    """Name and version of the price list behind the cost."""
    step: int | None = None
    agent: str | None = None
    """The name of the agent that made the call."""
    wire: ModelHttpExchange | None = None


class ModelLog:
    """Writes the model calls of one recording. `emit` writes an event and `keep` stores a resource, as in
    :class:`~.agent.AgentLog`.
    """

    def __init__(
        self,
        emit: Callable[[Event], None],
        keep: Callable[[bytes, str], None],
        next_id: Callable[[], int],
        show: Callable[[Any, Event], None] = lambda picture, event: None,
    ) -> None:
        self._emit = emit
        self._keep = keep
        self._next_id = next_id
        self._lock = threading.Lock()
        self._said: dict[bytes, int] = {}
        self._pictures: dict[str, str] = {}
        """Hashes of pictures → their placeholders in messages."""
        self._screens = ModelScreenRecorder(show, next_id)
        self._open: dict[str, tuple[int, float]] = {}
        """The provider's id of a tool call → the event's id, and when the call was made."""
        self._turns: dict[str | None, InferredSteps] | None = {}
        """The inferred steps of each agent; None once the caller reports steps."""
        self._who: AgentAttribution | None = AgentAttribution()
        """None once the caller names an agent."""
        self._unnamed: dict[str, list[str]] = {}
        """Names of tools whose calls have no id → their keys in `_open`, in order."""

    def stop_inferring_steps(self, t: float) -> None:
        """Stop inferring steps at `t` (ms), because the caller reports steps itself."""
        with self._lock:
            self._end_inferred_steps(t)

    def _end_inferred_steps(self, t: float) -> None:
        for turns in (self._turns or {}).values():
            turns.end_last_turn(t)
        self._turns = None

    def write_call(self, call: ModelCall) -> int:
        """Write a call's events. Return the call's id."""
        with self._lock:
            if call.agent is not None:
                self._who = None
            if self._turns is not None and call.asked is not None and call.step is None:
                if self._who is not None:
                    call.agent = self._who.infer_agent_name(call)
                turns = self._turns.setdefault(call.agent, InferredSteps(self._emit, self._next_id, call.agent))
                # Each request repeats all earlier results: only new ones belong to the turn that ends.
                news = [answer for answer in call.asked.results if self._is_call_awaiting_result(answer)]
                call.step = turns.assign_step(call, news)
            number = self._next_id()
            parts: list[tuple[int, Json]] = []
            fields: Event = {}
            if call.asked is not None:
                fields = self._write_call_events(number, call, call.asked, parts)
            if call.wire is not None:
                self._write_http_exchange(number, call, call.wire, parts, fields)
            return number

    def _write_call_events(
        self, number: int, call: ModelCall, request: ModelRequest, numbered_messages: list[tuple[int, Json]]
    ) -> Event:
        """Write a call and its tool calls. Return its `llm` event."""
        said = [self._write_message(message, "system", call, numbered_messages) for message in request.system]
        messages = [self._write_message(message, _MESSAGE, call, numbered_messages) for message in request.messages]
        for answer in request.results:
            told = messages[answer.message] if 0 <= answer.message < len(messages) else 0
            self._write_tool_result(answer, call, told)
        said += messages
        tools = [self._write_message(tool, TOOL, call, numbered_messages) for tool in request.tools]
        event = _build_llm_event(number, call, request, [n for n in said if n], [n for n in tools if n])
        self._emit(event)
        for use in call.answered.calls:
            self._write_tool_call(use, number, call)
        return event

    def _write_message(self, value: Json, role: str, call: ModelCall, numbered_messages: list[tuple[int, Json]]) -> int:
        """Write a message's `said` event if the message is new. Return the event's number; 0 if it cannot be written."""
        try:
            data = orjson.dumps(value)
        except (TypeError, ValueError, RecursionError):
            return 0
        if role == _MESSAGE and isinstance(value, dict):
            named = value.get("role") or value.get("type")
            role = named if isinstance(named, str) and named else role
        key = sha256(role.encode() + b"\n" + data).digest()
        number = self._said.get(key, 0)
        if not number:
            content = value if len(data) < _WORTH_LOOKING else self._replace_pictures(value, call)
            if len(data) > _LARGEST:
                content = to_json(content, _LARGEST)
            number = self._said[key] = self._next_id()
            fields: Event = {"id": number, "role": to_text(role, 200), "content": content}
            self._emit({"k": "said", "t": call.began, **fields})
        numbered_messages.append((number, value))
        return number

    def _replace_pictures(self, value: Json, call: ModelCall) -> Json:
        """Return a message in which each picture or file is replaced by a screenshot's number or a resource's hash."""
        if isinstance(value, dict):
            return {name: self._replace_pictures(inner, call) for name, inner in value.items()}
        if isinstance(value, list):
            return [self._replace_pictures(inner, call) for inner in value]
        found = _BASE64.fullmatch(value) if isinstance(value, str) and len(value) >= 400 else None
        if found is None:
            return value
        try:
            content = base64.b64decode(found["data"], validate=True)
        except (ValueError, binascii.Error):
            return value
        digest = sha256(content).hexdigest()
        mime = next((mime for magic, mime in _PICTURES.items() if content.startswith(magic)), "")
        head = found["head"] or ""
        if not mime:
            self._keep(content, "application/octet-stream")
            return f"{head}pagereel:resource/{digest}"
        stands = self._pictures.get(digest)
        if stands is None:
            stands = self._pictures[digest] = self._write_picture(content, mime, digest, call)
        return f"{head}{stands}"

    def _write_picture(self, content: bytes, mime: str, digest: str, call: ModelCall) -> str:
        """Write a picture that was sent to a model, and return its placeholder in the message."""
        if call.asked is not None and offers_computer_tool(call.asked):
            return f"pagereel:screen/{self._screens.write_picture(content, digest, call)}"
        number = self._next_id()
        self._keep(content, mime)
        fields: Event = {"id": number, "step": call.step, "page": None, "label": "In the prompt", "body": digest}
        self._emit({"k": "screenshot", "t": call.began, **fields, "boxes": [], **build_agent_field(call.agent)})
        return f"pagereel:screenshot/{number}"

    def _is_call_awaiting_result(self, tool_result: ToolCallResult) -> bool:
        """Return whether a tool result belongs to a call that has no result yet."""
        if tool_result.id in self._open:
            return True
        return bool(tool_result.name) and any(key in self._open for key in self._unnamed.get(tool_result.name, ()))

    def _write_tool_call(self, tool_use: ToolUse, llm: int, call: ModelCall) -> None:
        number = self._next_id()
        fields: Event = {"id": number, "step": call.step, "llm": llm, "name": to_text(tool_use.name, 10_000)}
        fields |= {"arguments": to_json(tool_use.arguments), **build_agent_field(call.agent)}
        self._emit({"k": "tool_call", "t": call.ended, **fields})
        self._screens.write_action(tool_use, call)
        key = tool_use.id or f"{tool_use.name}\n{number}"
        if not tool_use.id:
            self._unnamed.setdefault(tool_use.name, []).append(key)
        self._open[key] = number, call.ended
        while len(self._open) > _KNOWN_RESULTS:
            del self._open[next(iter(self._open))]

    def _write_tool_result(self, tool_result: ToolCallResult, call: ModelCall, message: int) -> None:
        """Write the result of a tool call at its first occurrence, because later requests to the model repeat it. Of a
        long result only its place in the message is written.
        """
        key = tool_result.id
        if key not in self._open and tool_result.name:
            waiting = [each for each in self._unnamed.get(tool_result.name, ()) if each in self._open]
            key = waiting[0] if waiting else ""
        if key not in self._open:
            return
        number, since = self._open.pop(key)
        fields: Event = {"id": self._next_id(), "call": number, "duration": round(max(0.0, call.began - since), 1)}
        told: Event
        if tool_result.failed:
            told = {"error": to_text(_to_text(tool_result.result))}
        elif message and tool_result.path and len(_to_text(tool_result.result)) > _SHORT:
            told = {"said": message, "path": cast(Json, list(tool_result.path))}
        else:
            told = {"result": to_json(tool_result.result)}
        self._emit({"k": "tool_result", "t": call.began, **fields, **told})

    def _write_http_exchange(
        self,
        llm: int,
        call: ModelCall,
        http_exchange: ModelHttpExchange,
        numbered_messages: list[tuple[int, Json]],
        llm_event: Event,
    ) -> None:
        fields: Event = {
            "id": self._next_id(),
            "method": http_exchange.method,
            "url": http_exchange.url,
            "status": http_exchange.status,
        }
        # The end time of the call is in its own event, which is written then.
        fields |= {"call": llm} if call.asked is not None else {"end": call.ended}
        if http_exchange.sent_mime:
            fields["sent_mime"] = http_exchange.sent_mime
        fields |= self._build_http_request_fields(http_exchange, numbered_messages, llm_event)
        fields |= {"headers": cast(Json, http_exchange.headers), "whole": http_exchange.whole}
        fields |= self._build_http_response_fields(http_exchange, llm_event)
        self._emit({"k": "wire", "t": call.began, **fields})

    def _build_http_response_fields(self, http_exchange: ModelHttpExchange, llm_event: Event) -> Event:
        if not http_exchange.got:
            return {"why": http_exchange.why} if http_exchange.why else {}
        if llm_event and http_exchange.mime in _KEPT_ANSWERS:
            try:
                kept = encode_stream(http_exchange.got.decode(), llm_event)
            except UnicodeDecodeError:
                kept = None
            if kept is not None:
                return {"got": kept, "mime": http_exchange.mime}
        self._keep(http_exchange.got, http_exchange.mime or "application/octet-stream")
        return {"body": sha256(http_exchange.got).hexdigest()}

    def _build_http_request_fields(
        self, http_exchange: ModelHttpExchange, numbered_messages: list[tuple[int, Json]], llm_event: Event
    ) -> Event:
        if not http_exchange.sent:
            return {}
        try:
            found = build_recipe(http_exchange.sent.decode(), numbered_messages)
        except UnicodeDecodeError:
            found = None
        if found is not None:
            sent, runs = shorten_recipe(found[1], cast("list[int]", llm_event.get("said") or []))
            return {"form": found[0], "sent": sent, **({"runs": cast(Json, runs)} if runs else {})}
        self._keep(http_exchange.sent, http_exchange.sent_mime or "application/octet-stream")
        return {"sent_body": sha256(http_exchange.sent).hexdigest()}


def _build_llm_event(
    number: int, call: ModelCall, request: ModelRequest, message_numbers: list[int], tool_numbers: list[int]
) -> Event:
    answered = call.answered
    event: Event = {"k": "llm", "t": call.ended, "id": number, "step": call.step, **build_agent_field(call.agent)}
    texts: Mapping[str, str | None] = {
        "model": answered.model or request.model,
        "provider": call.provider,
        "api": call.api,
        "finish": answered.finish,
        "error": answered.error,
        "reasoning": answered.reasoning or None,
    }
    event |= {name: to_text(value) for name, value in texts.items() if value is not None}
    figures: Mapping[str, float | None] = {
        "input_tokens": answered.input_tokens,
        "output_tokens": answered.output_tokens,
        "cached_tokens": answered.cached_tokens,
        "cache_write_tokens": answered.cache_write_tokens,
        "reasoning_tokens": answered.reasoning_tokens,
        "cost_usd": call.cost_usd,
        "duration": round(call.ended - call.began, 1),
        "first_token": None if call.first is None else round(max(0.0, call.first - call.began), 1),
    }
    for name, value in figures.items():
        known = to_nonnegative_number(value, whole=name.endswith("_tokens"))
        if known is not None:
            event[name] = known
    event |= {
        "said": cast(Json, message_numbers),
        "tools": cast(Json, tool_numbers),
        "parameters": to_json(request.parameters),
    }
    response = _build_llm_response_value(answered)
    if response is not None:
        event["response"] = to_json(response, max(LIMIT, 4_000_000))
    if call.prices:
        event["prices"] = cast(Json, call.prices)
    if request.model and answered.model and request.model != answered.model:
        event["attributes"] = {"asked_model": to_text(request.model, 1_000)}
    else:
        event["attributes"] = {}
    return event


def _build_llm_response_value(answer: ModelAnswer) -> Json:
    text: Json = cast(Json, answer.texts if len(answer.texts) > 1 else "".join(answer.texts))
    if not answer.calls and not answer.refusal:
        return text or None
    fields: dict[str, Json] = {"content": text}
    if answer.refusal:
        fields["refusal"] = answer.refusal
    if answer.calls:
        fields["tool_calls"] = [{"name": use.name, "arguments": use.arguments} for use in answer.calls]
    return fields


def _to_text(value: Json) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()
