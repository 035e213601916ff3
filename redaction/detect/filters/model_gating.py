"""Decide which texts a model is asked about: running text, and texts that rules and common words do not explain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ...contracts.entities import EXACT
from ...contracts.findings import Finding
from ...words.word_lists import UI_WORDS
from .word_classes import FUNCTION_WORDS, WORD, is_common_word

DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\d{1,4}([/.-])\d{1,2}\1\d{1,4}|\b\d{1,2}[/-]\d{1,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,9}\b.{0,80}\d|\d.{0,80}\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://\S+\Z")
LONGEST_EXPLAINED = 200
"""Most characters of a text that rules alone can explain."""
CLEAR = 0.8
"""Least score of Rampart's findings in a label at which spaCy is not asked."""


@lru_cache(maxsize=16)  # called for each finding of a text
def is_running_text(text: str) -> bool:
    """Return whether a text is running text rather than a label: four words or more, one of them a function word."""
    words = WORD.findall(text)
    return len(words) >= 4 and any(w.lower() in FUNCTION_WORDS for w in words)


def consists_of_common_words(text: str) -> bool:
    """Return whether a text consists of common words, so that no model's finding in it would be accepted."""
    if _ADDRESS.match(text):
        return True  # a URL is masked piece by piece
    words = WORD.findall(text)
    return all(is_common_word(w) for w in words) and not (
        is_running_text(text) and any(w[0].isupper() for w in words[1:])
    )


def is_explained_by_rules(text: str, findings: Sequence[Finding]) -> bool:
    """Return whether the findings of rules explain a text, so that no model needs to read it (which costs a hundred
    times as much).

    Outside of the findings there must be common words only, and no capitalized word beside a name or an address that
    may belong to it.
    """
    spans = [f for f in findings if f.entity in EXACT or f.entity in ("PERSON", "ADDRESS")]
    if not spans or len(text) > LONGEST_EXPLAINED:
        return False
    hidden = list(text)
    for f in spans:
        hidden[f.start : f.end] = " " * (f.end - f.start)
    rest = "".join(hidden)
    if not consists_of_common_words(rest) or any(
        f.entity == "PERSON" and _NUMBER_BESIDE.match(text, f.end) for f in spans
    ):
        return False
    for match in WORD.finditer(rest):
        capital = match.group()[0].isupper() or text.isupper()
        if (
            capital
            and match.group().lower() not in UI_WORDS
            and any(_is_finding_beside(f, match.span()) for f in spans)
        ):
            return False
    return True


_NUMBER_BESIDE = re.compile(r",?\s{0,2}#?\d")
"""A number after a name, which may be the house number of a street."""


def _is_finding_beside(finding: Finding, span: tuple[int, int]) -> bool:
    return finding.entity not in EXACT and (0 <= span[0] - finding.end <= 3 or 0 <= finding.start - span[1] <= 3)


def needs_spacy(text: str, rampart: Sequence[Finding]) -> bool:
    """Return whether spaCy can add to Rampart's findings: in running text, where a date may stand, and where Rampart
    is unsure about a label.

    Findings that Rampart is sure of are extended to whole words without spaCy.
    """
    return is_running_text(text) or bool(DATE.search(text)) or any(f.score < CLEAR for f in rampart)
