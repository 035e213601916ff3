"""Records the screens that models with computer-use tools saw, and their actions on them, from model traffic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pagereel.reel import Event, Json

from .agent_context import build_agent_field
from .runtime.json_conversion import to_json
from .runtime.screen_positions import find_action_position

if TYPE_CHECKING:
    from .model_log import ModelCall, ModelRequest, ToolUse

_TOOL = "computer"
"""How types and names of such tools begin: ``computer_20250124``, ``computer_use_preview``, ``computer_call``."""


class ModelScreenRecorder:
    """The screens of one recording. ``show`` receives a picture, or None for the one before, and the fields of its
    event.
    """

    def __init__(self, show: Callable[[Any, Event], None], next_id: Callable[[], int]) -> None:
        self._show = show
        self._next_id = next_id
        self._shown = False

    def write_picture(self, content: bytes, digest: str, call: ModelCall) -> int:
        """Write a picture that was sent to a model. Return its number."""
        number = self._next_id()
        self._shown = True
        self._show(
            content,
            {"t": call.began, "id": number, "step": call.step, **build_agent_field(call.agent), "digest": digest},
        )
        return number

    def write_action(self, tool_use: ToolUse, call: ModelCall) -> None:
        """Write a model's action on the last screen that it saw. Calls of tools other than computer use are ignored."""
        if not self._shown or not tool_use.name.lower().startswith(_TOOL):
            return
        action = to_json(tool_use.arguments)
        done = action if isinstance(action, list) else [action]
        place = next((found for each in reversed(done) if (found := find_action_position(each)) is not None), None)
        fields: Event = {
            "t": call.ended,
            "id": self._next_id(),
            "step": call.step,
            **build_agent_field(call.agent),
            "action": action,
        }
        self._show(None, fields if place is None else {**fields, "cursor": place})


def offers_computer_tool(request: ModelRequest) -> bool:
    """Return whether a request offers a computer-use tool. If it does, the pictures in its messages show a screen."""
    return any(name.lower().startswith(_TOOL) for tool in request.tools for name in _list_tool_names(tool))


def _list_tool_names(tool: Json) -> list[str]:
    if not isinstance(tool, dict):
        return []
    inner = tool.get("function")
    given = [tool.get("type"), tool.get("name"), inner.get("name") if isinstance(inner, dict) else None]
    # Google's tool has no name: it is a field of the tool.
    return [each for each in [*given, *tool] if isinstance(each, str)]
