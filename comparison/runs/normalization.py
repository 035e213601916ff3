"""Normalizes JSON values and texts for comparison: ids, times and other values that vary each time are replaced."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

from pagereel.reading import to_url_key, to_value_key

from .run_items import NOTHING

_PASSING: Final = re.compile(
    r"(?:^|[_-])(?:u?u?id|[a-z]{2,40}(?<!pa|al|gr|vo|sa|li|mi|pi|ui|ro)id|guid|token|nonce|csrf|etag|cursor|timestamp|time|date|datetime|ts|expir\w{0,40}|created\w{0,40}|updated\w{0,40}|modified\w{0,40}"
    r"|last_?seen|seed|hash|checksum|signature|session\w{0,40}|trace\w{0,40}|span\w{0,40}|request_?id|elapsed\w{0,40}|took|latency|duration\w{0,40}|age|uptime|now)$",
    re.IGNORECASE,
)
"""Names of values that vary each time: such values are compared only by type."""
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ID: Final = re.compile(r"\{(?:n|hash|uuid)\}")
_ADDRESS: Final = re.compile(r"https?://[^\s\]“”\"']+")
_KEPT: Final = 1 << 17
"""Largest number of texts whose keys are cached during a comparison, because several parts of it need the same ones."""
_EPOCH: Final = 1e9
"""Numbers from here on count as times or ids."""


def normalize_value(value: Any, name: str = "") -> Hashable:
    """Return a JSON value in a normalized form, which is equal for two values that differ only in ids, times and the
    like. `name`: the key under which the value stands in its object.
    """
    if value is NOTHING:
        return ("nothing",)
    if isinstance(value, str):
        if is_volatile_name(name):
            return "a text"
        return _normalize_text(value)
    if isinstance(value, bool) or value is None:
        return ("", value)
    if isinstance(value, int | float):
        return "a number" if is_volatile_name(name) or abs(value) >= _EPOCH else ("", repr(float(value)))
    if isinstance(value, dict):
        return tuple((key, normalize_value(value[key], key)) for key in sorted(value))
    if isinstance(value, list):
        return ("[", *(normalize_value(item, name) for item in value))
    return str(value)


@lru_cache(_KEPT)
def normalize_line(line: str) -> str:
    """Return a line of text with its ids, times and addresses normalized, cached."""
    return _normalize_text(line)


def _normalize_text(text: str) -> str:
    if "://" in text:
        text = _ADDRESS.sub(lambda match: to_url_key(match[0]), text)
    return unify_id_placeholders(to_value_key(text))


@lru_cache(_KEPT)
def get_cached_url_key(url: str) -> str:
    """Return :func:`~pagereel.reading.to_url_key` of an address, cached."""
    return to_url_key(url)


@contextmanager
def cache_text_keys() -> Iterator[None]:
    """Keep the cached keys of texts until the block ends, then clear them."""
    try:
        yield
    finally:
        normalize_line.cache_clear()
        get_cached_url_key.cache_clear()


def unify_id_placeholders(key: str) -> str:
    """Replace ``{n}``, ``{hash}`` and ``{uuid}`` in a key by ``{id}``, because a hexadecimal id may consist of digits
    only.
    """
    return _ID.sub("{id}", key) if "{" in key else key


def is_volatile_name(name: str) -> bool:
    """Return whether a value with this name varies each time."""
    return bool(name) and _PASSING.search(_CAMEL.sub("_", name)) is not None
