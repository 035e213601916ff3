"""Reads the wire format of Ollama's own API. Ollama also offers OpenAI's and Anthropic's formats, under their paths."""

from __future__ import annotations

from pagereel.recorder import ModelAnswer, ModelRequest, ToolAnswer, ToolUse

from .values import Object, arguments, items, obj, objects, parsed, placed, problem, rest, text, whole


class Ollama:
    """The format of Ollama's `POST /api/chat` and `POST /api/generate`."""

    name = "ollama"

    def asked(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request."""
        messages = items(body.get("messages"))
        if "prompt" in body:
            pictures = {"images": body["images"]} if body.get("images") else {}
            messages = [{"role": "user", "content": body["prompt"], **pictures}]
        system = body.get("system")
        return ModelRequest(
            model=text(body.get("model")) or None,
            system=[system] if system else [],
            messages=messages,
            tools=items(body.get("tools")),
            parameters=rest(body, "model", "system", "messages", "prompt", "images", "tools"),
            results=_results(placed(body.get("messages"))),
        )

    def answer(self) -> OllamaAnswer:
        """Return a new reader for the answer."""
        return OllamaAnswer()


def _results(messages: list[tuple[int, Object]]) -> list[ToolAnswer]:
    """Return the tool results since the model's last turn. Only their order says which call each belongs to."""
    last = max((n for n, (_, message) in enumerate(messages) if message.get("role") == "assistant"), default=-1)
    calls = objects(messages[last][1].get("tool_calls")) if last >= 0 else []
    asked = [text(obj(call.get("function")).get("name")) for call in calls]
    found = []
    for place, message in messages[last + 1 :]:
        if message.get("role") == "tool":
            named = text(message.get("tool_name")) or text(message.get("name"))
            if not named and asked:
                named = asked[0]
            if named in asked:
                asked.remove(named)
            called = text(message.get("tool_call_id"))
            found.append(ToolAnswer(message.get("content"), called, named, message=place, path=("content",)))
    return found


class OllamaAnswer:
    """Reads one answer of Ollama. In a stream each line is the next part of the answer."""

    def __init__(self) -> None:
        self.answered = ModelAnswer()
        self.speaks = False

    def piece(self, name: str, data: str) -> None:
        """Read one line of a streamed answer."""
        self.whole(obj(parsed(data)))

    def whole(self, body: Object) -> None:
        """Read a complete answer, or the next part of one."""
        answered = self.answered
        message = obj(body.get("message"))
        said = text(message.get("content")) or text(body.get("response"))
        thought = text(message.get("thinking")) or text(body.get("thinking"))
        if said:
            answered.texts = ["".join(answered.texts) + said]
        answered.reasoning += thought
        for call in objects(message.get("tool_calls")):
            function = obj(call.get("function"))
            answered.calls.append(
                ToolUse(
                    text(function.get("name")) or "tool", arguments(function.get("arguments")), text(call.get("id"))
                )
            )
        self.speaks |= bool(said or thought or answered.calls)
        answered.model = text(body.get("model")) or answered.model
        answered.error = problem(body.get("error")) or answered.error
        if body.get("done") is True:
            answered.finish = text(body.get("done_reason")) or None
            answered.input_tokens = whole(body.get("prompt_eval_count"))
            answered.output_tokens = whole(body.get("eval_count"))
