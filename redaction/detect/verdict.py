"""Decide whether a finding is accepted."""

from __future__ import annotations

from collections.abc import Iterable

from ..contracts.types import Finding, TextContext
from .filters.not_personal import is_not_personal
from .tables import is_head


def is_accepted(text: str, f: Finding, context: TextContext) -> bool:
    """Return whether a finding may be personal: no rule and no header of a table speaks against it."""
    if is_not_personal(text, f, context):
        return False
    return bool(context.label) or not is_head(text, f)


def is_disjoint(f: Finding, others: Iterable[Finding]) -> bool:
    """Return whether a finding overlaps none of the others."""
    return all(f.end <= g.start or g.end <= f.start for g in others)
