"""Collects the cases of all groups."""

from __future__ import annotations

from ..case import Case
from . import miniwob, npm, programs, trap_pages


def all_cases() -> dict[str, Case]:
    """Return all cases by name, in the order of the table."""
    cases = [*trap_pages.iter_cases(), *npm.iter_cases(), *miniwob.iter_cases(), *programs.iter_cases()]
    return {case.name: case for case in cases}
