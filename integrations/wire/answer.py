"""The interface of a wire format: reads a request, and an answer, at once or piece by piece."""

from __future__ import annotations

from typing import Protocol

from pagereel.recorder import ModelAnswer, ModelRequest, ToolUse

from .values import Object, arguments


class AnswerReader(Protocol):
    """The reader of one answer."""

    answered: ModelAnswer
    speaks: bool
    """Whether a first part of the answer itself has come: text, reasoning, or a tool's name."""

    def piece(self, name: str, data: str) -> None:
        """Read an event of a stream."""

    def whole(self, body: Object) -> None:
        """Read an answer that is not streamed."""


class Format(Protocol):
    """A wire format."""

    name: str

    def asked(self, body: Object, path: str) -> ModelRequest:
        """Return the content of a request."""

    def answer(self) -> AnswerReader:
        """Return a reader for the answer."""


class PartialToolCalls:
    """Tool calls whose arguments arrive in parts in a stream, by their index."""

    def __init__(self) -> None:
        self._calls: dict[object, tuple[list[str], list[str], list[str]]] = {}

    def add(self, place: object, *, id: str = "", name: str = "", arguments: str = "") -> None:
        """Add to the call at an index."""
        ids, names, parts = self._calls.setdefault(place, ([], [], []))
        if id and not ids:
            ids.append(id)
        if name and name not in names:
            names.append(name)
        parts.append(arguments)

    def calls(self) -> list[ToolUse]:
        """Return the calls, possibly incomplete."""
        return [
            ToolUse("".join(names) or "tool", arguments("".join(parts)), "".join(ids))
            for ids, names, parts in self._calls.values()
        ]
