"""Reads the wire format of Gemini's `generateContent`, of the Gemini API and of Vertex AI."""

from __future__ import annotations

import re

from pagereel.recorder import ModelAnswer, ModelRequest, ToolAnswer, ToolUse

from .values import Object, added, items, obj, objects, parsed, placed, problem, rest, text, whole

_MODEL = re.compile(r"/models/([^/:?]+):")
_CONTENT = ("contents", "systemInstruction", "system_instruction", "tools")


class Gemini:
    """The format of `POST …/models/MODEL:generateContent` and `:streamGenerateContent`."""

    name = "gemini"

    def asked(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request."""
        system = body.get("systemInstruction") or body.get("system_instruction")
        found = _MODEL.search(path)
        return ModelRequest(
            model=found[1] if found else text(body.get("model")) or None,
            system=[system] if system else [],
            messages=items(body.get("contents")),
            tools=items(body.get("tools")),
            parameters=rest(body, *_CONTENT, "model"),
            results=_results(placed(body.get("contents"))),
        )

    def answer(self) -> GeminiAnswer:
        """Return a new reader for the answer."""
        return GeminiAnswer()


def _results(contents: list[tuple[int, Object]]) -> list[ToolAnswer]:
    """Return the tool results since the model's last turn. They have a call's id only if the client sends it."""
    last = max((n for n, (_, content) in enumerate(contents) if content.get("role") == "model"), default=-1)
    found = []
    for place, content in contents[last + 1 :]:
        for at, part in placed(content.get("parts")):
            name = "functionResponse" if "functionResponse" in part else "function_response"
            answer = obj(part.get(name))
            if answer:
                path = ("parts", at, name, "response")
                called = text(answer.get("id")), text(answer.get("name"))
                found.append(ToolAnswer(answer.get("response"), *called, message=place, path=path))
    return found


class GeminiAnswer:
    """Reads one answer of Gemini. In a stream each event is the next part of the answer."""

    def __init__(self) -> None:
        self.answered = ModelAnswer()
        self.speaks = False
        self._texts: dict[int, list[str]] = {}

    def piece(self, name: str, data: str) -> None:
        """Read one event of a streamed answer."""
        self.whole(obj(parsed(data)))

    def whole(self, body: Object) -> None:
        """Read a complete answer, or the next part of one."""
        answered = self.answered
        answered.model = text(body.get("modelVersion")) or answered.model
        answered.error = problem(body.get("error")) or answered.error
        for place, candidate in enumerate(objects(body.get("candidates"))):
            index = whole(candidate.get("index"))
            for part in objects(obj(candidate.get("content")).get("parts")):
                self._part(part, place if index is None else index)
            answered.finish = text(candidate.get("finishReason")) or answered.finish
        blocked = text(obj(body.get("promptFeedback")).get("blockReason"))
        if blocked:
            answered.finish = blocked
            answered.refusal = f"blocked: {blocked}"
        usage = obj(body.get("usageMetadata"))
        if usage:
            thoughts = whole(usage.get("thoughtsTokenCount"))
            answered.reasoning_tokens = thoughts
            answered.input_tokens = added(
                whole(usage.get("promptTokenCount")), whole(usage.get("toolUsePromptTokenCount"))
            )
            answered.output_tokens = added(whole(usage.get("candidatesTokenCount")), thoughts)
            answered.cached_tokens = whole(usage.get("cachedContentTokenCount"))
        texts = ["".join(self._texts[index]) for index in sorted(self._texts)]
        answered.texts = texts if len(texts) > 1 or any(texts) else []

    def _part(self, part: Object, index: int) -> None:
        said = text(part.get("text"))
        called = obj(part.get("functionCall"))
        if said and part.get("thought") is True:
            self.answered.reasoning += said
        elif said:
            self._texts.setdefault(index, []).append(said)
        if called:
            self.answered.calls.append(
                ToolUse(text(called.get("name")) or "tool", called.get("args"), text(called.get("id")))
            )
        self.speaks |= bool(said or called)
