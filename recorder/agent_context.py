"""The position of an event in a run: the open step and the acting agent."""

from __future__ import annotations

from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any, Final, NamedTuple

from pagereel.reel import Event

from .runtime.json_conversion import to_text

NAME_LIMIT: Final = 200
"""Longest name of an agent, in characters."""


class RunPosition(NamedTuple):
    """The position of an event in a run: the open step and the acting agent; agent None is the run itself."""

    step: int | None = None
    agent: str | None = None


def normalize_agent_name(agent: Any) -> str | None:
    """Return an agent's name in the format's form: one line, at most `NAME_LIMIT` characters; None if it is empty."""
    if agent is None:
        return None
    return " ".join(to_text(agent, 4 * NAME_LIMIT).split())[:NAME_LIMIT].rstrip() or None


def build_agent_field(agent: str | None) -> Event:
    """Return the field of an event that names its agent; {} without an agent."""
    return {} if agent is None else {"agent": agent}


class RunPositions:
    """The run position of each thread and task. Tasks and calls inherit the position of their caller."""

    def __init__(self) -> None:
        # A context that began before this recording (a worker thread) has no value: its events belong to the innermost
        # open step.
        self._current: ContextVar[RunPosition] = ContextVar("pagereel_place")
        self._open: list[RunPosition] = []

    def mark_recording_start(self) -> None:
        """Mark the context that starts the recording: tasks created in it begin without an open step."""
        self._current.set(RunPosition())

    def get_current_position(self) -> RunPosition:
        """Return the position of this context."""
        try:
            return self._current.get()
        except LookupError:
            opened = self._open
            return opened[-1] if opened else RunPosition()

    def enter_position(self, position: RunPosition) -> Token[RunPosition]:
        """Enter a position. :meth:`leave_position` needs this position and the returned token."""
        self._open.append(position)
        return self._current.set(position)

    def leave_position(self, position: RunPosition, token: Token[RunPosition] | None) -> None:
        """Restore the position that this context had before."""
        if position in self._open:
            self._open.reverse()
            self._open.remove(position)
            self._open.reverse()
        if token is None:
            return
        try:
            self._current.reset(token)
        except ValueError:
            # The step ended in another context than it began in (a generator, a callback): fall back to the innermost
            # step that is still open.
            self._current.set(self._open[-1] if self._open else RunPosition())


class ActingAgentContext:
    """A context in which one of several agents acts: ``with session.agent("planner"):``, or ``async with``."""

    def __init__(self, places: RunPositions, agent: str | None) -> None:
        self._places = places
        self._agent = normalize_agent_name(agent)
        self._entered: list[tuple[RunPosition, Token[RunPosition]]] = []

    def __enter__(self) -> None:
        place = self._places.get_current_position()._replace(agent=self._agent)
        self._entered.append((place, self._places.enter_position(place)))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._entered:
            self._places.leave_position(*self._entered.pop())

    async def __aenter__(self) -> None:
        self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, trace)
