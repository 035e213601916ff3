"""Cases of our own trap pages, each about one thing that a page shows and that is hard to record (fixtures/trap_pages.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pagereel.fixtures.trap_pages import DRIVE, TRAPS
from pagereel.fixtures.trap_site import TrapSite

from ..case import Case


def _perform_mark(page: Any, mark: str) -> None:
    page.evaluate(DRIVE, mark)


def iter_cases() -> Iterator[Case]:
    for trap in TRAPS:
        yield Case(trap.name, "traps", TrapSite, trap.path, trap.marks, _perform_mark)
