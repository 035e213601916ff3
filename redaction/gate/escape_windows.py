"""Cut out the parts of a file in which an escape may be part of a known value, so that only they must be decoded.

A finished file is mostly plain text with few escapes, and plain text is searched as it stands. A value with an escape
inside reaches no further from that escape than the longest variant of a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import merge

from ..normalise.escapes import APART, WRITTEN

WHOLE = 1 << 16
"""Most bytes of a text that is decoded as a whole."""
_LOOSE = 200
"""Most bytes by which a part is extended so as not to begin or end inside a word."""
_EDGE = re.compile(rb"[\s\"'<>,;=(){}]")


@dataclass(frozen=True, slots=True)
class EscapeWindowSize:
    r"""The size of the window around an escape that must be decoded so that no known value with that escape in it is
    missed.

    ``longest``: bytes of the longest search pattern. ``json``: the short JSON escapes that can occur in these values
    (``\"`` only if a value has a quotation mark).
    """

    longest: int
    json: re.Pattern[bytes]

    @classmethod
    def from_patterns(cls, patterns: Iterable[bytes]) -> EscapeWindowSize:
        """Return the reach that these search patterns need."""
        longest = 64
        alphabet: set[int] = set(b"\\")
        for pattern in patterns:
            longest = max(longest, len(pattern))
            alphabet.update(pattern)
        single = b"".join(re.escape(name) for name, char in _SINGLE.items() if char[0] in alphabet)
        return cls(longest, re.compile(rb"\\[" + single + rb"]"))


_SINGLE = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b'"': b'"', b"/": b"/", b"\\": b"\\", b"'": b"'"}
_OTHERS = re.compile(
    rb"\xc2[\x80-\x84\x86-\x9f\xad]|\xc9[\xa2\xaa\xb4]|\xca[\x80-\x9f]|\xcc[\x80-\xbf]|\xcd[\x80-\xaf]|\xe1(?:\xa0\x8e|\xb4[\x80-\xa2])|\xe3\x85\xa4|\xea\x9c[\xb0\xb1]"
    rb"|\xe2(?:\x80[\x8b-\x8f\xaa-\xae]|\x81[\xa0-\xaf]|[\x84\x85\x91-\x93\xa0-\xa3][\x80-\xbf])|\xef(?:\xac[\x80-\x86]|\xb8[\x80-\x8f]|[\xbb-\xbe][\x80-\xbf]|\xbf[\xb9-\xbb])"
    rb"|\xf0(?:\x9d[\x90-\x9f]|\x9f[\x84-\x87])[\x80-\xbf]|\xf3\xa0[\x80-\xbf]"
)
"""UTF-8 bytes of invisible characters (:mod:`pagereel.invisible_characters`) and of letters that are drawn in another way: in
circles, full-width, mathematical, as flags.
"""


def cut_escape_windows(data: bytes, reach: EscapeWindowSize | None) -> list[bytes]:
    """Return the parts of `data` that may contain an escaped value, without overlap. A short text is one part, and so
    is any text if `reach` is None.
    """
    ways = [
        *WRITTEN.items(),
        *(APART.items() if len(data) <= WHOLE else ()),
        (b"\\", reach.json if reach is not None else _ANY_SINGLE),
        *([] if data.isascii() else [(b"", _OTHERS)]),
    ]
    found = [way.finditer(data) for sign, way in ways if sign in data]
    places = merge(*((match.span() for match in each) for each in found))
    if reach is None or len(data) <= WHOLE:
        return [data] if next(places, None) else []
    parts: list[bytes] = []
    begin = end = -1
    for first, last in places:
        if first - reach.longest <= end:
            end = max(end, last + reach.longest)
            continue
        if end > 0:
            parts.append(_cut_between_words(data, begin, end))
        begin, end = first - reach.longest, last + reach.longest
    if end > 0:
        parts.append(_cut_between_words(data, begin, end))
    return list(dict.fromkeys(parts))


_ANY_SINGLE = re.compile(rb"\\[nrtbf\"/\\']")


def _cut_between_words(data: bytes, begin: int, end: int) -> bytes:
    """Return a part of `data` that begins and ends between words if possible, so that a whole word in it is one in
    the data as well.
    """
    begin, end = max(begin, 0), min(end, len(data))
    before = data[max(begin - _LOOSE, 0) : begin]
    edges = [m.end() for m in _EDGE.finditer(before)]
    begin -= len(before) - edges[-1] if edges else 0
    after = _EDGE.search(data, end, end + _LOOSE)
    return data[begin : after.start() if after else end]
