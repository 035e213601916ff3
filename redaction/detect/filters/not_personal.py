"""Decide by rules that a finding is not personal: measures, amounts, versions, standards, papers, times of logs, words for colours and languages.

The rules are data (`not_personal.txt`). Each line has the entities that the rule applies to, a word that says how the
pattern is applied, and the pattern. The word is ``is`` (the pattern matches the finding), ``covers`` (a match of the
pattern in the text contains the finding) or ``text`` (the pattern matches the whole text). Findings that a label asks
for are not checked.
"""

from __future__ import annotations

import itertools
import re
from functools import cache
from importlib import resources
from typing import NamedTuple

from ...contracts.entities import NAMED, OF_DIGITS, SHORT
from ...contracts.findings import Finding, TextContext
from ...words.phrase_lists import expand_rules
from ...words.prefiltered_pattern import LazyPattern
from ...words.program_names import ANSWERED
from ...words.word_lists import NAMES_TOO, UI_WORDS, given_names, read_lists_by_kind
from .model_gating import is_running_text
from .word_classes import WORD

_LEAST = (2, 4)
"""Most digits of a number that fills a line or a cell and is no personal number or name."""
_AROUND = 64
"""Characters before and after a finding in which a pattern that covers it may match."""


class NotPersonalRule(NamedTuple):
    """One rule: the entities that it applies to, the way in which its pattern is applied, and the pattern."""

    entities: frozenset[str]
    where: str
    pattern: LazyPattern


@cache
def load_rules(file: str = "not_personal.txt") -> tuple[NotPersonalRule, ...]:
    """Return the rules of the file, in its order."""
    lines = expand_rules(resources.files(__package__).joinpath(file).read_text("utf-8"))
    parts = (line.split(" ", 2) for line in lines)
    return tuple(NotPersonalRule(frozenset(of.split(",")), where, LazyPattern(pattern)) for of, where, pattern in parts)


def is_not_personal(text: str, finding: Finding, context: TextContext) -> bool:
    """Return whether a rule, or the number itself, shows that a finding is not personal."""
    if not any(map(str.isalnum, text[finding.start : finding.end])):
        return True
    if (
        finding.entity in NAMED | {"EMAIL_ADDRESS"}
        and (finding.entity == "ORGANIZATION" or not is_running_text(text))
        and _consists_of_interface_words(text, finding)
    ):
        return True
    if context.label:
        return _is_count_or_status(text, finding)
    begin, end = max(0, finding.start - _AROUND), finding.end + _AROUND
    for rule in load_rules():
        if finding.entity not in rule.entities:
            continue
        pattern = rule.pattern.compiled_pattern
        if rule.where == "is":
            if pattern.fullmatch(text, finding.start, finding.end):
                return True
        elif rule.where == "text":
            if pattern.fullmatch(text.strip()) and not any(w.lower() in given_names() for w in WORD.findall(text)):
                return True
        elif any(
            m.start() <= finding.start and finding.end <= m.end()
            for m in pattern.finditer(text, begin, min(end, len(text)))
        ):
            return True
    return _is_count_or_status(text, finding)


def _consists_of_interface_words(text: str, finding: Finding) -> bool:
    """Return whether a finding consists of words of interfaces and no name, or is a language that was taken for a
    person, a company or (if it stands alone) a place.
    """
    value = text[finding.start : finding.end].lower()
    alone = value == text.strip().lower() and finding.entity != "NRP"
    if (
        (alone or finding.entity in {"PERSON", "ORGANIZATION"})
        and value not in given_names()
        and value in read_lists_by_kind("choices.txt", ";")["languages"]
    ):
        return True
    words = WORD.findall(value)
    return bool(words) and all(w in UI_WORDS and w not in NAMES_TOO and w not in given_names() for w in words)


def _is_count_or_status(text: str, finding: Finding) -> bool:
    """Return whether a finding is a count or a number of the program: the numbers of an axis, a server's status, a
    few digits beside common words in a label.
    """
    value = text[finding.start : finding.end]
    if finding.entity in OF_DIGITS and _is_number_series(value):
        return True
    if (
        finding.entity in OF_DIGITS | {"LOCATION"}
        and (said := ANSWERED.match(text, finding.start))
        and not any(map(str.isdigit, text[said.end() : finding.end]))
    ):
        return True  # a server's status: *404 Not Found*
    if finding.entity == "USERNAME" and text[max(0, finding.start - 1) : finding.start] == "@":
        return all(word.lower() in UI_WORDS for word in re.findall(r"[^\W_]+", value))  # a parameter: *@columns*
    if (
        finding.entity not in SHORT
        and value.isdecimal()
        and len(value) <= _LEAST[finding.entity in NAMED]
        and _fills_one_of_several_cells(text, finding)
    ):
        return True
    if finding.entity not in ("ADDRESS", "ZIP_CODE") or is_running_text(text) or "\n" in text:
        return False
    words = [w for w in WORD.findall(value) if w.lower() not in UI_WORDS]
    digits = sum(c.isdigit() for c in value)
    if words:
        return digits <= 2 and not any(len(w) > 1 for w in words)
    decimal = re.search(r"\d[.,]\d", text[max(0, finding.start - 2) : finding.end + 2])
    return digits < 4 or bool(decimal) or text[max(0, finding.start - 1) : finding.start] in ("#", "€", "$", "£")


def _fills_one_of_several_cells(text: str, finding: Finding) -> bool:
    """Return whether a finding fills one of several lines or cells of a text."""
    before, after = text[: finding.start].rstrip(" "), text[finding.end :].lstrip(" ")
    return (before + after).strip() != "" and before[-1:] in ("", "\n", "\t") and after[:1] in ("", "\n", "\t")


def _is_number_series(value: str) -> bool:
    """Return whether numbers increase by equal steps, as on an axis: ``0 1 2 3 4 5 6 7 8 9 10 11 12``."""
    numbers = [int(n) for n in value.split() if n.isdecimal() and len(n) < 5]
    steps = {b - a for a, b in itertools.pairwise(numbers)}
    return (
        len(numbers) > 4
        and len(numbers) == len(value.split())
        and (len(steps) == 1 or steps == {1, -9})
        and steps != {0}
    )
