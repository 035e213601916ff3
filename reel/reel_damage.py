"""Defines the place at which a reel becomes unreadable."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReelDamage:
    """The place where a reel becomes unreadable. `offset`: the byte of the file where frame number `frame` begins; both
    are -1 for a file of another kind, which has no frames.
    """

    frame: int
    offset: int
    reason: str

    def __str__(self) -> str:
        return self.reason if self.frame < 0 else f"frame {self.frame} at byte {self.offset}: {self.reason}"
