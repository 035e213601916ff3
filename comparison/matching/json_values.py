"""Compares two JSON values: finds the paths at which they differ, and ignores values that vary each time."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ..runs.normalization import normalize_value
from ..runs.run_items import NOTHING
from .alignment import align_sequences

_PLAIN: Final = re.compile(r"[A-Za-z_$][\w$-]*")
_STEP: Final = re.compile(r'\.([\w$-]+)|\[(\d+|\*)\]|\[("(?:[^"\\]|\\.)*")\]')
_DEPTH: Final = 60
_LONG: Final = 2_000
"""Largest number of items of a list that are aligned; further items are ignored."""


class ValueChange(NamedTuple):
    """One path with two values; :data:`NOTHING` for a missing value."""

    path: str
    a: Any
    b: Any


def iter_value_changes(a: Any, b: Any) -> Iterator[ValueChange]:
    """Yield the paths (``$.items[0].price``) at which two JSON values differ, with both values, in the first's
    order.
    """
    yield from _iter_changes_at_path(a, b, "$", "", 0)


def get_values_at_path(value: Any, path: str) -> list[Any]:
    """Return what JSON has at a path, in which ``[*]`` stands for any item of a list; :data:`NOTHING` where it ends."""
    found = [value]
    for name, number, quoted in _STEP.findall(path):
        if number == "*":
            found = [item for here in found if isinstance(here, list) for item in here]
        elif number:
            place = int(number)
            found = [here[place] if isinstance(here, list) and place < len(here) else NOTHING for here in found]
        else:
            key = name or json.loads(quoted)
            found = [here.get(key, NOTHING) if isinstance(here, dict) else NOTHING for here in found]
    return found


def _iter_changes_at_path(a: Any, b: Any, path: str, name: str, depth: int) -> Iterator[ValueChange]:
    if depth > _DEPTH or normalize_value(a, name) == normalize_value(b, name):
        return
    if isinstance(a, dict) and isinstance(b, dict) and a and b and all(map(str.isdigit, (*a, *b))):
        a, b = list(a.values()), list(b.values())  # Its keys are ids.
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys((*a, *b)):
            inner = f"{path}.{key}" if _PLAIN.fullmatch(key) else f"{path}[{json.dumps(key, ensure_ascii=False)}]"
            yield from _iter_changes_at_path(a.get(key, NOTHING), b.get(key, NOTHING), inner, key, depth + 1)
    elif isinstance(a, list) and isinstance(b, list):
        yield from _iter_list_changes(a, b, path, name, depth)
    else:
        yield ValueChange(path, a, b)


def _iter_list_changes(a: list[Any], b: list[Any], path: str, name: str, depth: int) -> Iterator[ValueChange]:
    a, b = a[:_LONG], b[:_LONG]
    keys_a, keys_b = [normalize_value(item, name) for item in a], [normalize_value(item, name) for item in b]
    if Counter(keys_a) == Counter(keys_b):
        yield ValueChange(f"{path}, order", a, b)
        return
    if len(a) == len(b):
        for number in (number for number, (one, other) in enumerate(zip(keys_a, keys_b, strict=True)) if one != other):
            yield from _iter_changes_at_path(a[number], b[number], f"{path}[{number}]", name, depth + 1)
        return
    for x, y in align_sequences(keys_a, keys_b, lambda x, y: _score_value_similarity(a[x], b[y])):
        if x is not None and y is not None:
            yield from _iter_changes_at_path(a[x], b[y], f"{path}[{x}]", name, depth + 1)
        elif x is not None:
            yield ValueChange(f"{path}[{x}]", a[x], NOTHING)
        elif y is not None:
            yield ValueChange(f"{path}[{y}]", NOTHING, b[y])


def _score_value_similarity(a: Any, b: Any) -> float:
    """Return the similarity of two items of a list, from -1 to 0.9."""
    if not isinstance(a, dict) or not isinstance(b, dict) or not a or not b:
        return -1.0
    same = sum(key in b and normalize_value(a[key], key) == normalize_value(b[key], key) for key in a)
    return -1.0 + 1.9 * same / max(len(a), len(b))
