"""Reads the wire format of OpenAI's Responses API."""

from __future__ import annotations

from pagereel.recorder import ModelAnswer, ModelRequest, ToolCallResult, ToolUse
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
    parse_arguments,
    parse_json,
    read_error_message,
)

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


class OpenAiResponsesFormat:
    """The format of `POST …/responses`."""

    name = "responses"

    def read_request(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request."""
        given = body.get("input")
        results = [
            ToolCallResult(item.get("output"), as_text(item.get("call_id")), message=place, path=("output",))
            for place, item in list_indexed_objects(given)
            if item.get("type") in _RESULTS
        ]
        instructions = body.get("instructions")
        return ModelRequest(
            model=as_text(body.get("model")) or None,
            system=[instructions] if instructions else [],
            messages=given if isinstance(given, list) else [given] if given is not None else [],
            tools=as_list(body.get("tools")),
            parameters=get_other_fields(body, "model", "instructions", "input", "tools"),
            results=results,
        )

    def create_answer_reader(self) -> OpenAiResponsesAnswerReader:
        """Return a new reader for one answer of this API."""
        return OpenAiResponsesAnswerReader()


class OpenAiResponsesAnswerReader:
    """Reads one answer of OpenAI's Responses API.

    A stream ends with an event that holds the whole answer; if this event is missing, the earlier events are used.
    """

    def __init__(self) -> None:
        self.answered = ModelAnswer()
        self.speaks = False
        self._building = PartialToolCalls()
        self._complete = False

    def read_event(self, name: str, data: str) -> None:
        """Read one event of a streamed response."""
        body = as_object(parse_json(data))
        kind = as_text(body.get("type")) or name
        if isinstance(body.get("response"), dict):
            response = as_object(body["response"])
            if kind in ("response.completed", "response.incomplete", "response.failed"):
                self.read_answer(response)
            else:
                self.answered.model = as_text(response.get("model")) or self.answered.model
            return
        if kind == "error":
            self.answered.error = read_error_message(body.get("error")) or read_error_message(body)
        elif not self._complete:
            self._add_delta(kind, body)

    def _add_delta(self, kind: str, body: Object) -> None:
        answered = self.answered
        delta = as_text(body.get("delta"))
        if kind == "response.output_text.delta":
            answered.texts = ["".join(answered.texts) + delta]
        elif kind == "response.refusal.delta":
            answered.refusal += delta
        elif kind in ("response.reasoning_summary_text.delta", "response.reasoning_text.delta"):
            answered.reasoning += delta
        elif kind in ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"):
            self._building.add_part(body.get("output_index"), arguments=delta)
        elif kind == "response.output_item.added" and as_object(body.get("item")).get("type") in _CALLS:
            item = as_object(body["item"])
            self._building.add_part(
                body.get("output_index"),
                id=_get_item_id(item),
                name=as_text(item.get("name")) or as_text(item.get("type")),
            )
        else:
            return
        self.speaks = True
        answered.calls = self._building.build_tool_calls()

    def read_answer(self, body: Object) -> None:
        """Read a complete response."""
        answered = self.answered
        self._complete = True
        answered.model = as_text(body.get("model")) or answered.model
        answered.error = read_error_message(body.get("error")) or answered.error
        answered.finish = (
            as_text(as_object(body.get("incomplete_details")).get("reason")) or as_text(body.get("status")) or None
        )
        usage = as_object(body.get("usage"))
        answered.input_tokens = as_token_count(usage.get("input_tokens"))
        answered.output_tokens = as_token_count(usage.get("output_tokens"))
        answered.cached_tokens = as_token_count(as_object(usage.get("input_tokens_details")).get("cached_tokens"))
        answered.reasoning_tokens = as_token_count(
            as_object(usage.get("output_tokens_details")).get("reasoning_tokens")
        )
        output = list_objects(body.get("output"))
        if not output:
            return
        parts = [part for item in output if item.get("type") == "message" for part in list_objects(item.get("content"))]
        answered.texts = [said] if (said := "".join(as_text(part.get("text")) for part in parts)) else []
        answered.refusal = "".join(as_text(part.get("refusal")) for part in parts)
        thoughts = [item for item in output if item.get("type") == "reasoning"]
        answered.reasoning = "\n\n".join(
            as_text(part.get("text"))
            for item in thoughts
            for part in [*list_objects(item.get("summary")), *list_objects(item.get("content"))]
        )
        answered.calls = [
            ToolUse(
                as_text(item.get("name")) or as_text(item.get("type")), _get_item_arguments(item), _get_item_id(item)
            )
            for item in output
            if item.get("type") in _CALLS
        ]
        self.speaks = True


def _get_item_id(item: Object) -> str:
    return as_text(item.get("call_id")) or as_text(item.get("id"))


def _get_item_arguments(item: Object) -> Json:
    for name in ("arguments", "input", "code"):
        if item.get(name) is not None:
            return parse_arguments(item[name])
    return next(
        (item[name] for name in ("actions", "action", "operation", "queries", "revised_prompt") if item.get(name)), None
    )
