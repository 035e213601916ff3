"""Undo escapes only where that can make a known value appear: around the escapes that decode to a character of one.

A finished file is mostly plain text with a few escapes in it. What is written in plain is searched as it stands; only a value
that has an escape inside it needs the decoded text, and it reaches no further from that escape than the longest variant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

WHOLE = 1 << 16
"""Bytes up to which a text is decoded whole."""
_LOOSE = 200
"""Most bytes that a window grows by, so as not to begin or end inside a word."""
_EDGE = re.compile(rb"[\s\"'<>,;=(){}]")
_OPENS_MORE = frozenset(b"\\%&#;+")
"""What an escape may decode to and begin another escape with."""


@dataclass(frozen=True, slots=True)
class Reach:
    """``longest``: bytes of the longest pattern; ``alphabet``: the bytes that stand in any pattern."""

    longest: int
    alphabet: frozenset[int]

    @classmethod
    def of(cls, patterns: Iterable[bytes]) -> Reach:
        """Return the reach of these patterns."""
        longest = 64
        alphabet: set[int] = set()
        for pattern in patterns:
            longest = max(longest, len(pattern))
            alphabet.update(pattern)
        return cls(longest, frozenset(alphabet))

    def matters(self, decoded: bytes) -> bool:
        """Return whether a value may hold what an escape decodes to, or a further escape begin with it."""
        return any(b in self.alphabet or b in _OPENS_MORE for b in decoded.lower())


def around(data: bytes, escape: re.Pattern[bytes], reach: Reach | None) -> bytes:
    """Return the parts of ``data`` in which a value with an escape inside it may stand, one to a line; all of it where it is short or
    nothing is known of the values. Empty: there are none.
    """
    if reach is None or len(data) <= WHOLE:
        return data if escape.search(data) else b""
    parts: list[bytes] = []
    begin = end = -1
    for match in escape.finditer(data):
        first, last = match.span()
        if first - reach.longest <= end:
            end = last + reach.longest
            continue
        if end > 0:
            parts.append(_cut(data, begin, end))
        begin, end = first - reach.longest, last + reach.longest
    if end > 0:
        parts.append(_cut(data, begin, end))
    return b"\n".join(parts)


def _cut(data: bytes, begin: int, end: int) -> bytes:
    """Return a window that begins and ends between words, where there is such a place near: what stands alone in it stood alone."""
    begin, end = max(begin, 0), min(end, len(data))
    before = data[max(begin - _LOOSE, 0) : begin]
    edges = [m.end() for m in _EDGE.finditer(before)]
    begin -= len(before) - edges[-1] if edges else 0
    after = _EDGE.search(data, end, end + _LOOSE)
    return data[begin : after.start() if after else end]
