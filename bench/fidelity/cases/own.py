"""Our own trap pages: one for each line of what shows and is hard to capture (fixtures/traps.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pagereel.fixtures.site import TrapSite
from pagereel.fixtures.traps import DRIVE, TRAPS

from ..case import Case


def _act(page: Any, mark: str) -> None:
    page.evaluate(DRIVE, mark)


def cases() -> Iterator[Case]:
    for trap in TRAPS:
        yield Case(trap.name, "traps", TrapSite, trap.path, trap.marks, _act)
