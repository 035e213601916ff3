"""Numbers that pagereel writes itself: times, ids, sizes, places. They tell nothing of the page, and by chance one of them is
the same as a known value: in a recording of a minute some event happens at 48,213 ms.
"""

from __future__ import annotations

import re

import orjson

from pagereel.reel import Json

from .channels import CHANNELS

_WRITTEN = re.compile(r"(?:script#pagereel-| > )(?:chunk-\d+|index) > deflate-raw\Z| > event \d+ \([^)]*\)\Z")
_NUMBERS = frozenset({"plain", "number", "digest", "look", "boxes", "ops", "hex", "preference", "queries"})
"""Roles in which a number is pagereel's own. In every other one a page or a program may have written it."""


def is_own(layer: str) -> bool:
    """Whether a layer of a file, by its name, is JSON that pagereel wrote: events, or the index of a replay."""
    return _WRITTEN.search(layer) is not None


def without_numbers(content: bytes) -> bytes | None:
    """The JSON of such a layer with pagereel's own numbers as 0; None: it is none."""
    try:
        data = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    if isinstance(data, list):
        return orjson.dumps([_event(event) if isinstance(event, dict) else event for event in data])
    if isinstance(data, dict):
        return orjson.dumps(_event(data) if "k" in data else _zeroed(data))
    return None


def _event(event: dict[str, Json]) -> dict[str, Json]:
    fields = CHANNELS.get(str(event.get("k")), {})
    return {
        name: _zeroed(value) if name == "t" or fields.get(name) in _NUMBERS else value for name, value in event.items()
    }


def _zeroed(value: Json) -> Json:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return 0
    if isinstance(value, list):
        return [_zeroed(v) for v in value]
    if isinstance(value, dict):
        return {k: _zeroed(v) for k, v in value.items()}
    return value
