"""Cache the findings of texts in memory: the replays of a test suite have most of their texts in common."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from ...contracts.findings import Finding, TextContext

CHARACTERS: Final = 4_000_000
"""Most characters of all cached texts together. Those that were not used for longest are forgotten."""
LONGEST: Final = 10_000
"""Most characters of a cached text: a longer one rarely occurs again unchanged."""

Pair = tuple[str, TextContext]


class FindingsCache:
    """The cached findings of each text in its context. A finding is cached only if it depends on this text alone, and
    not on the other texts that were searched together with it.
    """

    def __init__(self, characters: int = CHARACTERS) -> None:
        self._found: OrderedDict[Pair, tuple[Finding, ...]] = OrderedDict()
        self._left = characters
        self._lock = threading.Lock()

    def find_cached(self, pairs: Sequence[Pair]) -> dict[Pair, list[Finding]]:
        """Return the cached findings of these texts."""
        with self._lock:
            known = [pair for pair in pairs if pair in self._found]
            for pair in known:
                self._found.move_to_end(pair)
            return {pair: list(self._found[pair]) for pair in known}

    def store(self, pairs: Sequence[Pair], found: Sequence[Sequence[Finding]]) -> None:
        """Cache the detector's findings."""
        with self._lock:
            for pair, findings in zip(pairs, found, strict=True):
                if len(pair[0]) <= LONGEST and pair not in self._found:
                    self._found[pair] = tuple(findings)
                    self._left -= len(pair[0])
            while self._left < 0 and self._found:
                (text, _), _ = self._found.popitem(last=False)
                self._left += len(text)
