"""Moves long texts that occur repeatedly in a file's chunks into a separate piece; the chunks refer to them by number."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import orjson

from pagereel.reel import iter_long_texts, put_texts

from .chunks import TEXTS, EventChunk, compress_raw_deflate
from .delta import encode_delta


class LongTexts:
    """The piece of a file with the long texts that its chunks refer to, for one or several recordings."""

    def __init__(self) -> None:
        self._texts: list[bytes] = []
        self._numbers: dict[bytes, int] = {}
        self._told: dict[bytes, bytes] = {}
        """The rewritten text of a style sheet → its original, as JSON."""

    def add_chunks(self, chunks: Sequence[EventChunk], rewritten: Mapping[str, str]) -> None:
        """Move the long texts that occur more than once in these chunks of events into this piece, and put their
        numbers in their places.

        `rewritten`: maps each rewritten style sheet to its original, against which it is stored.
        """
        found = Counter[bytes]()
        for chunk in chunks:
            found.update(chunk.texts)
        again = {key for key, count in found.items() if count > 1}
        for chunk in chunks:
            if again.isdisjoint(chunk.texts):
                continue
            raw = zlib.decompress(chunk.data, -15)
            for key, start, end in iter_long_texts(raw):
                if key in again and key not in self._numbers:
                    self._numbers[key] = len(self._texts)
                    self._texts.append(raw[start:end])
            short, _ = put_texts(raw, self._numbers)
            chunk.data = compress_raw_deflate(short)
        self._told |= {orjson.dumps(shown): orjson.dumps(was) for shown, was in rewritten.items()}

    @property
    def index_version(self) -> int:
        """Return the version of the file's index: 2 if the file has this piece, which players for version 1 cannot
        read.
        """
        return 2 if self._texts else 1

    def iter_pieces(self) -> Iterator[tuple[str, bytes]]:
        """Yield the compressed piece with its name; nothing if it is empty.

        It is a JSON list: a text, or ``[number, parts]`` for a rewritten style sheet, encoded against the text with
        this number (:mod:`.delta`).
        """
        if self._texts:
            numbers = {text: number for number, text in enumerate(self._texts)}
            yield (
                TEXTS,
                compress_raw_deflate(b"[" + b",".join(self._encode_text(text, numbers) for text in self._texts) + b"]"),
            )

    def _encode_text(self, text: bytes, numbers: Mapping[bytes, int]) -> bytes:
        was = numbers.get(self._told.get(text, b""))
        if was is None:
            return text
        base, data = (str(orjson.loads(each)).encode() for each in (self._texts[was], text))
        told = b"[%d,%s]" % (was, encode_delta(base, data, css=True))
        return told if len(told) < len(text) else text


class SharedLongTexts(LongTexts):
    """The piece of long texts that many recordings in one file share. Texts are moved into it when all recordings are
    known.
    """

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[EventChunk] = []
        self._rewritten: dict[str, str] = {}

    def add_chunks(self, chunks: Sequence[EventChunk], rewritten: Mapping[str, str]) -> None:
        """Store the chunks of one recording. :meth:`move_repeated_texts` moves their texts when the chunks of all
        recordings were added.
        """
        self._waiting += chunks
        self._rewritten |= rewritten

    def move_repeated_texts(self) -> None:
        """Move the texts that occur repeatedly in all chunks into this piece."""
        super().add_chunks(self._waiting, self._rewritten)
        self._waiting, self._rewritten = [], {}
