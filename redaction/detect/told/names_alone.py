"""Names that are a whole text, as in a cell or a button, with the family's first, too: *Kowalska Anna*, *Della Rovere Mafalda*."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...contracts.types import Finding
from ...words.words import UI_WORDS, given_names, lists_of
from ..judging.telling import heard_by_nobody

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_WHOLE = re.compile(
    rf"\s*(?P<s>{_WORD.pattern}(?:[ ]{_WORD.pattern}){{0,2}},?[ ]{_WORD.pattern}(?:[ ]{_WORD.pattern})?)\s*"
)
_PARTICLES = frozenset(
    [
        "al",
        "ben",
        "bin",
        "bint",
        "da",
        "das",
        "de",
        "degli",
        "dei",
        "del",
        "dell",
        "della",
        "den",
        "der",
        "di",
        "do",
        "dos",
        "du",
        "el",
        "e",
        "i",
        "la",
        "le",
        "lo",
        "san",
        "st",
        "ter",
        "van",
        "vom",
        "von",
        "y",
        "zu",
        "zum",
    ]
)
_LONGEST = 60


def find_names_alone(text: str) -> Iterable[Finding]:
    """Yield the whole text, where it is such a name."""
    if len(text) > _LONGEST or not (match := _WHOLE.fullmatch(text)):
        return
    words = [w for w in _WORD.findall(match["s"]) if w not in _PARTICLES]
    told = [w.lower() for w in words if w.lower() not in _PARTICLES]
    one_case = text.islower() or text.isupper()
    if len(told) < 2 or not (one_case or all(w[0].isupper() for w in words)):
        return
    given, family = _names()
    first = [w for w in told if (w in given and heard_by_nobody(w)) or (w in given_names() and w not in UI_WORDS)]
    rest = [w for w in told if w not in first]
    if (
        first
        and rest
        and all(w in given or w in family or heard_by_nobody(w) for w in rest)
        and any(map(heard_by_nobody, rest))
    ):
        yield Finding(*match.span("s"), "PERSON", 0.7)
    elif "," in match["s"] and not one_case and all(map(heard_by_nobody, told)):
        yield Finding(*match.span("s"), "PERSON", 0.6)


@lru_cache(maxsize=1)
def _names() -> tuple[frozenset[str], frozenset[str]]:
    """Given names and families' by the list."""
    lists = lists_of("names_latin.txt")
    return lists["given"] | lists["both"], lists["family"] | lists["both"]
