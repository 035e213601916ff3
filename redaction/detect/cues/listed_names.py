"""Find people and towns by lists of names without common words (`names_latin.txt`, `towns.txt`), where they fill a cell or a line.

A capitalized town is also found within a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...contracts.findings import Finding
from ...words.english import CHAT
from ...words.phrase_lists import PhraseLists
from ...words.word_lists import (
    LANGUAGES,
    TECHNOLOGY,
    UI_WORDS,
    common_words,
    function_words,
    given_names,
    product_names,
    read_lists_by_kind,
)
from ..filters.foreign_words import is_foreign_interface_word
from ..filters.name_like_words import is_in_no_list

LISTS = PhraseLists("listed_names")

_LABELS = frozenset(["born", "died", "baptised", "baptized", "buried"])
"""Labels for dates of a life that are also family names."""
_LONGEST = 2_000
_CELL = re.compile(r"[^|·•\t\n;:/(){}\[\]\"]+(?!:)")
_TOWN = re.compile(r"(?<![\w@./#&-])[^\W\d_a-z][^\W\d_]{1,23}(?:[ '’-][^\W\d_]{2,24}){0,3}(?![\w@/]|\.\w)")
_WORDS = re.compile(r"[^\W\d_]+(?:(?:[ '’-]|,[ ]|\.[ ]?)[^\W\d_]+)*\.?")
_WRITTEN = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{2,}")
_END_OF_WORD = re.compile(r"(?<=\w)(?!\w)")
PARTICLES = LISTS.to_word_set("PARTICLES")
"""Small words within a name. *Ben* is left out, because it is a given name."""


def find_listed_names(text: str) -> Iterable[Finding]:
    """Yield people and towns that fill a cell or a line, and capitalized towns within a sentence."""
    if len(text) > _LONGEST:
        return
    for cell in _CELL.finditer(text):
        said = cell[0].strip(" -–—*:.,!?'’")
        before = text[: cell.start()].rstrip()[-1:]
        if (
            said
            and (before == ":" or said.lower() not in _LABELS)
            and (kind := _classify_cell(said, text.islower() or text.isupper()))
        ):
            start = cell.start() + cell[0].index(said)
            yield Finding(start, start + len(said), kind, 0.5)
    towns = read_lists_by_kind("towns.txt", ";")["towns"]
    for found in _TOWN.finditer(text):
        small = found[0].lower().replace("’", "'")
        ends = [end.start() for end in _END_OF_WORD.finditer(small)]
        if (
            len(small) == len(found[0])
            and not text.isupper()
            and (size := next((end for end in reversed(ends) if small[:end] in towns), 0))
        ):
            yield Finding(found.start(), found.start() + size, "LOCATION", 0.5)


def _classify_cell(text: str, has_one_case: bool) -> str:
    """Return the entity of a cell's text: ``PERSON``, ``LOCATION`` (a listed town), or the empty string.

    The text is a person if each of its words is a listed name or in no list. One of the words must be a listed name, or
    two or three of them must be capitalized.
    """
    if text.lower() in read_lists_by_kind("towns.txt", ";")["towns"]:
        return "LOCATION"
    own = [word for word in re.findall(r"[^\W_]+", text) if word.lower() not in PARTICLES]
    if not _WORDS.fullmatch(text) or len(own) > _LONGEST_NAME or not (has_one_case or all(w[0].isupper() for w in own)):
        return ""
    named = all(is_in_any_name_list(word.lower()) or is_in_no_list(word) for word in own)
    written = not has_one_case and 1 < len(own) < _LONGEST_NAME and all(map(_WRITTEN.fullmatch, own))
    return "PERSON" if named and (written or any(map(is_listed_name, own))) else ""


def is_listed_name(word: str, given: bool = False) -> bool:
    """Return whether a word is in the list of Latin names, and no word that programs use.

    :param given: only given names count, and not family names.
    """
    small = word.lower().replace("’", "'").removesuffix("'s")
    lists = read_lists_by_kind("names_latin.txt")
    return (
        len(small) > 2
        and (small in lists["both"] or small in lists["given"] or (not given and small in lists["family"]))
        and not _is_listed_non_name(small)
    )


_LONGEST_NAME, _LONGEST_WORDS = 4, 6


def is_in_any_name_list(word: str) -> bool:
    """Return whether a word in small letters is in a list of names, and no word of interfaces."""
    return is_listed_name(word) or (word in given_names() and word not in UI_WORDS)


def may_be_single_word_name(word: str) -> bool:
    """Return whether a word in small letters is in a list of names, or in no list at all."""
    return is_in_any_name_list(word) or all(map(is_in_no_list, re.split("['’ʻ-]", word)))


def may_be_uncapitalized_name(value: str, alone: bool = False) -> bool:
    """Return whether a value without capitals may be a name.

    Half of its words must be listed names or in no list; a third is enough if one is a listed name. None may be a
    word of interfaces.

    :param alone: one word that is in no list is enough, because the label asks for nothing but people.
    """
    words = re.findall(r"[^\W\d_]+(?:['’ʻ-][^\W\d_]+)*", value.lower())
    own = [w for w in words if w not in PARTICLES and len(w) > 1]
    if not 0 < len(own) <= _LONGEST_NAME or len(words) > _LONGEST_WORDS:
        return False
    told = [w for w in own if is_in_any_name_list(w)]
    strange = [w for w in own if w not in told and may_be_single_word_name(w)]
    if any(w in UI_WORDS or w in function_words("small") for w in own if w not in told):
        return False
    if len(own) == 1:
        return bool(told) or (alone and bool(strange) and len(own[0]) > 3)
    return len(own) <= (3 if told else 2) * (len(told) + len(strange))


@lru_cache(maxsize=20_000)
def _is_listed_non_name(lower_word: str) -> bool:
    return (
        lower_word in UI_WORDS
        or lower_word in common_words()
        or lower_word in TECHNOLOGY
        or lower_word in LANGUAGES
        or lower_word in product_names()
        or lower_word in CHAT
        or bool(is_foreign_interface_word(lower_word))
    )
