"""Decide whether a finding is accepted, and which findings within a rejected one are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..contracts.types import NAMED, Finding, TextContext
from . import overlaps
from .filters.foreign import trimmed
from .filters.line_splits import split_at_lines
from .filters.not_personal import is_not_personal
from .filters.prose import sentence_like
from .interface_words import is_interface_text
from .tables import is_head

LABELLED = 0.9
"""Score of what a label or the head of a column tells, also within a longer span that as a whole is nothing."""
_SURE_WITHIN, _SURE = 0.9, 0.97
"""Score from which on a name counts within a longer one that as a whole is nothing; and from which on our own net's does though its words are those of a language."""
_KNOWN_BY_RULE = frozenset(
    [
        "SECRET",
        "CVV",
        "AGE",
        "DATE_TIME",
        "CREDIT_CARD",
        "IBAN_CODE",
        "BANK_ACCOUNT",
        "ID",
        "USERNAME",
        "EMAIL_ADDRESS",
        "TITLE",
    ]
)
"""Entities that a rule tells by the words around: a model that takes their digits for a house's speaks against nothing."""


def is_accepted(text: str, f: Finding, context: TextContext, sure: bool = False) -> bool:
    """Return whether a finding may be personal: no rule, no word of interfaces, and no header of a table speaks against it.

    :param sure: our own net is sure of it.
    """
    if is_not_personal(text, f, context) or is_interface_text(text, f, context, sure=sure):
        return False
    return bool(context.label) or not is_head(text, f)


def is_disjoint(f: Finding, others: Iterable[Finding]) -> bool:
    """Return whether a finding overlaps none of the others."""
    return all(f.end <= g.start or g.end <= f.start for g in others)


def accepted_within(
    text: str,
    f: Finding,
    context: TextContext,
    by_rule: Sequence[Finding],
    kept: Sequence[Finding],
    by_net: Sequence[Finding],
) -> list[Finding]:
    """Return the accepted findings within a finding that was rejected.

    These are findings of rules, lines and cells, names that a model is sure of, and the name without function words at its ends. Of *Doorgezet naar
    Ravindra Bhagwandin* one model makes a company, and the other finds the person.
    """
    inner = [
        g
        for g in overlaps.resolve_overlaps(text, [g for g in by_rule if _is_known_by_rule(f, g)])
        if is_accepted(text, g, context)
    ]
    others = [
        *split_at_lines(text, f),
        *(g for g in kept if _is_within(f, g) and g.entity in NAMED and g.score >= _SURE_WITHIN),
    ]
    inner += [
        g
        for g in overlaps.resolve_overlaps(text, [g for g in others if is_disjoint(g, inner)])
        if _is_within(f, g) and is_accepted(text, g, context)
    ]
    if not context.label and (sentence_like(text) or "\n" in text):
        sure = (g for g in by_net if f.start <= g.start and g.end <= f.end and g.entity in NAMED and g.score >= _SURE)
        inner += [g for g in sure if is_disjoint(g, inner) and is_accepted(text, g, context, sure=True)]
    cut = trimmed(text, f)
    if cut != f and is_accepted(text, cut, context):
        # What stands wholly in it goes with it: of *é Iago Tarrega* the net alone told the second word.
        inner = [g for g in inner if g.start < cut.start or cut.end < g.end]
        if is_disjoint(cut, inner):
            inner.append(cut)
    return inner


def _is_within(f: Finding, g: Finding) -> bool:
    return f.start <= g.start and g.end <= f.end and (g.start, g.end) != (f.start, f.end)


def _is_known_by_rule(f: Finding, g: Finding) -> bool:
    """Return whether a rule announces `g`, which lies within `f`. A model makes an address of *CVC 442*, which is a card's code."""
    if not (f.start <= g.start and g.end <= f.end) or g == f:
        return False
    if g.entity == "ORGANIZATION" and _is_within(f, g):
        return True
    other = g.entity != f.entity
    return (other or _is_within(f, g)) and (g.score >= LABELLED or (g.entity in _KNOWN_BY_RULE and other))
