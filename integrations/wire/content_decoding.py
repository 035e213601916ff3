"""Decompresses HTTP bodies by their `content-encoding`."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, Final, Protocol

import zstandard

LARGEST: Final = 256_000_000
"""Largest decompressed body, in bytes."""


class BodyDecoder(Protocol):
    """The interface of a decompressor that gets a body piece by piece."""

    @property
    def is_complete(self) -> bool:
        """Return whether the bytes so far are a complete body that all programs decompress to the same data."""

    def feed(self, data: bytes) -> bytes:
        """Return the decompressed data of the next bytes.

        :raises ValueError: the bytes are invalid, or the decompressed body is too large.
        """


class _BodyDecoderChain:
    def __init__(self, steps: list[BodyDecoder]) -> None:
        self._steps = steps
        self._size = 0

    @property
    def is_complete(self) -> bool:
        return all(step.is_complete for step in self._steps)

    def feed(self, data: bytes) -> bytes:
        for step in self._steps:
            try:
                data = step.feed(data)
            except Exception as error:  # each library has its own exceptions
                raise ValueError(f"a body is not compressed as it says ({type(error).__name__})") from None
        self._size += len(data)
        if self._size > LARGEST:
            raise ValueError("a body is larger than what is read of one")
        return data


def find_decoder(encoding: str) -> BodyDecoder | None:
    """Return a new decoder for a `content-encoding`; None for an unknown one (Brotli needs the package `brotli`)."""
    steps: list[BodyDecoder] = []
    for name in reversed([part.strip().lower() for part in encoding.split(",") if part.strip()]):
        if name == "identity":
            continue
        begin = _find_decoder_factory(name)
        if begin is None:
            return None
        steps.append(_DeflateDecoder() if name == "deflate" else _MultiPartDecoder(begin))
    return _BodyDecoderChain(steps)


def _find_decoder_factory(name: str) -> Callable[[], Any] | None:
    if name in ("gzip", "x-gzip"):
        return lambda: zlib.decompressobj(zlib.MAX_WBITS | 16)
    if name == "deflate":
        return zlib.decompressobj
    if name == "zstd":
        return lambda: zstandard.ZstdDecompressor().decompressobj()
    if name == "br":
        try:
            import brotli
        except ImportError:
            return None
        return lambda: _BrotliAdapter(brotli.Decompressor())
    return None


class _MultiPartDecoder:
    """A decoder for a body of one or several separately compressed parts (RFC 1952, 2.2; RFC 8878, 3.1).

    Some programs read only the first part. Bytes after the last part are ignored.
    """

    def __init__(self, begin: Callable[[], Any]) -> None:
        self._begin = begin
        self._part = begin()
        self._whole = 0
        self._over = self._any = False

    @property
    def is_complete(self) -> bool:
        return (self._part.eof and not self._whole) or not self._any

    def feed(self, data: bytes) -> bytes:
        found = []
        self._any |= bool(data)
        while data and not self._over:
            if self._part.eof:
                self._part = self._begin()
                self._whole += 1
            try:
                found.append(self._part.decompress(data))
            except Exception:
                if not self._whole:
                    raise
                self._over = True
            data = self._part.unused_data if self._part.eof else b""
        return b"".join(found)


class _DeflateDecoder:
    """A decoder for the coding deflate, with zlib's header, as the standard demands, or without, as some servers send
    it.
    """

    def __init__(self) -> None:
        self._inner = zlib.decompressobj()
        self._first = True

    @property
    def is_complete(self) -> bool:
        return self._first or self._inner.eof

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


class _BrotliAdapter:
    """An adapter that gives Brotli's decoder the method names of zlib's."""

    unused_data = b""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    @property
    def eof(self) -> bool:
        return bool(self._inner.is_finished())

    def decompress(self, data: bytes) -> bytes:
        return bytes(self._inner.process(data))
