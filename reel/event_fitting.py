"""Makes an event fit the format's limits: shortens values that are too large, and leaves out values that cannot be shortened.

Pages and programs may use any sizes: a name of a thousand letters, a list of four hundred states, an attribute of
thirty megabytes. A recording keeps as much as the format allows (:mod:`.limits`, :mod:`.event_fields`), and says
what it left out.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Final, cast

import msgspec
from msgspec import inspect

from .events import Event, Json
from .kinds import KINDS, find_event_problem
from .limits import DEPTH, TEXT_LENGTH, find_exceeded_limit
from .ops import find_ops_problem

_CAPS: Final = tuple(TEXT_LENGTH >> by for by in (0, 2, 4, 6, 8, 10, 12))
"""Lengths in characters to which texts are cut, one after the other, until a line is short enough."""
_MISSING: Final = object()


def limit_event_values(event: Event) -> tuple[Event | None, str | None]:
    """Return an event whose values are within the limits of their types, or None if it must be left out; and a short
    description of the change, which contains no value of the event.
    """
    wrong = find_event_problem(event)
    if wrong is None:
        return event, None
    kind = KINDS.get(str(event.get("k")))
    if kind is None:
        event = cast(Event, _limit_json_depth(event, DEPTH - 2))
    else:
        event = _limit_struct(cast(inspect.StructType, _inspect_event_type(kind.type)), event)
        ops = event.get("ops")
        if type(ops) is list and find_ops_problem(ops) is not None:
            event = {**event, "ops": [op for op in ops if find_ops_problem([op]) is None]}
    return (None, wrong) if find_event_problem(event) is not None else (event, wrong)


def shorten_event_line(event: Event, line: bytes) -> tuple[Event | None, str | None]:
    """Return an event whose line is within the limits, or None; and a description of the change, as :func:`limit_event_values`
    does. `line`: its present line, without the line end.
    """
    if event.get("k") == "resource":  # A part of a resource would not match its hash.
        return (event, None) if find_exceeded_limit(line) is None else (None, _TOO_LARGE)
    wrong = find_exceeded_limit(line)
    if wrong is None:
        return event, None
    for cap in _CAPS:
        shorter = cast(Event, _shorten_texts_in_json(event, cap))
        if find_exceeded_limit(msgspec.json.encode(shorter)) is None:
            return shorter, f"{event['k']}: {wrong}; its texts were cut to {cap:,} characters"
    return None, f"{event['k']}: {wrong}"


_TOO_LARGE: Final = "resource: it is larger than a recording may hold"


@cache
def _inspect_event_type(struct: type[msgspec.Struct]) -> inspect.Type:
    return inspect.type_info(struct)


def _limit_struct(kind: inspect.StructType, value: dict[str, Json]) -> dict[str, Json]:
    found = dict(value)
    for field in kind.fields:
        name = field.encode_name
        if name not in found:
            continue
        fit = _limit_value(field.type, found[name])
        if fit is _MISSING and not field.required:
            del found[name]
        elif fit is not _MISSING:
            found[name] = cast(Json, fit)
    return found


def _limit_value(kind: inspect.Type, value: Any) -> Any:
    """Return a value shortened to its type's limits; :data:`_MISSING` if it does not have this type."""
    match kind:
        case inspect.Metadata():
            return _limit_value(kind.type, value)
        case inspect.UnionType():
            if value is None:
                return None
            fits = (_limit_value(each, value) for each in kind.types if not isinstance(each, inspect.NoneType))
            return next((fit for fit in fits if fit is not _MISSING), _MISSING)
        case inspect.StrType() if isinstance(value, str):
            return value[: kind.max_length]
        case inspect.IntType() | inspect.FloatType() if type(value) in (int, float) and math.isfinite(value):
            if isinstance(kind, inspect.IntType) and type(value) is not int:
                return _MISSING
            return _clamp(value, kind.ge, kind.le)
        case inspect.BoolType() if type(value) is bool:
            return value
        case inspect.ListType() if isinstance(value, list):
            fits = (_limit_value(kind.item_type, each) for each in value[: kind.max_length])
            return [each for each in fits if each is not _MISSING]
        case inspect.TupleType() if isinstance(value, list | tuple) and len(value) == len(kind.item_types):
            parts = [_limit_value(each, part) for each, part in zip(kind.item_types, value, strict=True)]
            return _MISSING if any(part is _MISSING for part in parts) else parts
        case inspect.DictType() if isinstance(value, dict):
            pairs = (
                (_limit_value(kind.key_type, key), _limit_value(kind.value_type, each)) for key, each in value.items()
            )
            return {key: each for key, each in pairs if key is not _MISSING and each is not _MISSING}
        case inspect.StructType() if isinstance(value, dict):
            return _limit_struct(kind, value)
        case inspect.AnyType() | inspect.CustomType():
            return _limit_json_depth(value, DEPTH - 3)
    return _MISSING


def _clamp(value: float, low: float | None, high: float | None) -> float:
    value = value if low is None or value >= low else type(value)(low)
    return value if high is None or value <= high else type(value)(high)


def _limit_json_depth(value: Any, depth: int) -> Any:
    """Return a JSON value in which everything nested deeper than `depth` is None."""
    if isinstance(value, list | dict) and depth <= 0:
        return None
    if isinstance(value, list):
        return [_limit_json_depth(each, depth - 1) for each in value]
    if isinstance(value, dict):
        return {name: _limit_json_depth(each, depth - 1) for name, each in value.items()}
    return value


def _shorten_texts_in_json(value: Any, max_length: int) -> Any:
    """Return a JSON value with its texts shortened to `max_length` characters."""
    if isinstance(value, str):
        return value[:max_length]
    if isinstance(value, list):
        return [_shorten_texts_in_json(each, max_length) for each in value]
    if isinstance(value, dict):
        return {name[:max_length]: _shorten_texts_in_json(each, max_length) for name, each in value.items()}
    return value
