"""What a build says of the file that it wrote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .fidelity import Fidelity
from .limit import OmittedCount
from .same_page import SamePage
from .verify import ReplayDifference

if TYPE_CHECKING:
    from pagereel.redaction import RedactionReport

Progress = Callable[[float], None]
"""Called now and then with the share that is done, 0 to 1."""


@dataclass
class BuildReport:
    """What was built."""

    destination: Path
    size: int
    """Bytes of the file."""
    duration: float
    """ms of recording."""
    events: int
    resources: int
    sealed: bool
    damage: str | None
    """Where the reel stops being readable, in words; ``None`` when it is whole."""
    fidelity: Fidelity
    """What the replay's claim to show what the page showed stands on."""
    gaps: int
    notes: list[str] = field(default_factory=list)
    """Of several recordings in one replay: what should be known of it, a sentence each."""
    missing: list[str] = field(default_factory=list)
    """Addresses that the page showed and the recording does not have."""
    differences: list[ReplayDifference] = field(default_factory=list)
    """With `check`: where the file does not show what was recorded."""
    same_page: SamePage | None = None
    """With `check`, of a masked build: at how many moments its page is the raw one but for its texts."""
    removed: int = 0
    """Attributes and texts that the sanitizer took out: 0 for a reel of pagereel's own recorder."""
    redaction: RedactionReport | None = None
    """The redaction's report; ``None`` for a raw build."""
    left_out: dict[str, OmittedCount] = field(default_factory=dict)
    """What `max_size` left out, by kind."""
