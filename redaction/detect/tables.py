"""Find what stands beside a person and belongs to the name (initials, forms of address), and the cells of a table whose header says what they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..contracts.types import Finding, TextContext, all_of
from ..words.english import english, ordinary
from ..words.phrases import Phrases
from ..words.words import TECHNOLOGY, UI_WORDS, given_names
from .cues.context import context_findings, entity_of_label, may_be_work
from .cues.label_words import entity_of_words
from .cues.listed_names import may_call_in_small_letters
from .cues.positions import find_positions
from .cues.scripts import PARTS_OF_NAMES
from .cues.under_labels import job_under, may_ask_for_a_job

LISTS = Phrases("tables")

_INITIALS_BEFORE = re.compile(
    r"(?<![\w@./&-])(?:[^\W\d_]\.[ -]?|(?-i:[^\W\d_a-z])[ ]){1,3}(?:(?:de|den|der|di|da|la|le|van|von|bin|ben|al|el)[ ]){0,2}\Z",
    re.IGNORECASE,
)
_CALLED_BEFORE = re.compile(rf"(?<![\w-])(?:{LISTS.CALLED_BEFORE})[ ]\Z")
"""Forms of address that are part of the name: *Uncle Sollie*."""
_INITIAL_AFTER = re.compile(r"[ ](?:[^\W\d_]\.(?=[\W_]|\Z)|(?![AI]\b)(?-i:[^\W\d_a-z])(?=[ ]*(?:[,;:)(|\n\t]|\Z)))")
_LEAST_COLUMNS = 2
_MOST_ROWS = 200


def adjacent_findings(text: str, spans: Sequence[Finding]) -> list[Finding]:
    """Return the findings that belong to spans beside them, and those that the headers of a table's columns give.

    :param spans: the findings so far, without overlap.
    """
    found = list(in_columns(text))
    if any(span.entity == "PERSON" for span in spans):
        found += find_positions(text, spans)
    for span in spans:
        if span.entity == "PERSON":
            found += _beside_a_person(text, span)
    return found


def _beside_a_person(text: str, span: Finding) -> Iterable[Finding]:
    """Yield a person's finding extended by initials and by a form of address."""
    if before := _INITIALS_BEFORE.search(text, max(0, span.start - 24), span.start):
        yield span._replace(start=before.start())
    if called := _CALLED_BEFORE.search(text, max(0, span.start - 24), span.start):
        yield span._replace(start=called.start())
    if after := _INITIAL_AFTER.match(text, span.end):
        yield span._replace(end=after.end())


def in_columns(text: str) -> Iterable[Finding]:
    """Yield the findings in the cells of a table in plain text whose first line names the columns. Each header is the
    label of the cells below it.
    """
    if "\n" not in text:
        return
    lines = [(m.start(), m[0]) for m in re.finditer(r"[^\n]+", text)]
    for mark in ("|", "\t", ";", ",") if lines else ():
        heads = _cells(lines[0][1], mark)
        if len(heads) < _LEAST_COLUMNS or any(any(map(str.isdigit, h)) or len(h) > 30 for _, h in heads):
            continue
        asked = [_asks(h) for _, h in heads]
        if not any(asked):
            continue
        if len(heads) == _LEAST_COLUMNS and (rows := _of_form([line for _, line in lines], mark)):
            for (at, _), (head, (inner, cell)) in zip(lines, rows, strict=False):
                if _asks(head):
                    yield from (
                        f._replace(start=f.start + at + inner, end=f.end + at + inner) for f in _cell(cell, head, True)
                    )
            return
        of_people = any(_calls(h) for _, h in heads)
        if of_people:
            asked = [
                asks or _PLACES.fullmatch(h) is not None or _EXTENSIONS.fullmatch(h) is not None
                for asks, (_, h) in zip(asked, heads, strict=True)
            ]
        parted = sum(PARTS_OF_NAMES.fullmatch(h) is not None for _, h in heads) == 1
        for start, line in lines[1:_MOST_ROWS]:
            cells = _cells(line, mark)
            if len(cells) != len(heads):
                continue
            rows_person = of_people and any(
                _may_be_somebody(cell) for (_, head), (_, cell) in zip(heads, cells, strict=True) if _calls(head)
            )
            for (_, head), (at, cell), ask in zip(heads, cells, asked, strict=True):
                if parted and _OTHER_PART.fullmatch(head) and may_call_in_small_letters(cell, alone=True):
                    f = all_of(cell, "PERSON", 0.6)  # *nome* beside *cognome*
                    yield f._replace(start=f.start + start + at, end=f.end + start + at)
                elif ask:
                    yield from (
                        f._replace(start=f.start + start + at, end=f.end + start + at)
                        for f in _cell(cell, head, of_people, rows_person)
                    )
        return


_OTHER_PART = re.compile(LISTS.OTHER_PART, re.IGNORECASE)
"""Headers of given names if another column has the family name: *nome* beside *cognome*."""


def _calls(head: str) -> bool:
    """Return whether a header is one for names, of people or of things."""
    return head.lower() in _NAMES or entity_of_label(head) == "PERSON"


def _may_be_somebody(cell: str) -> bool:
    """Return whether a cell under *Name* may be a person. One English word, or small letters alone (*sum*), name a
    thing.
    """
    words = re.findall(r"[^\W\d_]+", cell)
    called = any(not w.islower() or w in given_names() for w in words)
    return called and (len(words) > 1 or not english(words[0]))


@lru_cache(maxsize=1_024)
def _asks(head: str) -> bool:
    """Return whether a header says what its cells are."""
    return entity_of_label(head) is not None or head.lower() in _NAMES | _FIRMS or may_ask_for_a_job(head)


_PLACES = re.compile(
    LISTS.PLACES,
    re.IGNORECASE,
)
"""Headers of towns in a table of people."""
_EXTENSIONS = re.compile(
    LISTS.EXTENSIONS,
    re.IGNORECASE,
)


def is_head(text: str, f: Finding) -> bool:
    """Return whether a finding is a header in the first line of a table (*Stanowisko*, *Mansione*), or the label of
    its line.
    """
    begin, end = text.rfind("\n", 0, f.start) + 1, text.find("\n", f.start)
    line = text[begin : end if end >= 0 else len(text)]
    at, stop = f.start - begin, f.end - begin
    if stop > len(line) or len(line) > _LONGEST_HEAD:
        return False
    if begin == 0 and end >= 0:
        for mark in ("|", "\t", ";", ","):
            heads = _cells(line, mark)
            if len(heads) < _LEAST_COLUMNS or any(any(map(str.isdigit, h)) for _, h in heads):
                continue
            if sum(_asks(h) for _, h in heads) * 2 <= len(heads):
                continue
            touched = [h for start, h in heads if start < stop and at < start + len(h)]
            if touched and all(map(_is_said_of_a_column, touched)):
                rows = text[end + 1 :].split("\n")
                return any(len(_cells(row, mark)) == len(heads) for row in rows)
    if line[stop:].lstrip(" ")[:1] not in (":", "："):
        return False
    label = _ENTRY.split(line[:stop])[-1]
    return len(label) >= stop - at and (
        entity_of_words(label.strip()) in _LABELS_OF_THINGS or may_ask_for_a_job(label.strip())
    )


def _is_said_of_a_column(head: str) -> bool:
    """Return whether a header consists only of words for its cells: *Town* does, *Peter Town* may be a person."""
    if not _asks(head):
        return False
    return (
        entity_of_words(head) is not None
        or head.lower() in _NAMES | _FIRMS
        or may_ask_for_a_job(head)
        or all(map(ordinary, re.findall(r"[^\W\d_]+", head)))
    )


_LONGEST_HEAD = 400
"""Most characters of a line of headers, or of a line with a label."""
_ENTRY = re.compile(r"[|\t;,·•]")
"""Separators between the entries of a line."""
_LABELS_OF_THINGS = LISTS.words("LABELS_OF_THINGS")


def _of_form(lines: Sequence[str], mark: str) -> list[tuple[str, tuple[int, str]]]:
    """Return (label, value) for the lines of a form: at least two lines begin with a label, and no value is a label.
    Empty for other lines.
    """
    rows = [_cells(line, mark) for line in lines]
    if any(len(row) != _LEAST_COLUMNS for row in rows):
        return []
    labels, values = [row[0][1] for row in rows], [row[1][1] for row in rows]
    named = [h for h in labels if entity_of_label(h) is not None and not any(map(str.isdigit, h))]
    if (
        len(named) < _LEAST_COLUMNS
        or len(named) * 2 < len(labels)
        or any(entity_of_label(v) is not None for v in values)
    ):
        return []
    return [(label, row[1]) for label, row in zip(labels, rows, strict=True)]


_NAMES = LISTS.words("NAMES")


_FIRMS = LISTS.words("FIRMS")


_TITLES = frozenset(["title", "titel", "role", "rolle", "rol", "roll"])
"""Headers of occupations that also head titles of books and roles of users."""


def _cell(cell: str, head: str, of_people: bool, beside_somebody: bool = True) -> Iterable[Finding]:
    """Yield the findings in a cell that its header gives.

    :param of_people: the table lists people, so the name of a company may consist of common words: *Blue Door*.
    :param beside_somebody: a person is in the same line, so any word may be an occupation.
    """
    text = cell.strip()
    if head.lower() in _NAMES:
        words = re.findall(r"[^\W\d_][\w'’-]*", text)
        if (
            0 < len(words) < 5
            and not any(map(str.isdigit, text))
            and any(w.lower() in given_names() or not english(w) for w in words if len(w) > 1)
        ):
            yield all_of(cell, "PERSON", 0.6)
        return
    if may_ask_for_a_job(head):
        job = job_under(head, cell)
        small = [w.lower() for w in re.findall(r"[^\W\d_]+", text)]
        if job:
            yield job
        elif (
            of_people
            and beside_somebody
            and text
            and head.lower() not in _TITLES
            and may_be_work(text)
            and not all(w in UI_WORDS for w in small)
        ):
            yield all_of(cell, "TITLE", 0.6)
    elif of_people and _EXTENSIONS.fullmatch(head):
        if re.fullmatch(r"[\d -]{2,12}", text):
            yield all_of(cell, "PHONE_NUMBER", 0.6)
    elif of_people and _PLACES.fullmatch(head):
        yield from context_findings(cell, TextContext("town"))
    elif head.lower() in _FIRMS and not any(map(str.isdigit, text)):
        words = re.findall(r"[^\W\d_][\w'’-]*", text)
        if 0 < len(words) < 7 and any(
            w.lower() not in UI_WORDS
            and w.lower() not in TECHNOLOGY
            and (not ordinary(w) or (of_people and len(words) > 1 and w[0].isupper()))
            for w in words
        ):
            yield all_of(cell, "ORGANIZATION", 0.6)
    elif 1 < len(text) <= 80 or text.isdecimal():
        yield from context_findings(cell, TextContext(head))


def _cells(line: str, mark: str) -> list[tuple[int, str]]:
    """Return (offset, text) for the cells of a line, without separators at its ends."""
    cells = []
    at = 0
    for piece in line.split(mark):
        cells.append((at, piece.strip() if mark != "," else piece.strip(' "')))
        at += len(piece) + len(mark)
    cells = [(start + len(line[start:]) - len(line[start:].lstrip(' "')), cell) for start, cell in cells]
    if mark == "|":
        cells = cells[1:] if cells and not cells[0][1] else cells
        cells = cells[:-1] if cells and not cells[-1][1] else cells
    return cells
