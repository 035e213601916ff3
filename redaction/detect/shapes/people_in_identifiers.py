"""Find people in identifiers, such as ``row-maria-ostenvik`` and ``MariaOstenvik``: a given name beside a word that is in no list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from ...contracts.findings import Finding
from ...words.english import is_english_word, is_no_name
from ...words.phrase_lists import PhraseLists
from ...words.program_names import is_common_program_word
from ...words.word_lists import common_words, given_names, web_words
from ..cues.listed_names import is_listed_name
from ..filters.name_like_words import is_in_no_list
from ..filters.word_classes import is_technical_term

LISTS = PhraseLists("people")

_WORD = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+")
_JOINT = re.compile(r"[-_. ]{0,2}\Z")
_LEAST = 4
_TECHNICAL = LISTS.to_word_set("TECHNICAL")


def find_people_in_identifier(name: str) -> list[Finding]:
    """Return the people in an identifier."""
    names = given_names()
    words = list(_WORD.finditer(name))
    found: list[Finding] = []
    for at, match in enumerate(words):
        known = match[0].lower() in names
        if len(match[0]) < _LEAST or not (known or is_listed_name(match[0], given=True)):
            continue
        unknown = _is_unknown_word if known else _is_in_no_list_at_all
        for other in (w for w in (at + 1, at - 1) if 0 <= w < len(words) and unknown(words[w][0])):
            first, last = sorted((match, words[other]), key=re.Match.start)
            if _JOINT.match(name, first.end(), last.start()) and not (found and found[-1].end > first.start()):
                found.append(Finding(first.start(), last.end(), "PERSON", 0.7))
                break
    return found or list(_iter_people_in_document_name(words, name))


_DOCUMENTS = LISTS.to_word_set("DOCUMENTS")
"""Words for personal documents, which file names combine with the person's name."""


def _iter_people_in_document_name(words: list[re.Match[str]], name: str) -> Iterator[Finding]:
    """Yield the two unknown words beside a word for a personal document: ``CV_Oluwatobi_Fagbemi``."""
    for at, match in enumerate(words):
        if match[0].lower() not in _DOCUMENTS:
            continue
        for pair in (words[at + 1 : at + 3], words[max(0, at - 2) : at]):
            if len(pair) < 2:
                continue
            first, last = pair
            if (
                _is_in_no_list_at_all(first[0])
                and _is_in_no_list_at_all(last[0])
                and _JOINT.match(name, first.end(), last.start())
            ):
                yield Finding(first.start(), last.end(), "PERSON", 0.7)
                return


def _is_unknown_word(word: str) -> bool:
    small = word.lower()
    return len(word) >= _LEAST and small not in common_words() and small not in _TECHNICAL and small not in web_words()


def _is_in_no_list_at_all(word: str) -> bool:
    """Return whether a word is in no list at all. A word of a program beside a rare name is no family name."""
    return _is_unknown_word(word) and not is_english_word(word) and not is_common_program_word(word.lower())


_SPOKEN = re.compile(r"(?<![\w@-])[^\W\d_]{3,}(?:['’-][^\W\d_]{3,})*(?![\w@])")
_APART = re.compile(r"[ \u00a0]{1,2}|[ ]?\r?\n[ ]{0,8}")
"""Text between the words of a name: a space, or a line break."""
_HYPHEN = re.compile("['’-]")
_LEAST_UNCASED = 5
"""Least letters of a family name without capitals: shorter ones are words of some language as well."""


def find_people_by_given_name(text: str) -> list[Finding]:
    """Return people in readable text: a listed given name directly before a word that is in no list (``Ottilie
    Kvungkvaust Panel``, ``ottilie.kvungkvaust``).

    Only people have such names, so neither context nor a model is needed.
    """
    uncased = text.islower() or text.isupper()
    return [
        Finding(given.start(), family.end(), "PERSON", 0.6)
        for given, family in pairwise(_SPOKEN.finditer(text))
        if _are_names_of_one_person(given, family, uncased)
    ]


_JOINED = re.compile(r"([a-z]{9,24})[0-9]{0,4}")
_LEAST_JOINED = 5
"""Least letters of a name that is written as one word with another: words of many languages begin with shorter ones."""


def find_joined_names(text: str) -> Iterator[Finding]:
    """Yield the user name if a text is a common given name and a family name written as one word
    (``michellewhite``, ``robertsmichelle42``), and the word is in no list.
    """
    said = text.strip()
    match = _JOINED.fullmatch(said)
    if match is not None and _consists_of_two_names(match[1]):
        start = text.index(said)
        yield Finding(start, start + len(said), "USERNAME", 0.7)


@lru_cache(maxsize=20_000)
def _consists_of_two_names(word: str) -> bool:
    halves = [(word[:at], word[at:]) for at in range(_LEAST, len(word) - _LEAST + 1)]
    pairs = [*halves, *((second, first) for first, second in halves)]
    joined = any(_is_common_given_name(given) and _may_be_joined_family(family) for given, family in pairs) or any(
        _is_common_given_name(given) and is_english_word(family) for given, family in halves
    )
    return joined and _is_in_no_list_at_all(word) and is_in_no_list(word)


def _is_common_given_name(word: str) -> bool:
    return word in given_names() and not is_no_name(word)


def _may_be_joined_family(word: str) -> bool:
    return is_listed_name(word) or word in given_names()


def _are_names_of_one_person(first: re.Match[str], second: re.Match[str], uncased: bool) -> bool:
    text, given, family = first.string, first[0], second[0]
    between = text[first.end() : second.start()]
    if between == ".":
        if text[first.start() - 1 : first.start()] == "/":
            return False  # a file's name, and its kind
        small = uncased or (given + family).islower() or (given + family).isupper()
    elif _APART.fullmatch(between):
        small = uncased
    else:
        return False
    if small:
        if len(given) < _LEAST or len(family) < _LEAST_UNCASED or is_no_name(given):
            return False
    elif uncased or not (given[0].isupper() and family[0].isupper()) or is_technical_term(family):
        return False
    return is_given_name(given) and _consists_of_unknown_words(family)


@lru_cache(maxsize=20_000)
def is_given_name(word: str) -> bool:
    """Return whether a word is a listed given name."""
    return word.lower() in given_names() or is_listed_name(word, given=True)


@lru_cache(maxsize=20_000)
def _consists_of_unknown_words(word: str) -> bool:
    return len(word) >= _LEAST and all(map(is_in_no_list, _HYPHEN.split(word)))


def split_name_into_words(name: str) -> str:
    """Return a person's name from an identifier, with spaces between its words: ``MariaOstenvik`` and
    ``maria_ostenvik`` become two words.
    """
    return " ".join(m[0] for m in _WORD.finditer(name))
