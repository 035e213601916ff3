"""Decompresses the body of a request or an answer, and decides which bytes of it are stored."""

from __future__ import annotations

from collections.abc import Sequence

from .content_decoding import find_decoder
from .provider_keys import ProviderKeys

_BY_BYTES = 1_000_000
"""Largest incomplete body that is decoded byte by byte, to get as much of it as possible."""


class DecodedBody:
    """A body that arrived in pieces, and its `content-encoding`.

    `pieces`: the pieces, decompressed as far as possible; `understood`: whether all of them could be decompressed.
    """

    def __init__(self, coding: str, came: Sequence[bytes]) -> None:
        self.pieces: list[bytes] = []
        self._coding = coding
        self._came = b"".join(came)
        decoder = find_decoder(coding)
        self.understood = self._whole = decoder is not None
        if decoder is not None:
            try:
                self.pieces.extend(decoder.feed(piece) for piece in came)
                self._whole = decoder.is_complete
            except ValueError:
                self.understood = self._whole = False
        if not self.understood and _is_text(self._came):  # it claims to be compressed, but is not
            self.pieces = list(came)

    def choose_kept_bytes(self, keys: ProviderKeys) -> tuple[bytes, str, str]:
        """Return the bytes to store, without any provider's key, and their content coding.

        The third value is the reason if no bytes are stored.
        """
        if self._whole:
            return keys.mask_keys(b"".join(self.pieces)), "", ""
        if self.pieces and b"".join(self.pieces) == self._came:
            return keys.mask_keys(self._came), self._coding, ""
        decoded = self._decode_possible_part()
        if decoded is not None and keys.mask_keys(decoded) == decoded:
            return self._came, self._coding, ""
        return b"", "", f"it is compressed as {self._coding}, and cannot be read to its end"

    def _decode_possible_part(self) -> bytes | None:
        """Return the beginning of the body as far as it can be decompressed.

        None: the coding is unknown, or the body is so large that this would take too long.
        """
        decoder = find_decoder(self._coding)
        if decoder is None or len(self._came) > _BY_BYTES:
            return None
        found = bytearray()
        try:
            for at in range(len(self._came)):
                found += decoder.feed(self._came[at : at + 1])
        except ValueError:
            pass
        return bytes(found)


def _is_text(data: bytes) -> bool:
    """Return whether bytes are plain text; compressed ones are not."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return not any(sign < " " and sign not in "\t\n\r" for sign in text[:10_000])
