"""Mask typed text and clicked positions in the actions of computer-use tools, in any JSON: a tool's arguments, a model's answer, a screen's action.

An action reveals values even without its screenshot. Typed text is as private as in a page's field. Clicks on the keys
of an on-screen keypad reveal a PIN to a reader who knows the layout of the keypad. The shapes are those of Anthropic's
computer tool (``action``, ``coordinate``, ``text``) and OpenAI's (``type``, ``x``, ``y``, ``text``, ``keys``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import orjson

from pagereel.reel import Json

from ..contracts.field_roles import NAMED_KEYS
from ..words.phrase_lists import PhraseLists

LISTS = PhraseLists("computer_use")

_TYPES: Final = frozenset({"type", "type_text", "input_text"})
_PRESSES: Final = frozenset({"key", "keypress", "press", "hold_key", "hotkey", "key_down", "key_up"})
_POINTS: Final = LISTS.to_word_set("POINTS")
_PLACES: Final = LISTS.to_word_set("PLACES")
_VERBS: Final = ("action", "type", "function")
_MODIFIERS: Final = LISTS.to_word_set("MODIFIERS")
_NAMES: Final = frozenset(name.lower() for name in NAMED_KEYS) | frozenset(
    "return enter esc escape space spacebar left right up down page_up page_down prior next del backspace back".split()  # noqa: SIM905
)
_DEEPEST: Final = 60
"""Levels that are searched for an action. Deeper content is dropped."""
_LIKE_ONE: Final = re.compile(r'"(?:coordinate|action|type|x)"')
"""A key of an action in JSON text."""
Typed = Callable[[str], str]


def mask_computer_actions(value: Json, mask_typed_text: Typed | None, *, drop_positions: bool, depth: int = 0) -> Json:
    """Return a JSON value with the computer actions in it masked.

    :param mask_typed_text: masks a typed text; None leaves typed text as it is.
    :param drop_positions: drop the positions of clicks.
    """
    if depth > _DEEPEST:
        return None if isinstance(value, (dict, list)) else value
    if isinstance(value, list):
        return [
            mask_computer_actions(each, mask_typed_text, drop_positions=drop_positions, depth=depth + 1)
            for each in value
        ]
    if isinstance(value, str):
        return _mask_actions_in_text(value, mask_typed_text, drop_positions, depth)
    if not isinstance(value, dict):
        return value
    verb = next((v for name in _VERBS if isinstance(v := value.get(name), str)), "")
    out: dict[str, Json] = {}
    for name, inner in value.items():
        if drop_positions and name in _PLACES and (verb in _POINTS or name.endswith("coordinate")):
            continue
        if (
            mask_typed_text is not None
            and verb in _TYPES
            and name in ("text", "content", "value")
            and isinstance(inner, str)
        ):
            out[name] = mask_typed_text(inner) if inner.strip() else inner
        elif mask_typed_text is not None and verb in _PRESSES and name in ("text", "key", "keys"):
            out[name] = _mask_pressed_keys(inner, mask_typed_text)
        else:
            out[name] = mask_computer_actions(inner, mask_typed_text, drop_positions=drop_positions, depth=depth + 1)
    return out


def _mask_actions_in_text(value: str, mask_typed_text: Typed | None, drop_positions: bool, depth: int) -> Json:
    """Return a text. If it is JSON, as a function's arguments are, the actions in it are masked."""
    if value[:1] not in ("{", "[") or not _LIKE_ONE.search(value):
        return value
    try:
        inner: Any = orjson.loads(value)
    except (orjson.JSONDecodeError, RecursionError):
        return value
    done = mask_computer_actions(inner, mask_typed_text, drop_positions=drop_positions, depth=depth + 1)
    return value if done == inner else orjson.dumps(done).decode()


def _mask_pressed_keys(value: Json, mask_typed_text: Typed) -> Json:
    """Return pressed keys with typed text masked. Named keys, and letters with a modifier, stay."""
    if isinstance(value, list):
        return (
            [_mask_pressed_keys(each, mask_typed_text) for each in value]
            if not _types_no_text([str(each) for each in value])
            else value
        )
    if not isinstance(value, str) or _types_no_text(value.split("+")):
        return value
    return mask_typed_text(value)


def _types_no_text(keys: list[str]) -> bool:
    names = [key.strip().lower() for key in keys]
    command = any(name in _MODIFIERS - {"shift", "shift_l", "shift_r"} for name in names)
    return all(name in _NAMES or name in _MODIFIERS or (command and len(name) == 1) for name in names if name)
