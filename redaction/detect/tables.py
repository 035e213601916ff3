"""Find the positions and the initials beside a person, and the cells of a table that its header names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..contracts.findings import Finding, TextContext, build_whole_text_finding
from ..words.english import is_english_word, is_no_name
from ..words.phrase_lists import PhraseLists
from ..words.word_lists import TECHNOLOGY, UI_WORDS, given_names
from .cues.label_entities import find_by_label, find_label_entity, may_be_occupation
from .cues.positions import find_positions
from .cues.under_labels import find_occupation_under_label, may_ask_for_occupation

LISTS = PhraseLists("tables")

_INITIALS_BEFORE = re.compile(
    r"(?<![\w@./&-])(?:[^\W\d_]\.[ -]?|(?-i:[^\W\d_a-z])[ ]){1,3}(?:(?:de|den|der|di|da|la|le|van|von|bin|ben|al|el)[ ]){0,2}\Z",
    re.IGNORECASE,
)
_LEAST_COLUMNS = 2
_MOST_ROWS = 200


def find_related_findings(text: str, spans: Sequence[Finding]) -> list[Finding]:
    """Return new findings beside those in `spans`: a person's position and initials, and the cells of a table whose
    column header names an entity.

    :param spans: the findings so far, without overlap.
    """
    found = list(find_by_column_headers(text))
    if any(span.entity == "PERSON" for span in spans):
        found += find_positions(text, spans)
    for span in spans:
        before = _INITIALS_BEFORE.search(text, max(0, span.start - 24), span.start) if span.entity == "PERSON" else None
        if before:
            found.append(span._replace(start=before.start()))
    return found


def find_by_column_headers(text: str) -> Iterable[Finding]:
    """Yield the findings in the cells of a table in plain text whose first line names the columns. Each header is the
    label of the cells below it.
    """
    if "\n" not in text:
        return
    lines = [(m.start(), m[0]) for m in re.finditer(r"[^\n]+", text)]
    for mark in ("|", "\t", ";", ",") if lines else ():
        heads = _split_cells(lines[0][1], mark)
        if len(heads) < _LEAST_COLUMNS or any(any(map(str.isdigit, h)) or len(h) > 30 for _, h in heads):
            continue
        asked = [_describes_cells(h) for _, h in heads]
        if not any(asked):
            continue
        of_people = any(_is_name_header(h) for _, h in heads)
        if of_people:
            asked = [asks or _PLACES.fullmatch(h) is not None for asks, (_, h) in zip(asked, heads, strict=True)]
        for start, line in lines[1:_MOST_ROWS]:
            cells = _split_cells(line, mark)
            if len(cells) != len(heads):
                continue
            for (_, head), (at, cell), ask in zip(heads, cells, asked, strict=True):
                if ask:
                    yield from (
                        f._replace(start=f.start + start + at, end=f.end + start + at)
                        for f in _find_personal_data_in_cell(cell, head, of_people)
                    )
        return


def _is_name_header(header: str) -> bool:
    """Return whether a column header announces names, of people or of objects."""
    return header.lower() in _NAMES or find_label_entity(header) == "PERSON"


@lru_cache(maxsize=1_024)
def _describes_cells(header: str) -> bool:
    """Return whether a header names the kind of its cells."""
    return find_label_entity(header) is not None or header.lower() in _NAMES | _FIRMS or may_ask_for_occupation(header)


_PLACES = re.compile(LISTS.PLACES, re.IGNORECASE)
"""Headers of towns in a table of people."""

_NAMES = LISTS.to_word_set("NAMES")


_FIRMS = LISTS.to_word_set("FIRMS")


_TITLES = frozenset(["title", "titel", "role", "rolle", "rol", "roll"])
"""Headers of occupations that also head titles of books and roles of users."""


def _find_personal_data_in_cell(cell: str, header: str, is_list_of_people: bool) -> Iterable[Finding]:
    """Yield the findings in a cell under its header.

    :param is_list_of_people: the table lists people, so a company may be of common words: *Blue Door*.
    """
    text = cell.strip()
    if header.lower() in _NAMES:
        words = re.findall(r"[^\W\d_][\w'’-]*", text)
        if (
            0 < len(words) < 5
            and not any(map(str.isdigit, text))
            and any(w.lower() in given_names() or not is_english_word(w) for w in words if len(w) > 1)
        ):
            yield build_whole_text_finding(cell, "PERSON", 0.6)
        return
    if may_ask_for_occupation(header):
        job = find_occupation_under_label(header, cell)
        small = [w.lower() for w in re.findall(r"[^\W\d_]+", text)]
        if job:
            yield job
        elif (
            is_list_of_people
            and text
            and header.lower() not in _TITLES
            and may_be_occupation(text)
            and not all(w in UI_WORDS for w in small)
        ):
            yield build_whole_text_finding(cell, "TITLE", 0.6)
    elif is_list_of_people and _PLACES.fullmatch(header):
        yield from find_by_label(cell, TextContext("town"))
    elif header.lower() in _FIRMS and not any(map(str.isdigit, text)):
        words = re.findall(r"[^\W\d_][\w'’-]*", text)
        if 0 < len(words) < 7 and any(
            w.lower() not in UI_WORDS
            and w.lower() not in TECHNOLOGY
            and (not is_no_name(w) or (is_list_of_people and len(words) > 1 and w[0].isupper()))
            for w in words
        ):
            yield build_whole_text_finding(cell, "ORGANIZATION", 0.6)
    elif 1 < len(text) <= 80 or text.isdecimal():
        yield from find_by_label(cell, TextContext(header))


def _split_cells(line: str, separator: str) -> list[tuple[int, str]]:
    """Return (offset, text) for the cells of a line, without separators at its ends."""
    cells = []
    at = 0
    for piece in line.split(separator):
        cells.append((at, piece.strip() if separator != "," else piece.strip(' "')))
        at += len(piece) + len(separator)
    cells = [(start + len(line[start:]) - len(line[start:].lstrip(' "')), cell) for start, cell in cells]
    if separator == "|":
        cells = cells[1:] if cells and not cells[0][1] else cells
        cells = cells[:-1] if cells and not cells[-1][1] else cells
    return cells
