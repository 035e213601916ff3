"""Who speaks in a chat that is one text, line by line behind the time (*[09:12] Bia: o Thiago já saiu?*), and lists of people with the family's name first
(*Carter, William; Young, Amanda*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import english
from ...words.words import TECHNOLOGY, UI_WORDS, common_words, given_names

_LONGEST = 5_000
_TIME = r"\[?\(?\d{1,2}[:.h]\d\d(?:[:.]\d\d)?(?:[ ]?[ap]\.?m\.?)?\)?\]?"
_SPEAKER = re.compile(
    rf"^[ \t]*(?P<time>{_TIME}[ ,]{{1,2}}(?:[-–—][ ])?)(?P<s>[^\W\d_][\w'’.-]*(?:[ ][^\W\d_][\w'’.-]*){{0,2}})(?P<end>:)(?=[ ]\S)",
    re.MULTILINE | re.IGNORECASE,
)
_MOST_SPOKEN = 30
_ROLES = frozenset(
    ["agent", "ai", "assistant", "bot", "customer", "debug", "error", "fatal", "human", "info", "log", "me", "moderator", "note", "notice", "support", "system", "tool", "trace", "user", "warn", "warning", "you"]
)  # fmt: skip
_WORD = r"[^\W\d_](?:[^\W\d_]|['’-](?=[^\W\d_]))+"
_ITEM = rf"{_WORD}(?:[ ]{_WORD})?,[ ]{_WORD}(?:[ ](?:{_WORD}|[^\W\d_]\.?))?"
_REVERSED = re.compile(
    rf"(?:\A|(?<=[\n:;|(]))[ ]*{_ITEM}(?:[ ]*(?:;|\n|[ ][|/·][ ])[ ]*{_ITEM})+(?=[ ]*(?:\Z|[;\n.)|]))"
)
_ONE = re.compile(_ITEM)


def find_speakers(text: str) -> Iterable[Finding]:
    """Yield such people."""
    if len(text) > _LONGEST:
        return
    for match in _SPEAKER.finditer(text):
        words = re.findall(r"[^\W\d_]+", match["s"].lower())
        if len(match["s"]) <= _MOST_SPOKEN and words and not any(map(_nobodys, words)):
            yield Finding(*match.span("s"), "PERSON", 0.6)
    if "," in text:
        for match in _REVERSED.finditer(text):
            yield from _reversed(text, match)


def _nobodys(word: str) -> bool:
    return word not in given_names() and (
        word in _ROLES or word in UI_WORDS or word in TECHNOLOGY or (word in common_words() and english(word))
    )


def _reversed(text: str, match: re.Match[str]) -> Iterable[Finding]:
    """Yield the people of a list in which most of what stands behind the commas is given to people, and little of it is anything else."""
    items = list(_ONE.finditer(text, match.start(), match.end()))
    given = [re.findall(r"[^\W\d_]+", item[0].split(",")[1].lower())[0] in given_names() for item in items]
    uncased = text.islower() or text.isupper()
    if 2 * sum(given) <= len(items) or not (uncased or all(item[0][0].isupper() for item in items)):
        return
    for item in items:
        yield Finding(*item.span(), "PERSON", 0.7)
