"""Bytes as printable ASCII, denser than base64: 93 letters, two for each 13 or 14 bits.

The idea is basE91's (Joachim Henke, <https://base91.sourceforge.net/>); the letters here are all that ASCII prints but the space and ``<``, so that they may stand
in an element of a page. 100 bytes take 123 letters, of base64 134. It is for what pagereel itself puts into each file, its player: what it recorded
stands in base64, which any program opens.
"""

from __future__ import annotations

from typing import Final

LETTERS: Final = bytes(code for code in range(33, 127) if code != ord("<"))
_BASE: Final = len(LETTERS)
_SPARE: Final = _BASE * _BASE - (1 << 13)
"""Values of two letters that 13 bits leave: those that begin so have 14."""
_VALUES: Final = {code: value for value, code in enumerate(LETTERS)}


def dense(data: bytes) -> bytes:
    """Return `data` in letters."""
    pairs = [bytes((LETTERS[value % _BASE], LETTERS[value // _BASE])) for value in range(_BASE * _BASE)]
    out: list[bytes] = []
    held = bits = 0
    for byte in data:
        held |= byte << bits
        bits += 8
        if bits > 13:
            width = 14 if held & 8191 < _SPARE else 13
            out.append(pairs[held & (1 << width) - 1])
            held >>= width
            bits -= width
    if bits:
        out.append(pairs[held])
    return b"".join(out)


def undense(text: bytes, length: int) -> bytes:
    """Return the `length` bytes that :func:`dense` was given. Raises ValueError where these are no such letters."""
    try:
        values = [_VALUES[code] for code in text]
    except KeyError:
        raise ValueError("it has a letter that is none of its own") from None
    out = bytearray()
    held = bits = 0
    for low, high in zip(values[::2], values[1::2], strict=True):
        value = low + high * _BASE
        held |= value << bits
        bits += 14 if value & 8191 < _SPARE else 13
        while bits > 7:
            out.append(held & 255)
            held >>= 8
            bits -= 8
    return bytes(out[:length])
