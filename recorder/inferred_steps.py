"""Infers steps from model calls, if the caller reports none: each step (a turn) lasts from one model call to the next.

The attributes of a step say that it is *inferred*, its number (`iteration`), how often the same calls were made before
(`repeats`: a loop), and, if the same request was repeated after an error, the `attempt`. A turn has no success; the
last turn has failed if the run ends with its error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pagereel.reel import Event, Json

from .agent_context import build_agent_field
from .runtime.json_conversion import hash_json, to_json, to_text

if TYPE_CHECKING:
    from .model_log import ModelCall, ToolCallResult

_TITLE: Final = 100
"""Longest title, in characters."""
_VALUE: Final = 60
"""Longest argument shown in a title, in characters."""


@dataclass(slots=True)
class _ModelTurn:
    id: int
    ended: float
    request: bytes
    did: bytes
    error: str | None
    failed: list[str] = field(default_factory=list)


class InferredSteps:
    """The turns of one agent, until the caller reports a step."""

    def __init__(self, emit: Callable[[Event], None], next_id: Callable[[], int], agent: str | None = None) -> None:
        self._emit = emit
        self._next_id = next_id
        self._whose = build_agent_field(agent)
        self._now: _ModelTurn | None = None
        self._count = 0
        self._attempt = 1
        self._did: dict[bytes, int] = {}

    def assign_step(self, call: ModelCall, results: Sequence[ToolCallResult]) -> int:
        """Return the id of the step to which a model call belongs: the present turn if the call began before that turn
        ended, else a new turn. `results`: the tool results that this call returns to the model for the first time.
        """
        now = self._now
        if now is not None and call.began < now.ended:
            now.ended = max(now.ended, call.ended)
            return now.id
        assert call.asked is not None
        self._end_turn(call.began, results)
        request = hash_json([call.asked.model, call.asked.system, call.asked.messages])
        again = now is not None and now.error is not None and now.request == request
        self._attempt = self._attempt + 1 if again else 1
        self._count += not again
        did = hash_json([[use.name, use.arguments] for use in call.answered.calls]) if call.answered.calls else b""
        self._did[did] = self._did.get(did, 0) + 1
        attributes: dict[str, Json] = {"inferred": True, "iteration": max(1, self._count)}
        if did and self._did[did] > 1:
            attributes["repeats"] = self._did[did]
        if again:
            attributes["attempt"] = self._attempt
        number = self._next_id()
        event: Event = {
            "id": number,
            "parent": None,
            "title": _build_turn_title(call),
            "attributes": attributes,
            **self._whose,
        }
        wanted = call.answered.reasoning or ("".join(call.answered.texts) if call.answered.calls else "")
        if wanted:
            event["reasoning"] = to_text(wanted)
        self._emit({"k": "step", "t": call.began, **event})
        self._now = _ModelTurn(number, call.ended, request, did, call.answered.error)
        return number

    def end_last_turn(self, t: float) -> None:
        """End the present turn at `t` (ms), because the recording ends or the caller reports a step."""
        self._end_turn(t, (), is_last=True)
        self._now = None

    def _end_turn(self, t: float, results: Sequence[ToolCallResult], is_last: bool = False) -> None:
        now = self._now
        if now is None:
            return
        event: Event = {"id": now.id, "success": False if is_last and now.error else None}
        failed = next((to_text(to_json(answer.result), 1_000) for answer in results if answer.failed), None)
        if now.error or failed:
            event["message"] = now.error or f"The tool failed: {failed}"
        self._emit({"k": "step_end", "t": max(t, now.ended), **event})


def _build_turn_title(call: ModelCall) -> str:
    """Return a short title of a turn: its tool calls, or the first line of the answer."""
    answered = call.answered
    if answered.calls:
        lines = [
            f"{use.name}{': ' if (value := _find_first_argument(use.arguments)) else ''}{value}"
            for use in answered.calls
        ]
        return _shorten_text(", ".join(lines))
    text = "".join(answered.texts).strip().partition("\n")[0]
    return _shorten_text(text) if text else "No answer" if answered.error else "Answer"


def _find_first_argument(arguments: Json) -> str:
    """Return the first short argument of a tool call, which usually shows what the call is about."""
    values = list(arguments.values()) if isinstance(arguments, dict) else [arguments]
    for value in values:
        if isinstance(value, (str, int, float)) and not isinstance(value, bool) and str(value):
            return _shorten_text(str(value).partition("\n")[0], _VALUE)
    return ""


def _shorten_text(text: str, limit: int = _TITLE) -> str:
    text = to_text(text)
    return text if len(text) <= limit else f"{text[:limit].rstrip()}…"
