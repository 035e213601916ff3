"""Reads the wire format of Ollama's own API.

Ollama also offers the formats of OpenAI and Anthropic, under their paths.
"""

from __future__ import annotations

from pagereel.recorder import ModelAnswer, ModelRequest, ToolCallResult, ToolUse

from .json_values import (
    Object,
    as_list,
    as_object,
    as_text,
    as_token_count,
    get_other_fields,
    list_indexed_objects,
    list_objects,
    parse_arguments,
    parse_json,
    read_error_message,
)


class OllamaFormat:
    """The format of Ollama's `POST /api/chat` and `POST /api/generate`."""

    name = "ollama"

    def read_request(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request."""
        messages = as_list(body.get("messages"))
        if "prompt" in body:
            pictures = {"images": body["images"]} if body.get("images") else {}
            messages = [{"role": "user", "content": body["prompt"], **pictures}]
        system = body.get("system")
        return ModelRequest(
            model=as_text(body.get("model")) or None,
            system=[system] if system else [],
            messages=messages,
            tools=as_list(body.get("tools")),
            parameters=get_other_fields(body, "model", "system", "messages", "prompt", "images", "tools"),
            results=_read_tool_results(list_indexed_objects(body.get("messages"))),
        )

    def create_answer_reader(self) -> OllamaAnswerReader:
        """Return a new reader for one answer of this API."""
        return OllamaAnswerReader()


def _read_tool_results(messages: list[tuple[int, Object]]) -> list[ToolCallResult]:
    """Return the tool results that follow the model's last turn. Only their order tells which call each belongs to."""
    last = max((n for n, (_, message) in enumerate(messages) if message.get("role") == "assistant"), default=-1)
    calls = list_objects(messages[last][1].get("tool_calls")) if last >= 0 else []
    asked = [as_text(as_object(call.get("function")).get("name")) for call in calls]
    found = []
    for place, message in messages[last + 1 :]:
        if message.get("role") == "tool":
            named = as_text(message.get("tool_name")) or as_text(message.get("name"))
            if not named and asked:
                named = asked[0]
            if named in asked:
                asked.remove(named)
            called = as_text(message.get("tool_call_id"))
            found.append(ToolCallResult(message.get("content"), called, named, message=place, path=("content",)))
    return found


class OllamaAnswerReader:
    """Reads one answer of Ollama. In a stream each line is the next part of the answer."""

    def __init__(self) -> None:
        self.answered = ModelAnswer()
        self.speaks = False

    def read_event(self, name: str, data: str) -> None:
        """Read one line of a streamed answer."""
        self.read_answer(as_object(parse_json(data)))

    def read_answer(self, body: Object) -> None:
        """Read a complete answer, or the next part of one."""
        answered = self.answered
        message = as_object(body.get("message"))
        said = as_text(message.get("content")) or as_text(body.get("response"))
        thought = as_text(message.get("thinking")) or as_text(body.get("thinking"))
        if said:
            answered.texts = ["".join(answered.texts) + said]
        answered.reasoning += thought
        for call in list_objects(message.get("tool_calls")):
            function = as_object(call.get("function"))
            answered.calls.append(
                ToolUse(
                    as_text(function.get("name")) or "tool",
                    parse_arguments(function.get("arguments")),
                    as_text(call.get("id")),
                )
            )
        self.speaks |= bool(said or thought or answered.calls)
        answered.model = as_text(body.get("model")) or answered.model
        answered.error = read_error_message(body.get("error")) or answered.error
        if body.get("done") is True:
            answered.finish = as_text(body.get("done_reason")) or None
            answered.input_tokens = as_token_count(body.get("prompt_eval_count"))
            answered.output_tokens = as_token_count(body.get("eval_count"))
