"""What those who watch an agent's turns need of a session, whatever the agent does in them."""

from __future__ import annotations

from typing import Any, Protocol


class TurnSession(Protocol):
    """Steps, calls of models and of tools: `record` and `record_cdp` give such a session."""

    def step(self, title: str, *, reasoning: str | None = None, **attributes: Any) -> Any: ...
    def llm_call(self, **fields: Any) -> int: ...
    def tool_call(self, name: str, arguments: Any = None, **attributes: Any) -> int: ...
    def tool_result(
        self, call: int, result: Any = None, *, error: Any = None, duration: float | None = None
    ) -> int: ...
