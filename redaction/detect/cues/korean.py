"""Find people in Korean texts: by a form of address beside a name, or by a surname and the syllables of given names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...contracts.findings import Finding
from ...words.names_by_script import read_name_lists
from ...words.phrase_lists import PhraseLists

LISTS = PhraseLists("korean")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_KO_TITLES = LISTS.KO_TITLES
_KO_PARTICLE = rf"(?:{LISTS.KO_PARTICLE})?"
_KO_HONORED = re.compile(
    rf"(?<![\uac00-\ud7af])(?P<s>[\uac00-\ud7af]{{2,4}})(?:\s(?:{_KO_TITLES})|님|씨)(?![\uac00-\ud7af]{{3}})"
)


@lru_cache(maxsize=1)
def _load_korean_name_lists() -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    lists = read_name_lists()
    return lists["ko surnames"], lists["ko compounds"], lists["ko first"], lists["ko second"], lists["ko not-names"]


def find_korean_people(text: str) -> Iterable[Finding]:
    """Yield the people in a Korean text: names beside a form of address, or a surname with two syllables of given names."""
    if not _HANGUL.search(text):
        return
    never = _load_korean_name_lists()[4]
    for match in _KO_HONORED.finditer(text):
        if match["s"] not in never and _is_korean_name(match["s"], strict=False):
            yield Finding(*match.span("s"), "PERSON", 0.7)
    for match in re.finditer(r"[\uac00-\ud7af]+", text):
        word = match[0]
        if len(word) > 8 or word[:3] in never or word in never:
            continue
        for size in (3, 4):
            named = size <= len(word) and _is_korean_name(word[:size], strict=True)
            if named and re.fullmatch(rf"(?:{_KO_TITLES})?{_KO_PARTICLE}", word[size:]):
                yield Finding(match.start(), match.start() + size, "PERSON", 0.6)
                break


_KO_ENDS = frozenset("은는이가을를의에로도만과와고게나라다")
"""Syllables that end a name and are also particles."""


def _is_korean_name(word: str, strict: bool) -> bool:
    surnames, compounds, first, second, never = _load_korean_name_lists()
    if word in never:
        return False
    family = 2 if word[:2] in compounds and len(word) > 2 else 1 if word[0] in surnames else 0
    given = word[family:]
    if not family or not 1 <= len(given) <= 2:
        return False
    if len(given) == 1:
        return family == 2 and given in second if strict else given in second
    if not strict:
        return given[0] in first or given[1] in second
    return given[0] in first and given[1] in second and given[1] not in _KO_ENDS
