"""Defines the class of the pytest fixture `replay`, by which a test adds steps, notes and marks to its own replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pagereel.recorder import Agent, Session, Step


class Replay:
    """The fixture `replay`: the recording of the running test, to which the test adds steps, notes and marks.

    The recording begins with the test's first browser context. Before it, after it, and without `--replay`, all methods
    do nothing and return as usual, so that a test needs no condition.
    """

    def __init__(self, running: Callable[[], Session | None]) -> None:
        self._running = running
        self._unheard = Agent.create_unrecorded()

    @property
    def session(self) -> Session | None:
        """Return the session that `record()` gave for this test; None while nothing is recorded."""
        return self._running()

    @property
    def _current_agent(self) -> Agent:
        return self._running() or self._unheard

    def step(self, title: str, *, reasoning: str | None = None, agent: str | None = None, **attributes: Any) -> Step:
        """Return a step of the test, for `with` or `async with`. `agent`: the name of the agent, where there are
        several.
        """
        return self._current_agent.step(title, reasoning=reasoning, agent=agent, **attributes)

    def note(self, text: str, *, agent: str | None = None, **attributes: Any) -> int:
        """Write a note. Return its id."""
        return self._current_agent.note(text, agent=agent, **attributes)

    def message(self, sender: str | None, to: str | None, text: str, **attributes: Any) -> int:
        """Record a message from one agent to another. Return the message's id."""
        return self._current_agent.message(sender, to, text, **attributes)

    def mark(self, name: str) -> float:
        """Add a mark with this name at the present time. Return the time in ms since the recording began; 0 if nothing
        is recorded.
        """
        session = self._running()
        return 0.0 if session is None else session.mark(name)

    def llm_call(self, **fields: Any) -> int:
        """Record a model call. Return the call's id. See `Session.llm_call`."""
        return self._current_agent.llm_call(**fields)

    def tool_call(self, name: str, arguments: Any = None, **attributes: Any) -> int:
        """Record the beginning of a tool call. Return the call's id, for `tool_result()`."""
        return self._current_agent.tool_call(name, arguments, **attributes)

    def tool_result(self, call: int, result: Any = None, *, error: Any = None, duration: float | None = None) -> int:
        """Record a tool's result. `duration` in ms."""
        return self._current_agent.tool_result(call, result, error=error, duration=duration)
