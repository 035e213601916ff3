"""The pieces of a built file (replay), which hold its data: their names and encoding, and how they are found.

Each piece is one deflate-raw stream. In a plain file a piece is base64 in an inert element; only the player's own code
is in the denser encoding of :mod:`.dense_encoding`. In a compact file a piece is a comment.

A page in windows-1252 has one character for each of the 256 bytes, so a comment can hold raw bytes, except for those
that an HTML parser changes: it converts NUL to U+FFFD and CR to LF, and ends the comment at ``-->`` and ``--!>``. These
bytes, and the escape character itself, are written as ``=`` and the byte plus 64: four bytes of 256 in deflate's
output, about 1.2 % more. (If a mail gateway converts a line end to CRLF, nothing is lost: parsers read CRLF as LF.)

A comment states its length and checksum, because nothing else shows whether a file was changed in transit::

    <!--pagereel-chunk-3 18211 5c1f09ab:…-->        name, bytes, their CRC-32, and after the colon the bytes
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from .dense_encoding import decode_dense_text, encode_as_dense_text

COMPACT_CHARSET: Final = "windows-1252"
PIECE_TYPE: Final = "application/vnd.pagereel"
"""The type of the inert script elements that hold the data: no browser runs them."""

HEADER_FIELDS_IN_INDEX: Final = (
    "id", "started", "recorder", "browser", "python", "platform", "agent", "metadata", "options", "imported", "clip", "trace", "tenant", "user",
)  # fmt: skip
"""Fields of a recording's header that are also in the index of its replay."""
SUITE_GROUP: Final = 16
"""Number of recordings of a suite whose indexes are one piece, because together they compress to a third."""
PLAYER_PIECE: Final = "shell"
"""The piece with the player itself, without any recorded data."""

_ESCAPES: Final = ((b"=", b"=}"), (b"\0", b"=@"), (b"\r", b"=M"), (b"-->", b"--=~"), (b"--!>", b"--!=~"))
_ESCAPED: Final = re.compile(rb"=(.)", re.DOTALL)
_LINE_END: Final = re.compile(rb"\r\n?")
_PIECE: Final = re.compile(
    rb'<script type="application/vnd\.pagereel" id="pagereel-(?P<name>[a-z]+-?\d*)"(?: data-check="(?P<check>\d+ [0-9a-f]{8})")?(?P<dense> data-form="dense")?>'
    rb"(?P<base64>[^<]*)</script>"
    rb"|<!--pagereel-(?P<raw_name>[a-z]+-?\d*) (?P<raw_check>\d+ [0-9a-f]{8}):(?P<raw>.*?)-->",
    re.DOTALL,
)


class ReplayPiece(NamedTuple):
    """One piece of data in a built file."""

    name: str
    """``shell``, ``index``, ``chunk-3``, ``pack-0``."""
    start: int
    end: int
    """The offset of its end in the file, in bytes."""
    raw: bool
    """Whether it is a comment."""
    dense: bool
    """Whether it is an element, but not in base64."""
    text: bytes
    """The content between its delimiters."""
    check: str | None
    """Its stated length and checksum."""

    def decode(self) -> bytes:
        """Return the piece's compressed bytes. Raises ValueError if they do not match their length or checksum."""
        text = _LINE_END.sub(b"\n", self.text) if self.raw else self.text
        if self.dense:
            data = decode_dense_text(text, int((self.check or "0").partition(" ")[0]))
        else:
            data = unescape_from_comment(text) if self.raw else base64.b64decode(text, validate=True)
        if self.check is not None and self.check != build_length_and_checksum(data):
            raise ValueError(f"it was {self.check} and is {build_length_and_checksum(data)}")
        return data


def find_pieces(html: bytes) -> Iterator[ReplayPiece]:
    """Yield the pieces of a built file in order, before decoding."""
    for match in _PIECE.finditer(html):
        raw = match["raw"] is not None
        name, text, check = match.group(*(("raw_name", "raw", "raw_check") if raw else ("name", "base64", "check")))
        yield ReplayPiece(
            name.decode(), *match.span(), raw, bool(match["dense"]), text, check.decode() if check is not None else None
        )


def build_length_and_checksum(data: bytes) -> str:
    """Return length and checksum of a piece: its bytes, and their CRC-32 as eight hex digits."""
    return f"{len(data)} {zlib.crc32(data):08x}"


def build_base64_element(name: str, data: bytes) -> bytes:
    """Return a piece as an inert element with base64."""
    start = f'<script type="{PIECE_TYPE}" id="pagereel-{name}" data-check="{build_length_and_checksum(data)}">'
    return start.encode() + base64.b64encode(data) + b"</script>\n"


def build_dense_element(name: str, data: bytes) -> bytes:
    """Return a piece as an inert element with the dense encoding."""
    start = f'<script type="{PIECE_TYPE}" id="pagereel-{name}" data-check="{build_length_and_checksum(data)}" data-form="dense">'
    return start.encode() + encode_as_dense_text(data) + b"</script>\n"


def convert_to_base64(html: bytes) -> bytes:
    """Return a built file with all its pieces in base64, for a search of every layer of the file. Raises ValueError if
    a piece is damaged.
    """
    parts: list[bytes] = []
    at = 0
    for piece in find_pieces(html):
        if piece.raw or piece.dense:
            parts += (html[at : piece.start], build_base64_element(piece.name, piece.decode()))
            at = piece.end
    return b"".join((*parts, html[at:])) if parts else html


def build_raw_comment(name: str, data: bytes) -> bytes:
    """Return a piece as a comment with raw bytes."""
    return f"<!--pagereel-{name} {build_length_and_checksum(data)}:".encode() + escape_for_comment(data) + b"-->\n"


def escape_for_comment(data: bytes) -> bytes:
    """Return `data` escaped for a comment. The text before it must not end in ``-`` or ``!``."""
    for plain, escaped in _ESCAPES:
        data = data.replace(plain, escaped)
    return data


def unescape_from_comment(text: bytes) -> bytes:
    """Return the bytes that :func:`escape_for_comment` escaped."""
    return _ESCAPED.sub(lambda match: bytes(((match[1][0] - 64) & 255,)), text)
