"""Recognize words that Playwright itself defines in the arguments of its calls: states, roles, buttons, keys.

They are never masked.

A value is such a word only under the parameter that takes it: ``state="attached"`` is Playwright's, the ``state`` of
a postal address is not.
"""

from __future__ import annotations

import re

from pagereel.reel import Json

from ..contracts.field_roles import NAMED_KEYS
from .phrase_lists import PhraseLists

LISTS = PhraseLists("playwright_words")
VALUES = {name.lower(): LISTS.to_word_set(name) for name in LISTS.list_names}
"""Name of a parameter in Python → the words that it takes."""
_KEYS = NAMED_KEYS | {"Space", "PrintScreen", "ControlOrMeta", "ShiftLeft", "ShiftRight", "ControlLeft", "ControlRight", "AltLeft", "AltRight"}  # fmt: skip
_LONGEST = 10_000_000
"""Most ms or px of an argument that is a duration or a distance: three hours."""
_HELD = re.compile(r"(?:(?:Alt|Control|ControlOrMeta|Meta|Shift|ShiftLeft|ControlLeft|AltLeft)\+)+")
_CODE = re.compile(r"(?:Key)?[A-Za-z]|(?:Digit)?\d|[-=,./;']")


def is_playwright_word(name: str, value: Json) -> bool:
    """Return whether an argument is a word that Playwright defines for this parameter, a list of such words, or a
    duration or distance.
    """
    if isinstance(value, list):
        return bool(value) and all(is_playwright_word(name, item) for item in value)
    if not isinstance(value, str):
        return isinstance(value, int | float) and name in VALUES["measures"] and abs(value) < _LONGEST
    return value in VALUES.get(name, ()) or (name in ("key", "keys") and _is_named_key(value))


def _is_named_key(value: str) -> bool:
    """Return whether a value is a named key, or a shortcut that types nothing: ``Control+Shift+ArrowLeft``,
    ``Meta+K``.
    """
    held = _HELD.match(value)
    last = value[held.end() :] if held else value
    return last in _KEYS or (held is not None and held.group() != "Shift+" and _CODE.fullmatch(last) is not None)
