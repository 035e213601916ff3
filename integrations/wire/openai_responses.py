"""Reads the wire format of OpenAI's Responses API."""

from __future__ import annotations

from pagereel.recorder import ModelAnswer, ModelRequest, ToolAnswer, ToolUse
from pagereel.reel import Json

from .answer import PartialToolCalls
from .values import Object, arguments, items, obj, objects, parsed, placed, problem, rest, text, whole

_RESULTS = frozenset(
    {"function_call_output", "custom_tool_call_output", "computer_call_output", "local_shell_call_output", "shell_call_output", "apply_patch_call_output"}
)  # fmt: skip
_CALLS = frozenset(
    {
        "function_call", "custom_tool_call", "computer_call", "local_shell_call", "shell_call", "apply_patch_call", "mcp_call",
        "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "tool_search_call",
    }
)  # fmt: skip
"""Items that are tool calls: of the client's tools, or of the provider's own."""


class Responses:
    """The format of `POST …/responses`."""

    name = "responses"

    def asked(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request."""
        given = body.get("input")
        results = [
            ToolAnswer(item.get("output"), text(item.get("call_id")), message=place, path=("output",))
            for place, item in placed(given)
            if item.get("type") in _RESULTS
        ]
        instructions = body.get("instructions")
        return ModelRequest(
            model=text(body.get("model")) or None,
            system=[instructions] if instructions else [],
            messages=given if isinstance(given, list) else [given] if given is not None else [],
            tools=items(body.get("tools")),
            parameters=rest(body, "model", "instructions", "input", "tools"),
            results=results,
        )

    def answer(self) -> ResponsesAnswer:
        """Return a new reader for the answer."""
        return ResponsesAnswer()


class ResponsesAnswer:
    """Reads one response. A stream ends with an event that holds the whole response; if that is missing, the earlier
    events count.
    """

    def __init__(self) -> None:
        self.answered = ModelAnswer()
        self.speaks = False
        self._building = PartialToolCalls()
        self._complete = False

    def piece(self, name: str, data: str) -> None:
        """Read one event of a streamed response."""
        body = obj(parsed(data))
        kind = text(body.get("type")) or name
        if isinstance(body.get("response"), dict):
            response = obj(body["response"])
            if kind in ("response.completed", "response.incomplete", "response.failed"):
                self.whole(response)
            else:
                self.answered.model = text(response.get("model")) or self.answered.model
            return
        if kind == "error":
            self.answered.error = problem(body.get("error")) or problem(body)
        elif not self._complete:
            self._part(kind, body)

    def _part(self, kind: str, body: Object) -> None:
        answered = self.answered
        delta = text(body.get("delta"))
        if kind == "response.output_text.delta":
            answered.texts = ["".join(answered.texts) + delta]
        elif kind == "response.refusal.delta":
            answered.refusal += delta
        elif kind in ("response.reasoning_summary_text.delta", "response.reasoning_text.delta"):
            answered.reasoning += delta
        elif kind in ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"):
            self._building.add(body.get("output_index"), arguments=delta)
        elif kind == "response.output_item.added" and obj(body.get("item")).get("type") in _CALLS:
            item = obj(body["item"])
            self._building.add(
                body.get("output_index"), id=_id(item), name=text(item.get("name")) or text(item.get("type"))
            )
        else:
            return
        self.speaks = True
        answered.calls = self._building.calls()

    def whole(self, body: Object) -> None:
        """Read a complete response."""
        answered = self.answered
        self._complete = True
        answered.model = text(body.get("model")) or answered.model
        answered.error = problem(body.get("error")) or answered.error
        answered.finish = text(obj(body.get("incomplete_details")).get("reason")) or text(body.get("status")) or None
        usage = obj(body.get("usage"))
        answered.input_tokens = whole(usage.get("input_tokens"))
        answered.output_tokens = whole(usage.get("output_tokens"))
        answered.cached_tokens = whole(obj(usage.get("input_tokens_details")).get("cached_tokens"))
        answered.reasoning_tokens = whole(obj(usage.get("output_tokens_details")).get("reasoning_tokens"))
        output = objects(body.get("output"))
        if not output:
            return
        parts = [part for item in output if item.get("type") == "message" for part in objects(item.get("content"))]
        answered.texts = [said] if (said := "".join(text(part.get("text")) for part in parts)) else []
        answered.refusal = "".join(text(part.get("refusal")) for part in parts)
        thoughts = [item for item in output if item.get("type") == "reasoning"]
        answered.reasoning = "\n\n".join(
            text(part.get("text"))
            for item in thoughts
            for part in [*objects(item.get("summary")), *objects(item.get("content"))]
        )
        answered.calls = [
            ToolUse(text(item.get("name")) or text(item.get("type")), _arguments(item), _id(item))
            for item in output
            if item.get("type") in _CALLS
        ]
        self.speaks = True


def _id(item: Object) -> str:
    return text(item.get("call_id")) or text(item.get("id"))


def _arguments(item: Object) -> Json:
    for name in ("arguments", "input", "code"):
        if item.get(name) is not None:
            return arguments(item[name])
    return next(
        (item[name] for name in ("actions", "action", "operation", "queries", "revised_prompt") if item.get(name)), None
    )
