"""The calls and steps of a trace, each merged from its lines for begin, log and end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pagereel.text_truncation import truncate_text

from .clock import to_number_in_range
from .versions import Line

ACTIONS: Final = 500_000
"""Largest number of calls read from a trace."""
_AFTERWARDS: Final = frozenset(
    {
        "screenshot",
        "close",
        "storageState",
        "tracingStart",
        "tracingStartChunk",
        "tracingStop",
        "tracingStopChunk",
        "tracingGroupEnd",
    }
)
_LOGS: Final = 500
_TEXT: Final = 2_000
_LONG_TEXT: Final = 200_000
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
_ITEMS: Final = 100
_DEPTH: Final = 8


@dataclass(slots=True)
class TraceAction:
    """A call of Playwright's API, or a step of the test runner. Times are in ms on the reel's clock."""

    id: str
    runner: bool
    start: float
    kind: str
    """The class of the method."""
    method: str
    title: str
    params: dict[str, Any]
    parent: str | None
    page: str | None
    stack: list[Line] | None
    end: float | None = None
    error: str | None = None
    log: list[str] = field(default_factory=list)
    attachments: list[Line] = field(default_factory=list)
    point: tuple[float, float] | None = None
    children: bool = False


class TraceActions:
    """The actions in all files of a trace, by id. An action of the test runner and one of the library with the same id
    are one action.
    """

    def __init__(self) -> None:
        self._library: dict[str, TraceAction] = {}
        self._runner: dict[str, TraceAction] = {}
        self.renamed: dict[str, str] = {}
        """Ids as older versions wrote them → their replacements."""

    @property
    def has_actions(self) -> bool:
        """Return whether there are any actions."""
        return bool(self._library or self._runner)

    @property
    def end_time(self) -> float:
        """Return the end of the action that ends last, in ms; for an action without an end its beginning counts."""
        each = (*self._library.values(), *self._runner.values())
        return max((action.start if action.end is None else action.end for action in each), default=0.0)

    @property
    def has_last_call_failed(self) -> bool:
        """Return whether the script's last call failed. Automatic calls after a failure, such as a screenshot or
        closing pages, do not count.
        """
        calls = [action for action in self._library.values() if action.method not in _AFTERWARDS]
        return bool(calls) and max(calls, key=lambda action: action.start).error is not None

    def read_before_line(self, line: Line, t: float, *, runner: bool) -> None:
        """Add the action that a line of type ``before`` begins."""
        known = self._runner if runner else self._library
        call = line.get("callId")
        if not isinstance(call, str) or len(known) >= ACTIONS:
            return
        parent, page = line.get("parentId"), line.get("pageId")
        params = line.get("params")
        known[call] = TraceAction(
            call[:1000],
            runner,
            t,
            _to_text(line.get("class")),
            _to_text(line.get("method")),
            _to_text(line.get("title")),
            shorten_json(params) if isinstance(params, dict) else {},
            parent if isinstance(parent, str) else None,
            page if isinstance(page, str) else None,
            _parse_stack(line.get("stack")),
        )

    def add_log_line(self, call: object, message: object, *, runner: bool) -> None:
        """Add a line to a call's log."""
        action = self.get_action(call, runner=runner)
        if action is not None and isinstance(message, str) and len(action.log) < _LOGS:
            action.log.append(message[:_TEXT])

    def read_input_line(self, line: Line, *, runner: bool) -> TraceAction | None:
        """Add the pointer's position from a line of type ``input`` to its action. Return the action."""
        action = self.get_action(line.get("callId"), runner=runner)
        if action is not None:
            action.point = _parse_point(line.get("point")) or action.point
        return action

    def read_after_line(self, line: Line, t: float, *, runner: bool) -> None:
        """Add end and error from a line of type ``after`` to its action."""
        action = self.get_action(line.get("callId"), runner=runner)
        if action is None:
            return
        action.end = max(t, action.start)
        action.error = read_error(line.get("error"))
        action.point = _parse_point(line.get("point")) or action.point
        attachments = line.get("attachments")
        if isinstance(attachments, list):
            action.attachments = [item for item in attachments[:1000] if isinstance(item, dict)]

    def get_action(self, call: object, *, runner: bool = False) -> TraceAction | None:
        """Return the action with an id; None if there is none."""
        return (self._runner if runner else self._library).get(call) if isinstance(call, str) else None

    def read_stacks(self, stacks: object) -> None:
        """Add to the calls the source lines of their callers, from the trace's file ``trace.stacks``."""
        if not isinstance(stacks, dict) or not isinstance(files := stacks.get("files"), list):
            return
        for item in stacks.get("stacks") or []:
            if not isinstance(item, list) or len(item) != 2 or not isinstance(item[1], list):
                continue
            name = f"call@{item[0]}" if type(item[0]) is int else str(item[0])
            action = self._library.get(self.renamed.get(name, name))
            if action is not None and action.stack is None:
                action.stack = [
                    {"file": files[at[0]], "line": at[1], "function": at[3]}
                    for at in item[1][:50]
                    if isinstance(at, list)
                    and len(at) >= 4
                    and type(at[0]) is int
                    and 0 <= at[0] < len(files)
                    and isinstance(files[at[0]], str)
                ]

    def merge_actions(self) -> list[TraceAction]:
        """Return all actions in the order of their beginnings. If both the test runner and the library recorded an
        action, its time, parent and error are the test runner's.
        """
        found = dict(self._library)
        for call, action in self._runner.items():
            same = found.get(call)
            if same is None:
                found[call] = action
                continue
            same.start, same.parent = action.start, action.parent
            same.end = action.end if action.end is not None else same.end
            same.error = action.error or same.error
            same.attachments = action.attachments or same.attachments
            same.title = action.title or same.title
            same.stack = same.stack or action.stack
        for action in found.values():
            if action.parent is not None and (parent := found.get(action.parent)) is not None:
                parent.children = True
                if parent.end is None and action.end is not None and parent.runner:
                    parent.end = action.end
        return sorted(found.values(), key=lambda action: action.start)


def read_error(value: object) -> str | None:
    """Return an error's message, with the error's class before it if the message lacks it; None if there is no error."""
    if isinstance(value, dict) and isinstance(inner := value.get("error"), dict):
        value = inner
    if not isinstance(value, dict):
        return strip_terminal_colours(value[:_LONG_TEXT]) if isinstance(value, str) else None
    message = value.get("message")
    name = value.get("name")
    words = message if isinstance(message, str) else ""
    if isinstance(name, str) and name and not words.startswith(name):
        words = f"{name}: {words}"
    return strip_terminal_colours(words[:_LONG_TEXT]) or None


def strip_terminal_colours(text: str) -> str:
    """Return a text without terminal colour codes, which Node's test runner writes; inside a word they would hide it
    from a redaction.
    """
    return _COLOURS.sub("", text)


def shorten_json(value: Any, depth: int = 0) -> Any:
    """Return a JSON value with long texts and lists shortened and deep parts left out."""
    if isinstance(value, str):
        return truncate_text(value, _TEXT)
    if depth >= _DEPTH and isinstance(value, list | dict):
        return "…"
    if isinstance(value, list):
        return [shorten_json(item, depth + 1) for item in value[:_ITEMS]]
    if isinstance(value, dict):
        return {str(name)[:200]: shorten_json(item, depth + 1) for name, item in _iter_first_items(value)}
    return value


def _iter_first_items(value: dict[Any, Any]) -> Iterator[tuple[Any, Any]]:
    for index, item in enumerate(value.items()):
        if index >= _ITEMS:
            return
        yield item


def _to_text(value: object) -> str:
    return value[:_TEXT] if isinstance(value, str) else ""


def _parse_point(value: object) -> tuple[float, float] | None:
    if not isinstance(value, dict):
        return None
    x, y = to_number_in_range(value.get("x"), -1e6, 1e6), to_number_in_range(value.get("y"), -1e6, 1e6)
    return (round(x, 1), round(y, 1)) if x is not None and y is not None else None


def _parse_stack(value: object) -> list[Line] | None:
    return [item for item in value[:50] if isinstance(item, dict)] if isinstance(value, list) and value else None
