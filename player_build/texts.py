"""Long texts that the chunks of a built file have more than once: one piece holds each of them once, and chunks name them by number."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import orjson

from pagereel.reel import long_texts, put_texts

from .chunks import TEXTS, EventChunk, deflate
from .likeness import told_by


class LongTexts:
    """The piece of a file, for one recording or for several that stand in it."""

    def __init__(self) -> None:
        self._texts: list[bytes] = []
        self._numbers: dict[bytes, int] = {}
        self._told: dict[bytes, bytes] = {}
        """What style sheets became and were, as JSON."""

    def take(self, chunks: Sequence[EventChunk], rewritten: Mapping[str, str]) -> None:
        """Take the long texts out of chunks that have them more than once. `rewritten`: what style sheets became, and were."""
        found = Counter[bytes]()
        for chunk in chunks:
            found.update(chunk.texts)
        again = {key for key, count in found.items() if count > 1}
        for chunk in chunks:
            if again.isdisjoint(chunk.texts):
                continue
            raw = zlib.decompress(chunk.data, -15)
            for key, start, end in long_texts(raw):
                if key in again and key not in self._numbers:
                    self._numbers[key] = len(self._texts)
                    self._texts.append(raw[start:end])
            short, _ = put_texts(raw, self._numbers)
            chunk.data = deflate(short)
        self._told |= {orjson.dumps(shown): orjson.dumps(was) for shown, was in rewritten.items()}

    @property
    def version(self) -> int:
        """The version of the file's index: readers that know 1 alone do not know this piece."""
        return 2 if self._texts else 1

    def pieces(self) -> Iterator[tuple[str, bytes]]:
        """Yield the piece, compressed, with its name; nothing where it has nothing in it.

        It is a JSON list: a text, or ``[number, parts]`` for a style sheet that was rewritten, told by the text of this number (:mod:`.likeness`).
        """
        if self._texts:
            numbers = {text: number for number, text in enumerate(self._texts)}
            yield TEXTS, deflate(b"[" + b",".join(self._written(text, numbers) for text in self._texts) + b"]")

    def _written(self, text: bytes, numbers: Mapping[bytes, int]) -> bytes:
        was = numbers.get(self._told.get(text, b""))
        if was is None:
            return text
        base, data = (str(orjson.loads(each)).encode() for each in (self._texts[was], text))
        told = b"[%d,%s]" % (was, told_by(base, data, css=True))
        return told if len(told) < len(text) else text
