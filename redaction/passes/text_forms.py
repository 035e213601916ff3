"""Decide what kind of string a string is (code, a path segment), and which adjacent strings are read as one text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..content.form_controls import is_user_name_like
from ..detect.cues.label_entities import find_label_entity
from ..detect.source_code import is_database_query, looks_like_source_code

_LINES = 2
"""Line ends from which on a value may be a program. A single line may be a password, a name, a note."""
PLAIN = re.compile(r"[a-z]+(?: [a-z]+)?|\d{1,4}0")
"""Small words or a round number, as in a choice or a search."""
NO_BREAK = "\xa0"
"""The space that an editor puts at the end of a text until something follows."""
_BETWEEN_WORDS = re.compile(r"[-_.+~]")
_DAY = re.compile(r"(?:\d{1,2}(?:st|nd|rd|th|\.)?[ ][^\W\d_]{3,}|\d{4}-\d\d|\d{1,2}[./]\d{1,2}[./]\d).{0,40}\Z")
_TIME = re.compile(r"\d:\d\d\Z")
_LETTER = re.compile(r"[^\W\d_]")


def label_names_entity(label: str) -> bool:
    """Return whether a label announces an entity, such as a telephone number or a name."""
    return bool(label) and find_label_entity(label) not in (None, "VALUE")


def is_source_code(value: str, label: str) -> bool:
    """Return whether a value is source code: a database query, or a program of several lines. A value whose label
    announces another kind of data is no source code.
    """
    return not label_names_entity(label) and (
        is_database_query(value) or (value.count("\n") >= _LINES and looks_like_source_code(value))
    )


def group_text_pieces(pieces: Sequence[str]) -> list[list[str]]:
    """Split adjacent texts into groups that are each read as one text.

    ``Pri`` and ``ya`` are one group, and so are ``Hello `` and ``Anna``. ``Anna`` and ``Berlin`` without a space
    between them are two cells that a style sheet keeps apart.
    """
    out: list[list[str]] = []
    for piece in pieces:
        if out and not _are_separate_texts(out[-1][-1], piece):
            out[-1].append(piece)
        else:
            out.append([piece])
    return out


def find_user_name_before_date(texts: Sequence[str]) -> str | None:
    """Return the user name in two texts of which the second is a date, or None. Only a style sheet separates the two,
    and the detector would not find the name alone.
    """
    by_day = len(texts) == 2 and _DAY.match(texts[1].strip()) is not None
    return texts[0].strip() if by_day and is_user_name_like(texts[0]) else None


def _are_separate_texts(left: str, right: str) -> bool:
    if not left or not right:
        return False
    if len(left) == len(right) == 1:
        return False  # letters that a script sets one by one
    a, b = left[-1], right[0]
    if a.isdigit() and b.isdigit():  # 11:06 and 781 B are two columns, 4111 and 1111 one card
        return bool(_TIME.search(left)) or any(" " in each.strip() and _LETTER.search(each) for each in (left, right))
    if a.isupper() and b.isupper():  # 781 B and Clay
        return right[1:2].islower() and " " in left.strip()
    return (a.isalnum() and b.isalnum()) and (
        (not a.isupper() and b.isupper()) or (a.isdigit() != b.isdigit() and len(left) > 1)
    )


def split_slug(segment: str) -> str:
    """Return a path segment with its words separated by spaces, of equal length: ``priya-raghunathan`` becomes two
    words.
    """
    return _BETWEEN_WORDS.sub(" ", segment)
