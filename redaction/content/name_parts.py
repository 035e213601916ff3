"""Parts of one name that stand side by side, each in a cell of its own: *Ostenvik | Tamsin*, *T. | Ostenvik*, ``["Ostenvik", "Tamsin"]``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..detect.around.listed_names import is_listed
from ..detect.judging.telling import heard_by_nobody
from ..detect.people import is_given

FULL_NAME: Final = "Full name"
"""The label under which the parts are read together."""
_PART: Final = re.compile(r"[^\W\d_a-z][^\W\d_]{2,}(?:['’-][^\W\d_]{2,})?|[^\W\d_a-z]\.")
_INITIAL: Final = 2


def may_be_part(said: str) -> bool:
    """Return whether a text is one word with a capital, or an initial."""
    return 1 < len(said) < 40 and _PART.fullmatch(said) is not None


def parts_of_names(cells: Sequence[str]) -> Iterator[int]:
    """Yield where of two neighbouring cells one is a given name, or an initial, and the other one a word that nobody knows; in order, without overlap."""
    at = 0
    while at + 1 < len(cells):
        if _named(cells[at], cells[at + 1]) or _named(cells[at + 1], cells[at]):
            yield at
            at += 1
        at += 1


def _named(given: str, family: str) -> bool:
    if not (may_be_part(given) and may_be_part(family)) or len(family) <= _INITIAL:
        return False
    initial = len(given) == _INITIAL
    if not (initial or is_given(given)):
        return False
    return heard_by_nobody(family) or (not initial and is_listed(family))


def halves(shown: str) -> tuple[str, str]:
    """Return a text of two words as these two; one of another number as its first word and the rest."""
    first, _, rest = shown.partition(" ")
    return first, rest
