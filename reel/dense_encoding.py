"""Encodes bytes as printable ASCII, denser than base64: with 93 letters, two for each 13 or 14 bits.

The idea is basE91's (Joachim Henke, <https://base91.sourceforge.net/>). The letters are all printable ASCII characters
except space and ``<``, so that they may be inside an element of a page. 100 bytes need 123 letters, in base64 134. The
encoding is used for the player, which is the same in each file; recorded data is in base64, which every program can
decode.
"""

from __future__ import annotations

from typing import Final

LETTERS: Final = bytes(code for code in range(33, 127) if code != ord("<"))
_BASE: Final = len(LETTERS)
_SPARE: Final = _BASE * _BASE - (1 << 13)
"""Pairs of letters that 13-bit values do not use; a value below this number takes 14 bits."""
_VALUES: Final = {code: value for value, code in enumerate(LETTERS)}


def encode_as_dense_text(data: bytes) -> bytes:
    """Return `data` as ASCII letters in the dense encoding."""
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


def decode_dense_text(text: bytes, length: int) -> bytes:
    """Return the `length` bytes that :func:`encode_as_dense_text` encoded. Raises ValueError for invalid text."""
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
