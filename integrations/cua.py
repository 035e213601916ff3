"""Records cua-agent: each turn of its model, its actions on the computer, and the screen after each.

    with record(None, "run.reel") as session:
        agent = ComputerAgent(model="anthropic/…", tools=[computer], callbacks=[CuaWatch(session)])
        async for _ in agent.run("Order a vase"):
            pass

The agent calls these methods by name (its `AsyncCallbackHandler`; tried with 0.9.1). Nothing of it is imported, and
fields that its objects lack are left out. Of its calls' arguments only the model and the messages are read, because
others hold keys.
"""

from __future__ import annotations

import base64
import binascii
import json
import time
from collections.abc import Iterator
from typing import Any, Protocol

from .agent_recording_session import AgentRecordingSession

_SHORT = 60
"""Longest value in a title, in characters."""
_PICTURES = ("image_url", "screenshot")
"""Fields whose value is a picture."""
_DATA = "data:image/"
_COMPUTER = "computer"
_TITLE_FIELDS = ("x", "y", "button", "url", "scroll_x", "scroll_y", "ms")
"""Fields of an action that its title shows."""


class ScreenSession(AgentRecordingSession, Protocol):
    """The methods of a recording session that this module calls; the session of `record` has them."""

    def screen(self, image: Any = None, **fields: Any) -> int: ...


class CuaWatch:
    """A callback handler for `ComputerAgent(callbacks=[…])`.

    Use one object for each agent; it does not change its arguments.
    """

    def __init__(self, session: ScreenSession) -> None:
        self._session = session
        self._step: Any = None
        self._turn = 0
        self._told = 0
        self._asked = 0.0
        self._call: tuple[int, float] | None = None
        self._shown = False
        self._seen = False

    async def on_run_start(self, kwargs: dict[str, Any], old_items: list[Any]) -> None:
        """Handle the beginning of a run: all its messages count as new, and will be recorded."""
        self._end_turn()
        self._told = 0

    async def on_run_continue(self, kwargs: dict[str, Any], old_items: list[Any], new_items: list[Any]) -> bool:
        """Return True, so that the agent continues."""
        return True

    async def on_run_end(self, kwargs: dict[str, Any], old_items: list[Any], new_items: list[Any]) -> None:
        """Handle the end of a run: end the last turn's step."""
        self._end_turn()

    async def on_llm_start(self, messages: list[Any]) -> list[Any]:
        """Remember the time of a model call, and return the messages unchanged."""
        self._end_turn()
        self._asked = time.perf_counter()
        return messages

    async def on_llm_end(self, output: list[Any]) -> list[Any]:
        """Return the model's answer unchanged."""
        return output

    async def on_responses(self, kwargs: dict[str, Any], responses: dict[str, Any]) -> None:
        """Record a turn of the agent: the messages that the model was given since its last call, and its answer."""
        self._end_turn()
        self._turn += 1
        output = [item for item in responses.get("output") or () if isinstance(item, dict)]
        said, thoughts = _read_text_of_items(output, "message"), _read_text_of_items(output, "reasoning")
        calls = [call for item in output if (call := _read_tool_call(item)) is not None]
        wanted = [_build_call_title(**call) for call in calls]
        title = ", ".join(filter(None, wanted)) or _shorten_text(said) or "Answer"
        step = self._session.step(title, reasoning=thoughts or (said if wanted else None) or None, iteration=self._turn)
        self._step = step.__enter__()
        messages = [item for item in kwargs.get("messages") or () if isinstance(item, dict)]
        # Each request has the whole conversation: messages that were recorded are left out. If there are fewer
        # messages than before, all are new.
        new = messages[self._told if self._told <= len(messages) else 0 :]
        self._told = len(messages) + len(output)
        usage = responses.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        fields = {
            "model": kwargs.get("model"),
            "input_tokens": usage.get("prompt_tokens", usage.get("input_tokens")),
            "output_tokens": usage.get("completion_tokens", usage.get("output_tokens")),
            "cost_usd": usage.get("response_cost"),
            "duration": round((time.perf_counter() - self._asked) * 1000, 1) if self._asked else None,
            "prompt": [_replace_pictures(item) for item in new],
            "response": {"content": said, "tool_calls": calls} if calls else said,
        }
        self._session.llm_call(**{name: value for name, value in fields.items() if value is not None})

    async def on_computer_call_start(self, item: dict[str, Any]) -> None:
        """Record an action as a tool call, and mark its position on the screen that the agent saw last."""
        action = item.get("action")
        if self._seen:  # the first call usually only looks at the screen
            self._session.screen(action=action)
        self._shown = False
        self._call = self._session.tool_call(_COMPUTER, action), time.perf_counter()

    async def on_computer_call_end(self, item: dict[str, Any], result: list[Any]) -> None:
        """Record the screen after an action, unless `on_screenshot` has recorded it already."""
        self._record_first_picture(result)
        self._record_tool_result(None)

    async def on_function_call_start(self, item: dict[str, Any]) -> None:
        """Record a call of a tool that is not the computer."""
        self._shown = False
        self._call = (
            self._session.tool_call(str(item.get("name")), _parse_json(item.get("arguments"))),
            time.perf_counter(),
        )

    async def on_function_call_end(self, item: dict[str, Any], result: list[Any]) -> None:
        """Record a tool's result. A picture in the result is recorded as a screen."""
        self._record_first_picture(result)
        outputs = [_replace_pictures(_parse_json(each.get("output"))) for each in result if isinstance(each, dict)]
        self._record_tool_result(outputs[0] if len(outputs) == 1 else outputs)

    async def on_screenshot(self, screenshot: str | bytes, name: str = "screenshot") -> None:
        """Record a screenshot as a screen."""
        picture = _decode_picture_bytes(screenshot)
        if picture is not None:
            self._record_screen(picture)

    def _record_first_picture(self, result: Any) -> None:
        if not self._shown:
            picture = next(_iter_pictures(result), None)
            if picture is not None:
                self._record_screen(picture)

    def _record_screen(self, picture: bytes) -> None:
        self._shown = self._seen = True
        self._session.screen(picture)

    def _record_tool_result(self, result: Any, error: str | None = None) -> None:
        if self._call is not None:
            call, began = self._call
            self._call = None
            duration = round((time.perf_counter() - began) * 1000, 1)
            self._session.tool_result(call, result, error=error, duration=duration)

    def _end_turn(self) -> None:
        step, self._step = self._step, None
        self._record_tool_result(None, "it was not done")
        if step is not None:
            step.__exit__(None, None, None)


def _read_tool_call(item: dict[str, Any]) -> dict[str, Any] | None:
    """Return the name and arguments of the tool call that an output item holds; None for other items."""
    match item.get("type"):
        case "computer_call":
            return {"name": _COMPUTER, "arguments": item.get("action")}
        case "function_call":
            return {"name": str(item.get("name")), "arguments": _parse_json(item.get("arguments"))}
    return None


def _build_call_title(name: str, arguments: Any) -> str:
    """Return a short title for a tool call: `click 310, 88`, `search: vase`.

    A typed text is left out, because it may be a password.
    """
    given = arguments if isinstance(arguments, dict) else {}
    if name == _COMPUTER:
        values = [str(value) for key, value in given.items() if key in _TITLE_FIELDS and value not in (None, "")]
        return f"{given.get('type', name)} {', '.join(values)}".strip()
    first = next(iter(given.values()), "")
    return f"{name}: {_shorten_text(str(first))}" if isinstance(first, str | int | float) and str(first) else name


def _read_text_of_items(output: list[dict[str, Any]], item_type: str) -> str:
    """Return the joined text of all output items of one type, such as ``message`` or ``reasoning``."""
    found: list[str] = []
    for item in output:
        if item.get("type") != item_type:
            continue
        content = item.get("content") or item.get("summary")
        parts = [content] if isinstance(content, str) else content if isinstance(content, list) else []
        found += [part if isinstance(part, str) else str(part.get("text") or "") for part in parts if part]
    return "\n".join(filter(None, found))


def _parse_json(value: Any) -> Any:
    """Return a string parsed as JSON where it is valid JSON; any other value unchanged."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _iter_pictures(value: Any) -> Iterator[bytes]:
    """Yield the bytes of each picture in a tool's result."""
    if isinstance(value, list):
        for each in value:
            yield from _iter_pictures(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            found = _decode_picture_bytes(each) if name in _PICTURES else None
            if found is not None:
                yield found
            else:
                yield from _iter_pictures(_parse_json(each))


def _decode_picture_bytes(value: Any) -> bytes | None:
    """Return a picture's bytes, given as base64, as a `data:` URL, or as bytes; None for other values."""
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        return None
    try:
        return base64.b64decode(value.partition(",")[2] if value.startswith("data:") else value, validate=True) or None
    except (ValueError, binascii.Error):
        return None


def _replace_pictures(value: Any) -> Any:
    """Return a result with each picture replaced by the words ``a picture``: pictures are recorded as screens."""
    if isinstance(value, list):
        return [_replace_pictures(each) for each in value]
    if isinstance(value, dict):
        return {
            name: "a picture" if _is_picture(name, each) else _replace_pictures(each) for name, each in value.items()
        }
    return "a picture" if isinstance(value, str) and value.startswith(_DATA) else value


def _is_picture(name: str, value: Any) -> bool:
    return name in _PICTURES and isinstance(value, str | bytes) and len(value) > 100


def _shorten_text(text: str, limit: int = _SHORT) -> str:
    text = text.strip().partition("\n")[0]
    return text if len(text) <= limit else f"{text[:limit].rstrip()}…"
