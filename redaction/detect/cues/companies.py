"""Find companies and institutions by the words of their names.

Such a word is a legal form of any country (*GmbH & Co. KG*, *Sp. z o.o.*), or the first or last word of the name as `businesses.txt` lists it
(*Copper Kettle Brewing*, *Grupo Altamira*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...contracts.types import Finding
from ...words.english import CHAT, english, ordinary
from ...words.lazy_pattern import LazyPattern
from ...words.phrases import Phrases
from ...words.words import (
    LANGUAGES,
    TECHNOLOGY,
    UI_WORDS,
    common_words,
    function_words,
    given_names,
    lists_of,
    names_businesses,
)
from ..filters.foreign import known

LISTS = Phrases("companies")

_LONGEST = 2_000
_MOST = 4
"""Words before the last one of a name."""
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:['’-][^\W\d_]+)*")
_TOKEN = r"[^\W_][\w'’.&+-]*"
_CAPITAL = r"(?-i:[^\W\d_a-zß-ÿ])[\w'’.&+-]*"
_SMALL = function_words("company") | function_words("small") | CHAT
_LONG_FORMS = LISTS.LONG_FORMS
_SHORT_FORMS = LISTS.SHORT_FORMS
_FORMED = LazyPattern(
    rf"(?<![\w@.])(?P<s>{_CAPITAL}(?:,?[ ](?:{_CAPITAL}|&|und|et|y|e|de|del|da|do|dos|di|van|la|le|les|des|d['’]{_TOKEN}|{_CAPITAL})){{0,5}}?),?[ ](?P<form>{_LONG_FORMS}|{_SHORT_FORMS})(?![\w@&-])"
)
_UNCASED_FORMED = LazyPattern(
    rf"(?<![\w@.])(?P<s>{_TOKEN}(?:[ ](?:{_TOKEN})){{0,4}}?),?[ ](?P<form>{_LONG_FORMS}|llp|oy|kg|ag|bv|srl|sas)(?![\w@&-])",
    re.IGNORECASE,
)
_GATE = re.compile(rf"[ ](?:{_LONG_FORMS}|{_SHORT_FORMS})(?![\w@&-])", re.IGNORECASE)
_SAINT = re.compile(r"(?<!\w)(?:st|saint)\.?[ ]\Z", re.IGNORECASE)


def find_companies(text: str) -> Iterable[Finding]:
    """Yield companies and institutions by the words of their names."""
    if len(text) > _LONGEST:
        return
    if " " in text:
        uncased = text.islower() or text.isupper()
        words = list(_WORD.finditer(text))
        yield from _by_form(text, uncased)
        yield from _by_last_word(text, words, uncased)
        if not uncased:
            yield from _by_first_word(text, words)


def _by_form(text: str, uncased: bool) -> Iterable[Finding]:
    if _GATE.search(text):
        for match in (_UNCASED_FORMED if uncased else _FORMED).now.finditer(text):
            if (start := _own(text, match.start("s"), match.end("s"), uncased)) is not None:
                yield Finding(start, match.end(), "ORGANIZATION", 0.7)


def _own(text: str, start: int, end: int, uncased: bool) -> int | None:
    """Return where a company's own name begins before its legal form, or None if no word there is one."""
    words = list(re.finditer(r"[^\s,]+", text[start:end]))
    if uncased:
        begin = max(
            (i + 1 for i, w in enumerate(words) if ordinary(w[0]) and w[0].lower() not in given_names()), default=0
        )
        words = words[begin:] or []
        if not words or not any(not english(w[0]) for w in words):
            return None
    own = [w for w in words if re.search(r"[^\W\d_]{2}", w[0])]
    if not own or not any(_is_own(w[0].strip(".,'’")) for w in own):
        return None
    return start + words[0].start()


def _is_own(word: str) -> bool:
    small = word.lower()
    return (
        small not in UI_WORDS
        and small not in TECHNOLOGY
        and not (ordinary(small) and known(small))
        and not word.isupper()
    )


def _by_last_word(text: str, words: Sequence[re.Match[str]], uncased: bool) -> Iterable[Finding]:
    strong = lists_of("businesses.txt")["strong"]
    for at, last in enumerate(words):
        small = last[0].lower()
        if not at or not names_businesses(small):
            continue
        if not uncased and not last[0][0].isupper():
            continue
        if (
            at + 1 < len(words)
            and text[last.end() : words[at + 1].start()] == " "
            and _goes_on(words[at + 1][0], uncased)
        ):
            continue
        first = _begin(text, words, at, uncased)
        if first == at:
            continue
        own = [w[0] for w in words[first:at] if w[0].lower() not in ("and", "of", "the", "for", "&")]
        start = words[first].start()
        if saint := _SAINT.search(text, max(0, start - 7), start):
            start = saint.start()
        if _names(own, small in strong, uncased, alone=start < 3 and len(text) - last.end() < 4):
            yield Finding(start, last.end(), "ORGANIZATION", 0.5)


def _goes_on(word: str, uncased: bool) -> bool:
    """Return whether the name goes on behind this word: *Copper Kettle Brewing Company* is found by its last word."""
    small = word.lower()
    return (
        (word[0].isupper() and not uncased and small not in _SMALL)
        or small in lists_of("businesses.txt")["strong"]
        or (uncased and small in lists_of("businesses.txt")["weak"])
    )


def _begin(text: str, words: Sequence[re.Match[str]], at: int, uncased: bool) -> int:
    first = at
    while first and at - first < _MOST:
        gap = text[words[first - 1].end() : words[first].start()]
        word = words[first - 1][0]
        small = word.lower()
        if gap not in (" ", " & ", "'s ", "’s ") or (
            small in _SMALL and not (small == "and" and first > 1 and not uncased)
        ):
            break
        if uncased and (
            without_case(word)
            or small.endswith("ly")
            or (ordinary(small) and small not in given_names() and at - first)
        ):
            break
        if not uncased and not (word[0].isupper() or small == "and"):
            break
        first -= 1
    while first < at and words[first][0].lower() == "and":
        first += 1
    return first


def _names(own: Sequence[str], strong: bool, uncased: bool, alone: bool) -> bool:
    """Return whether the words before the last one can be a company's own name."""
    small = [w.lower().replace("’", "'").removesuffix("'s") for w in own]
    if any(w in TECHNOLOGY or w in LANGUAGES or w in CHAT for w in small):
        return False
    if uncased:
        told = [w for w in small if not ordinary(w) or w in given_names()]
        return bool(told) and (strong or any(not english(w) for w in small)) and not all(w in UI_WORDS for w in small)
    free = [w for w in small if w not in UI_WORDS]
    if strong:
        return bool(free)
    if alone:
        return any(w not in common_words() and not ordinary(w) for w in small) and len(free) == len(small)
    return any(not english(w) or w in given_names() for w in free)


_ELIDED = re.compile(r"(?:l|d|dell|all|nell|un)['’](?=[^\W\d_])", re.IGNORECASE)
"""An article or a preposition that French and Italian put together with the next word."""


def _by_first_word(text: str, words: Sequence[re.Match[str]]) -> Iterable[Finding]:
    first = lists_of("businesses.txt")["first"]
    for at, word in enumerate(words[:-1]):
        elided = _ELIDED.match(word[0])
        start = word.start() + (elided.end() if elided else 0)
        if text[start : word.end()].lower() not in first or not text[start].isupper():
            continue
        end = at
        while end + 1 < len(words) and end - at < _MOST - 1:
            gap = text[words[end].end() : words[end + 1].start()]
            following = words[end + 1][0]
            if (gap == " " and _ELIDED.match(following)) or (
                gap in (" ", " & ", " e ", " y ") and following[0].isupper() and following.lower() not in UI_WORDS
            ):
                end += 1
            elif (
                gap == " " and following.lower() in _WITHIN and end + 2 < len(words) and words[end + 2][0][0].isupper()
            ):
                end += 2
            else:
                break
        own = [w[0] for w in words[at + 1 : end + 1] if w[0][0].isupper() or _ELIDED.match(w[0])]
        if own and any(w.lower() not in common_words() and w.lower() not in TECHNOLOGY for w in own):
            yield Finding(start, words[end].end(), "ORGANIZATION", 0.5)


_WITHIN = LISTS.words("WITHIN")
"""Small words within a name."""


def without_case(word: str) -> bool:
    """Return whether a word is of a script without capitals. Such a word is no part of a name that is found by its Latin words."""
    return word[0].isalpha() and word == word.swapcase()
