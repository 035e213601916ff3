"""All cases, by name."""

from __future__ import annotations

from ..case import Case
from . import own


def all_cases() -> dict[str, Case]:
    """In the order of the table."""
    cases = [*own.cases()]
    return {case.name: case for case in cases}
