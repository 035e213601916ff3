"""Bodies as they were before they were compressed for the way."""

from __future__ import annotations

import zlib
from typing import Any, Final, Protocol

import zstandard

LARGEST: Final = 256_000_000
"""Bytes that one body may become."""


class Decoder(Protocol):
    """Takes compressed bytes, gives what they become."""

    def feed(self, data: bytes) -> bytes:
        """Return what can be told of the body by now. Raises ValueError where it is not what it says to be, or too large."""


class _Chain:
    def __init__(self, steps: list[Any]) -> None:
        self._steps = steps
        self._size = 0

    def feed(self, data: bytes) -> bytes:
        for step in self._steps:
            try:
                data = step(data)
            except Exception as error:  # each library has its own
                raise ValueError(f"a body is not compressed as it says ({type(error).__name__})") from None
        self._size += len(data)
        if self._size > LARGEST:
            raise ValueError("a body is larger than what is read of one")
        return data


def decoder_for(encoding: str) -> Decoder | None:
    """Return what undoes a `content-encoding`; None where it is not known here (Brotli asks for the package `brotli`)."""
    steps = []
    for name in reversed([part.strip().lower() for part in encoding.split(",") if part.strip()]):
        step = _step(name)
        if step is None:
            return None
        steps.append(step)
    return _Chain([step for step in steps if step is not _as_it_is])


def _as_it_is(data: bytes) -> bytes:
    return data


def _step(name: str) -> Any:
    if name in ("", "identity"):
        return _as_it_is
    if name in ("gzip", "x-gzip"):
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress
    if name == "deflate":
        return _Deflate().feed
    if name == "zstd":
        return zstandard.ZstdDecompressor().decompressobj().decompress
    if name == "br":
        return _brotli()
    return None


class _Deflate:
    """With zlib's header, as the standard says, or without, as some servers do it."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj()
        self._first = True

    def feed(self, data: bytes) -> bytes:
        if not data:
            return b""
        first, self._first = self._first, False
        try:
            return self._inner.decompress(data)
        except zlib.error:
            if not first:
                raise
            self._inner = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._inner.decompress(data)


def _brotli() -> Any:
    try:
        import brotli
    except ImportError:
        return None
    return brotli.Decompressor().process
