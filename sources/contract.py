"""What a reader of one kind of file gives, and how it says what it could not take over."""

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
    """What a reader says while it reads: nothing of it is lost between the file and the person."""

    damage: str | None = None
    """Why the file could not be read to its end, in a few words; what came before is intact."""
    masked: str | None = None
    """The policy that the recording was redacted with before."""
    unsealed: bool = False
    """The recording that the file holds was never closed; nothing of the file itself is missing."""
    warnings: list[str] = field(default_factory=list)
    """One sentence each: what the file has and a reel cannot, or what was read by guess (a newer format)."""

    def warn(self, sentence: str) -> None:
        """Say something once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)


Read = Callable[[Path, BinaryIO, ReadReport], Iterator[Event]]
"""Reads an open file as events, the ``reel`` header first. They come as ReelWriter takes them: nearly in the order of ``t``, a
document's messages in the order of ``n``. An ``end`` event among them says when the recording ended. Everything in the file is hostile: what does not hold is left out and told, and a file of
which nothing can be read raises ReelError with one sentence. Values of fields for passwords, cards and one-time codes are masked here,
as the recorder does."""


@dataclass(frozen=True)
class SourceFormat:
    """One kind of file."""

    kind: SourceKind
    read: Read
    about: str
    """What people call such a file: ``Playwright trace``."""
