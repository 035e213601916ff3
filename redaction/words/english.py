"""Recognize English words by the lists of base forms in the installed spaCy pipeline (WordNet's, some 80,000 words)."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .phrase_lists import PhraseLists
from .spacy_pipelines import find_pipeline_package, import_spacy
from .word_lists import common_words

LISTS = PhraseLists("english")

_LISTS = "**/lemmatizer/lookups/lookups.bin"
_KINDS = ("noun", "verb", "adj", "adv")


CHAT = LISTS.to_word_set("CHAT")
"""Words of chats that are in no other word list."""


@dataclass(frozen=True, slots=True)
class _PartOfSpeech:
    words: frozenset[str]
    irregular: Mapping[str, Any]
    endings: Sequence[tuple[str, str]]

    def has_word(self, word: str) -> bool:
        return (
            word in self.words
            or word in self.irregular
            or any(word.endswith(a) and word[: len(word) - len(a)] + b in self.words for a, b in self.endings if a)
        )


@lru_cache(maxsize=1)
def _load_lexicon() -> dict[str, _PartOfSpeech]:
    """Return the words by part of speech; empty if the pipeline has no such lists."""
    import_spacy()
    from spacy.lookups import Lookups
    from spacy.strings import get_string_id  # type: ignore[attr-defined, unused-ignore]

    spec = importlib.util.find_spec(find_pipeline_package())
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


def has_english_lists() -> bool:
    """Return whether the word lists of English are installed. Without these lists no word can be called unknown."""
    return bool(_load_lexicon())


@lru_cache(maxsize=50_000)
def is_english_word(word: str) -> bool:
    """Return whether a word, in any inflected form, is English. The lists of nouns also contain well-known names:
    *jones*, *bristol*.
    """
    small = word.lower()
    return small in common_words() or small in CHAT or any(kind.has_word(small) for kind in _load_lexicon().values())


@lru_cache(maxsize=50_000)
def is_no_name(word: str) -> bool:
    """Return whether a word is certainly no name: a verb, an adjective, an adverb, or a common word."""
    small = word.lower()
    lexicon = _load_lexicon()
    return (
        small in common_words()
        or small in CHAT
        or any(lexicon[kind].has_word(small) for kind in ("verb", "adj", "adv") if kind in lexicon)
    )
