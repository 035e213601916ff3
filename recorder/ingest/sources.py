"""Where a message comes from: one script context of one frame."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class ScriptSource:
    """Where a batch comes from: one script context of one frame. Made on the caller's thread, read on the writer's."""

    page: int
    frame: str
    top: bool
    url: str = ""
    early: bool = False
    """The frame was there before the recording: its late start is no gap."""
    world: str = ""
    """The script context by a name that no other has; "" where that is not known."""
    pace: int = 1
    """How many times less often than usual it was asked to sample."""
    heard: float = 0.0
    """When it sent something last, in ms on the recording's clock."""
    left: float = -1.0
    """When its document said that it goes, which it does after all else. Known on the writer's thread."""
