"""Any Python value as JSON that is not too large: cut or described, never an error."""

from __future__ import annotations

import dataclasses
import datetime
from hashlib import sha256
from typing import cast

import orjson

from pagereel.reel import Json

LIMIT = 256_000
"""Bytes of JSON that one value of an event may take (docs/format.md)."""
_DEPTH = 40
_MOST = 1e9
"""No figure of a call is larger (docs/format.md)."""
_OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY


def jsonable(value: object, limit: int = LIMIT) -> Json:
    """``value`` as JSON, copied, so that the caller may change it afterwards.

    What JSON does not know is described by ``model_dump()`` where it has one, else by ``repr``. A string over
    ``limit`` bytes is cut and ends in a note; anything else over it becomes ``{"cut": <bytes of its JSON>, "head":
    <the beginning of its JSON>}``.
    """
    if (
        value is None
        or isinstance(value, bool)
        or (isinstance(value, str) and len(value) * 3 <= limit and _clean(value))
    ):
        return value
    try:
        data = orjson.dumps(value, default=_describe, option=_OPTIONS)
    except Exception:
        data = orjson.dumps(_sanitize(value, _DEPTH), option=_OPTIONS)
    if len(data) <= limit:
        return cast(Json, orjson.loads(data))
    if isinstance(value, str):
        text = cast(str, orjson.loads(data))
        return text.encode()[:limit].decode(errors="ignore") + f"… [cut by pagereel: {len(text):,} characters]"
    return {"cut": len(data), "head": data[: limit // 4].decode(errors="ignore")}


def words(value: object, limit: int = LIMIT) -> str:
    """``value`` as text, at most ``limit`` bytes of it. Never raises, whatever its ``__str__`` does."""
    try:
        text = value if type(value) is str else str(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return str(jsonable(text, limit))


def figure(value: object, *, whole: bool = False) -> int | float | None:
    """``value`` as a number that is not negative; a ``timedelta`` in ms. None for what is none."""
    if isinstance(value, datetime.timedelta):
        value = value.total_seconds() * 1000
    if isinstance(value, bool | str | bytes):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]  # whatever has __float__: Decimal, NumPy's
    except Exception:
        return None
    if not 0 <= number <= _MOST:
        return None
    return round(number) if whole else int(number) if isinstance(value, int) else number


def _clean(text: str) -> bool:
    """Return whether the text can be UTF-8: no lone surrogates."""
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)


def _describe(value: object) -> object:
    for method in ("model_dump", "to_dict"):
        dump = getattr(value, method, None)
        if callable(dump) and not isinstance(value, type):
            return dump()
    if isinstance(value, set | frozenset):
        return list(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(bytes(value))} bytes>"
    return _repr(value)


def _repr(value: object) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text[:10_000].encode(errors="replace").decode()


def _sanitize(value: object, depth: int) -> object:
    """Return the slow way, for values on which orjson gives up: cycles, huge integers, lone surrogates, failing
    ``model_dump``.
    """
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**64 else str(value)[:10_000]
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if depth == 0:
        return "…"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _sanitize(getattr(value, f.name, None), depth - 1) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {
            _repr(k) if not isinstance(k, str) else str(_sanitize(k, 1)): _sanitize(v, depth - 1)
            for k, v in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_sanitize(item, depth - 1) for item in value]
    if isinstance(value, bytes | bytearray):
        return f"<{len(value)} bytes>"
    return _repr(value)


def hash_of(value: object) -> bytes:
    """Return the SHA-256 of a value's JSON; nothing for what is none."""
    try:
        return sha256(orjson.dumps(value)).digest()
    except (TypeError, ValueError, RecursionError):
        return b""
