"""Split findings that span two lines, two cells or a dash: their parts are rarely one name.

A model that was trained on sentences reads *Sam* and, in the line below, *Subject* as one name; the second is a
label.
"""

from __future__ import annotations

import re
from itertools import groupby

from ...contracts.entities import NAMED, OF_DIGITS
from ...contracts.types import Finding
from ...words.words import UI_WORDS, common_words, given_names

_BETWEEN = re.compile(r"(?<!\s)\s*[\n\t]\s*|(?<!\s)\s+[–—|·•/]\s+")
_OPTION = re.compile(r"(?<!\s)\s+--?[a-z][a-z-]*(?=[ =])[ =]?")
"""An option of a command."""
_CELLS = re.compile(r"(?<!\s)\s*[\n\t]\s*")
_CELL = re.compile(r"[^\s](?:[^\n\t]*[^\s])?")
_AMOUNT_OR_DAY = re.compile(r"\d{1,7}[.,]\d\d|(?:19|20)\d\d-\d\d-\d\d")
_ROW = 3
"""Most digits of a row's number and other counts in cells."""


def without_label_lines(text: str, f: Finding) -> list[Finding]:
    """Split a finding of a name that spans several lines.

    Lines, cells and sides of a dash at its ends that consist of common words are dropped. The value after an option
    of a command becomes a finding of its own.
    """
    if f.entity not in NAMED:
        return [f]
    return [g for part in _parts(text, f, _OPTION) if (g := _without_labels(text, part)) is not None]


def split_at_cells(text: str, f: Finding) -> list[Finding]:
    """Split a finding of a number that spans several cells if it holds an amount or a date: ``764.88`` and
    ``2026-01-02`` are no telephone number.

    The cells between these stay together: a page may show one number over several cells.
    """
    if (
        f.entity not in OF_DIGITS
        or not _CELLS.search(text, f.start, f.end)
        or any(map(str.isalpha, text[f.start : f.end]))
    ):
        return [f]
    cells = [f._replace(start=m.start(), end=m.end()) for m in _CELL.finditer(text, f.start, f.end)]
    apart = [_AMOUNT_OR_DAY.fullmatch(text, cell.start, cell.end) is not None for cell in cells]
    if not any(apart):
        return [f]
    runs = [list(run) for _, run in groupby(range(len(cells)), key=lambda at: -1 if not apart[at] else at)]
    wholes = [f._replace(start=cells[run[0]].start, end=cells[run[-1]].end) for run in runs]
    return [g for g in wholes if sum(map(str.isdigit, text[g.start : g.end])) > _ROW]


def _without_labels(text: str, f: Finding) -> Finding | None:
    parts = _parts(text, f, _BETWEEN)
    if len(parts) == 1:
        return f
    kept = [not _is_label(text[part.start : part.end]) for part in parts]
    if not any(kept):
        return f
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    return f._replace(start=parts[first].start, end=parts[last].end)


def _parts(text: str, f: Finding, mark: re.Pattern[str]) -> list[Finding]:
    marks = list(mark.finditer(text, f.start, f.end))
    starts = [f.start, *(m.end() for m in marks)]
    ends = [*(m.start() for m in marks), f.end]
    return [f._replace(start=a, end=b) for a, b in zip(starts, ends, strict=True) if any(map(str.isalpha, text[a:b]))]


def _is_label(part: str) -> bool:
    words = re.findall(r"[^\W\d_]+", part.lower())
    return all((w in UI_WORDS or w in common_words()) and w not in given_names() for w in words)
