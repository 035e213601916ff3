"""Reads the wire format of Anthropic's Messages API."""

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
    sum_known_values,
)

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


class AnthropicFormat:
    """The format of Anthropic's `POST …/v1/messages`."""

    name = "messages"

    def read_request(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request."""
        system = body.get("system")
        results = [
            ToolCallResult(
                block.get("content"), as_text(block.get("tool_use_id")), failed=block.get("is_error") is True,
                message=place, path=("content", at, "content"),
            )
            for place, message in list_indexed_objects(body.get("messages"))
            if message.get("role") == "user"
            for at, block in list_indexed_objects(message.get("content"))
            if as_text(block.get("type")).endswith("tool_result")
        ]  # fmt: skip
        return ModelRequest(
            model=as_text(body.get("model")) or None,
            system=[system] if system else [],
            messages=as_list(body.get("messages")),
            tools=as_list(body.get("tools")),
            parameters=get_other_fields(body, "model", "system", "messages", "tools"),
            results=results,
        )

    def create_answer_reader(self) -> AnthropicAnswerReader:
        """Return a new reader for one answer of this API."""
        return AnthropicAnswerReader()


class AnthropicAnswerReader:
    """Reads one answer of Anthropic's Messages API."""

    def __init__(self) -> None:
        self.answered = ModelAnswer()
        self.speaks = False
        self._blocks: dict[int, tuple[Object, list[str]]] = {}
        self._usage: Object = {}

    def read_event(self, name: str, data: str) -> None:
        """Read one event of a streamed message."""
        body = as_object(parse_json(data))
        kind = as_text(body.get("type")) or name
        index = as_token_count(body.get("index")) or 0
        if kind == "message_start":
            message = as_object(body.get("message"))
            self.answered.model = as_text(message.get("model")) or None
            self._read_usage(as_object(message.get("usage")))
        elif kind == "content_block_start":
            block = as_object(body.get("content_block"))
            self._blocks[index] = block, [as_text(block.get("text")) or as_text(block.get("thinking"))]
            self.speaks |= block.get("type") in _CALLS
        elif kind == "content_block_delta":
            delta = as_object(body.get("delta"))
            part = as_text(delta.get("text")) or as_text(delta.get("partial_json")) or as_text(delta.get("thinking"))
            self._blocks.setdefault(index, ({"type": "text"}, []))[1].append(part)
            self.speaks |= bool(part)
        elif kind == "message_delta":
            self.answered.finish = as_text(as_object(body.get("delta")).get("stop_reason")) or self.answered.finish
            self._read_usage(as_object(body.get("usage")))
        elif kind == "error":
            self.answered.error = read_error_message(body.get("error"))
        self._set_content(self._blocks.values())

    def read_answer(self, body: Object) -> None:
        """Read a message that is not streamed."""
        answered = self.answered
        answered.error = read_error_message(body.get("error")) or answered.error
        answered.model = as_text(body.get("model")) or answered.model
        answered.finish = as_text(body.get("stop_reason")) or None
        self._read_usage(as_object(body.get("usage")))
        blocks = list_objects(body.get("content"))
        self._set_content([(block, [as_text(block.get("text")) or as_text(block.get("thinking"))]) for block in blocks])

    def _read_usage(self, usage: Object) -> None:
        """Add the cached tokens to the input tokens, as other providers do; Anthropic reports them separately."""
        self._usage |= {name: value for name, value in usage.items() if value is not None}
        answered = self.answered
        answered.cached_tokens = as_token_count(self._usage.get("cache_read_input_tokens"))
        answered.cache_write_tokens = as_token_count(self._usage.get("cache_creation_input_tokens"))
        plain = as_token_count(self._usage.get("input_tokens"))
        answered.input_tokens = sum_known_values(plain, answered.cached_tokens, answered.cache_write_tokens)
        answered.output_tokens = as_token_count(self._usage.get("output_tokens"))

    def _set_content(self, blocks: object) -> None:
        answered = self.answered
        texts: list[str] = []
        thoughts: list[str] = []
        calls: list[ToolUse] = []
        for block, parts in blocks:  # type: ignore[attr-defined]
            kind = block.get("type")
            if kind == "text":
                texts.append("".join(parts))
            elif kind == "thinking":
                thoughts.append("".join(parts))
            elif kind in _CALLS:
                streamed = "".join(parts)
                given = parse_arguments(streamed) if streamed else block.get("input")
                calls.append(ToolUse(as_text(block.get("name")) or "tool", given, as_text(block.get("id"))))
        answered.texts = [said] if (said := "".join(texts)) else []
        answered.reasoning = "\n\n".join(thoughts)
        answered.calls = calls
        if answered.finish == "refusal":
            answered.refusal = said
