"""Collect for a reviewer each masked value with its stand-in, and the values that the gate found.

Both hold original values. They stay in the reviewer's process, on the machine that has the unmasked recording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from .entities import NEVER_ALLOWED
from .policy import normalize_spaces
from .sink import MASKED

_SHOWN = ("dom.", "document.title")
"""Beginnings of the channels that a page shows."""


@dataclass(slots=True, repr=False)
class MaskedValue:
    """One masked value, with all its places in the recording.

    ``at``: the time at which the value first shows in a page, else at which it first occurs anywhere, in ms on the
    recording's clock. ``last``: the time of the last occurrence. A value that is typed is complete only then.
    """

    entity: str
    value: str
    stand_in: str
    at: float
    last: float
    shows: bool
    channels: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """Return the mask for the review page, with its value."""
        return {
            "type": self.entity,
            "value": self.value,
            "standIn": self.stand_in,
            "at": self.at,
            "last": self.last,
            "shows": self.shows,
            "count": sum(self.channels.values()),
            "channels": [name for name, _ in self.channels.most_common()],
            "byValue": self.stand_in != MASKED,
            "byType": self.entity not in NEVER_ALLOWED and not self.is_private_by_place,
        }

    @property
    def is_private_by_place(self) -> bool:
        """Return whether the value is private because of its place, such as a form field or a parameter, and has no
        type of its own.
        """
        return self.entity == "VALUE"


@dataclass(frozen=True, slots=True, repr=False)
class GateFinding:
    """A value that the gate found in the finished file, with its position there. Only the reviewer sees it, as with
    :class:`MaskedValue`.
    """

    entity: str
    value: str
    place: str
    count: int

    def to_json(self) -> dict[str, Any]:
        """Return the finding for the review page, with its value."""
        return {"type": self.entity, "value": self.value, "place": self.place, "count": self.count}


class MaskLog:
    """All masked values of one redaction, and the values that the gate found."""

    def __init__(self) -> None:
        self.at = 0.0
        """``t`` of the event that is being masked."""
        self._masks: dict[tuple[str, str], MaskedValue] = {}
        self.found: list[GateFinding] = []
        """What the gate found in its last search."""

    def record_mask(self, channel: str, entity: str, value: str, stand_in: str) -> None:
        """Record one replacement of a value by its stand-in."""
        if not any(c.isalnum() for c in value):
            return
        key = entity, normalize_spaces(value).casefold()
        shows = channel.startswith(_SHOWN)
        mask = self._masks.get(key)
        if mask is None:
            mask = self._masks[key] = MaskedValue(entity, normalize_spaces(value), stand_in, self.at, self.at, shows)
        elif shows and not mask.shows:
            mask.at, mask.shows, mask.stand_in = self.at, True, stand_in
        if shows or not mask.shows:
            mask.last = self.at
        mask.channels[channel] += 1

    def __iter__(self) -> Iterator[MaskedValue]:
        return iter(sorted(self._masks.values(), key=lambda m: (m.entity, m.at, m.value.casefold())))

    def __len__(self) -> int:
        return len(self._masks)


_following: ContextVar[MaskLog | None] = ContextVar("pagereel_masks", default=None)


@contextmanager
def collect_masks() -> Iterator[MaskLog]:
    """Yield a log that collects the masks of all redactions within the ``with`` block, also of those that builds run."""
    masks = MaskLog()
    token = _following.set(masks)
    try:
        yield masks
    finally:
        _following.reset(token)


def get_active_mask_log() -> MaskLog | None:
    """Return the log that records masks in this context, or None."""
    return _following.get()
