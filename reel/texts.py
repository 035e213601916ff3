"""Long texts that a recording says more than once: each stands in its file once, and has a number in place of the text elsewhere.

A page that is loaded again brings its style sheets again, and frames compress by themselves. What is read is what was written: the numbers are
between :class:`Repeated`, which a writer asks when it closes a file, and :class:`TextTable`, which a reader asks for each line.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

import orjson

from .frames import FrameError
from .limits import SHARED_TEXTS_BYTES

LEAST: Final = 256
"""Bytes of JSON from which on a text is worth a line of its own."""

TEXT: Final = b'{"k":"text",'
_TELLING: Final = (b'{"k":"snapshot",', b'{"k":"mutation",')
_NAMED: Final = re.compile(rb'\{"k":"(?:snapshot|mutation)",("texts":\[(\d{1,9}(?:,\d{1,9})*)\],)')
_LINE_OF_TEXT: Final = b"\n" + TEXT
_LINE_WITH_TEXTS: Final = re.compile(rb'\n\{"k":"(?:snapshot|mutation)","texts":\[')
_NUMBER: Final = re.compile(rb'\{"#":(\d{1,9})\}')


def long_texts(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the long texts in JSON, none of which is a key: a hash of each, and where it begins and ends, with its quotation marks.

    Most strings are short, and a long recording has thousands of millions: looked for are quotation marks that are far enough apart.
    """
    plain = data.replace(rb"\\", b"..").replace(rb"\"", b"..") if b"\\" in data else data
    at = plain.find(b'"')
    counted, count = 0, 0
    while 0 <= at <= len(plain) - LEAST:
        near = plain.rfind(b'"', at + 1, at + LEAST - 1)
        if near >= 0:
            at = near
            continue
        count += plain.count(b'"', counted, at)
        counted, start = at, at
        at = plain.find(b'"', start + LEAST - 1)
        if at >= 0 and count % 2 == 0 and data[at + 1 : at + 2] != b":":
            yield hashlib.blake2b(data[start : at + 1], digest_size=16).digest(), start, at + 1


def put(data: bytes, numbers: Mapping[bytes, int]) -> tuple[bytes, set[int]]:
    """Return JSON with numbers in place of the long texts that have one, by their hashes, and which these are."""
    parts: list[bytes] = []
    told: set[int] = set()
    at = 0
    for key, start, end in long_texts(data):
        if key in numbers:
            parts += (data[at:start], b'{"#":%d}' % numbers[key])
            at = end
            told.add(numbers[key])
    return b"".join((*parts, data[at:])), told


def filled(data: bytes, texts: Callable[[int], bytes | None]) -> bytes:
    """Return JSON with texts, as JSON, in place of their numbers; a number without a text stays."""
    return _NUMBER.sub(lambda match: texts(int(match[1])) or match[0], data)


def added(data: bytes, texts: Sequence[bytes]) -> int:
    """Return how many bytes :func:`filled` adds at most."""
    numbers = (int(match[1]) for match in _NUMBER.finditer(data))
    return sum(len(texts[number]) for number in numbers if number < len(texts))


def _tells(line: bytes) -> bool:
    """Return whether a line may have long texts: it is one of ops."""
    return len(line) > LEAST and line.startswith(_TELLING) and not _NAMED.match(line)


def is_ours(line: bytes) -> bool:
    """Return whether a line says what only a writer may say of texts: an event of such a form is not written."""
    return line.startswith(TEXT) or _NAMED.match(line) is not None


class Repeated:
    """Says lines shorter: all of them are seen once before the first is said."""

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()
        self._numbers: dict[bytes, int] = {}
        self._left = SHARED_TEXTS_BYTES

    def see(self, line: bytes) -> None:
        """Take note of the long texts in a line."""
        if _tells(line):
            self._seen.update(key for key, _, _ in long_texts(line))

    def lines(self, line: bytes) -> Iterator[bytes]:
        """Yield the line with numbers in place of texts that come more than once, after a line for each text that it is the first to have."""
        if not _tells(line):
            yield line
            return
        for key, start, end in long_texts(line):
            if key not in self._numbers and self._seen[key] > 1 and end - start <= self._left:
                self._left -= end - start
                number = self._numbers[key] = len(self._numbers) + 1
                yield b'%s"id":%d,"text":%s}' % (TEXT, number, line[start:end])
        short, told = put(line, self._numbers)
        if told:
            head = len(_TELLING[0])
            short = b'%s"texts":[%s],%s' % (
                short[:head],
                b",".join(b"%d" % each for each in sorted(told)),
                short[head:],
            )
        yield short


class TextTable:
    """What a file has of such texts, as far as it was read."""

    def __init__(self) -> None:
        self._held: dict[int, bytes] = {}
        self._left = SHARED_TEXTS_BYTES

    def scan(self, content: bytes) -> int:
        """Take in the texts of a frame. Returns how many bytes its lines have more with their texts."""
        at, more = content.find(_LINE_OF_TEXT), 0
        while at >= 0:
            self._read(content[at + 1 : content.find(b"\n", at + 1)])
            at = content.find(_LINE_OF_TEXT, at + 1)
        for match in _LINE_WITH_TEXTS.finditer(content) if self._held else ():
            with suppress(FrameError):
                more += self.added(content[match.start() + 1 : content.find(b"\n", match.end())])
        return more

    def _read(self, line: bytes) -> None:
        """Take in the line of a text, where it is one with a number of its own; else whoever names it is passed over."""
        try:
            event = orjson.loads(line)
            number, text = event["id"], event["text"]
        except (ValueError, LookupError, TypeError):
            return
        if type(number) is not int or not 0 < number < 10**9 or number in self._held or type(text) is not str:
            return
        held = orjson.dumps(text)
        if len(held) <= self._left:
            self._left -= len(held)
            self._held[number] = held

    def added(self, line: bytes) -> int:
        """Return how many bytes :meth:`whole` adds to a line. Raises FrameError for a text that does not stand before it."""
        named = _NAMED.match(line)
        if named is None:
            return 0
        mine = set(map(int, named[2].split(b",")))
        numbers = [number for match in _NUMBER.finditer(line) if (number := int(match[1])) in mine]
        try:
            return sum(len(self._held[number]) for number in numbers)
        except KeyError as error:
            raise FrameError(f"text {error.args[0]} does not stand before the line that has it") from None

    def whole(self, line: bytes) -> bytes:
        """Return a line with its texts in it."""
        named = _NAMED.match(line)
        if named is None:
            return line
        mine = set(map(int, named[2].split(b",")))
        plain = line[: named.start(1)] + line[named.end(1) :]
        return filled(plain, lambda number: self._held[number] if number in mine else None)
