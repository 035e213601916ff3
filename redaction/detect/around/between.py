"""What stands between somebody and a company is what somebody is there, in any language: *Kovács Péter, ügyvezető, Tisza Bútor Kft.*; and a position in brackets
goes on to the end of them: *(Regional Lead, North)*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ...contracts.types import Finding
from ...words.words import UI_WORDS, function_words

_WORD = r"[^\W\d_](?:[^\W\d_]|['’.&/-](?=[^\W\d_]))*\.?"
_GAP = re.compile(
    rf",[ ](?P<a>{_WORD}(?:[ ]{_WORD}){{0,4}}),[ ]\Z|[ ]\((?P<b>{_WORD}(?:[ ]{_WORD}){{0,4}})\),?[ ]\Z|[ ]?[|·•][ ](?P<c>{_WORD}(?:[ ]{_WORD}){{0,4}})[ ][|·•][ ]\Z"
)
_REST = re.compile(rf"(?:,|[ ][–-])[ ]{_WORD}(?:[ ](?:{_WORD}|&)){{0,3}}(?=\))")
_SMALL = function_words("small") | function_words("prose")


def find_between(text: str, spans: Sequence[Finding]) -> Iterable[Finding]:
    """Yield such positions, given what was found in the text, in order."""
    for first, second in pairwise(spans):
        if (first.entity, second.entity) != ("PERSON", "ORGANIZATION"):
            continue
        gap = _GAP.fullmatch(text, first.end, second.start)
        if gap is None:
            continue
        group = gap.lastgroup or "a"
        words = re.findall(r"[^\W\d_]+", gap[group].lower())
        if words[0] not in _SMALL and not all(w in UI_WORDS or w in _SMALL for w in words):
            yield Finding(*gap.span(group), "TITLE", 0.5)
    for span in spans:
        bracketed = text.rfind("(", 0, span.start) > text.rfind(")", 0, span.start)
        if span.entity == "TITLE" and bracketed and (rest := _REST.match(text, span.end)):
            yield span._replace(end=rest.end())
