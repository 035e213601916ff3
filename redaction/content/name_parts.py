"""Find the two halves of a name in adjacent cells: *Ostenvik | Tamsin*, *T. | Ostenvik*, ``["Ostenvik", "Tamsin"]``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..detect.cues.listed_names import is_listed_name
from ..detect.filters.name_like_words import is_in_no_list
from ..detect.shapes.people_in_identifiers import is_given_name

FULL_NAME: Final = "Full name"
"""The label under which both halves are searched together."""
_PART: Final = re.compile(r"[^\W\d_a-z][^\W\d_]{2,}(?:['’-][^\W\d_]{2,})?|[^\W\d_a-z]\.")
_INITIAL: Final = 2
HALVES: Final = frozenset({"first", "last", "given", "family", "middle"})
"""Words in the headers of two columns that together hold a name."""


def may_be_name_part(text: str) -> bool:
    """Return whether a text is one capitalized word, or an initial."""
    return 1 < len(text) < 40 and _PART.fullmatch(text) is not None


def iter_split_names(cells: Sequence[str], *, in_one_column: bool = False) -> Iterator[int]:
    """Yield the index of each cell that makes a name with the next cell, in order and without overlap.

    One of the two is a given name or an initial, the other a word that is in no list.

    :param in_one_column: the cells stand one below the other. Initials and listed family names are then not enough: in that
        order they are mostly a coincidence.
    """
    at = 0
    while at + 1 < len(cells):
        if _are_given_and_family_name(cells[at], cells[at + 1], in_one_column) or _are_given_and_family_name(
            cells[at + 1], cells[at], in_one_column
        ):
            yield at
            at += 1
        at += 1


def _are_given_and_family_name(given: str, family: str, in_one_column: bool) -> bool:
    if not (may_be_name_part(given) and may_be_name_part(family)) or len(family) <= _INITIAL:
        return False
    initial = len(given) == _INITIAL
    if not (is_given_name(given) or (initial and not in_one_column)):
        return False
    return is_in_no_list(family) or (not initial and not in_one_column and is_listed_name(family))


_FIRST: Final = re.compile(r"[^\W\d_a-z][^\W\d_]{4,}(?:['’-][^\W\d_]{2,})?(?![\w-])")
_LAST: Final = re.compile(r"(?<![\w-])[^\W\d_a-z][^\W\d_]{2,}\Z")


def find_given_name_at_end(text: str) -> str:
    """Return the given name at the end of a line, or the empty string."""
    last = _LAST.search(text[-40:])
    return last[0] if last is not None and is_given_name(last[0]) else ""


def find_family_name_at_start(text: str) -> str:
    """Return the capitalized word at the start of a line if it is in no word list, or the empty string."""
    first = _FIRST.match(text)
    return first[0] if first is not None and is_in_no_list(first[0]) else ""


def split_after_first_word(text: str) -> tuple[str, str]:
    """Split a text behind its first word, and return both parts."""
    first, _, rest = text.partition(" ")
    return first, rest
