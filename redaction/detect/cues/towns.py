"""Find towns by a list of those that are neither words nor names (``words/towns.txt``): in a cell, behind a word for a place, and in a sentence with a capital."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...contracts.types import Finding
from ...words.phrases import Phrases
from ...words.words import lists_of

LISTS = Phrases("towns")

_LONGEST = 4_000
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"(?<![\w@./#&-])[^\W\d_]{2,24}(?:[ '’-][^\W\d_]{2,24}){0,3}(?![\w@/]|\.\w)")
_WHERE = re.compile(
    rf"(?<![^\W\d_])(?:{LISTS.WHERE})[ ]\Z",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _towns() -> dict[str, frozenset[str]]:
    """Return for each first word the names of towns that begin with it."""
    found: dict[str, set[str]] = {}
    for name in lists_of("towns.txt", ";")["towns"]:
        found.setdefault(_WORD.match(name)[0], set()).add(name)  # type: ignore[index]
    return {first: frozenset(names) for first, names in found.items()}


def find_towns(text: str) -> Iterable[Finding]:
    """Yield the towns in a text."""
    if len(text) > _LONGEST:
        return
    one_case = text.islower() or text.isupper()
    at = 0
    while match := _TOKEN.search(text, at):
        first = _WORD.match(match[0])
        assert first is not None
        at = match.start() + first.end()
        names = _towns().get(first[0].lower())
        if names is None:
            continue
        small = match[0].lower().replace("’", "'")
        ends = [m.end() for m in _WORD.finditer(small)]
        size = next((end for end in reversed(ends) if small[:end] in names), 0)
        if not size:
            continue
        start, end = match.start(), match.start() + size
        if _is_there(text, start, end, one_case):
            yield Finding(start, end, "LOCATION", 0.5)
            at = end


def _is_there(text: str, start: int, end: int, one_case: bool) -> bool:
    """Return whether a span is written like a town, and is at a place where a town can be named."""
    before, after = text[max(0, start - 24) : start], text[end : end + 2]
    alone = not before.rstrip(" \t").rpartition("\n")[2] or before.rstrip(" ")[-1:] in "|;,\t(/–—·:"
    apart = not after.strip() or after[:1] in "|;,\t)/.\n–—·"
    where = _WHERE.search(before) is not None
    if one_case:
        return (where or (alone and apart)) and end - start > 4
    return text[start].isupper() and (where or (alone and apart) or before[-1:] == " ")
