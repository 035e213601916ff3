"""Report the result of a redaction as counts by channel and type, never a value; and hold the masked excerpts of several recordings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pagereel.reel import Json

from .values.known_values import KnownValues

if TYPE_CHECKING:
    from .gate.gate import Gate


@dataclass(slots=True)
class RedactionReport:
    """The result of :func:`pagereel.redaction.redact`.

    ``known`` holds the masked values for the gate, in memory only, and is never serialized. :meth:`to_json` returns
    the part that may be shared with the file.
    """

    policy: str
    known: KnownValues = field(repr=False)
    channels: dict[str, dict[str, int]] = field(default_factory=dict)
    """Channel → entity → replacements."""
    dropped: dict[str, int] = field(default_factory=dict)
    """What was left out: kinds of events, types of resources → how many."""
    structural: int = 0
    """How many values were too short or too common to be searched for in every channel, and were masked only in their
    place.
    """
    split: int = 0
    """How many text nodes were masked whole, because separate mutations spread a value over several of them."""
    checkpoints: int = 0
    """How many checkpoints got a new digest."""
    models: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    """Models and dictionaries that are not installed, so that less was found."""
    notes: list[str] = field(default_factory=list)
    lost: dict[str, str] = field(default_factory=dict, repr=False)
    """Addresses of documents, style sheets, fonts and pictures that the masked pages no longer find: as recorded (in memory only) →
    as masked."""
    vault: str | None = None
    """Id of the vault that holds the originals."""
    seconds: float = 0.0

    def __reduce__(self) -> str:
        raise TypeError("A redaction report holds known values and is never pickled; use to_json().")

    @property
    def total(self) -> int:
        """The number of all replacements."""
        return sum(sum(entities.values()) for entities in self.channels.values())

    @property
    def entities(self) -> dict[str, int]:
        """The number of replacements by entity, over all channels."""
        counts: Counter[str] = Counter()
        for found in self.channels.values():
            counts.update(found)
        return dict(counts.most_common())

    def to_json(self) -> dict[str, Json]:
        """Return the report without values, for the ``redaction`` event, the player and ``--json``."""
        return {
            "policy": self.policy,
            "total": self.total,
            "values": len({v.whole for v in self.known}),
            "entities": cast(Any, self.entities),
            "channels": cast(Any, {c: dict(sorted(e.items())) for c, e in sorted(self.channels.items())}),
            "dropped": cast(Any, dict(sorted(self.dropped.items()))),
            "structural": self.structural,
            "split": self.split,
            "checkpoints": self.checkpoints,
            "lost": len(self.lost),
            "models": cast(Any, self.models),
            "without": cast(Any, self.without),
            "notes": cast(Any, self.notes),
            "seconds": round(self.seconds, 1),
            **({"vault": self.vault} if self.vault else {}),
        }


@dataclass(frozen=True)
class JointlyMasked:
    """The result of masking several recordings together: the masked values in their given order, and the gate for the
    file that is made of them.
    """

    values: list[Json]
    gate: Gate | None
    """None if there is nothing to search for: the recordings were masked before, or the values are cached ones, which
    passed the gate.
    """
    reels: list[Path]
    """The paths of the recordings that may be shown, in the order in which they were given."""
    reports: list[RedactionReport | None]
    """The report for each of these; None for one that was masked before."""
