"""Count the replacements of the second pass by channel and entity, and report them to an observer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ..contracts.sink import Slot
from ..values.known_value_matcher import ValueMatch

Observer = Callable[[str, str, str, str], None]
"""Receives a replacement: its channel, its entity, the text, and its stand-in."""


class ReplacementLog:
    """The replacements made in one recording."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        """Channel and entity → replacements."""
        self.observer: Observer | None = None
        self._within: dict[str, list[tuple[str, str, str]]] = {}
        """URL → the entity, text and stand-in of each piece that was replaced in it."""

    def record_replacement(self, channel: str, entity: str, text: str, stand_in: str) -> None:
        """Count a replacement, and report it to the observer."""
        self.counts[channel, entity] += 1
        if self.observer is not None:
            self.observer(channel, entity, text, stand_in)

    def record_matches(self, matches: Sequence[ValueMatch], slot: Slot, text: str) -> Sequence[ValueMatch]:
        """Count the matches in a text, and return them. A match that a rule allows is not counted."""
        for match in matches:
            written = text[match.start : match.end]
            if written != match.replacement:
                self.record_replacement(slot.channel, match.entity, written, match.replacement)
        return matches

    def record_url_piece(self, url: str, entity: str, piece: str, stand_in: str) -> None:
        """Store for the observer a piece that was replaced in a URL: the masked URL is computed once, and used many
        times.
        """
        if self.observer is not None and stand_in != piece:
            self._within.setdefault(url, []).append((entity, piece, stand_in))

    def record_masked_url(self, channel: str, url: str) -> None:
        """Count a masked URL that is written, and report the pieces that were replaced in it."""
        self.counts[channel, "URL"] += 1
        if self.observer is not None:
            for entity, piece, stand_in in self._within.get(url, ()):
                self.observer(channel, entity, piece, stand_in)
