"""What somebody works as in English: a word for an occupation (`occupations.txt`) with its rank and field, where what stands around it says that somebody does it.

It is said of somebody (*she is a loss adjuster*), asked for by a label (*Occupation: beekeeper*), or beside a person that is found already (*Midwife Ana*). Whatever else
tells a position, our own net finds by the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ...contracts.types import Finding, all_of
from ...words.english import english
from ...words.hinted import Hinted
from ...words.phrases import Phrases
from ...words.words import function_words, given_names, lists_of
from ..filters.foreign import is_foreign

LISTS = Phrases("jobs")

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SMALL = function_words("company") | function_words("small") | function_words("sentence")
_ROLES = frozenset(["owner", "agent", "administrator", "editor", "member", "guest"])
"""Words for people that are roles in a program, too."""
_MOST_BEFORE = 4
"""Words before the last one that may belong to an occupation."""
_OF = re.compile(r"[ ](?:of|for)[ ](?:the[ ])?(?P<a>[^\W\d_][\w'’-]+)(?:[ ](?:and|&)[ ][^\W\d_]+)?")
_SAID = re.compile(
    rf"\b(?:(?:{LISTS.SAID})[ ](?:now[ ]|currently[ ]|also[ ])?(?:an?|the|our|their)?[ ]?|(?:our|their|my|his|her)[ ](?:new[ ]|former[ ]|old[ ])?)\Z",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"(?:\A|[\n|·•;,(\t])[^\w\n]*(?:job(?:[ ]title)?|role|position|occupation|profession|designation|title)[ ]?[:=][ ]*\Z",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"(?:['’]s)?(?:,?[ ](?:[(\[]|[-–—|·•:→>][ ])|,[ ]?|\t|[ ]*\n[ ]*)(?:(?:our|the|an?|their|my|his|her|your|former|retired|late)[ ])?"
)
_BEFORE = re.compile(r",?[ ]|[ ]?[:|–—>→·-][ ]?|[ ]?\t|[ ]*\n[ ]*|[:,]?[ ](?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?[ ])")
_EDGE = re.compile(
    r"[ \"'*.]*(?:\Z|[|·•\t\n/;,:!?)→]|[ ][-–—(][ ]?|[ ](?:at|of|for|in|with|from|and|who|is|was|has|on|to|since)\b)"
)
TITLE_BEFORE_NAME = Hinted(r"(?<![\w.])(?:mr|mrs|ms|mx|dr|prof)\b\.?(?=\s+[^\W\d_]{2})", re.IGNORECASE)


@lru_cache(maxsize=32)
def occupations(kind: str) -> frozenset[str]:
    """Return the words of one kind of `occupations.txt`."""
    listed = lists_of("occupations.txt")
    trades = listed.get("trades", frozenset()) if kind == "people" else frozenset()
    return listed.get(kind, frozenset()) | trades


def find_jobs(text: str, people_at: Sequence[Finding] = ()) -> Iterable[Finding]:
    """Yield positions. ``people_at``: people that are found already."""
    if not people_at and (text.islower() or text.isupper()):
        yield from (Finding(*m.span(), "TITLE", 0.6) for m in TITLE_BEFORE_NAME.finditer(text))
    words = list(_WORD.finditer(text))
    heads = [
        at for at, w in enumerate(words) if w[0].lower() in occupations("people") or w[0].lower() in occupations("also")
    ]
    if not heads or (len(words) > _MOST_BEFORE and is_foreign(text)):
        return
    uncased = text.islower() or text.isupper()
    for head in heads:
        if head + 1 in heads and text[words[head].end() : words[head + 1].start()] == " ":
            continue
        first = head
        while first and head - first < _MOST_BEFORE and _belongs(text, words, first, head, uncased):
            first -= 1
        start, end = words[first].start(), words[head].end()
        if (
            words[head][0].lower() in occupations("heading")
            and (of := _OF.match(text, end))
            and of["a"].lower() not in _SMALL
        ):
            end = of.end()
        telling = words[head][0].lower() in occupations("people") or first < head or end > words[head].end()
        if telling and _EDGE.match(text, end) and (_said(text, start) or _beside(text, start, end, people_at)):
            yield Finding(start, end, "TITLE", 0.5)


def _belongs(text: str, words: Sequence[re.Match[str]], first: int, head: int, uncased: bool) -> bool:
    """Return whether the word before belongs to an occupation: a rank, a field, or an English word written as the occupation is."""
    before, small = words[first - 1][0], words[first - 1][0].lower()
    if text[words[first - 1].end() : words[first].start()] not in (" ", "-") or small in occupations("labels"):
        return False
    if small in occupations("ranks") or small in occupations("fields"):
        return True
    if (
        small in _SMALL
        or small in given_names()
        or len(small) < 3
        or not english(small)
        or small.endswith(("ed", "ly"))
    ):
        return False
    return uncased or before[0].isupper() == words[head][0][0].isupper()


def _said(text: str, start: int) -> bool:
    before = text[max(0, start - 60) : start]
    return _SAID.search(before) is not None or _LABELLED.search(before) is not None


def _beside(text: str, start: int, end: int, people_at: Sequence[Finding]) -> bool:
    """Return whether a person that is found already stands right before or after: *Bart (plumber)*, *our receptionist Dana*."""
    return any(
        (f.end <= start and _BEHIND.fullmatch(text, f.end, start))
        or (end <= f.start and _BEFORE.fullmatch(text, end, f.start))
        for f in people_at
    )


def job_of_cell(cell: str) -> Finding | None:
    """Return the whole text, which stands under a label that asks for an occupation, where one of its words is one."""
    words = [w.lower() for w in _WORD.findall(cell)]
    if not 0 < len(words) < 8 or any(w in occupations("captions") for w in words):
        return None
    known = any(w in occupations("people") or (w in occupations("also") and w not in _ROLES) for w in words)
    return all_of(cell, "TITLE", 0.5) if known else None
