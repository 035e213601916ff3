"""What a recording may hold: one table for who writes it and for who reads it.

Each limit is of one text, one event, one frame of the file, or of what the pages hold at one moment. None is of a whole recording: however long
a run is, and however well it compresses, what was written of it is read to its end. The writer cuts or leaves out what is past a limit, and a
``gap`` says so (:mod:`.fitting`); the reader passes over such a line of anybody else's and reads on; the page model refuses what would fill the memory.
"""

from __future__ import annotations

import re
from typing import Final

DEPTH: Final = 200
"""How deep JSON in an event may nest, trees among it: the encoders and readers of the field give up between 250 and 1,000."""
LATEST: Final = 1e12
"""ms on the recording's clock."""
NAME_LENGTH: Final = 1024
"""Characters of a name: a word of the format's, a type, a key."""
TEXT_LENGTH: Final = 16 << 20
"""Characters of a text."""
BODY_BYTES: Final = 24 << 20
"""Bytes of a resource."""
BODY_LENGTH: Final = 33 << 20
"""Characters of its text or Base64."""

LINE_BYTES: Final = 32 << 20
"""Bytes of one line, but for resources."""
RESOURCE_BYTES: Final = 34 << 20
"""The same of a resource's."""
LINE_PARTS: Final = 1_200_000
"""Commas, brackets and braces of one line outside of its texts: as objects, its parts take some sixty bytes each."""
FRAME_BYTES: Final = 192 << 20
"""Bytes that one frame holds. A recording's frames hold about a megabyte, and one resource at the most."""
WINDOW_BYTES: Final = 128 << 20
"""What ``zstd -d`` accepts by itself."""
SHARED_TEXTS_BYTES: Final = 64 << 20
"""Bytes of the long texts that a file has once for several lines: who reads it holds them in memory."""

LIVE_NODES: Final = 1_200_000
"""Nodes of all documents at one moment: 280 bytes each in the page model."""
LIVE_TEXT: Final = 128 << 20
"""Characters of all that these documents hold at that moment: texts, attributes, values, style sheets."""
LIVE_ENTRIES: Final = 100_000
"""Style sheets, animations or highlights of one document at one moment, of each kind."""
PAST_DOCUMENTS: Final = 256
"""Documents that the page model keeps though they show no more: long recordings load thousands."""

_RESOURCE: Final = b'{"k":"resource"'
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)


def too_much(line: bytes, added: int = 0) -> str | None:
    """Return why a line is more than one may be; None where it is not. `added`: bytes that its shared texts add.

    It is told from the bytes: as objects such a line could fill the memory.
    """
    size = len(line) + added
    most = RESOURCE_BYTES if line.startswith(_RESOURCE) else LINE_BYTES
    if size > most:
        return f"it has {size:,} bytes; {most:,} is the most"
    if len(line) > LINE_PARTS and _parts(line) > LINE_PARTS and _has_too_many(line):
        return f"it has more than {LINE_PARTS:,} parts"
    return None


def _has_too_many(line: bytes) -> bool:
    found = at = 0
    for text in _STRING.finditer(line):
        found += _parts(line[at : text.start()])
        at = text.end()
        if found > LINE_PARTS:
            return True
    return found + _parts(line[at:]) > LINE_PARTS


def _parts(line: bytes) -> int:
    return line.count(b",") + line.count(b"[") + line.count(b"{")
