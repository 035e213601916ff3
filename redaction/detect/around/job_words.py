"""What the words of an occupation say: which are somebody's alone, which are a program's or a role's as well, and which tell that a person is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ...words.words import TECHNOLOGY, UI_WORDS, lists_of
from .job_phrases import are_a_job
from .positions import FIELDS, RANKS


@lru_cache(maxsize=32)
def occupations(kind: str) -> frozenset[str]:
    """Return the words of one kind of `occupations.txt`."""
    listed = lists_of("occupations.txt")
    trades = listed.get("trades", frozenset()) if kind in ("people", "weak", "roles") else frozenset()
    return listed.get(kind, frozenset()) | trades


@lru_cache(maxsize=1)
def fields() -> frozenset[str]:
    return FIELDS | occupations("fields")


def captioned(word: str) -> bool:
    """Return whether programs have a word in lower case, in their captions too."""
    return word in TECHNOLOGY or word in occupations("captions")


def _of_tools(word: str) -> bool:
    return word in UI_WORDS or word in TECHNOLOGY or word in occupations("tools")


def tells(words: Sequence[re.Match[str]]) -> bool:
    """Return whether a word before a last one that programs have as well is of no program."""
    if len(words) > 1 and words[-1][0].lower() in occupations("called"):
        small = words[-2][0].lower()
        return small in RANKS or (small in fields() and not _of_tools(small))
    return any(
        (small := w[0].lower()) in RANKS
        or (small not in UI_WORDS and small not in TECHNOLOGY and small not in occupations("captions"))
        for w in words[:-1]
    )


def businesslike(words: Sequence[re.Match[str]]) -> bool:
    """Return whether it is somebody's, though interfaces use each of the words: *account manager*, *civil engineer*."""
    last, before = words[-1][0].lower(), words[-2:][0][0].lower()
    if last in occupations("weak") and last in ("designer", "developer", "artist", "author", "writer", "editor"):
        return before in fields() and before not in occupations("tools")
    if last in (
        "engineer",
        "scientist",
        "architect",
        "researcher",
        "photographer",
        "consultant",
        "therapist",
        "specialist",
    ):
        return len(words) > 1 and before not in occupations("captions")
    if last in occupations("called"):
        return (
            before in occupations("business")
            or (before in fields() and before not in occupations("tools"))
            or (last in occupations("beside_business") and _of_doing(before))
        )
    return last in occupations("beside_business") and (
        before in occupations("business") or before in occupations("fields") or _of_doing(before)
    )


def _of_doing(word: str) -> bool:
    """Return whether a word says what somebody sees to, and programs do not say it: *chartering manager*."""
    return len(word) > 5 and word.endswith("ing") and not _of_tools(word)


def weak(words: Sequence[re.Match[str]]) -> bool:
    return (words[-1][0].lower() in occupations("weak") or words[-1][0].lower() in occupations("also")) and not tells(
        words
    )


def paired(text: str, words: Sequence[re.Match[str]]) -> bool:
    """Return whether the last two words are an occupation together."""
    if len(words) < 2 or text[words[-2].end() : words[-1].start()] not in (" ", "-"):
        return False
    return are_a_job(words[-2][0].lower(), words[-1][0].lower())
