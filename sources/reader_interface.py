"""The interface of a reader for one kind of file, and its report of the parts that it could not import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, Literal

from pagereel.reel import Event

SourceKind = Literal["reel", "replay", "trace", "rrweb"]
"""What a recording is: a reel, pagereel's own HTML (plain, compact or in a ZIP), Playwright's trace.zip, or rrweb's events."""

KINDS: Final[tuple[SourceKind, ...]] = ("reel", "replay", "trace", "rrweb")


@dataclass
class ReadReport:
    """The report that a reader writes while it reads a file: damage, and the parts that it could not import."""

    damage: str | None = None
    """Why the file could not be read to its end, in a few words; events before that are intact."""
    masked: str | None = None
    """The policy with which the recording was redacted before."""
    unsealed: bool = False
    """The recording in the file was never closed, although the file itself is complete."""
    warnings: list[str] = field(default_factory=list)
    """One sentence for each thing that a reel cannot hold, or that was read by guess (a newer format)."""

    def add_warning(self, sentence: str) -> None:
        """Add a warning to the report, unless the report has the same one already."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)


Read = Callable[[Path, BinaryIO, ReadReport], Iterator[Event]]
"""A function that reads an open file as events, the ``reel`` header first. Events come in the order that ReelWriter
accepts: nearly in the order of ``t``, a document's messages in the order of ``n``. An ``end`` event says when the
recording ended. Nothing in the file is trusted: what is invalid is left out and reported, and a file without
anything readable raises ReelError with one sentence. Values of fields for passwords, cards and one-time codes are
masked here, as the recorder does.
"""


@dataclass(frozen=True)
class SourceFormat:
    """One kind of file that can be read as a reel, with its reader."""

    kind: SourceKind
    read: Read
    about: str
    """The common name of such a file: ``Playwright trace``."""
