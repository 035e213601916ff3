"""Recognize English words by the lists of base forms in the installed spaCy pipeline (WordNet's, some 80,000 words)."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .language import import_spacy, package
from .phrases import Phrases
from .words import common_words

LISTS = Phrases("english")

_LISTS = "**/lemmatizer/lookups/lookups.bin"
_KINDS = ("noun", "verb", "adj", "adv")


CHAT = LISTS.words("CHAT")
"""Words of chats that are in no other word list."""


@dataclass(frozen=True, slots=True)
class _PartOfSpeech:
    words: frozenset[str]
    irregular: Mapping[str, Any]
    endings: Sequence[tuple[str, str]]

    def has(self, word: str) -> bool:
        return (
            word in self.words
            or word in self.irregular
            or any(word.endswith(a) and word[: len(word) - len(a)] + b in self.words for a, b in self.endings if a)
        )


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, _PartOfSpeech]:
    """Return the words by part of speech; empty if the pipeline has no such lists."""
    import_spacy()
    from spacy.lookups import Lookups
    from spacy.strings import get_string_id  # type: ignore[attr-defined, unused-ignore]

    spec = importlib.util.find_spec(package())
    found = [f for place in (spec and spec.submodule_search_locations) or [] for f in Path(place).glob(_LISTS)]
    if not found:
        return {}
    lists = Lookups().from_disk(found[0].parent)
    if not all(lists.has_table(name) for name in ("lemma_index", "lemma_exc", "lemma_rules")):
        return {}
    index, irregular, rules = (lists.get_table(name) for name in ("lemma_index", "lemma_exc", "lemma_rules"))
    return {
        kind: _PartOfSpeech(frozenset(index[key]), irregular.get(key, {}), [(a, b) for a, b in rules.get(key, ())])
        for kind in _KINDS
        if (key := get_string_id(kind)) in index
    }


def knows_english() -> bool:
    """Return whether the word lists are installed. Without them no word can be called unknown."""
    return bool(_lexicon())


@lru_cache(maxsize=50_000)
def english(word: str) -> bool:
    """Return whether a word, in any inflected form, is English. The lists of nouns also contain well-known names:
    *jones*, *bristol*.
    """
    small = word.lower()
    return small in common_words() or small in CHAT or any(kind.has(small) for kind in _lexicon().values())


@lru_cache(maxsize=50_000)
def ordinary(word: str) -> bool:
    """Return whether a word is certainly no name: a verb, an adjective, an adverb, or a common word."""
    small = word.lower()
    lexicon = _lexicon()
    return (
        small in common_words()
        or small in CHAT
        or any(lexicon[kind].has(small) for kind in ("verb", "adj", "adv") if kind in lexicon)
    )
