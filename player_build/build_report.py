"""The report that a build returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .fidelity import Fidelity
from .masked_page_check import MaskedPageReport
from .size_limit import OmittedCount
from .verify import ReplayDifference

if TYPE_CHECKING:
    from pagereel.redaction import RedactionReport

Progress = Callable[[float], None]
"""A callback for the finished share of the work, 0 to 1."""


@dataclass
class BuildReport:
    """The result of a build: the file, its size, what is missing in it, and what its check found."""

    destination: Path
    size: int
    """Size of the file in bytes."""
    duration: float
    """Duration of the recording in ms."""
    events: int
    resources: int
    sealed: bool
    damage: str | None
    """Where the reel becomes unreadable, as text; ``None`` when it is complete."""
    fidelity: Fidelity
    """The replay's claim to show what the page showed."""
    gaps: int
    notes: list[str] = field(default_factory=list)
    """Remarks on a replay of several recordings, a sentence each."""
    missing: list[str] = field(default_factory=list)
    """Addresses that the page showed and whose bytes are missing."""
    differences: list[ReplayDifference] = field(default_factory=list)
    """With `check`: the differences between file and recording."""
    same_page: MaskedPageReport | None = None
    """With `check`, for a masked build: at how many times its page looks like the raw one apart from its texts."""
    removed: int = 0
    """Number of attributes and texts that the sanitizer removed; 0 for a reel of pagereel's own recorder."""
    redaction: RedactionReport | None = None
    """The redaction's report; ``None`` for a raw build."""
    left_out: dict[str, OmittedCount] = field(default_factory=dict)
    """The resources that `max_size` left out, by kind."""
    why: list[str] = field(default_factory=list)
    """Why the run failed, a sentence each, and where; as it stands on top of the replay's story."""
    title: str = ""
    """The window's title as the replay shows it, masked as everything else."""
