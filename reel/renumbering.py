"""Renumbers the events of several recordings for one file, so that their numbers do not collide.

The type of an event marks which of its fields hold such numbers (``annotate_with_number_space()`` in :mod:`.event_fields`). New
numbers are given in the order in which the old ones first occur.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any, Final, cast

import msgspec
import orjson

from .events import Event, Json
from .kinds import KINDS

Number = Callable[[str, Any], Any]
"""A function from the space of a number (``event``, ``page``, ``document``, ``request``) and the number to a new one."""
Change = Callable[[Any, Number], Any]

_PICTURE: Final = re.compile(rb"(?P<of>pagereel:(?:screenshot|screen)/)(?P<number>\d{1,16})")
"""The form in which a message names the screenshot or screen that replaces its picture (docs/format.md, `said`)."""


class Renumbering:
    """Assigns new numbers to the events of all recordings that are joined in one file."""

    def __init__(self) -> None:
        self._new: dict[tuple[str, int, Any], int] = {}
        self._next: dict[str, int] = {}

    def get_new_number(self, space: str, recording_index: int, old: int) -> int:
        """Return the new number for the number `old` of the `recording_index`-th recording. `space`: the kind of the number
        (``event``, ``page``, …).
        """
        key = space, recording_index, old
        if key not in self._new:
            self._new[key] = self._next[space] = self._next.get(space, 0) + 1
        return self._new[key]

    def renumber_event(self, event: Event, recording_index: int) -> Event:
        """Return an event of the `recording_index`-th recording (from 0) with its new numbers."""

        def replace_number(space: str, old: Any) -> Any:
            if space == "request":  # Ids of requests come from browsers, as texts.
                return old if recording_index == 0 else f"{recording_index}.{old}"[:1024]
            return self.get_new_number(space, recording_index, old)

        made = dict(event)
        for name, change in _list_renumbering_functions(str(event["k"])):
            if made.get(name) is not None:
                made[name] = change(made[name], replace_number)
        if event["k"] == "said":
            made["content"] = _renumber_picture_references(made.get("content"), replace_number)
        return made


def _renumber_picture_references(content: Json, number: Number) -> Json:
    data = orjson.dumps(content)
    if b"pagereel:screen" not in data:
        return content
    return cast(Json, orjson.loads(_PICTURE.sub(lambda m: m["of"] + b"%d" % number("event", int(m["number"])), data)))


@functools.cache
def _list_renumbering_functions(kind: str) -> tuple[tuple[str, Change], ...]:
    """Return the fields of a kind of event that hold numbers, each with the function that renumbers its value."""
    if kind not in KINDS:
        return ()
    fields = msgspec.inspect.type_info(KINDS[kind].type).fields  # type: ignore[attr-defined]
    found = ((field.encode_name, _build_renumbering_function(field.type)) for field in fields)
    return tuple((name, change) for name, change in found if change is not None)


def _build_renumbering_function(kind: msgspec.inspect.Type) -> Change | None:
    if isinstance(kind, msgspec.inspect.Metadata):
        space = (kind.extra or {}).get("numbers")
        if space is None:
            return _build_renumbering_function(kind.type)
        return lambda value, number: number(str(space), value)
    if isinstance(kind, msgspec.inspect.UnionType):
        inner = next((change for each in kind.types if (change := _build_renumbering_function(each)) is not None), None)
        # In a union of text and number only the number is changed.
        return None if inner is None else lambda value, number: value if type(value) is str else inner(value, number)
    if isinstance(kind, msgspec.inspect.CollectionType):
        item = _build_renumbering_function(kind.item_type)
        return None if item is None else lambda value, number: [item(each, number) for each in value]
    if isinstance(kind, msgspec.inspect.StructType):
        named = [
            (field.encode_name, change)
            for field in kind.fields
            if (change := _build_renumbering_function(field.type)) is not None
        ]
        if not named:
            return None
        return lambda value, number: (
            value | {name: change(value[name], number) for name, change in named if value.get(name) is not None}
        )
    return None
