"""Collects the cases of all groups."""

from __future__ import annotations

from ..case import Case
from . import miniwob, npm, own, programs


def all_cases() -> dict[str, Case]:
    """Return all cases by name, in the order of the table."""
    cases = [*own.cases(), *npm.cases(), *miniwob.cases(), *programs.cases()]
    return {case.name: case for case in cases}
