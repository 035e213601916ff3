"""What the second pass replaced: counted by channel and entity, and reported to an observer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ..contracts.sink import Slot
from ..values.matcher import Match

Observer = Callable[[str, str, str, str], None]
"""Receives a replacement: its channel, its entity, the text, and its stand-in."""


class ReplacementLog:
    """The replacements of one recording."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        """Channel and entity → replacements."""
        self.observer: Observer | None = None
        self._within: dict[str, list[tuple[str, str, str]]] = {}
        """An address → the entity, text and stand-in of each piece that was replaced in it."""

    def add(self, channel: str, entity: str, text: str, stand_in: str) -> None:
        """Count a replacement and report it."""
        self.counts[channel, entity] += 1
        if self.observer is not None:
            self.observer(channel, entity, text, stand_in)

    def add_matches(self, matches: Sequence[Match], slot: Slot, text: str) -> Sequence[Match]:
        """Count the matches in a text, and return them. A match that a rule allows is not counted."""
        for match in matches:
            written = text[match.start : match.end]
            if written != match.replacement:
                self.add(slot.channel, match.entity, written, match.replacement)
        return matches

    def keep_piece(self, url: str, entity: str, piece: str, stand_in: str) -> None:
        """Keep for the observer what was replaced in an address; its masked form is made only once."""
        if self.observer is not None and stand_in != piece:
            self._within.setdefault(url, []).append((entity, piece, stand_in))

    def add_address(self, channel: str, url: str) -> None:
        """Count an address that is written masked, and report the pieces that were replaced in it."""
        self.counts[channel, "URL"] += 1
        if self.observer is not None:
            for entity, piece, stand_in in self._within.get(url, ()):
                self.observer(channel, entity, piece, stand_in)
