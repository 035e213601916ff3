"""Reads the wire format of OpenAI's chat completions and older completions, which many other providers use as well."""

from __future__ import annotations

import orjson

from pagereel.recorder import ModelAnswer, ModelRequest, ToolAnswer
from pagereel.reel import Json

from .answer import PartialToolCalls
from .values import Object, items, obj, objects, parsed, placed, problem, rest, text, whole

_MESSAGES = ("model", "messages", "prompt", "tools", "functions")


class Chat:
    """The format of `POST …/chat/completions` and `POST …/completions`."""

    name = "chat"

    def asked(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request."""
        messages = items(body.get("messages"))
        if not messages and body.get("prompt") is not None:
            prompt = body["prompt"]
            messages = prompt if isinstance(prompt, list) else [prompt]
        results = [
            ToolAnswer(
                message.get("content"),
                text(message.get("tool_call_id")),
                text(message.get("name")),
                message=place,
                path=("content",),
            )
            for place, message in placed(body.get("messages"))
            if message.get("role") in ("tool", "function")
        ]
        return ModelRequest(
            model=text(body.get("model")) or None,
            messages=messages,
            tools=[*items(body.get("tools")), *items(body.get("functions"))],
            parameters=rest(body, *_MESSAGES),
            results=results,
        )

    def answer(self) -> ChatAnswer:
        """Return a new reader for the answer."""
        return ChatAnswer()


class ChatAnswer:
    """Reads one chat completion, of one or several choices."""

    def __init__(self) -> None:
        self.answered = ModelAnswer()
        self.speaks = False
        self._texts: dict[int, list[str]] = {}
        self._building = PartialToolCalls()

    def piece(self, name: str, data: str) -> None:
        """Read one chunk of a streamed completion."""
        body = obj(parsed(data))
        if not body:
            return
        self._head(body)
        for choice in objects(body.get("choices")):
            delta = obj(choice.get("delta")) or {"content": choice.get("text")}
            self._choice(choice, delta)
        self._finish()

    def whole(self, body: Object) -> None:
        """Read a completion that was not streamed."""
        self._head(body)
        for choice in objects(body.get("choices")):
            message = obj(choice.get("message")) or {"content": choice.get("text")}
            self._choice(choice, message)
        self._finish()

    def _head(self, body: Object) -> None:
        answered = self.answered
        answered.model = text(body.get("model")) or answered.model
        answered.error = problem(body.get("error")) or answered.error
        usage = obj(body.get("usage")) or obj(obj(body.get("x_groq")).get("usage"))
        if usage:
            answered.input_tokens = whole(usage.get("prompt_tokens"))
            answered.output_tokens = whole(usage.get("completion_tokens"))
            cached = whole(obj(usage.get("prompt_tokens_details")).get("cached_tokens"))
            answered.cached_tokens = whole(usage.get("prompt_cache_hit_tokens")) if cached is None else cached
            answered.reasoning_tokens = whole(obj(usage.get("completion_tokens_details")).get("reasoning_tokens"))

    def _choice(self, choice: Object, said: Object) -> None:
        index = whole(choice.get("index")) or 0
        answered = self.answered
        words = _words(said.get("content"))
        self._texts.setdefault(index, []).append(words)
        reasoning = text(said.get("reasoning_content")) or text(said.get("reasoning"))
        if not reasoning:  # OpenRouter's field, used only if there is no other.
            details = objects(said.get("reasoning_details"))
            reasoning = "".join(text(part.get("text")) or text(part.get("summary")) for part in details)
        answered.reasoning += reasoning
        answered.refusal += text(said.get("refusal"))
        called = objects(said.get("tool_calls"))
        for place, call in enumerate(called):
            function = obj(call.get("function")) or obj(call.get("custom"))
            given = function.get("arguments", function.get("input"))
            at = whole(call.get("index"))
            self._building.add(
                (index, place if at is None else at),
                id=text(call.get("id")),
                name=text(function.get("name")),
                arguments=_written(given),
            )
        older = obj(said.get("function_call"))
        if older:
            self._building.add((index, "older"), name=text(older.get("name")), arguments=text(older.get("arguments")))
        answered.finish = text(choice.get("finish_reason")) or answered.finish
        if words or reasoning or called or older or said.get("refusal"):
            self.speaks = True

    def _finish(self) -> None:
        texts = ["".join(self._texts[index]) for index in sorted(self._texts)]
        self.answered.texts = texts if len(texts) > 1 or any(texts) else []
        self.answered.calls = self._building.calls()


def _words(content: Json) -> str:
    """Return the text of a message's content, which may be a string or a list of parts."""
    if isinstance(content, list):
        return "".join(text(part.get("text")) for part in objects(content))
    return text(content)


def _written(value: Json) -> str:
    if isinstance(value, str) or value is None:
        return value or ""
    return orjson.dumps(value).decode()
