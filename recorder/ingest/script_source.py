"""The source of a message from a page: one script context of one frame."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class ScriptSource:
    """The script context of a frame (main world or isolated world) from which the injector sends messages. It is
    created on the caller's thread and read on the writer thread.
    """

    page: int
    frame: str
    top: bool
    url: str = ""
    early: bool = False
    """The frame existed before the recording: its late start is no gap."""
    world: str = ""
    """A unique name of the script context; "" where it is unknown."""
    pace: int = 1
    """Factor by which it was asked to sample less often."""
    heard: float = 0.0
    """When its last message came, in ms on the recording's clock."""
    left: float = -1.0
    """When its document announced its end, in its last message. Known on the writer's thread."""
