"""Builds the fields of events that an agent reports: only what was given, as JSON, texts cut to their limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pagereel.reel import Event

from .runtime.json_conversion import LIMIT, to_json, to_json_fields, to_nonnegative_number, to_text
from .runtime.screen_positions import TITLE_LIMIT


def build_json_event_fields(**values: Any) -> Event:
    """Return the fields of an event: the keyword arguments that are not None, converted to JSON."""
    return to_json_fields(values)


def to_text_or_none(value: Any, limit: int = LIMIT) -> str | None:
    """Return a value as text of at most `limit` bytes; None for None."""
    return None if value is None else to_text(value, limit)


def build_llm_fields(
    texts: Mapping[str, Any], figures: Mapping[str, Any], values: Mapping[str, Any], attributes: Event
) -> Event:
    """Return the fields of an ``llm`` event. A value among `figures` that is not a number is stored in the event's
    attributes.
    """
    fields: Event = {name: to_text(value, TITLE_LIMIT) for name, value in texts.items() if value is not None}
    for name, value in figures.items():
        number = to_nonnegative_number(value, whole=name.endswith("_tokens"))
        if number is not None:
            fields[name] = number
        elif value is not None:
            attributes.setdefault(name, to_json(value))
    return {**fields, **build_json_event_fields(**values), "attributes": attributes}
