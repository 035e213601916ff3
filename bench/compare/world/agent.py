"""The agent that works these applications: as the first set's, with three plans more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..driver import Driver


class PlannedAgent(Driver):
    """`plan` may also be `order` (two things that do not depend on each other come the other way round) and `retry` (a tool fails, and is called again)."""

    def act(self, tool: str, arguments: dict[str, Any], do: Callable[[], Any]) -> None:
        if self.plan == "retry" and self.tools == 2:
            self.think("What comes next, after 2 actions?")
            call = self.session.tool_call(tool, arguments={**arguments, "call_id": "0"})
            self.session.tool_result(call, error="the element moved away")
            self.tools += 1
            call = self.session.tool_call(tool, arguments={**arguments, "call_id": "1"})
            do()
            self.session.tool_result(call, result={"ok": True})
            return
        super().act(tool, arguments, do)

    def either(self, first: Callable[[], Any], second: Callable[[], Any]) -> None:
        """Do two things, in whichever order."""
        for do in (second, first) if self.plan == "order" else (first, second):
            do()
