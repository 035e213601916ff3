"""Decode a text into its readings: the text itself, and each form in which programs or people read it, with a map back to the original offsets.

A notation (:class:`UndoableNotation`) is undone in the whole text, and the result is decoded again, until nothing changes or a
limit is reached. A known value matches a reading as it stands or in one of its own readings: if ``P%41x`` is decoded
in the text, it is decoded in the value as well.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

Span = tuple[int, int, str]
"""Start and end of a notation in a text, and its plain text."""
MOST, MOST_OF_LONG, LONG = 24, 6, 1 << 16
"""Most readings of a text; of a text longer than ``LONG`` characters; and that length."""
ROUNDS = 6
"""How many times notations are undone within each other in one reading."""


@dataclass(frozen=True, slots=True)
class UndoableNotation:
    """One notation that can be undone, such as percent-encoding.

    ``sign`` is a text without which the notation cannot occur, so most texts need no search; None stands for any
    letter beyond ASCII. ``spans`` yields (start, end, plain text) for each occurrence.
    """

    sign: str | None
    spans: Callable[[str], Iterator[Span]]
    pattern: re.Pattern[str]
    say: Callable[[re.Match[str]], str] | str | None = None

    def undo_in_text(self, text: str) -> str:
        """Return the text with this notation undone."""
        if text.isascii() if self.sign is None else self.sign not in text:
            return text
        if self.say is not None:
            return self.pattern.sub(self.say, text)
        out: list[str] = []
        at = 0
        for start, end, said in self.spans(text):
            out += (text[at:start], said)
            at = end
        return "".join([*out, text[at:]]) if out else text


def build_notation(
    pattern: str, plain_text: Callable[[re.Match[str]], str] | str, sign: str | None = "", flags: int = 0
) -> UndoableNotation:
    """Return the notation that a pattern matches.

    :param plain_text: the plain text, or a function that returns the plain text of a match.
    :param sign: a text without which the pattern cannot match.
    """
    compiled = re.compile(pattern, flags)
    if isinstance(plain_text, str):
        return UndoableNotation(
            sign, lambda text: ((*m.span(), plain_text) for m in compiled.finditer(text)), compiled, plain_text
        )
    return UndoableNotation(sign, lambda text: ((*m.span(), said) for m in compiled.finditer(text) if (said := plain_text(m)) != m[0]), compiled, plain_text)  # fmt: skip


class DecodedText:
    """A text in which notations were undone, with a map back to the given text."""

    __slots__ = ("_before", "_marks", "_undo", "text")

    def __init__(self, text: str, before: DecodedText | None = None, undone: UndoableNotation | None = None) -> None:
        self.text = text
        self._before = before
        self._undo = undone
        self._marks: tuple[list[int], list[Span]] | None = None

    @property
    def is_changed(self) -> bool:
        """Whether this text differs from the given one."""
        return self._before is not None

    def undo_notations(self, *ways: UndoableNotation) -> DecodedText:
        """Return the reading with these notations undone, one after the other; the same object if none of them
        occurs.
        """
        reading = self
        for way in ways:
            text = way.undo_in_text(reading.text)
            if text != reading.text:
                reading = DecodedText(text, reading, way)
        return reading

    def to_original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the original text that a non-empty span of this reading comes from."""
        reading: DecodedText = self
        while reading._before is not None:
            start, end = reading._find_original_span(start)[0], reading._find_original_span(end - 1)[1]
            reading = reading._before
        return start, end

    def _find_original_span(self, at: int) -> tuple[int, int]:
        if self._marks is None:
            assert self._before is not None and self._undo is not None
            spans = list(self._undo.spans(self._before.text))
            begins, shift = [], 0
            for start, end, said in spans:
                begins.append(start + shift)
                shift += len(said) - (end - start)
            self._marks = begins, spans
        begins, spans = self._marks
        place = bisect_right(begins, at) - 1
        if place < 0:
            return at, at + 1
        start, end, said = spans[place]
        beyond = at - begins[place] - len(said)
        return (start, end) if beyond < 0 else (end + beyond, end + beyond + 1)


def undo_notations_until_stable(text: str, notations: Sequence[UndoableNotation]) -> DecodedText:
    """Return one reading with all these notations undone, again and again until nothing changes."""
    reading = DecodedText(text)
    for _ in range(ROUNDS):
        before = reading
        reading = reading.undo_notations(*notations)
        if reading is before:
            break
    return reading


def list_decoded_texts(
    text: str, notation_groups: Sequence[Sequence[UndoableNotation]], total_length: int = 0
) -> list[DecodedText]:
    """Return the text itself, then each other reading of it. Each group of notations in `notation_groups` is undone alone, and
    all groups again in each result.

    :param total_length: the total length of the texts that `text` is a part of. Long texts get fewer readings.
    """
    found: Final = [DecodedText(text)]
    seen = {text}
    most = MOST if max(total_length, len(text)) <= LONG else MOST_OF_LONG
    for reading in found:  # the list grows meanwhile
        for way in notation_groups:
            other = reading.undo_notations(*way)
            if other is not reading and other.text not in seen and len(found) < most:
                seen.add(other.text)
                found.append(other)
    return found
