"""Drop findings in the strings of a program's interface: ``%d files in %s``, ``_Open…``, ``{count} <b>new</b>``.

Such a string holds no person's name, because the program inserts names later. If a model takes a word in such a string
for a person, the word is the name of a program or comes from another language. A text between two such strings counts
as such a string, too. Names of several parts, given names, and names after a title stay findings: the authors of a
program are people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from ...contracts.findings import Finding
from ...words.phrase_lists import PhraseLists
from ...words.word_lists import common_words, given_names
from ..filters.foreign_words import TITLE_BEFORE, is_foreign_interface_word, is_unknown_word

LISTS = PhraseLists("catalogues")

_MARK = re.compile(LISTS.MARK)
_SLOT = re.compile(
    r"(?<![\w/])<(?P<usage>[a-z][a-z0-9 _-]{1,20})>(?![\s\S]{0,600}</(?P=usage)>)|(?<![\w$])%?\{(?P<name>[a-z_][\w.]{1,30})\}"
)
"""A placeholder that is no HTML element: ``<channel>`` of a command's usage, ``{count}``, ``%{count}``. A name closed
by ``</channel>`` is an element.
"""
_PRESSED = re.compile(r"(?<![\w&])[^\W\d_]*[_&][^\W\d_]+(?![\w&])")
"""A word in which a sign marks the key to press: ``_Open``, ``E&xit``."""
_FORMAT = re.compile(LISTS.FORMAT)
"""Format codes in strings that look like passwords: ``%C22*%O$t%C18$1%O``, ``%d.%m.%Y``."""
_NEAR = 20
"""Texts before and after a text in which marked ones are counted."""
_LEAST = 3
_LONGEST = 600
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN = re.compile(r"[^\W\d_]?[^\W\d_A-Z]*")
_PART = re.compile(r"[^\W\d_]{2,}?(?=[A-Z_\d\W]|\Z)")
_NAMED = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP", "ADDRESS", "USERNAME", "TITLE", "ZIP_CODE"})
_MARKED_LEAST, _MARKED_SHARE = 8, 0.05
"""Least number of marked texts, and their least share of all, that make all of them strings of a program."""


def drop_in_program_strings(texts: Sequence[str], findings: Sequence[list[Finding]]) -> list[list[Finding]]:
    """Return the findings of each text without those in the strings of a program's interface."""
    marked = [has_programmer_mark(text) for text in texts]
    counted = list(accumulate(marked, initial=0))
    out = []
    for at, (text, found) in enumerate(zip(texts, findings, strict=True)):
        before = counted[at] - counted[max(0, at - _NEAR)]
        after = counted[min(len(texts), at + 1 + _NEAR)] - counted[at + 1]
        among = before + after >= _LEAST and (before or at < _NEAR) and (after or at >= len(texts) - _NEAR)
        nobodys = found and len(text) <= _LONGEST and (marked[at] or among)
        out.append([f for f in found if not is_not_a_name(text, f)] if nobodys else found)
    return out


def are_program_strings(texts: Sequence[str], min_count: int = _MARKED_LEAST) -> bool:
    """Return whether texts are the strings of a program: at least `min_count` of them, and one in twenty, have a
    programmer's mark.
    """
    marked = sum(map(has_programmer_mark, texts)) if len(texts) >= min_count else 0
    return marked >= max(min_count, _MARKED_SHARE * len(texts))


def has_programmer_mark(text: str) -> bool:
    """Return whether a text has a mark that programmers put into strings (``%d``, ``{count}``, ``_Open``)."""
    if len(text) > _LONGEST:
        return False
    pressed = (re.sub("[_&]", "", m[0]) for m in _PRESSED.finditer(text) if not _has_underscore_between_words(m[0]))
    slots = (str(m["usage"] or m["name"]) for m in _SLOT.finditer(text))
    return (
        _MARK.search(text) is not None
        or any(_is_common_word(word) for word in pressed)
        or any(all(map(_is_common_word, _PART.findall(slot))) for slot in slots)
    )


def _has_underscore_between_words(word: str) -> bool:
    """Return whether common words stand on both sides of an underscore. ``first_name`` is such a column header, and
    its underscore marks no key to press.
    """
    return all(len(part) >= _LEAST and _is_common_word(part) for part in re.split("[_&]", word))


def _is_common_word(word: str) -> bool:
    small = word.lower()
    return small not in given_names() and (small in common_words() or bool(is_foreign_interface_word(small)))


def is_not_a_name(text: str, finding: Finding) -> bool:
    """Return whether a finding cannot be a name: it has no given name, and at most one word that is in no word list."""
    value = text[finding.start : finding.end]
    if finding.entity == "SECRET":
        rest = _FORMAT.sub(" ", value)
        return (
            rest != value
            and not any(map(str.isdigit, rest))
            and all(_PLAIN.fullmatch(word) or _is_common_word(word) for word in _WORD.findall(rest))
        )
    if finding.entity not in _NAMED:
        return False
    words = _WORD.findall(value)
    if any(w.lower() in given_names() and w[0].isupper() for w in words) or TITLE_BEFORE.search(
        text, max(0, finding.start - 20), finding.start
    ):
        return False
    if finding.entity == "ADDRESS" and sum(c.isdigit() for c in value) > 1 and words:
        return False
    if finding.entity == "ZIP_CODE" and words and text[max(0, finding.start - 1) : finding.start] not in ("-", "_"):
        return False
    return len([w for w in words if w != w.lower() and is_unknown_word(w)]) < 2  # a reversed name ends in its capital
