"""Companies and institutions by the words that they are called by (`businesses.txt`): *Copper Kettle Brewing*, *St Brannock's Infirmary*, *Grupo Altamira*, *Tallow & Finch*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...contracts.types import Finding
from ...words.english import CHAT, english, ordinary
from ...words.hinted import Hinted
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
from .companies import without_case

_WORD = re.compile(r"[^\W\d_][^\W_]*(?:['’-][^\W\d_]+)*")
_SMALL = function_words("company") | function_words("small") | CHAT
_JOINED = (" ", " & ", " and ", ", ", " of ", " of the ", " for ")
_MOST = 4
"""Words before the last one of a name."""
_AMPERSAND = Hinted(
    r"(?<![\w&@/])(?P<a>[^\W\d_][\w'’-]+(?:,[ ][^\W\d_][\w'’-]+)?)[ ](?:&|\+|(?P<und>and|und|et|y|e|och))[ ](?P<b>[^\W\d_][\w'’-]+)(?P<more>[ ](?i:partners|co|sons|söhne|associates|daughters|fils|hijos|figli|zonen))?(?![\w&@/])"
)
_OF = Hinted(
    r"(?<![\w-])(?P<s>(?:(?P<before>[^\W\d_][\w'’-]+)[ ])?(?P<head>[^\W\d_]+)[ ](?i:of)[ ](?i:the[ ])?(?P<a>[^\W\d_][\w'’-]+)(?:(?:[ ](?i:and)|,)?[ ](?P<b>[^\W\d_][\w'’-]+))?)"
)
_SAINT = re.compile(r"(?<!\w)(?:st|saint)\.?[ ]\Z", re.IGNORECASE)
_VERSUS = Hinted(
    r"(?<![\w.])(?P<a>(?:[^\W\d_a-z][\w'’.&-]*[ ]){1,4})(?:v|vs)\.?[ ](?P<b>[^\W\d_a-z][\w'’.&-]*(?:[ ][^\W\d_a-z][\w'’.&-]*){0,3})"
)
_ONES = Hinted(
    r"\b(?:my|our|his|her|their|your|the|a|rival|competitor)[ ](?:new[ ]|old[ ]|former[ ]|main[ ])?(?:bank|employer|landlord|insurer|supplier|vendor|client|competitor|rival|broker|lender|contractor|builder|caterer|dealer|carrier|provider|gym|school|university|publisher|agency|partner[ ]firm),[ ](?P<s>[^\W\d_][\w'’&-]+(?:[ ](?:&[ ])?[^\W\d_][\w'’&-]+){0,2}),",
    re.IGNORECASE,
)


def _called(kind: str) -> frozenset[str]:
    return lists_of("businesses.txt")[kind]


def find_businesses(text: str) -> list[Finding]:
    """Return companies and institutions by the words of their names."""
    if len(text) > 2_000 or " " not in text:
        return []
    words = list(_WORD.finditer(text))
    uncased = text.islower() or text.isupper()
    found = list(_by_last_word(text, words, uncased))
    if not uncased:
        found += _by_first_word(text, words)
        found += _versus(text)
    found += _joined(text, uncased)
    found += _of_something(text, uncased)
    found += _ones_own(text, uncased)
    return found


def _by_last_word(text: str, words: Sequence[re.Match[str]], uncased: bool) -> Iterable[Finding]:
    strong = _called("strong")
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
    """Return whether the name goes on after its last word: *Copper Kettle Brewing Company* is told there."""
    small = word.lower()
    return (
        (word[0].isupper() and not uncased and small not in _SMALL)
        or small in _called("strong")
        or (uncased and small in _called("weak"))
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
    """Return whether the words before the last one can be a company's own."""
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
    first = _called("first")
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
                gap == " "
                and following.lower()
                in (
                    "de",
                    "la",
                    "del",
                    "di",
                    "da",
                    "do",
                    "el",
                    "le",
                    "du",
                    "des",
                    "dos",
                    "das",
                    "della",
                    "dei",
                    "dell",
                    "d",
                    "st",
                    "san",
                    "van",
                    "zur",
                    "zum",
                    "am",
                    "e",
                    "y",
                    "&",
                )
                and end + 2 < len(words)
                and words[end + 2][0][0].isupper()
            ):
                end += 2
            else:
                break
        own = [w[0] for w in words[at + 1 : end + 1] if w[0][0].isupper() or _ELIDED.match(w[0])]
        if own and any(w.lower() not in common_words() and w.lower() not in TECHNOLOGY for w in own):
            yield Finding(start, words[end].end(), "ORGANIZATION", 0.5)


def _joined(text: str, uncased: bool) -> Iterable[Finding]:
    for match in _AMPERSAND.finditer(text):
        parts = re.findall(r"[^\W\d_][\w'’-]+", f"{match['a']} {match['b']}")
        if match["und"] and not match["more"]:
            continue
        if not uncased and not all(p[0].isupper() for p in parts):
            continue
        small = [p.lower() for p in parts]
        if any(w in common_words() or w in _SMALL or w in TECHNOLOGY or w in LANGUAGES for w in small):
            continue
        if match["more"] or small[-1] in _PARTNERS or not any(_ABSTRACT.search(w) and english(w) for w in small):
            yield Finding(match.start(), match.end(), "ORGANIZATION", 0.5)


_ABSTRACT = re.compile(r"(?:s|ity|ment|[ts]ion|ness|[ae]nce|ing|ism|ship|age|ure|ive|ous|cy|al)\Z")
"""Ends of words that headings join: *Liabilities & Equity*."""
_PARTNERS = frozenset(["partners", "sons", "associates", "daughters", "brothers"])


_LEARNED = frozenset(["institute", "department", "ministry", "faculty", "university"])


def _of_something(text: str, uncased: bool) -> Iterable[Finding]:
    heads = _called("of")
    for match in _OF.finditer(text):
        head, a = match["head"], match["a"]
        if head.lower() not in heads or a.lower() in _SMALL:
            continue
        if not uncased and not (head[0].isupper() and a[0].isupper()):
            continue
        learned = head.lower() in _LEARNED and match["b"] and match["b"].lower() not in _SMALL and english(match["b"])
        if uncased and (
            (ordinary(a) and not learned)
            or (
                english(a) and head.lower() in ("board", "office", "house", "company", "union", "court", "city", "port")
            )
        ):
            continue
        if not uncased and (
            a.lower() in TECHNOLOGY
            or (
                head.lower() in ("board", "office", "house", "company", "union", "court", "port")
                and a.lower() in common_words()
            )
        ):
            continue
        before, b = match["before"], match["b"]
        start, end = match.start("head"), match.end("a")
        if (
            before
            and before.lower() not in _SMALL
            and (before[0].isupper() if not uncased else not ordinary(before) or before.lower() in _KINDS)
        ):
            start = match.start("s")
        if (
            b
            and b.lower() not in _SMALL
            and (b[0].isupper() if not uncased else learned or (english(b) and not ordinary(b)))
        ):
            end = match.end("b")
        yield Finding(start, end, "ORGANIZATION", 0.5)


_KINDS = frozenset(["technical", "royal", "national", "medical", "federal", "open", "free", "central", "international"])


def _versus(text: str) -> Iterable[Finding]:
    for match in _VERSUS.finditer(text):
        a, b = match["a"].strip(), match["b"]
        if any(w.lower() not in common_words() for w in re.findall(r"[^\W\d_]+", a)) and any(
            w.lower() not in common_words() for w in re.findall(r"[^\W\d_]{2,}", b)
        ):
            yield Finding(match.start("a"), match.start("a") + len(a), "ORGANIZATION", 0.5)
            yield Finding(*match.span("b"), "ORGANIZATION", 0.5)


def _ones_own(text: str, uncased: bool) -> Iterable[Finding]:
    for match in _ONES.finditer(text):
        words = re.findall(r"[^\W\d_][\w'’-]*", match["s"])
        if any(w.lower() in _SMALL for w in words) or (not uncased and not all(w[0].isupper() for w in words)):
            continue
        if uncased and all(ordinary(w) for w in words):
            continue
        yield Finding(*match.span("s"), "ORGANIZATION", 0.5)
