"""Converts any Python value to JSON of limited size without ever raising: large values are cut, unknown ones are described.

All values that an agent reports are converted here. The result holds no value of a caller's own type: a value of a
built-in type is copied by that type's own methods, even if a subclass overrides them, and the caller's methods are
called with a time limit.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import itertools
import math
import os
import stat
import sys
import uuid
from collections import deque
from collections.abc import Iterable, Mapping
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, cast

import orjson

from pagereel.reel import Json

from .guarded_calls import CallTimeLimit

LIMIT = 256_000
"""Bytes of JSON that one value of an event may take (docs/format.md)."""
_DEPTH: Final = 40
_ITEMS: Final = 100_000
"""Largest number of values looked at within one value: more are over any limit."""
_MOST: Final = 1e9
"""Largest figure of a call (docs/format.md)."""
_LISTED: Final = 10_000
"""Largest number of items taken from an iterable."""
_NUMBER: Final = 2**53
"""Numbers in events are smaller than this."""
_PURE: Final = (
    orjson.OPT_NON_STR_KEYS
    | orjson.OPT_SERIALIZE_NUMPY
    | orjson.OPT_PASSTHROUGH_SUBCLASS
    | orjson.OPT_PASSTHROUGH_DATACLASS
)
_LEAVES: Final = (datetime.datetime, datetime.date, datetime.time, uuid.UUID)
"""Types that orjson writes. They are given to it one by one where it cannot write the whole value."""


def to_json(value: object, limit: int = LIMIT) -> Json:
    """Return ``value`` as a JSON copy that the caller's later changes do not affect.

    A value that is not JSON is described by ``model_dump()`` if it has that method, else by ``repr``. A string over
    ``limit`` bytes is cut and ends in a note; any other value over it becomes ``{"cut": <bytes of its JSON>, "head":
    <the beginning of its JSON>}``.
    """
    if value is None or value is True or value is False:
        return value
    if type(value) is str and len(value) * 3 <= limit and _is_encodable(value):
        return value
    try:
        data = orjson.dumps(value, option=_PURE)
    except Exception:
        data = orjson.dumps(_JsonConversion().convert(value, _DEPTH), option=orjson.OPT_NON_STR_KEYS)
    if len(data) <= limit:
        return cast(Json, orjson.loads(data))
    whole = orjson.loads(data) if data[:1] == b'"' else None
    if isinstance(whole, str):
        return whole.encode()[:limit].decode(errors="ignore") + f"… [cut by pagereel: {len(whole):,} characters]"
    return {"cut": len(data), "head": data[: limit // 4].decode(errors="ignore")}


def to_text(value: object, limit: int = LIMIT) -> str:
    """Return ``value`` as text of at most ``limit`` bytes. Never raises, whatever its ``__str__`` does."""
    return cast(str, to_json(_call_text_method(value, str, CallTimeLimit()), limit))


def to_json_fields(values: Mapping[str, Any]) -> dict[str, Json]:
    """Return a dict of those values that are not None, each converted to JSON."""
    return {to_text(name, 1_000): to_json(value) for name, value in values.items() if value is not None}


def to_number(value: object) -> float | None:
    """Return ``value`` as a number; None if it is not a number."""
    kind = type(value)
    if issubclass(kind, str | bytes | bytearray):
        return None
    if issubclass(kind, int):
        value = int.__add__(cast(int, value), 0)
        return float(value) if -_NUMBER < value < _NUMBER else None
    found = CallTimeLimit().call(float, value)
    return float.__pos__(found) if found is not None and math.isfinite(found) else None


def to_nonnegative_number(value: object, *, whole: bool = False) -> int | float | None:
    """Return ``value`` as a number that is not negative; None if it is not one. A ``timedelta`` is converted to ms;
    with `whole` the number is rounded.
    """
    if type(value) is datetime.timedelta:
        value = value.total_seconds() * 1000
    if type(value) is bool:
        return None
    known = to_number(value)
    if known is None or not 0 <= known <= _MOST:
        return None
    return round(known) if whole else int(known) if issubclass(type(value), int) else known


def to_bool(value: object) -> bool | None:
    """Return the truth value of ``value``; None if it cannot be computed."""
    return value if type(value) is bool else CallTimeLimit().call(bool, value)


def to_event_number(value: object) -> int | None:
    """Return ``value`` as an event's number (a positive integer); None if it is not one."""
    known = None if type(value) is bool else to_number(value)
    return int(known) if known is not None and 0 < known < _NUMBER and known == int(known) else None


def to_json_list(value: object) -> list[Json]:
    """Return the items of an iterable, each as JSON; an empty list for other values."""
    patience = CallTimeLimit()
    items: list[Any] | None = None
    if not issubclass(type(value), str | bytes | dict):
        items = patience.call(lambda: list(itertools.islice(iter(cast("Iterable[Any]", value)), _LISTED)))
    return [to_json(item) for item in items or ()]


def to_path(value: object) -> Path | None:
    """Return ``value`` as a path; None if it is not a path."""
    found = CallTimeLimit().call(os.fspath, value) if not issubclass(type(value), int) else None
    try:
        if issubclass(type(found), bytes):
            return Path(os.fsdecode(bytes.__getitem__(cast(bytes, found), slice(None))))
        return None if found is None else Path(_drop_surrogates(found))
    except Exception:
        return None


def read_file(path: Path | None, max_bytes: int) -> tuple[bytes | None, str]:
    """Return a file's bytes; or None and the reason: ``gone`` if it cannot be read, ``cap`` if it is larger than
    `max_bytes` bytes. Devices and pipes are not read, because they may have no end.
    """
    try:
        if path is None or not stat.S_ISREG((known := path.stat()).st_mode):
            return None, "gone"
        if known.st_size > max_bytes:
            return None, "cap"
        with path.open("rb") as file:
            content = file.read(max_bytes + 1)
    except (OSError, ValueError):
        return None, "gone"
    return (content, "") if len(content) <= max_bytes else (None, "cap")


def get_type_name(value: object) -> str:
    """Return the name of a value's type without calling its metaclass, which may be the caller's code."""
    return str(type.__dict__["__name__"].__get__(type(value)))


class _JsonConversion:
    """The conversion of one value to JSON, for values that orjson cannot write."""

    def __init__(self) -> None:
        self._left = _ITEMS
        self._patience = CallTimeLimit()
        self._around: set[int] = set()
        """The containers around the present value: a container inside itself has no end."""

    def convert(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if value is None or type(value) is bool:
            return value
        if depth == 0 or self._left < 0 or id(value) in self._around:
            return "…"
        self._around.add(id(value))
        found = self._convert_by_type(value, depth)
        self._around.discard(id(value))
        return found

    def _convert_by_type(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if issubclass(kind, str):
            return _drop_surrogates(value)
        if issubclass(kind, int):
            return _to_json_integer(int.__add__(value, 0))
        if issubclass(kind, float):
            return float.__pos__(value)
        if issubclass(kind, dict):
            return self._convert_items(list(dict.items(value)), depth)
        for basis, copied in _LISTS:
            if issubclass(kind, basis):
                return [self.convert(item, depth - 1) for item in itertools.islice(copied(value), max(0, self._left))]
        if issubclass(kind, bytes | bytearray):
            return f"<{(bytes if issubclass(kind, bytes) else bytearray).__len__(value)} bytes>"
        if kind is memoryview:
            return f"<{self._patience.call(getattr, value, 'nbytes') or 0} bytes>"
        return self._convert_foreign_value(value, kind, depth)

    def _convert_items(self, items: list[tuple[Any, Any]], depth: int) -> Any:
        found: dict[str, Any] = {}
        for name, item in itertools.islice(items, max(0, self._left)):
            plain = (
                self.convert(name, 1) if issubclass(type(name), str) else _call_text_method(name, repr, self._patience)
            )
            found[plain] = self.convert(item, depth - 1)
        return found

    def _convert_foreign_value(self, value: Any, kind: type, depth: int) -> Any:
        numpy = sys.modules.get("numpy")
        if kind in _LEAVES or (numpy is not None and issubclass(kind, numpy.generic | numpy.ndarray)):
            with contextlib.suppress(Exception):
                return orjson.loads(orjson.dumps(value, option=_PURE))
        ask = self._patience.call
        if issubclass(kind, Enum):
            return self.convert(ask(getattr, value, "_value_"), depth - 1)
        names = ask(_list_dataclass_fields, kind)
        if names is not None:
            return self._convert_items([(name, ask(getattr, value, name)) for name in names], depth)
        if not issubclass(kind, type):
            for method in ("model_dump", "to_dict"):
                dumped = ask(_call_dump_method, value, method)
                if dumped is not None and type(dumped) is not kind:
                    return self.convert(dumped, depth - 1)
        return _call_text_method(value, repr, self._patience)


_LISTS: Final[tuple[tuple[type, Any], ...]] = (
    (list, list.__iter__), (tuple, tuple.__iter__), (set, set.__iter__), (frozenset, frozenset.__iter__), (deque, deque.__iter__),
)  # fmt: skip


def _list_dataclass_fields(kind: type) -> list[str] | None:
    """Return the names of a dataclass's fields; None for other types."""
    return [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else None


def _call_dump_method(value: Any, method: str) -> Any:
    dump = getattr(value, method, None)
    return dump() if callable(dump) else None


def _call_text_method(value: Any, text_function: Any, time_limit: CallTimeLimit) -> str:
    """Return a value as text by ``str`` or ``repr``, else the name of its type."""
    kind = type(value)
    if issubclass(kind, str):
        return _drop_surrogates(value) if text_function is str else repr(_drop_surrogates(value))
    if issubclass(kind, int) and kind is not bool and not issubclass(kind, Enum):
        return str(_to_json_integer(int.__add__(value, 0)))
    if kind in (bool, float):
        return str(value)
    found = time_limit.call(text_function, value)
    return (
        f"<{get_type_name(value)}>"
        if found is None
        else _drop_surrogates(found)[:10_000]
        if text_function is repr
        else _drop_surrogates(found)
    )


def _drop_surrogates(text: str) -> str:
    """Return a text of the built-in type ``str``, without lone surrogates."""
    plain = str.__str__(text)
    return plain if _is_encodable(plain) else plain.encode(errors="replace").decode()


def _to_json_integer(value: int) -> int | str:
    """Return an integer for JSON; a text if it is too large. Python refuses to write more than 4,300 decimal digits."""
    if -(2**63) <= value < 2**64:
        return value
    bits = value.bit_length()
    if bits < 14_000:
        return str(value)
    return f"{'-' * (value < 0)}{hex(abs(value) >> (bits - 4_000))}… [cut by pagereel: an integer of {bits:,} bits]"


def _is_encodable(text: str) -> bool:
    """Return whether the text can be encoded as UTF-8: it has no lone surrogates."""
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)


def hash_json(value: object) -> bytes:
    """Return the SHA-256 of a value's JSON; b"" for a value that is not JSON."""
    try:
        return sha256(orjson.dumps(value)).digest()
    except (TypeError, ValueError, RecursionError):
        return b""
