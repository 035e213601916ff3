"""Find people by a list of names that are no common words (`names_latin.txt`): alone in a cell, and at places where only people are named.

Models know the names in the news. They often miss a name from Accra or Turku that stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...contracts.types import Finding
from ...words.english import CHAT, ordinary
from ...words.phrases import Phrases
from ...words.prefiltered_pattern import PrefilteredPattern
from ...words.words import (
    LANGUAGES,
    TECHNOLOGY,
    UI_WORDS,
    common_words,
    function_words,
    given_names,
    lists_of,
    products,
)
from ..filters.foreign import is_foreign, known
from ..filters.name_like_words import is_in_no_list
from ..filters.prose import sentence_like

LISTS = Phrases("listed_names")

_PIECE = re.compile(r"[^|·•\t\n;/(){}\[\]\"]+")
_NAME = re.compile(
    r"(?:[^\W\d_]\.?|[^\W\d_]{2,}(?:['’-][^\W\d_]{2,})*)(?:,?[ ](?:[^\W\d_]\.?|[^\W\d_]{2,}(?:['’-][^\W\d_]{2,})*)){0,4}"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_LABELLED = PrefilteredPattern(
    r"(?:\A|(?<=[\n|\t•]))[^\w\n]*(?:[^\W\d_][\w'’ -]{1,28}?[ ]?\d{0,4}:[ ]+|[-–—*•]+[ ]|[^\W\d_]+[ ]\d{1,4}:[ ])?(?P<s>[^\n|\t•:;]{3,60}?)(?=[.!?]*[ ]*(?:\Z|[\n|\t•:;]|,[ ]\d))"
)
PARTICLES = LISTS.words("PARTICLES")
"""Small words within a name. *Ben* is none of them: people are called so."""
_HONORIFICS = LISTS.words("HONORIFICS")
_LABELS = frozenset(["born", "died", "baptised", "baptized", "buried"])
"""Labels of a life by which families are called as well: a line of its own is one, what stands behind a person's label is not."""
_WRITTEN = re.compile(
    r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{2,}(?:['’-][A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿ]{2,})*(?:[ ][A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{2,}(?:['’-][A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿ]{2,})*){1,2}"
)
_FIRST = re.compile(rf"(?P<s>{_WRITTEN.pattern}),[ ]?")
"""Two or three words that are written as a name is; and such ones before the first comma."""


def _is_unlisted_name(said: str) -> bool:
    """Return whether a text is two or three words that are written like names and that no list has. Such a text is taken for a name."""
    return _WRITTEN.fullmatch(said) is not None and all(map(is_in_no_list, _WORD.findall(said)))


def is_listed(word: str, given: bool = False) -> bool:
    """Return whether a word is in the list of Latin names, and no word that programs use.

    :param given: a family name is not enough.
    """
    small = word.lower().replace("’", "'").removesuffix("'s")
    lists = lists_of("names_latin.txt")
    return (
        len(small) > 2
        and (small in lists["both"] or small in lists["given"] or (not given and small in lists["family"]))
        and not _taken(small)
    )


_LONGEST_NAME, _LONGEST_WORDS = 4, 6


def is_listed_anywhere(word: str) -> bool:
    """Return whether a word in small letters is in a list of names, and no word of interfaces."""
    return is_listed(word) or (word in given_names() and word not in UI_WORDS)


def may_be_a_name_alone(word: str) -> bool:
    """Return whether a word in small letters is in a list of names, or in no list at all."""
    return is_listed_anywhere(word) or all(map(is_in_no_list, re.split("['’ʻ-]", word)))


def names_within_people(text: str, persons: Iterable[Finding]) -> Iterable[Finding]:
    """Yield the names within people that a model of English found in a text of another language and one case of letters.

    A part counts if it is a listed name or in no list: of *il liutaio eustachio loperfido* the last two words. The whole finding is not believed.
    """
    if not (text.islower() or text.isupper()) or not sentence_like(text) or not is_foreign(text):
        return
    for f in persons:
        start = end = -1
        for word in re.finditer(r"[^\W\d_]+(?:['’ʻ-][^\W\d_]+)*", text[f.start : f.end]):
            if len(word[0]) <= _SHORTEST_STRANGER or not may_be_a_name_alone(word[0].lower()):
                continue
            if start >= 0 and text[end : f.start + word.start()] != " ":
                yield Finding(start, end, "PERSON", 0.5)
                start = -1
            start, end = f.start + word.start() if start < 0 else start, f.start + word.end()
        if start >= 0:
            yield Finding(start, end, "PERSON", 0.5)


_SHORTEST_STRANGER = 3


def may_call_in_small_letters(value: str, alone: bool = False) -> bool:
    """Return whether a value without capitals may be a name.

    Half of its words must be listed names or in no list; a third is enough if one is a listed name. None may be a word of interfaces.

    :param alone: one word that no list has is enough, because the label asks for nothing but people.
    """
    words = re.findall(r"[^\W\d_]+(?:['’ʻ-][^\W\d_]+)*", value.lower())
    own = [w for w in words if w not in PARTICLES and len(w) > 1]
    if not 0 < len(own) <= _LONGEST_NAME or len(words) > _LONGEST_WORDS:
        return False
    told = [w for w in own if is_listed_anywhere(w)]
    strange = [w for w in own if w not in told and may_be_a_name_alone(w)]
    if any(w in UI_WORDS or w in function_words("small") for w in own if w not in told):
        return False
    if len(own) == 1:
        return bool(told) or (alone and bool(strange) and len(own[0]) > 3)
    return len(own) <= (3 if told else 2) * (len(told) + len(strange))


@lru_cache(maxsize=20_000)
def _taken(small: str) -> bool:
    return (
        small in UI_WORDS
        or small in common_words()
        or small in TECHNOLOGY
        or small in LANGUAGES
        or small in products()
        or small in CHAT
        or bool(known(small))
    )


_SMALL = function_words("company") | function_words("small") | function_words("sentence")


def find_listed(text: str) -> Iterable[Finding]:
    """Yield people: a cell, a line, or a text behind a label that consists of listed names; and listed names at a place where people are named."""
    if len(text) > 2_000:
        return
    uncased = text.islower() or text.isupper()
    for match in _LABELLED.finditer(text):
        if match["s"].lower() not in _LABELS or ":" in text[match.start() : match.start("s")]:
            yield from _as_name(match["s"], match.start("s"), uncased)
    for piece in _PIECE.finditer(text):
        said = piece[0].strip(" -–—*:.,!?'’")
        if 2 < len(said) < 60 and said.lower() not in _LABELS:
            yield from _as_name(said, piece.start() + piece[0].index(said), uncased)


def _as_name(said: str, at: int, uncased: bool) -> Iterable[Finding]:
    said = said.rstrip(" .,!?")
    if not _NAME.fullmatch(said):
        first = _FIRST.match(said.title() if said.islower() else said)
        if first and _is_unlisted_name(first["s"]):
            yield Finding(at, at + first.end("s"), "PERSON", 0.5)
        return
    if _is_unlisted_name(said.title() if said.islower() else said):
        yield Finding(at, at + len(said), "PERSON", 0.5)
        return
    words = list(_WORD.findall(said))
    if (
        not words
        or len(words) > 5
        or (not uncased and not all(w[0].isupper() or w.lower() in PARTICLES for w in words))
    ):
        return
    own = [w.lower() for w in words if w.lower() not in PARTICLES and w.lower() not in _HONORIFICS]
    listed = [w for w in own if is_listed(w) or w in given_names()]
    rest = [w for w in own if w not in listed]
    if (
        listed
        and all(not _taken(w) and not ordinary(w) and w not in _SMALL for w in rest)
        and any(is_listed(w) for w in own)
    ):
        yield Finding(at, at + len(said), "PERSON", 0.5)
