"""The size limits of a recording: one table for writer and reader.

Each limit is for one text, one event, one frame of the file, or the content of the pages at one time. There is no limit
for a whole recording: it can always be read to its end, however long it is and however well it compresses. The writer
shortens or leaves out values past a limit, and writes a ``gap`` (:mod:`.event_fitting`); the reader skips such a line
of another writer; the page model refuses ops that would fill the memory.
"""

from __future__ import annotations

import re
from typing import Final

DEPTH: Final = 200
"""Largest depth of JSON in an event, trees included: common encoders and parsers fail between 250 and 1,000."""
LATEST: Final = 1e12
"""Largest time, in ms on the recording's clock."""
NAME_LENGTH: Final = 1024
"""Longest name (a word of the format, a type, a key), in characters."""
TEXT_LENGTH: Final = 16 << 20
"""Longest text, in characters."""
BODY_BYTES: Final = 24 << 20
"""Largest resource, in bytes."""
BODY_LENGTH: Final = 33 << 20
"""Longest text or Base64 of a resource, in characters."""

LINE_BYTES: Final = 32 << 20
"""Longest line, except of a resource, in bytes."""
RESOURCE_BYTES: Final = 34 << 20
"""Longest line of a resource, in bytes."""
LINE_PARTS: Final = 1_200_000
"""Largest number of commas, brackets and braces in one line, outside of its texts: each Python object takes some sixty
bytes.
"""
FRAME_BYTES: Final = 192 << 20
"""Largest decompressed frame, in bytes. A frame of pagereel's writer has about a megabyte, or one resource."""
WINDOW_BYTES: Final = 128 << 20
"""Largest zstd window that ``zstd -d`` accepts by default, in bytes."""
SHARED_TEXTS_BYTES: Final = 64 << 20
"""Largest sum of the long texts that a file stores once for several lines, in bytes: readers keep them in memory."""

LIVE_NODES: Final = 1_200_000
"""Largest number of nodes of all documents at one time: 280 bytes each in the page model."""
LIVE_TEXT: Final = 128 << 20
"""Largest number of characters of these documents at one time: texts, attributes, values, style sheets."""
LIVE_ENTRIES: Final = 100_000
"""Largest number of style sheets, of animations, and of highlights of one document at one time."""
PAST_DOCUMENTS: Final = 256
"""Number of closed documents that the page model keeps: long recordings load thousands."""

_RESOURCE: Final = b'{"k":"resource"'
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)


def find_exceeded_limit(line: bytes, added: int = 0) -> str | None:
    """Return why a line is past a limit; None if it is not. `added`: how many bytes its shared texts add.

    The check uses the bytes alone, because such a line could fill the memory once it is parsed.
    """
    size = len(line) + added
    most = RESOURCE_BYTES if line.startswith(_RESOURCE) else LINE_BYTES
    if size > most:
        return f"it has {size:,} bytes; {most:,} is the most"
    if len(line) > LINE_PARTS and _count_json_parts(line) > LINE_PARTS and _has_too_many_parts(line):
        return f"it has more than {LINE_PARTS:,} parts"
    return None


def _has_too_many_parts(line: bytes) -> bool:
    found = at = 0
    for text in _STRING.finditer(line):
        found += _count_json_parts(line[at : text.start()])
        at = text.end()
        if found > LINE_PARTS:
            return True
    return found + _count_json_parts(line[at:]) > LINE_PARTS


def _count_json_parts(line: bytes) -> int:
    return line.count(b",") + line.count(b"[") + line.count(b"{")
