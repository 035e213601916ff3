"""Two names with *&* between them are a company (*Sable & Finch*), and what a key of a log or a query gives is somebody (*user=mtolliver*, *assignee=Zebedee+Carr*)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import english, ordinary
from ...words.words import TECHNOLOGY, UI_WORDS, common_words, given_names

_LONGEST = 2_000
_PAIR = re.compile(r"(?<![\w&;/-])(?P<s>(?P<a>[^\W\d_]{3,}) & (?P<b>[^\W\d_]{3,}))(?![\w&;=/-])")
_PLACED = re.compile(
    r"(?:\b(?:at|from|with|for|by|to|of|join(?:ed|s)?|left|client|customer|vendor|supplier)[ ]|[:|\t][ ]*)\Z",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"(?<![\w.-])(?P<key>user(?:_?name)?|login|owner|assignee|author|actor|reporter|reviewer|approver|requested_by|created_by|updated_by|assigned_to|customer|patient|contact|employee|recipient|full_?name|first_?name|last_?name)="
    r"(?P<s>[^\W\d_][\w'’.-]*(?:(?:\+|%20)[^\W\d_][\w'’.-]*){0,3})(?=[\s&,;)\]\"']|\Z)",
    re.IGNORECASE,
)
_NOBODY = frozenset(
    ["root", "admin", "administrator", "guest", "null", "none", "true", "false", "system", "anonymous", "user", "me", "self", "unknown", "any", "all", "postgres", "nobody", "daemon", "default", "test"]
)  # fmt: skip


def find_pairs(text: str) -> Iterable[Finding]:
    """Yield such companies and people."""
    if len(text) > _LONGEST:
        return
    if " & " in text:
        uncased = text.islower() or text.isupper()
        for match in _PAIR.finditer(text):
            a, b = match["a"], match["b"]
            if not uncased and not (a[0].isupper() and b[0].isupper()):
                continue
            both = (a.lower(), b.lower())
            if any(w in TECHNOLOGY for w in both) or all(w in UI_WORDS or w in common_words() for w in both):
                continue
            strange = not english(a) or not english(b)  # a word of an interface beside one that nobody knows needs more
            strange = strange and not any(w in UI_WORDS for w in both)
            placed = _PLACED.search(text, max(0, match.start() - 24), match.start())
            if strange or (placed and not (ordinary(a) and ordinary(b))):
                yield Finding(*match.span("s"), "ORGANIZATION", 0.5)
    if "=" in text:
        for match in _GIVEN.finditer(text):
            words = [w.lower() for w in re.split(r"\+|%20", match["s"])]
            if words[0] in _NOBODY or (len(words) == 1 and (words[0] in UI_WORDS or words[0] in common_words())):
                continue
            named = len(words) > 1 or match["key"].lower().endswith("name") or words[0] in given_names()
            yield Finding(*match.span("s"), "PERSON" if named else "USERNAME", 0.6)
