"""Reads the wire format of Gemini's `generateContent`, of the Gemini API and of Vertex AI."""

from __future__ import annotations

import re

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
    parse_json,
    read_error_message,
    sum_known_values,
)

_MODEL = re.compile(r"/models/([^/:?]+):")
_CONTENT = ("contents", "systemInstruction", "system_instruction", "tools")


class GeminiFormat:
    """The format of `POST …/models/MODEL:generateContent` and `:streamGenerateContent`."""

    name = "gemini"

    def read_request(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request."""
        system = body.get("systemInstruction") or body.get("system_instruction")
        found = _MODEL.search(path)
        return ModelRequest(
            model=found[1] if found else as_text(body.get("model")) or None,
            system=[system] if system else [],
            messages=as_list(body.get("contents")),
            tools=as_list(body.get("tools")),
            parameters=get_other_fields(body, *_CONTENT, "model"),
            results=_read_tool_results(list_indexed_objects(body.get("contents"))),
        )

    def create_answer_reader(self) -> GeminiAnswerReader:
        """Return a new reader for one answer of this API."""
        return GeminiAnswerReader()


def _read_tool_results(contents: list[tuple[int, Object]]) -> list[ToolCallResult]:
    """Return the tool results that follow the model's last turn.

    A result has the id of its call only if the client sends it.
    """
    last = max((n for n, (_, content) in enumerate(contents) if content.get("role") == "model"), default=-1)
    found = []
    for place, content in contents[last + 1 :]:
        for at, part in list_indexed_objects(content.get("parts")):
            name = "functionResponse" if "functionResponse" in part else "function_response"
            answer = as_object(part.get(name))
            if answer:
                path = ("parts", at, name, "response")
                called = as_text(answer.get("id")), as_text(answer.get("name"))
                found.append(ToolCallResult(answer.get("response"), *called, message=place, path=path))
    return found


class GeminiAnswerReader:
    """Reads one answer of Gemini. In a stream each event is the next part of the answer."""

    def __init__(self) -> None:
        self.answered = ModelAnswer()
        self.speaks = False
        self._texts: dict[int, list[str]] = {}

    def read_event(self, name: str, data: str) -> None:
        """Read one event of a streamed answer."""
        self.read_answer(as_object(parse_json(data)))

    def read_answer(self, body: Object) -> None:
        """Read a complete answer, or the next part of one."""
        answered = self.answered
        answered.model = as_text(body.get("modelVersion")) or answered.model
        answered.error = read_error_message(body.get("error")) or answered.error
        for place, candidate in enumerate(list_objects(body.get("candidates"))):
            index = as_token_count(candidate.get("index"))
            for part in list_objects(as_object(candidate.get("content")).get("parts")):
                self._add_answer_part(part, place if index is None else index)
            answered.finish = as_text(candidate.get("finishReason")) or answered.finish
        blocked = as_text(as_object(body.get("promptFeedback")).get("blockReason"))
        if blocked:
            answered.finish = blocked
            answered.refusal = f"blocked: {blocked}"
        usage = as_object(body.get("usageMetadata"))
        if usage:
            thoughts = as_token_count(usage.get("thoughtsTokenCount"))
            answered.reasoning_tokens = thoughts
            answered.input_tokens = sum_known_values(
                as_token_count(usage.get("promptTokenCount")), as_token_count(usage.get("toolUsePromptTokenCount"))
            )
            answered.output_tokens = sum_known_values(as_token_count(usage.get("candidatesTokenCount")), thoughts)
            answered.cached_tokens = as_token_count(usage.get("cachedContentTokenCount"))
        texts = ["".join(self._texts[index]) for index in sorted(self._texts)]
        answered.texts = texts if len(texts) > 1 or any(texts) else []

    def _add_answer_part(self, part: Object, index: int) -> None:
        said = as_text(part.get("text"))
        called = as_object(part.get("functionCall"))
        if said and part.get("thought") is True:
            self.answered.reasoning += said
        elif said:
            self._texts.setdefault(index, []).append(said)
        if called:
            self.answered.calls.append(
                ToolUse(as_text(called.get("name")) or "tool", called.get("args"), as_text(called.get("id")))
            )
        self.speaks |= bool(said or called)
