"""Recognize words of interfaces in the languages of `foreign_words.txt`: German, French, Spanish and more.

The models are trained on English, and take ``Spaltenfelder`` or ``Eliminar fila`` for a person. A word is recognized
by its stem and an ending, in German also by the parts of a compound.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from ...words.english import is_english_word
from ...words.phrase_lists import PhraseLists
from ...words.program_names import ANSWERED
from ...words.word_lists import LONGEST_WORD, common_words, english_words, function_words, words_by_language

LISTS = PhraseLists("foreign")

_WORD = re.compile(r"[^\W\d_]+")
TITLE_BEFORE = re.compile(rf"(?i:\b(?:{LISTS.TITLE_BEFORE}))\.?,?\s+\Z")
"""Titles before a person's name."""
TAUGHT = LISTS.to_word_set("TAUGHT")
_LEAST = 3
_SUFFIXES = re.compile(rf"[^\W\d_]{{4,}}(?:{LISTS.SUFFIXES})")
"""Endings of words for things and qualities that no name of so many letters has."""
_OF_A_QUALITY = re.compile(r"(?P<first>[^\W\d_]{3,40}(?:ion|ung|heit|keit|schaft|tät))s(?P<last>[^\W\d_]{4,})")
"""A German compound whose first part is an abstract noun, which is never a name: *Diskussionsstrang*."""
_CUT_SHORT = LISTS.to_word_set("CUT_SHORT")
"""Abbreviated words of interfaces. No compound ends with one, so that *Poststildez* is unknown."""
_PREFIXES = LISTS.to_word_set("PREFIXES")
_JOINTS = ("", "s", "n", "en", "es", "e")
_ENGLISH = function_words("english")
FAMILIES = LISTS.to_word_set("FAMILIES")
"""Words that are also family names."""


@dataclass(frozen=True, slots=True)
class _InterfaceLanguage:
    stems: frozenset[str]
    endings: frozenset[str]
    whole: frozenset[str]
    """Words that take no ending."""

    def has_word(self, word: str) -> bool:
        return word in self.whole or any(
            word[:cut] in self.stems and word[cut:] in self.endings for cut in range(len(word), _LEAST - 1, -1)
        )


@lru_cache(maxsize=1)
def _load_interface_languages() -> dict[str, _InterfaceLanguage]:
    return {
        name: _InterfaceLanguage(lists[""], lists["-:"] | {""}, lists["=:"] | lists["+:"] | lists["*:"])
        for name, lists in words_by_language().items()
    }


@lru_cache(maxsize=20_000)
def _find_languages_with(word: str) -> tuple[str, ...]:
    """Return the languages that have a word, given in lower case."""
    return tuple(name for name, language in _load_interface_languages().items() if language.has_word(word))


@lru_cache(maxsize=20_000)
def is_foreign_interface_word(word: str) -> bool:
    """Return whether a word in lower case is a word of interfaces in one of these languages."""
    return len(word) <= LONGEST_WORD and (
        bool(_find_languages_with(word)) or _is_german_compound(word) or _SUFFIXES.fullmatch(word) is not None
    )


@lru_cache(maxsize=20_000)
def is_word_of_trained_language(word: str) -> bool:
    """Return whether a word in lower case is a word of interfaces in a language that pagereel's own net was trained
    with.

    The net uses this as a feature, and has no weights for other languages.
    """
    return len(word) <= LONGEST_WORD and (
        not TAUGHT.isdisjoint(_find_languages_with(word))
        or _is_german_compound(word)
        or _SUFFIXES.fullmatch(word) is not None
    )


@lru_cache(maxsize=20_000)
def is_listed_foreign_word(word: str) -> bool:
    """Return whether a word in lower case is itself a listed word or stem. Stems with endings match many names, too."""
    return any(word in language.whole or word in language.stems for language in _load_interface_languages().values())


def is_unknown_word(word: str) -> bool:
    """Return whether a word is in no list of these languages, of common English words, or of programmers."""
    small = word.lower()
    return len(small) > 1 and not is_foreign_interface_word(small) and small not in common_words()


def is_in_no_word_list(word: str) -> bool:
    """Return whether a word is in no list of any language, not even in the long one of English."""
    return is_unknown_word(word) and not is_english_word(word)


def _is_german_compound(word: str, depth: int = 3) -> bool:
    german = _load_interface_languages()["de"]
    if german.has_word(word):
        return word not in _CUT_SHORT
    parts = _OF_A_QUALITY.fullmatch(word)
    if parts and (
        not parts["first"].endswith("ung") or german.has_word(parts["first"]) or german.has_word(parts["last"])
    ):
        return True
    if depth == 0 or len(word) < 6:
        return False
    if any(
        word.startswith(p) and len(word) - len(p) >= _LEAST and _is_german_compound(word[len(p) :], depth - 1)
        for p in _PREFIXES
    ):
        return True
    return any(
        german.has_word(word[: cut - len(joint)])
        and word[:cut].endswith(joint)
        and _is_german_compound(word[cut:], depth - 1)
        for cut in range(_LEAST + 1, len(word) - _LEAST + 1)
        for joint in _JOINTS
        if cut - len(joint) >= _LEAST
    )


def begins_sentence(text: str, start: int) -> bool:
    """Return whether a sentence or a quotation begins at an offset, so that a capital there means nothing."""
    before = text[:start].rstrip()
    return not before or before[-1] in ".!?:;\"'“”„«»‘’(\n•" or "\n" in text[len(before) : start]


def is_foreign_text(text: str) -> bool:
    """Return whether a text is probably in another language than English, in Latin letters. The models do not
    understand such a text.
    """
    english, foreign = count_language_words(text)
    return foreign > english and (foreign > 1 or foreign * 2 >= len(_WORD.findall(text)))


@lru_cache(maxsize=4_096)
def count_language_words(text: str) -> tuple[int, int]:
    """Return how many words of a text are only English, and how many are only of the one other language that has most
    of them.
    """
    text = ANSWERED.sub(" ", text)  # a status text is English in any language
    words = [w.lower() for w in _WORD.findall(text) if len(w) > 1]
    common = english_words()
    english = sum(w in _ENGLISH or (w in common and not is_foreign_interface_word(w)) for w in words)
    others = [w for w in words if len(w) <= LONGEST_WORD and w not in _ENGLISH and w not in common]
    spoken = Counter(name for w in others for name in _find_languages_with(w))
    return english, max(spoken.values(), default=0)
