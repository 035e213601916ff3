"""Stores a long text that occurs more than once in a recording only once; its other occurrences are replaced by a number.

A page that is loaded again brings its style sheets again, and frames are compressed separately. Readers get the
original lines: only :class:`RepeatedTextShortener`, which a writer uses when it closes a file, and :class:`RepeatedTextTable`, which a
reader uses for each line, see the numbers.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

import orjson

from .limits import SHARED_TEXTS_BYTES
from .zstd_frames import UnreadableZstdFrameError

LEAST: Final = 256
"""Smallest text, in bytes of JSON, that gets a line of its own."""

TEXT: Final = b'{"k":"text",'
_TELLING: Final = (b'{"k":"snapshot",', b'{"k":"mutation",')
_NAMED: Final = re.compile(rb'\{"k":"(?:snapshot|mutation)",("texts":\[(\d{1,9}(?:,\d{1,9})*)\],)')
_LINE_OF_TEXT: Final = b"\n" + TEXT
_LINE_WITH_TEXTS: Final = re.compile(rb'\n\{"k":"(?:snapshot|mutation)","texts":\[')
_NUMBER: Final = re.compile(rb'\{"#":(\d{1,9})\}')


def iter_long_texts(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the long texts in JSON that are not keys: a hash of each, and its begin and end, including quotation marks.

    Most strings are short, and a long recording has billions of them: the search is for quotation marks that are far
    enough apart.
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


def replace_long_texts(data: bytes, numbers: Mapping[bytes, int]) -> tuple[bytes, set[int]]:
    """Return JSON in which each long text whose hash has a number is replaced by that number, and the set of these
    numbers.
    """
    parts: list[bytes] = []
    done: set[int] = set()
    at = 0
    for key, start, end in iter_long_texts(data):
        if key in numbers:
            parts += (data[at:start], b'{"#":%d}' % numbers[key])
            at = end
            done.add(numbers[key])
    return b"".join((*parts, data[at:])), done


def fill_in_texts(data: bytes, texts: Callable[[int], bytes | None]) -> bytes:
    """Return JSON in which each number is replaced by its text (as JSON); a number without a text stays."""
    return _NUMBER.sub(lambda match: texts(int(match[1])) or match[0], data)


def count_bytes_added_by_expanding(data: bytes, texts: Sequence[bytes]) -> int:
    """Return how many bytes :func:`fill_in_texts` adds at most."""
    numbers = (int(match[1]) for match in _NUMBER.finditer(data))
    return sum(len(texts[number]) for number in numbers if number < len(texts))


def _may_hold_long_texts(line: bytes) -> bool:
    """Return whether a line may contain long texts, as lines with ops do."""
    return len(line) > LEAST and line.startswith(_TELLING) and not _NAMED.match(line)


def has_reserved_form(line: bytes) -> bool:
    """Return whether a line looks like one that the writer adds for repeated texts. An event that looks like this is
    not written, because a reader would misread it.
    """
    return line.startswith(TEXT) or _NAMED.match(line) is not None


class RepeatedTextShortener:
    """Replaces repeated long texts in lines by numbers. It must read all lines before it returns the first."""

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()
        self._numbers: dict[bytes, int] = {}
        self._left = SHARED_TEXTS_BYTES

    def count_texts(self, line: bytes) -> None:
        """Count the long texts in a line."""
        if _may_hold_long_texts(line):
            self._seen.update(key for key, _, _ in iter_long_texts(line))

    def iter_shortened_lines(self, line: bytes) -> Iterator[bytes]:
        """Yield a line with numbers in place of repeated texts, and before it a line for each text that occurs here
        first.
        """
        if not _may_hold_long_texts(line):
            yield line
            return
        for key, start, end in iter_long_texts(line):
            if key not in self._numbers and self._seen[key] > 1 and end - start <= self._left:
                self._left -= end - start
                number = self._numbers[key] = len(self._numbers) + 1
                yield b'%s"id":%d,"text":%s}' % (TEXT, number, line[start:end])
        short, told = replace_long_texts(line, self._numbers)
        if told:
            head = len(_TELLING[0])
            short = b'%s"texts":[%s],%s' % (
                short[:head],
                b",".join(b"%d" % each for each in sorted(told)),
                short[head:],
            )
        yield short


class RepeatedTextTable:
    """The repeated long texts of a file, by number, as far as the file was read."""

    def __init__(self) -> None:
        self._held: dict[int, bytes] = {}
        self._left = SHARED_TEXTS_BYTES

    def read_zstd_frame(self, content: bytes) -> int:
        """Store the long texts in the lines of a zstd frame. Return by how many bytes the lines grow when their texts
        are inserted.
        """
        at, more = content.find(_LINE_OF_TEXT), 0
        while at >= 0:
            self._read_text_line(content[at + 1 : content.find(b"\n", at + 1)])
            at = content.find(_LINE_OF_TEXT, at + 1)
        for match in _LINE_WITH_TEXTS.finditer(content) if self._held else ():
            with suppress(UnreadableZstdFrameError):
                more += self.count_bytes_added_by_expanding(
                    content[match.start() + 1 : content.find(b"\n", match.end())]
                )
        return more

    def _read_text_line(self, line: bytes) -> None:
        """Store the text in a text's own line, if its number is valid and new; otherwise lines that use it are skipped."""
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

    def count_bytes_added_by_expanding(self, line: bytes) -> int:
        """Return how many bytes :meth:`expand_line` adds to a line. Raises UnreadableZstdFrameError for a text that was not read before the
        line.
        """
        named = _NAMED.match(line)
        if named is None:
            return 0
        mine = set(map(int, named[2].split(b",")))
        numbers = [number for match in _NUMBER.finditer(line) if (number := int(match[1])) in mine]
        try:
            return sum(len(self._held[number]) for number in numbers)
        except KeyError as error:
            raise UnreadableZstdFrameError(f"text {error.args[0]} does not stand before the line that has it") from None

    def expand_line(self, line: bytes) -> bytes:
        """Return a line with its repeated texts inserted."""
        named = _NAMED.match(line)
        if named is None:
            return line
        mine = set(map(int, named[2].split(b",")))
        plain = line[: named.start(1)] + line[named.end(1) :]
        return fill_in_texts(plain, lambda number: self._held[number] if number in mine else None)
