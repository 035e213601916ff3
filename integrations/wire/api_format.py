"""Defines the interface of a model API's wire format: it reads a request, and an answer, complete or event by event."""

from __future__ import annotations

from typing import Protocol

from pagereel.recorder import ModelAnswer, ModelRequest, ToolUse

from .json_values import Object, parse_arguments


class AnswerReader(Protocol):
    """The interface of a reader of one answer of a model API. The content is collected in the attribute `answered`."""

    answered: ModelAnswer
    speaks: bool
    """Whether a first part of the answer itself has come: text, reasoning, or a tool's name."""

    def read_event(self, name: str, data: str) -> None:
        """Read one event of a streamed answer: its name, and its data as JSON text."""

    def read_answer(self, body: Object) -> None:
        """Read a complete answer that was not streamed."""


class ModelApiFormat(Protocol):
    """The wire format of a model API."""

    name: str

    def read_request(self, body: Object, path: str) -> ModelRequest:
        """Return the model, messages, tools and parameters of a request. `path`: the path of its URL."""

    def create_answer_reader(self) -> AnswerReader:
        """Return a new reader for the answer to a request."""


class PartialToolCalls:
    """Collects tool calls whose ids, names and arguments arrive in parts of a stream."""

    def __init__(self) -> None:
        self._calls: dict[object, tuple[list[str], list[str], list[str]]] = {}

    def add_part(self, index: object, *, id: str = "", name: str = "", arguments: str = "") -> None:
        """Add a part to the tool call at an index (`index`)."""
        ids, names, parts = self._calls.setdefault(index, ([], [], []))
        if id and not ids:
            ids.append(id)
        if name and name not in names:
            names.append(name)
        parts.append(arguments)

    def build_tool_calls(self) -> list[ToolUse]:
        """Return the tool calls collected so far; the last may be incomplete."""
        return [
            ToolUse("".join(names) or "tool", parse_arguments("".join(parts)), "".join(ids))
            for ids, names, parts in self._calls.values()
        ]
