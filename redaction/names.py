"""Look through names of things: ids, classes, custom elements, identifiers of style sheets.

Programs put data into names (``row-4111111111111111``, ``maria-ostenvik``). No model reads a name: there are thousands in a
page, and a wrong guess would part a class from its rule. Shapes are found instead, and given names beside a word that nobody
knows. What a name becomes depends on the name alone, so that a page and its style sheets still agree.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .attributes import NAMES
from .secrets import find_secrets
from .structured import find_structured
from .types import Finding
from .words import common_words, given_names

_LONGEST = 500
"""Characters of a name in which a secret is looked for: the rules for them were made for lines, and slow on longer words."""
LEAST_DIGITS = 7
"""Digits in a row that may be a number of somebody's: an account, a telephone, a customer."""
_DIGITS = re.compile(rf"(?<!\d)\d{{{LEAST_DIGITS},24}}(?!\d)")
_GROUPED = re.compile(r"(?<![\d.])(?:\d{4}(?:[ _-]\d{4}){3}|\d{3}-\d{2}-\d{4}|\d{3}[-._ ]\d{3}[-._ ]\d{4})(?![\d])")
_COLOUR = re.compile(r"[0-9a-fA-F]{8}")
_RANDOM = re.compile(r"(?=[^\W_]*\d)[^\W_]{16}")
_WORD = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+")
_JOINT = re.compile(r"[-_. ]{0,2}\Z")
_LEAST_NAME = 4
_LEAST_UNKNOWN = 4
_TECHNICAL = frozenset(
    """
    attr bg btn cb calc ctrl css dnd dom dropdown dt dx elem embla fa fab fas flickity fluent glyphicon grid hljs hover img
    input jss katex layout md mdc mdi modal mui nav navbar overlay pagination pane popover popper primevue quasar radix
    ripple scrollbar sidebar sr swiper tabler tailwind tbody td textarea thead toast toolbar tooltip tr typeahead ui vuetify widget
    wrapper
    """.split()  # noqa: SIM905
)


@lru_cache(maxsize=50_000)
def find_in_name(name: str) -> tuple[Finding, ...]:
    """Secrets, e-mail addresses, numbers of cards and people, and people's names in the name of a thing."""
    found: list[Finding] = []
    if _RANDOM.search(name):
        found += find_secrets(name[:_LONGEST])
    if "@" in name or "%40" in name:
        found += [f for f in find_structured(name) if f.entity == "EMAIL_ADDRESS"]
    for match in _GROUPED.finditer(name):
        digits = sum(c.isdigit() for c in match[0])
        found.append(Finding(*match.span(), {9: "GOVERNMENT_ID", 10: "PHONE_NUMBER"}.get(digits, "CREDIT_CARD"), 0.8))
    return (*found, *_people(name))


def find_numbers(name: str) -> list[tuple[int, int]]:
    """Where a name holds a number that may be somebody's. Such a number is renamed and not looked for elsewhere."""
    return [] if _COLOUR.fullmatch(name) else [m.span() for m in _DIGITS.finditer(name)]


def _people(name: str) -> list[Finding]:
    """``row-maria-ostenvik``, ``MariaOstenvik``: a given name, and beside it a word that nobody knows."""
    names = given_names()
    words = list(_WORD.finditer(name))
    found: list[Finding] = []
    for at, match in enumerate(words):
        if len(match[0]) < _LEAST_NAME or match[0].lower() not in names:
            continue
        beside = [w for w in (at + 1, at - 1) if 0 <= w < len(words) and _unknown(words[w][0])]
        for other in beside:
            first, last = sorted((match, words[other]), key=re.Match.start)
            if _JOINT.match(name, first.end(), last.start()) and not (found and found[-1].end > first.start()):
                found.append(Finding(first.start(), last.end(), "PERSON", 0.7))
                break
    return found


def _unknown(word: str) -> bool:
    small = word.lower()
    return len(word) >= _LEAST_UNKNOWN and small not in common_words() and small not in _TECHNICAL


def spaced(name: str) -> str:
    """A name of a person as it is spoken: ``MariaOstenvik`` and ``maria_ostenvik`` with a space."""
    return " ".join(m[0] for m in _WORD.finditer(name))


_NAMED = ("tag", "attribute", "states", "css name")


def is_named(channel: str) -> bool:
    """Whether what stands in a channel is the name of a thing."""
    last = channel.rpartition(".")[2]
    return last in _NAMED or (last in NAMES and channel.startswith(("dom.attribute.", "resource.")))
