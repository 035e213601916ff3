"""Encodes a piece of data against a similar one, so that data common to two runs is in a file only once.

The result is JSON, ``[[from, length], "text", …]``: ranges of the other piece, and the text between them. The idea
is that of rsync and of ``zstd --patch-from``, which browsers cannot decode; here matches in the other piece are
found by a few consecutive JSON values.
"""

from __future__ import annotations

import re
from typing import Final, cast

import orjson

from ..errors import BuildError

_VALUE: Final = re.compile(rb"[^,]*,|[^,]+")
_DECLARATION: Final = re.compile(rb"[^,;{}]*[,;{}]|[^,;{}]+")
_ROW: Final = 3
"""Number of consecutive values by which a place in the other piece is found."""
_WORTH: Final = 24
"""Shortest match in bytes; for shorter ones the reference would not be smaller."""


def encode_delta(base: bytes, data: bytes, *, css: bool = False) -> bytes:
    """Return `data`, a UTF-8 text, encoded against `base`: as ranges of `base`, and the text between them.

    The time grows with the sum of both sizes. `css`: both are style sheets.
    """
    parts = _DECLARATION if css else _VALUE
    theirs, ours = parts.findall(base), parts.findall(data)
    places = [0]
    for value in theirs:
        places.append(places[-1] + len(value))
    rows: dict[tuple[bytes, ...], int] = {}
    for at in range(len(theirs) - _ROW + 1):
        rows.setdefault(tuple(theirs[at : at + _ROW]), at)
    lines: list[object] = []
    own: list[bytes] = []
    at = expected = 0
    while at < len(ours):
        row = tuple(ours[at : at + _ROW])
        found = expected if tuple(theirs[expected : expected + _ROW]) == row else rows.get(row, -1)
        length = 0
        if found >= 0:
            while at + length < len(ours) and theirs[found + length : found + length + 1] == [ours[at + length]]:
                length += 1
        count = places[found + length] - places[found] if length else 0
        if count < _WORTH:
            own.append(ours[at])
            at, expected = at + 1, expected + 1
            continue
        if own:
            lines.append(b"".join(own).decode())
            own.clear()
        lines.append([places[found], count])
        at, expected = at + length, found + length
    if own:
        lines.append(b"".join(own).decode())
    return orjson.dumps(lines)


def decode_delta(base: bytes, delta: bytes) -> bytes:
    """Return the data that :func:`encode_delta` encoded against `base`.

    :raises BuildError: the input is invalid.
    """
    parts: list[bytes] = []
    for part in cast(list[str | tuple[int, int]], orjson.loads(delta)):
        if isinstance(part, str):
            parts.append(part.encode())
            continue
        start, length = part
        if not 0 <= start <= start + length <= len(base):
            raise BuildError("The file is damaged: one of its pieces refers to bytes that are not there.")
        parts.append(base[start : start + length])
    return b"".join(parts)
