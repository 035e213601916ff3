"""Reads values from untrusted JSON. No function of this module raises."""

from __future__ import annotations

from typing import cast

import orjson

from pagereel.reel import Json

Object = dict[str, Json]


def parse_json(text: str | bytes) -> Json:
    """Return the value of a JSON text; None if it is invalid."""
    try:
        return cast(Json, orjson.loads(text))
    except (orjson.JSONDecodeError, RecursionError):
        return None


def as_object(value: Json) -> Object:
    """Return a value if it is a JSON object, else {}."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """Return a value if it is a JSON list, else []."""
    return value if isinstance(value, list) else []


def list_objects(value: Json) -> list[Object]:
    return [item for item in as_list(value) if isinstance(item, dict)]


def list_indexed_objects(value: Json) -> list[tuple[int, Object]]:
    """Return the objects in a list, each with its index; [] if the value is no list."""
    return [(place, item) for place, item in enumerate(as_list(value)) if isinstance(item, dict)]


def as_text(value: Json) -> str:
    """Return a value if it is a text, else ""."""
    return value if isinstance(value, str) else ""


def as_token_count(value: Json) -> int | None:
    """Return a value if it is a valid number of tokens, else None."""
    return value if type(value) is int and value >= 0 else None


def sum_known_values(*values: int | None) -> int | None:
    """Return the sum of the values that are not None; None if all are None."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def parse_arguments(value: Json) -> Json:
    """Return a tool call's arguments as a JSON value, parsed if they are JSON text as in most formats."""
    if not isinstance(value, str):
        return value
    inner = parse_json(value) if value.strip() else None
    return value if inner is None and value.strip() else inner


def get_other_fields(body: Object, *known: str) -> Object:
    """Return the fields of a request whose names are not in `known`: its parameters."""
    return {name: value for name, value in body.items() if name not in known and value is not None}


def read_error_message(value: Json) -> str | None:
    """Return the message of a provider's error in one line; None if there is none. The error may be an object or a
    text.
    """
    if isinstance(value, str):
        return value or None
    told = as_object(value)
    kind = as_text(told.get("type")) or as_text(told.get("status")) or as_text(told.get("code"))
    said = as_text(told.get("message"))
    return f"{kind}: {said}" if kind and said else said or kind or None
