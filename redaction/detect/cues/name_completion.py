"""Find the unknown half of a name: a capitalized unknown word beside a part of a known person's name.

``Tamsin`` is known from a form. In a drawing, which no model reads as a sentence, the second word of ``Tamsin
Ostenvik`` is then part of her name as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ...words.word_lists import common_words, web_words

_WORD = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+(?:['’][^\W\d_]+)?")
_GAP = re.compile(r"(?:[ \u00a0_.+-]|, |\s\s?|%20)?\Z")
_LEAST = 4
_FEW = 4
"""Most words of a text in small letters that may be just a name."""
_ELSEWHERE = 2
"""Other texts that have a word without a known person beside it. Then it is an ordinary word."""


def find_adjacent_unknown_words(texts: Iterable[tuple[str, bool]], parts: set[str]) -> set[tuple[str, str]]:
    """Return pairs of a known part of a name and the unknown word beside it, in the order of the text.

    :param texts: (text, is identifier); the words of an identifier need no capital.
    :param parts: known parts of people's names, in lower case.
    """
    found: set[tuple[str, str]] = set()
    alone: Counter[str] = Counter()
    small: set[str] = set()
    for text, named in texts:
        words = list(_WORD.finditer(text))
        seen = [w[0].lower() for w in words]
        if not named:
            small.update(w[0] for w in words if w[0].islower()) if len(words) > _FEW else None
            if len(words) > 1 and parts.isdisjoint(seen):
                alone.update(set(seen))
        for at, word in enumerate(seen):
            if word not in parts:
                continue
            for other in (at + 1, at - 1):
                if (
                    0 <= other < len(words)
                    and seen[other] not in parts
                    and _is_unknown_word(words[other][0], named or _is_short_lower_case(text, words))
                ):
                    first, last = sorted((words[at], words[other]), key=re.Match.start)
                    if _GAP.match(text, first.end(), last.start()):
                        found.add((first[0], last[0]))
    return {
        pair
        for pair in found
        if not any(w.lower() not in parts and (w.lower() in small or alone[w.lower()] >= _ELSEWHERE) for w in pair)
    }


def _is_short_lower_case(text: str, words: list[re.Match[str]]) -> bool:
    return len(words) <= _FEW and text.islower()


def _is_unknown_word(word: str, named: bool) -> bool:
    small = word.lower()
    return (
        len(word) >= _LEAST
        and (named or word[0].isupper())
        and small not in common_words()
        and small not in web_words()
    )
