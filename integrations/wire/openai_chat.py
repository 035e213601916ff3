"""Reads the wire format of OpenAI's chat completions and older completions, which many other providers use as well."""

from __future__ import annotations

import orjson

from pagereel.recorder import ModelAnswer, ModelRequest, ToolCallResult
from pagereel.reel import Json

from .api_format import PartialToolCalls
from .json_values import (
    Object,
    as_list,
    as_object,
    as_text,
    as_token_count,
    get_other_fields,
    list_indexed_objects,
    list_objects,
    parse_json,
    read_error_message,
)

_MESSAGES = ("model", "messages", "prompt", "tools", "functions")


class OpenAiChatFormat:
    """The format of `POST …/chat/completions` and `POST …/completions`."""

    name = "chat"

    def read_request(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request."""
        messages = as_list(body.get("messages"))
        if not messages and body.get("prompt") is not None:
            prompt = body["prompt"]
            messages = prompt if isinstance(prompt, list) else [prompt]
        results = [
            ToolCallResult(
                message.get("content"),
                as_text(message.get("tool_call_id")),
                as_text(message.get("name")),
                message=place,
                path=("content",),
            )
            for place, message in list_indexed_objects(body.get("messages"))
            if message.get("role") in ("tool", "function")
        ]
        return ModelRequest(
            model=as_text(body.get("model")) or None,
            messages=messages,
            tools=[*as_list(body.get("tools")), *as_list(body.get("functions"))],
            parameters=get_other_fields(body, *_MESSAGES),
            results=results,
        )

    def create_answer_reader(self) -> OpenAiChatAnswerReader:
        """Return a new reader for one answer of this API."""
        return OpenAiChatAnswerReader()


class OpenAiChatAnswerReader:
    """Reads one answer of OpenAI's chat completions, with one or several choices."""

    def __init__(self) -> None:
        self.answered = ModelAnswer()
        self.speaks = False
        self._texts: dict[int, list[str]] = {}
        self._building = PartialToolCalls()

    def read_event(self, name: str, data: str) -> None:
        """Read one chunk of a streamed completion."""
        body = as_object(parse_json(data))
        if not body:
            return
        self._read_common_fields(body)
        for choice in list_objects(body.get("choices")):
            delta = as_object(choice.get("delta")) or {"content": choice.get("text")}
            self._add_choice(choice, delta)
        self._join_choices()

    def read_answer(self, body: Object) -> None:
        """Read a completion that was not streamed."""
        self._read_common_fields(body)
        for choice in list_objects(body.get("choices")):
            message = as_object(choice.get("message")) or {"content": choice.get("text")}
            self._add_choice(choice, message)
        self._join_choices()

    def _read_common_fields(self, body: Object) -> None:
        answered = self.answered
        answered.model = as_text(body.get("model")) or answered.model
        answered.error = read_error_message(body.get("error")) or answered.error
        usage = as_object(body.get("usage")) or as_object(as_object(body.get("x_groq")).get("usage"))
        if usage:
            answered.input_tokens = as_token_count(usage.get("prompt_tokens"))
            answered.output_tokens = as_token_count(usage.get("completion_tokens"))
            cached = as_token_count(as_object(usage.get("prompt_tokens_details")).get("cached_tokens"))
            answered.cached_tokens = as_token_count(usage.get("prompt_cache_hit_tokens")) if cached is None else cached
            answered.reasoning_tokens = as_token_count(
                as_object(usage.get("completion_tokens_details")).get("reasoning_tokens")
            )

    def _add_choice(self, choice: Object, message: Object) -> None:
        index = as_token_count(choice.get("index")) or 0
        answered = self.answered
        words = _read_content_text(message.get("content"))
        self._texts.setdefault(index, []).append(words)
        reasoning = as_text(message.get("reasoning_content")) or as_text(message.get("reasoning"))
        if not reasoning:  # OpenRouter's field, used only if there is no other.
            details = list_objects(message.get("reasoning_details"))
            reasoning = "".join(as_text(part.get("text")) or as_text(part.get("summary")) for part in details)
        answered.reasoning += reasoning
        answered.refusal += as_text(message.get("refusal"))
        called = list_objects(message.get("tool_calls"))
        for place, call in enumerate(called):
            function = as_object(call.get("function")) or as_object(call.get("custom"))
            given = function.get("arguments", function.get("input"))
            at = as_token_count(call.get("index"))
            self._building.add_part(
                (index, place if at is None else at),
                id=as_text(call.get("id")),
                name=as_text(function.get("name")),
                arguments=_format_arguments(given),
            )
        older = as_object(message.get("function_call"))
        if older:
            self._building.add_part(
                (index, "older"), name=as_text(older.get("name")), arguments=as_text(older.get("arguments"))
            )
        answered.finish = as_text(choice.get("finish_reason")) or answered.finish
        if words or reasoning or called or older or message.get("refusal"):
            self.speaks = True

    def _join_choices(self) -> None:
        texts = ["".join(self._texts[index]) for index in sorted(self._texts)]
        self.answered.texts = texts if len(texts) > 1 or any(texts) else []
        self.answered.calls = self._building.build_tool_calls()


def _read_content_text(content: Json) -> str:
    """Return the text of a message's content, which may be a string or a list of parts."""
    if isinstance(content, list):
        return "".join(as_text(part.get("text")) for part in list_objects(content))
    return as_text(content)


def _format_arguments(value: Json) -> str:
    if isinstance(value, str) or value is None:
        return value or ""
    return orjson.dumps(value).decode()
