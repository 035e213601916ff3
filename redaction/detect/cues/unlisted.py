"""Find people by words that no list of English words has.

In a text without capitals such a word is often a name; a given name counts even alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import english, is_derived_word, knows_english
from ...words.words import LANGUAGES, TECHNOLOGY, UI_WORDS, function_words, given_names, products, web_words
from ..filters.foreign import is_foreign
from ..filters.prose import sentence_like
from ..filters.tokens import is_technical_term

_TOKEN = re.compile(r"\S+")
_BARE = re.compile(r"[\"'“”‘’(\[]*(?P<s>[^\W\d_]{3,}(?:-[^\W\d_]{2,})?)(?:['’]s)?[\"'“”‘’)\],.:;!?…]*")
_VOWEL = re.compile(r"[aeiouyà-öø-ÿāăąēęěīıōőūůű]", re.IGNORECASE)
_SMALL = function_words("small") | function_words("sentence")
_LEAST_KNOWN = 0.6
"""Share of the words that must be English, for the rest to be names."""
_MOST = 300
"""Characters of a text in which single words are told so: longer ones without capitals are poems, logs and listings."""


def find_unlisted(text: str) -> list[Finding]:
    """Return the people in running text whose names are in no list of words."""
    if len(text) > _MOST or not sentence_like(text) or not knows_english() or is_foreign(text):
        return []
    uncased = text.islower() or text.isupper()
    return list(_uncased(text)) if uncased else [*_alone(text), *_capitalised(text)]


def _words(text: str) -> Iterable[tuple[str, int, int]]:
    """Yield (word, begin, end) for words that are no part of an address, a path or the name of a program."""
    for line in _TOKEN.finditer(text):
        if match := _BARE.fullmatch(line[0]):
            yield match["s"], line.start() + match.start("s"), line.start() + match.end("s")


def _known(word: str) -> bool:
    small = word.lower()
    return (
        english(small)
        or small in TECHNOLOGY
        or small in UI_WORDS
        or small in _SMALL
        or small in web_words()
        or small in LANGUAGES
        or ("-" in small and all(_known(part) for part in small.split("-")))
        or is_derived_word(small)
    )


def _uncased(text: str) -> Iterable[Finding]:
    words = [w for w in _words(text) if not (w[0].isupper() and len(w[0]) < 5 and not text.islower())]
    strange = [w for w in words if not _known(w[0])]
    if len(words) - len(strange) < max(2, _LEAST_KNOWN * len(words)):
        return
    for word, start, end in strange:
        if _VOWEL.search(word) and not re.search(r"(.)\1\1", word):
            yield Finding(start, end, "PERSON", 0.5)


def _alone(text: str) -> Iterable[Finding]:
    """Yield given names with a capital that are no English words, without any other evidence."""
    for word, start, end in _words(text):
        if (
            word[0].isupper()
            and not word.isupper()
            and len(word) > 3
            and word.lower() in given_names()
            and not _known(word)
        ):
            yield Finding(start, end, "PERSON", 0.5)


_CAPITALISED = re.compile(r"(?<![\w@./#&-])[^\W\d_a-z][^\W\d_]{2,}(?:['’-][^\W\d_]{2,})*(?![\w@/]|\.\w|-\w)")
_BEGINS = re.compile(r"(?:\A|[.!?:;•|–—>\n*])[\s\"“‘(']*\Z")


def _capitalised(text: str) -> Iterable[Finding]:
    """Yield words with a capital within a sentence that no list has, although no model found them: they name a person or a company. Headlines are left out."""
    words = re.findall(r"[^\W\d_]+", text)
    if sum(w[0].isupper() for w in words) * 2 > len(words):
        return
    for match in _CAPITALISED.finditer(text):
        word = match[0].removesuffix("'s").removesuffix("’s")
        if (
            word[0].isupper()
            and not (word.isupper() or is_technical_term(word) or _known(word) or word.lower() in products())
            and not _BEGINS.search(text, max(0, match.start() - 8), match.start())
        ):
            yield Finding(match.start(), match.start() + len(word), "PERSON", 0.5)
