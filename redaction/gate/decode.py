"""Decode the layers of a finished file, recursively: scripts, base64, deflate, gzip, zstd, JSON, percent-encoding, entities, UTF-16."""

from __future__ import annotations

import base64
import binascii
import re
import string
import zlib
from collections.abc import Iterator
from itertools import zip_longest

from pagereel.reel import ZSTD_MAGIC

from ..normalise.decoded_text import list_decoded_texts
from ..normalise.encoded_text import iter_encoded_passages
from ..normalise.escapes import IN_FILES
from .escape_windows import WHOLE, EscapeWindowSize, cut_escape_windows

DEPTH = 6
_SURELY_STREAM = 64
"""Least bytes of data that counts as a compressed stream if it inflates to its end. Shorter data may be a text that
begins like one.
"""
LARGEST = 256 << 20
"""Most bytes that one stream may inflate to. A larger one (a decompression bomb) raises an error."""
_BITE = 1 << 10
"""Bytes of zstd that are inflated at a time. A block of one repeated letter turns four bytes into 128 KiB, so one step
gives at most 32 MiB.
"""

_LETTERS = (string.ascii_letters + string.digits + "+/_-").encode()
_IS_LETTER = bytes(b"A"[0] if byte in _LETTERS else b" "[0] for byte in range(256))
_LEAST = b"A" * 24
_TAG = re.compile(rb"<(script|style|template|title|meta|img|svg|iframe|link|html|body)\b[^>]*>", re.IGNORECASE)
_ID = re.compile(rb"\bid=[\"']?([\w.-]+)", re.IGNORECASE)


_FILES = (
    b"wOFF", b"wOF2", b"OTTO", b"\0\1\0\0", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF", b"OggS", b"ID3", b"fLaC", b"\x1aE\xdf\xa3", b"\0\0\0\x18ftyp",
    b"\0\0\0\x1cftyp", b"\0\0\0\x20ftyp",
)  # fmt: skip
"""First bytes of files that are compressed to their end: their bytes are searched as they are."""


UNDONE = frozenset(["as read", "utf-16"])
"""Names of layers that are the same data with escapes undone."""


class TooLargeError(Exception):
    """Raised if a stream inflates to more than :data:`LARGEST` bytes, so that the file cannot be searched to its end."""


def iter_decoded_layers(
    data: bytes, name: str = "file", depth: int = 0, reach: EscapeWindowSize | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield (layer name, bytes): the data itself, then everything that can be decoded from it.

    :param reach: in long texts, undo escapes only where they may be part of a value.
    :raises TooLargeError: a compressed stream does not end within :data:`LARGEST` bytes.
    """
    rest, opened = _split_base64(data, depth)
    if depth >= DEPTH:
        if any(kind is not None for _, kind, _ in opened):
            raise TooLargeError(f"streams lie more than {DEPTH} deep in each other")
        yield name, data
        return
    yield name, rest
    lists = _decode_listed_codes(rest)
    for layer, text in iter_unescaped_texts(rest, reach):
        yield f"{name} > {layer}", text
        lists += _decode_listed_codes(text)
    if lists:
        yield from iter_decoded_layers(b"\n".join(dict.fromkeys(lists)), f"{name} > list", depth + 1, reach)
    for where, kind, content in opened:
        if kind is not None:
            yield from iter_decoded_layers(content, f"{name} > {where} > {kind}", depth + 1, reach)
        elif _looks_like_text(content):
            yield from iter_decoded_layers(content, f"{name} > {where}", depth + 1, reach)
        else:
            yield f"{name} > {where}", content
    if depth == 0:
        for kind, content in iter_decompressed(data):
            yield from iter_decoded_layers(content, f"{name} > {kind}", depth + 1, reach)


def _split_base64(data: bytes, depth: int) -> tuple[bytes, list[tuple[str, str | None, bytes]]]:
    """Return the data without large binary base64, and (place, compression or None, content) for each base64 text in
    the data.

    Compressed streams, fonts, pictures and films are removed: any short word occurs by chance among millions of random
    letters.
    """
    opened: list[tuple[str, str | None, bytes]] = []
    rest: list[bytes] = []
    at = 0
    for begin, end in _iter_base64_spans(data):
        inner = _decode_base64(data[begin:end])
        if inner is None or len(inner) < 12:
            continue
        where = _describe_enclosing_element(data, begin) if depth == 0 else "base64"
        streams = list(iter_decompressed(inner))
        opened += [(where, kind, content) for kind, content in streams] or [(where, None, inner)]
        if (streams or inner.startswith(_FILES)) and len(inner) > _SURELY_STREAM:
            rest.append(data[at:begin])
            at = end
    if not rest:
        return data, opened
    return b" ".join([*rest, data[at:]]), opened


def _iter_base64_spans(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the spans of 24 base64 characters or more, with the ``=`` after them. They are found in a map of the
    data: a regular expression would stop at each letter.
    """
    letters = data.translate(_IS_LETTER)
    end = 0
    while (begin := letters.find(_LEAST, end)) >= 0:
        end = letters.find(b" ", begin) % (len(data) + 1)  # -1: it goes on to the end
        end += len(data[end : end + 2]) - len(data[end : end + 2].lstrip(b"="))
        yield begin, end


def iter_unescaped_texts(data: bytes, reach: EscapeWindowSize | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the data with its escapes undone, once for each way to read them.

    The data is decoded part by part. The first yielded bytes join the first reading of each part, the next bytes the
    second reading of each part, and so on.
    """
    parts = cut_escape_windows(data, reach)
    length = sum(map(len, parts))
    read = [list_decoded_texts(part.decode("utf-8", "replace"), IN_FILES, length)[1:] for part in parts]
    for texts in zip_longest(*read):
        yield "as read", "\n".join(each.text for each in texts if each).encode("utf-8", "replace")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        yield "utf-16", data.decode("utf-16", "replace").encode("utf-8", "replace")


def _decode_listed_codes(data: bytes) -> list[bytes]:
    """Return the texts of character codes, bytes and letters in lists, and of base64 in groups and lines. Data longer
    than :data:`WHOLE` is not read.
    """
    if len(data) > WHOLE or not _looks_like_text(data):
        return []
    return [
        each.said.encode("utf-8", "replace")
        for each in iter_encoded_passages(data.decode("utf-8", "replace"), only_in_lists=True)
    ]


def iter_decompressed(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the content of a compressed stream, with the name of its compression."""
    if data[:2] == b"\x1f\x8b" and (out := _decompress_zlib(data, 31)) is not None:
        yield "gzip", out
    elif data[:1] == b"\x78" and (out := _decompress_zlib(data, 15)) is not None:
        yield "zlib", out
    elif data.startswith(ZSTD_MAGIC) and (out := _decompress_readable_zstd(data)) is not None:
        yield "zstd", out
    elif (out := _decompress_zlib(data, -15)) is not None:
        yield "deflate-raw", out


def _decompress_zlib(data: bytes, bits: int) -> bytes | None:
    engine = zlib.decompressobj(bits)
    try:
        out = engine.decompress(data, LARGEST)
    except zlib.error:
        return None
    if engine.unconsumed_tail:
        raise TooLargeError
    return out if len(out) >= 8 and (engine.eof or bits != -15) else None


def decompress_zstd(data: bytes) -> tuple[bytes, Exception | None]:
    """Return the content of zstd frames as far as they can be read, and the error at which reading ended, or None.

    :raises TooLargeError: they hold more than :data:`LARGEST` bytes.
    """
    import zstandard

    out = bytearray()
    try:
        frame = zstandard.ZstdDecompressor().decompressobj()
        for at in range(0, len(data), _BITE):
            rest = data[at : at + _BITE]
            while rest:
                if frame.eof:
                    frame = zstandard.ZstdDecompressor().decompressobj()
                out += frame.decompress(rest)
                if len(out) > LARGEST:
                    raise TooLargeError
                rest = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError as error:
        return bytes(out), error
    return bytes(out), None if frame.eof else EOFError("it was cut off")


def _decompress_readable_zstd(data: bytes) -> bytes | None:
    out, error = decompress_zstd(data)
    return None if error is not None and not out else out


def _decode_base64(token: bytes) -> bytes | None:
    plain = token.replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
    if len(plain) % 4 == 1:
        plain = plain[:-1]
    try:
        return base64.b64decode(plain + b"=" * (-len(plain) % 4))
    except binascii.Error:
        return None


def _looks_like_text(data: bytes) -> bool:
    sample = data[:512]
    return sum(32 <= b < 127 or b in (9, 10, 13) for b in sample) * 10 >= len(sample) * 9


def _describe_enclosing_element(data: bytes, at: int) -> str:
    """Return the tag and id of the HTML element around an offset."""
    last = None
    for last in _TAG.finditer(data, max(0, at - 400), at):  # noqa: B007
        pass
    if last is None:
        return "base64"
    named = _ID.search(last.group())
    return last.group(1).decode() + (f"#{named.group(1).decode()}" if named else "")
