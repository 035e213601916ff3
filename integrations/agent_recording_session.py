"""Defines the interface of a recording session that the recorders of agents (`browser_use`, `cua`) use."""

from __future__ import annotations

from typing import Any, Protocol


class AgentRecordingSession(Protocol):
    """The interface of a session that records steps, model calls and tool calls.

    `record` and `record_cdp` return such ones.
    """

    def step(self, title: str, *, reasoning: str | None = None, **attributes: Any) -> Any: ...
    def llm_call(self, **fields: Any) -> int: ...
    def tool_call(self, name: str, arguments: Any = None, **attributes: Any) -> int: ...
    def tool_result(
        self, call: int, result: Any = None, *, error: Any = None, duration: float | None = None
    ) -> int: ...
