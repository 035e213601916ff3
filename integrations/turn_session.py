"""The interface of a recording session that recorders of agents call."""

from __future__ import annotations

from typing import Any, Protocol


class TurnSession(Protocol):
    """A session that records steps, model calls and tool calls, as `record` and `record_cdp` return."""

    def step(self, title: str, *, reasoning: str | None = None, **attributes: Any) -> Any: ...
    def llm_call(self, **fields: Any) -> int: ...
    def tool_call(self, name: str, arguments: Any = None, **attributes: Any) -> int: ...
    def tool_result(
        self, call: int, result: Any = None, *, error: Any = None, duration: float | None = None
    ) -> int: ...
