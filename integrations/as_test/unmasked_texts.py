"""Finds out which words of a masked recording are stand-ins, from the texts of the recording before it was masked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pagereel.sources import open_any

from .literals import list_locator_texts, to_safe_locator

_LONGEST: Final = 5_000
"""Characters of a text that is held: no locator, address or heading is longer."""
_KINDS: Final = frozenset({"call", "document", "snapshot", "mutation", "title"})
"""The kinds of events that say what a test could name."""


class UnmaskedTexts:
    """The set of all texts in an unmasked recording, which can only be asked whether it contains a text."""

    def __init__(self, path: Path) -> None:
        self._texts: set[str] = set()
        with open_any(path) as reel:
            for event in reel.events(_KINDS):
                for text in _iter_strings(event):
                    self._texts.add(text)
                    self._texts.add(" ".join(text.split()))
                if event["k"] == "call" and (found := to_safe_locator(event.get("locator"))) is not None:
                    self._texts.update(list_locator_texts(found))

    def __contains__(self, text: str) -> bool:
        return text in self._texts


def _iter_strings(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if len(one) <= _LONGEST:
                yield one
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
