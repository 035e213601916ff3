"""What a caller of ``build()`` may choose, each default once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict

from pagereel.reel import Keys

from ..errors import UsageError
from ..options import OnLeak, Theme
from .report import Progress

if TYPE_CHECKING:
    from presidio_analyzer import EntityRecognizer

THEMES: Final = ("auto", "light", "dark")
PAGES: Final = (".html", ".htm")


class BuildOptions(TypedDict, total=False):
    """The keywords of :func:`pagereel.build`, for type checkers and editors; :class:`BuildSettings` says what each does."""

    title: str | None
    theme: Theme
    start: float | None
    end: float | None
    max_size: int | None
    zip: bool
    compact: bool
    stamp: str | None
    vault: str | os.PathLike[str] | None
    vault_key: Keys | None
    check: bool
    launch: Mapping[str, Any] | None
    on_leak: OnLeak
    recognizers: Sequence[EntityRecognizer]
    progress: Progress | None


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """Options of :func:`pagereel.build`. Sizes in bytes, times in ms."""

    title: str | None = None
    """Stands in the window's title, masked with the rest."""
    theme: Theme = "auto"
    """The player's colours: ``auto`` (the reader's), ``light`` or ``dark``."""
    start: float | None = None
    """Where a part of the recording begins that is cut out of it (see ``cut.py``)."""
    end: float | None = None
    """Where that part ends."""
    max_size: int | None = None
    """Leave things out until the file is within it, in the order media, fonts, images, bodies; the file and the report say what."""
    zip: bool = False
    """Write a ZIP archive that holds the replay, for places that refuse HTML."""
    compact: bool = False
    """Write bytes instead of base64, for a file a quarter smaller that only survives what leaves every byte alone (see ``reel/pieces.py``)."""
    stamp: str | None = None
    """Kept in the file as it is, in a ZIP archive as its comment: see ``stamp_of()``."""
    vault: str | os.PathLike[str] | None = None
    """Write the originals of what is masked into a file of their own: see ``redact()``."""
    vault_key: Keys | None = None
    """The key to which that file is encrypted."""
    check: bool = False
    """Open the file, hold it against the recording as ``verify_replay()`` does, and write what came of it into the file. Without it the file says that
    it was not checked.
    """
    launch: Mapping[str, Any] | None = None
    """How the browser for that check is started."""
    on_leak: OnLeak = "fail"
    """``drop`` leaves out what holds a known value after all; ``fail`` writes nothing."""
    recognizers: Sequence[EntityRecognizer] = ()
    """Presidio's, of your own: see ``redact()``."""
    progress: Progress | None = None
    """Called as the build goes on."""

    @classmethod
    def of(cls, given: Mapping[str, Any], *, masks: bool) -> BuildSettings:
        """Check names and values.

        :param masks: whether the build masks; what belongs to a redaction is refused where there is none.
        :raises UsageError: a name that is no option, a value that it does not take, options that exclude each other.
        """
        known = [field.name for field in fields(cls)]
        if unknown := sorted(set(given) - set(known)):
            names = ", ".join(repr(name) for name in unknown)
            raise UsageError(f"build() has no option {names}. It has: {', '.join(known)}.")
        chosen = cls(**given)
        if chosen.theme not in THEMES:
            raise UsageError(f"theme={chosen.theme!r} is none of {', '.join(THEMES)}.")
        if chosen.start is not None and not 0 <= chosen.start < float("inf"):
            raise UsageError(f"start={chosen.start:g} is no time of a recording; give at least 0 ms.")
        if chosen.end is not None and not chosen.end > (chosen.start or 0):
            raise UsageError(
                f"A part from {chosen.start or 0:g} to {chosen.end:g} ms holds nothing; give two times in their order."
            )
        if chosen.vault is not None and not masks:
            raise UsageError("A vault leads back from what was masked; this build masks nothing.")
        if chosen.recognizers and not masks:
            raise UsageError("Recognizers say what is masked; this build masks nothing.")
        return chosen

    def check_destination(self, destination: Path) -> None:
        """Raise UsageError where no file can be written, or where its name says that something else is in it than will be."""
        if destination.is_dir():
            raise UsageError(
                f"{destination} is a folder; give the path of the file to write, for example {destination / 'run.html'}."
            )
        if not destination.parent.is_dir():
            raise UsageError(
                f"{destination.parent} does not exist; create it first, or give another path for the replay."
            )
        name, ending = destination.name, destination.suffix.lower()
        if self.zip and ending in PAGES:
            raise UsageError(
                f"{name} is the name of a page, and --zip writes an archive; name it {destination.stem}.zip."
            )
        if not self.zip and ending == ".zip":
            raise UsageError(
                f"{name} is the name of an archive, and what is built is a page; add --zip, or name it {destination.stem}.html."
            )
        if ending == ".reel":
            raise UsageError(
                f"{name} is the name of a recording, and what is built is a page; name it {destination.stem}.html."
            )
