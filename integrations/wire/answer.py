"""What each wire format has to say: how a request is read, and an answer, whole or piece by piece."""

from __future__ import annotations

from typing import Protocol

from pagereel.recorder import ModelAnswer, ModelRequest, ToolUse

from .values import Object, arguments


class AnswerReader(Protocol):
    """Reads one answer of a format."""

    answered: ModelAnswer
    speaks: bool
    """Whether a first part of the answer itself has come: text, reasoning, a tool's name."""

    def piece(self, name: str, data: str) -> None:
        """Take an event of a stream."""

    def whole(self, body: Object) -> None:
        """Take an answer that came at once."""


class Format(Protocol):
    """A wire format."""

    name: str

    def asked(self, body: Object, path: str) -> ModelRequest:
        """Return what a request asks for."""

    def answer(self) -> AnswerReader:
        """Return a reader for its answer."""


class Building:
    """Tool calls of which a stream brings the arguments in parts, by their place."""

    def __init__(self) -> None:
        self._calls: dict[object, tuple[list[str], list[str], list[str]]] = {}

    def add(self, place: object, *, id: str = "", name: str = "", arguments: str = "") -> None:
        """Add to the call at a place."""
        ids, names, parts = self._calls.setdefault(place, ([], [], []))
        if id and not ids:
            ids.append(id)
        if name and name not in names:
            names.append(name)
        parts.append(arguments)

    def calls(self) -> list[ToolUse]:
        """Return the calls as far as they came."""
        return [
            ToolUse("".join(names) or "tool", arguments("".join(parts)), "".join(ids))
            for ids, names, parts in self._calls.values()
        ]
