"""Reads the wire format of Anthropic's Messages API."""

from __future__ import annotations

from pagereel.recorder import ModelAnswer, ModelRequest, ToolAnswer, ToolUse

from .values import Object, added, arguments, items, obj, objects, parsed, placed, problem, rest, text, whole

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


class Messages:
    """The format of Anthropic's `POST …/v1/messages`."""

    name = "messages"

    def asked(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request."""
        system = body.get("system")
        results = [
            ToolAnswer(
                block.get("content"), text(block.get("tool_use_id")), failed=block.get("is_error") is True,
                message=place, path=("content", at, "content"),
            )
            for place, message in placed(body.get("messages"))
            if message.get("role") == "user"
            for at, block in placed(message.get("content"))
            if text(block.get("type")).endswith("tool_result")
        ]  # fmt: skip
        return ModelRequest(
            model=text(body.get("model")) or None,
            system=[system] if system else [],
            messages=items(body.get("messages")),
            tools=items(body.get("tools")),
            parameters=rest(body, "model", "system", "messages", "tools"),
            results=results,
        )

    def answer(self) -> MessagesAnswer:
        """Return a new reader for the answer."""
        return MessagesAnswer()


class MessagesAnswer:
    """Reads one answer of Anthropic's Messages API."""

    def __init__(self) -> None:
        self.answered = ModelAnswer()
        self.speaks = False
        self._blocks: dict[int, tuple[Object, list[str]]] = {}
        self._usage: Object = {}

    def piece(self, name: str, data: str) -> None:
        """Read one event of a streamed message."""
        body = obj(parsed(data))
        kind = text(body.get("type")) or name
        index = whole(body.get("index")) or 0
        if kind == "message_start":
            message = obj(body.get("message"))
            self.answered.model = text(message.get("model")) or None
            self._count(obj(message.get("usage")))
        elif kind == "content_block_start":
            block = obj(body.get("content_block"))
            self._blocks[index] = block, [text(block.get("text")) or text(block.get("thinking"))]
            self.speaks |= block.get("type") in _CALLS
        elif kind == "content_block_delta":
            delta = obj(body.get("delta"))
            part = text(delta.get("text")) or text(delta.get("partial_json")) or text(delta.get("thinking"))
            self._blocks.setdefault(index, ({"type": "text"}, []))[1].append(part)
            self.speaks |= bool(part)
        elif kind == "message_delta":
            self.answered.finish = text(obj(body.get("delta")).get("stop_reason")) or self.answered.finish
            self._count(obj(body.get("usage")))
        elif kind == "error":
            self.answered.error = problem(body.get("error"))
        self._put(self._blocks.values())

    def whole(self, body: Object) -> None:
        """Read a message that is not streamed."""
        answered = self.answered
        answered.error = problem(body.get("error")) or answered.error
        answered.model = text(body.get("model")) or answered.model
        answered.finish = text(body.get("stop_reason")) or None
        self._count(obj(body.get("usage")))
        blocks = objects(body.get("content"))
        self._put([(block, [text(block.get("text")) or text(block.get("thinking"))]) for block in blocks])

    def _count(self, usage: Object) -> None:
        """Add the cached tokens to the input tokens, as other providers do; Anthropic reports them separately."""
        self._usage |= {name: value for name, value in usage.items() if value is not None}
        answered = self.answered
        answered.cached_tokens = whole(self._usage.get("cache_read_input_tokens"))
        answered.cache_write_tokens = whole(self._usage.get("cache_creation_input_tokens"))
        plain = whole(self._usage.get("input_tokens"))
        answered.input_tokens = added(plain, answered.cached_tokens, answered.cache_write_tokens)
        answered.output_tokens = whole(self._usage.get("output_tokens"))

    def _put(self, blocks: object) -> None:
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
                given = arguments(streamed) if streamed else block.get("input")
                calls.append(ToolUse(text(block.get("name")) or "tool", given, text(block.get("id"))))
        answered.texts = [said] if (said := "".join(texts)) else []
        answered.reasoning = "\n\n".join(thoughts)
        answered.calls = calls
        if answered.finish == "refusal":
            answered.refusal = said
