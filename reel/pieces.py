"""The pieces in which a built file holds its data: their names, their frames, and how they are found again.

Each is one deflate-raw stream. In a plain file it is base64 in an inert element, the player denser than that (:mod:`.dense`); in a compact one it is a comment.

A page in windows-1252 has one character for each of the 256 bytes, so a comment can hold bytes as they are, but for those
that an HTML parser does not leave alone: it makes U+FFFD of NUL, LF of CR, and ends the comment at ``-->`` and ``--!>``.
These, and the escape itself, are written as ``=`` and the byte 64 further on: four bytes of 256 in what deflate makes,
about 1.2 % more. (A line end that a mail gateway turns into CRLF comes back as it was: parsers read CRLF as LF.)

A comment says what it holds, for nothing else tells a file that was changed on its way from a whole one::

    <!--pagereel-chunk-3 18211 5c1f09ab:…-->        name, bytes, their CRC-32, and after the colon the bytes
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from .dense import dense, undense

COMPACT_CHARSET: Final = "windows-1252"
PIECE_TYPE: Final = "application/vnd.pagereel"
"""The type of the inert script elements that hold the data: no browser runs it."""

TOLD_IN_REPLAY: Final = (
    "id", "started", "recorder", "browser", "python", "platform", "agent", "metadata", "options", "imported", "trace", "tenant", "user",
)  # fmt: skip
"""What of a recording's header stands in the index of its replay."""
PLAYER_PIECE: Final = "shell"
"""The piece that holds the player itself, and nothing of a recording."""

_ESCAPES: Final = ((b"=", b"=}"), (b"\0", b"=@"), (b"\r", b"=M"), (b"-->", b"--=~"), (b"--!>", b"--!=~"))
_ESCAPED: Final = re.compile(rb"=(.)", re.DOTALL)
_LINE_END: Final = re.compile(rb"\r\n?")
_PIECE: Final = re.compile(
    rb'<script type="application/vnd\.pagereel" id="pagereel-(?P<name>[a-z]+-?\d*)"(?: data-check="(?P<check>\d+ [0-9a-f]{8})")?(?P<dense> data-form="dense")?>'
    rb"(?P<base64>[^<]*)</script>"
    rb"|<!--pagereel-(?P<raw_name>[a-z]+-?\d*) (?P<raw_check>\d+ [0-9a-f]{8}):(?P<raw>.*?)-->",
    re.DOTALL,
)


class ReelPiece(NamedTuple):
    """One piece as it stands in a file."""

    name: str
    """``shell``, ``index``, ``chunk-3``, ``pack-0``."""
    start: int
    end: int
    """Its place in the file, bytes."""
    raw: bool
    """Whether it is a comment."""
    dense: bool
    """Whether it is an element, but not in base64."""
    text: bytes
    """What stands within its frame."""
    check: str | None
    """What it says of its own bytes."""

    def data(self) -> bytes:
        """Return its bytes, compressed. Raises ValueError when they are not what they say they are."""
        text = _LINE_END.sub(b"\n", self.text) if self.raw else self.text
        if self.dense:
            data = undense(text, int((self.check or "0").partition(" ")[0]))
        else:
            data = unescape(text) if self.raw else base64.b64decode(text, validate=True)
        if self.check is not None and self.check != check_of(data):
            raise ValueError(f"it was {self.check} and is {check_of(data)}")
        return data


def pieces_of(html: bytes) -> Iterator[ReelPiece]:
    """Yield the pieces of a built file in their order, unread."""
    for match in _PIECE.finditer(html):
        raw = match["raw"] is not None
        name, text, check = match.group(*(("raw_name", "raw", "raw_check") if raw else ("name", "base64", "check")))
        yield ReelPiece(
            name.decode(), *match.span(), raw, bool(match["dense"]), text, check.decode() if check is not None else None
        )


def check_of(data: bytes) -> str:
    """Return what a piece says of itself: its bytes, and their CRC-32 as eight hex digits."""
    return f"{len(data)} {zlib.crc32(data):08x}"


def element_of(name: str, data: bytes) -> bytes:
    """Return a piece as an inert element with base64 in it."""
    start = f'<script type="{PIECE_TYPE}" id="pagereel-{name}" data-check="{check_of(data)}">'
    return start.encode() + base64.b64encode(data) + b"</script>\n"


def dense_of(name: str, data: bytes) -> bytes:
    """Return a piece as an inert element in which it is denser than in base64."""
    start = f'<script type="{PIECE_TYPE}" id="pagereel-{name}" data-check="{check_of(data)}" data-form="dense">'
    return start.encode() + dense(data) + b"</script>\n"


def in_base64(html: bytes) -> bytes:
    """Return a built file with its pieces in base64, however it holds them: for what looks into every layer of a file. Raises ValueError where one is damaged."""
    parts: list[bytes] = []
    at = 0
    for piece in pieces_of(html):
        if piece.raw or piece.dense:
            parts += (html[at : piece.start], element_of(piece.name, piece.data()))
            at = piece.end
    return b"".join((*parts, html[at:])) if parts else html


def comment_of(name: str, data: bytes) -> bytes:
    """Return a piece as a comment with the bytes themselves in it."""
    return f"<!--pagereel-{name} {check_of(data)}:".encode() + escape(data) + b"-->\n"


def escape(data: bytes) -> bytes:
    """Return `data` as it may stand in a comment, after a text that ends neither in ``-`` nor in ``!``."""
    for plain, escaped in _ESCAPES:
        data = data.replace(plain, escaped)
    return data


def unescape(text: bytes) -> bytes:
    """Return what :func:`escape` was given."""
    return _ESCAPED.sub(lambda match: bytes(((match[1][0] - 64) & 255,)), text)
