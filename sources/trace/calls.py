"""Converts the actions of a trace to calls, steps and notes of a reel."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, Final

import orjson

from pagereel.reel import MASK, Event, Json, to_python_locator, to_snake_case

from ..secret_fields import is_secret_selector
from .actions import TraceAction
from .parameter_masking import mask_parameters

_STEPS: Final = frozenset({"hook", "fixture", "step", "test.step", "tracingGroup"})
_HIDDEN: Final = frozenset({"tracingStart", "tracingStartChunk", "tracingStop", "tracingStopChunk", "tracingGroupEnd"})
_METHODS: Final = {
    "evaluateExpression": "evaluate",
    "evaluateExpressionHandle": "evaluate_handle",
    "evalOnSelector": "eval_on_selector",
    "evalOnSelectorAll": "eval_on_selector_all",
    "querySelector": "query_selector",
    "querySelectorAll": "query_selector_all",
    "queryCount": "count",
    "waitForFunction": "wait_for_function",
}
_TITLES: Final = {
    "goto": "Go to",
    "dblclick": "Double click",
    "evaluate_handle": "Evaluate",
    "eval_on_selector": "Evaluate on selector",
    "eval_on_selector_all": "Evaluate on selector",
}
_DEVICES: Final = ("keyboard", "mouse", "touchscreen", "clock")
_TYPED: Final = {
    "fill": "value",
    "type": "text",
    "keyboardType": "text",
    "keyboardInsertText": "text",
    "press": "key",
    "keyboardPress": "key",
    "keyboardDown": "key",
}
"""Methods that enter text, and the parameter that holds it."""
_DROPPED: Final = frozenset({"selector", "timeout", "strict", "noWaitAfter", "waitId", "isFunction", "force"})
_AROUND: Final = 2
_SHORT: Final = 4
"""A secret shorter than this is masked only as a whole value, because other texts may contain it by chance."""
_TITLE: Final = 2_000
_LONGEST: Final = 10_000
"""Longest selector that is read, in characters."""


class CallConverter:
    """Converts a trace's actions to events of a reel."""

    def __init__(
        self,
        page_of: Callable[[TraceAction], int | None],
        source_text: Callable[[str], str | None],
        is_masked: Callable[[str], bool],
        secrets: set[str],
        shown: set[str],
    ) -> None:
        self._page_of = page_of
        self._source_text = source_text
        self._is_masked = is_masked
        self._shown = shown
        self._secrets = set(secrets)
        self._pattern: re.Pattern[str] | None = None
        self._unseen: dict[str, str] = {}
        """Call → the text that it typed, which no unmasked field shows."""
        self.ids: dict[str, int] = {}
        """Action → id of its event."""

    def iter_events(self, actions: list[TraceAction], test: str | None = None, failed: bool = False) -> Iterator[Event]:
        """Yield the steps and calls of a trace.

        `test`: the test's title, given if the test runner recorded its hooks as well; then one step contains all
        others, each hook is a step in it, and fixtures are left out. `failed`: whether the test failed.
        """
        hooks = {action.id for action in actions if action.method == "hook"}
        wanted = [action for action in actions if action.method not in _HIDDEN and not _is_part_of_hook(action, hooks)]
        for number, action in enumerate(wanted, 1):
            self.ids[action.id] = number
            self._remember_typed_secret(action)
            action.params = mask_parameters(action.params, self._secrets)
        self._pattern = self._build_secrets_pattern()
        steps = {action.id for action in wanted if _is_step(action)}
        above = {action.id: action.parent for action in actions}
        whole = len(wanted) + 1 if test is not None and hooks else None
        if whole is not None and test is not None:
            ends = [action.start if action.end is None else action.end for action in actions]
            title = self.mask_secrets(test)[:_TITLE]
            fields: Event = {"parent": None, "title": title, "attributes": {"kind": "test"}}
            yield {"k": "step", "t": actions[0].start, "id": whole, **fields}
            yield {"k": "step_end", "t": max(ends), "id": whole, "success": not failed}
        for action in wanted:
            parent = action.parent
            for _ in range(50):
                if parent is None or parent in steps:
                    break
                parent = above.get(parent)
            step = self.ids.get(parent) if parent in steps and parent is not None else whole
            if action.id in steps:
                yield from self._convert_step(action, step)
            else:
                call = self._convert_call(action, step)
                unseen = self._unseen.get(action.id)
                yield call if unseen is None else _mask_typed_text(call, unseen)

    def mask_secrets(self, value: Any) -> Any:
        """Return a JSON value with all secrets masked."""
        if isinstance(value, str):
            if value in self._secrets:
                return MASK
            return self._pattern.sub(MASK, value) if self._pattern is not None else value
        if isinstance(value, list):
            return [self.mask_secrets(item) for item in value]
        if isinstance(value, dict):
            return {name: self.mask_secrets(item) for name, item in value.items()}
        return value

    def _remember_typed_secret(self, action: TraceAction) -> None:
        """Remember the text that a call typed as a secret, if its field is masked, or if no snapshot shows the text."""
        field = _TYPED.get(action.method)
        text = action.params.get(field) if field else None
        if not isinstance(text, str) or not text or not field:
            return
        if field == "key":
            if len(text) == 1:
                action.params[field] = MASK
            return
        if self._is_masked(action.id) or is_secret_selector(str(action.params.get("selector") or "")):
            self._secrets.add(text)
        elif any(value.endswith(text) for value in self._iter_shown_values(text)):
            return
        self._unseen[action.id] = text

    def _iter_shown_values(self, text: str) -> Iterator[str]:
        if text in self._shown:
            yield text
        else:
            yield from self._shown

    def _build_secrets_pattern(self) -> re.Pattern[str] | None:
        long = sorted((word for word in self._secrets if len(word) >= _SHORT), key=len, reverse=True)
        forms = {form for word in long[:5_000] for form in (word, orjson.dumps(word).decode()[1:-1])}
        return re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True)))) if forms else None

    def _convert_step(self, action: TraceAction, parent: int | None) -> Iterator[Event]:
        number = self.ids[action.id]
        title = action.title or str(action.params.get("name") or action.method or "Step")
        step: Event = {
            "k": "step",
            "t": action.start,
            "id": number,
            "parent": parent,
            "title": self.mask_secrets(title)[:_TITLE],
        }
        if action.method:
            step["attributes"] = {"kind": action.method}
        yield step
        if action.end is not None:
            end: Event = {"k": "step_end", "t": action.end, "id": number, "success": action.error is None}
            if action.error is not None:
                end["error"] = self.mask_secrets(action.error)
            yield end

    def _convert_call(self, action: TraceAction, step: int | None) -> Event:
        selector = action.params.get("selector")
        event: Event = {
            "k": "call",
            "t": action.start,
            "id": self.ids[action.id],
            "step": step,
            "title": self.mask_secrets(_build_action_title(action))[:_TITLE],
            "method": _to_public_method(action)[:200],
            "call": action.id,
        }
        page = self._page_of(action)
        if page is not None:
            event["page"] = page
        params = {to_snake_case(name): value for name, value in action.params.items() if name not in _DROPPED}
        if params:
            event["params"] = self.mask_secrets(params)
        if isinstance(selector, str) and selector:
            event["locator"] = self.mask_secrets(to_python_locator(selector[:_LONGEST]))
        if action.end is not None:
            event["duration"] = round(action.end - action.start, 1)
        if action.error is not None:
            log = [line.strip() if index == 0 else line for index, line in enumerate(action.log)]
            lines = [
                action.error,
                *(["Call log:", *(f"  - {line}" for line in log)] if log and "Call log" not in action.error else []),
            ]
            event["error"] = self.mask_secrets("\n".join(lines))
        elif action.log:
            event["log"] = self.mask_secrets("\n".join(action.log))
        if action.end is None and action.error is None:
            event["error"] = "The call was under way when the trace ended."
        if (source := self._build_source(action)) is not None:
            event["source"] = source
        return event

    def _build_source(self, action: TraceAction) -> Json:
        place = next((at for at in action.stack or [] if isinstance(at.get("file"), str)), None)
        if place is None:
            return None
        line = place.get("line")
        source: dict[str, Json] = {"file": _shorten_path(place["file"]), "line": line if type(line) is int else 0}
        if isinstance(function := place.get("function"), str) and function:
            source["function"] = function[:200]
        text = self._source_text(build_source_name(place["file"]))
        if text is not None and type(line) is int and line > 0:
            lines = text.split("\n")
            around: list[Json] = [part[:500] for part in lines[max(0, line - 1 - _AROUND) : line + _AROUND]]
            if line <= len(lines):
                source["code"] = self.mask_secrets(around)
        return source


def _mask_typed_text(event: Event, text: str) -> Event:
    """Return a call with its typed text masked."""

    def mask_value(value: Any) -> Any:
        if isinstance(value, str):
            if len(text) >= _SHORT:
                return value.replace(text, MASK)
            return MASK if value == text else value.replace(f'"{text}"', f'"{MASK}"').replace(f"'{text}'", f"'{MASK}'")
        if isinstance(value, list):
            return [mask_value(item) for item in value]
        return {name: mask_value(item) for name, item in value.items()} if isinstance(value, dict) else value

    said = ("title", "params", "locator", "error", "log", "source")
    return event | {name: mask_value(event[name]) for name in said if name in event}


def build_source_name(file: str) -> str:
    """Return the beginning of the name under which a trace stores a source file."""
    return hashlib.sha1(file.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def _is_step(action: TraceAction) -> bool:
    return action.method in _STEPS or (action.children and action.kind not in ("Page", "Frame", "BrowserContext"))


def _is_part_of_hook(action: TraceAction, hooks: set[str]) -> bool:
    """Return whether an action is only a part of a hook (a fixture or another hook) and can be left out. A failed one
    is kept, because it shows the reason.
    """
    return action.method in ("hook", "fixture") and action.parent is not None and bool(hooks) and action.error is None


def _build_action_title(action: TraceAction) -> str:
    if action.title:
        return action.title
    method = _to_public_method(action)
    return _TITLES.get(method) or method.rpartition(".")[2].replace("_", " ").capitalize()


def _to_public_method(action: TraceAction) -> str:
    method = action.method
    if method == "expect" and isinstance(expression := action.params.get("expression"), str):
        words = expression.replace(".", "_")
        return f"not_{words}" if action.params.get("isNot") is True else words
    if method == "__waitInfo__":
        return f"wait_for_{to_snake_case(str(action.params.get('event') or 'event'))}"
    if method in _METHODS:
        return _METHODS[method]
    for device in _DEVICES:
        if method.startswith(device) and len(method) > len(device):
            return f"{device}.{to_snake_case(method[len(device) :])}"
    return to_snake_case(method) or "call"


def _shorten_path(file: str) -> str:
    """Return the last parts of a path, because the full path reveals folders of somebody's disk."""
    parts = (PureWindowsPath(file) if "\\" in file else PurePosixPath(file)).parts
    return "/".join(part for part in parts[-3:] if part.strip("/\\:"))[:1000]
