"""The options of ``build()``, each with its default."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict

from pagereel.reel import Keys

from ..durations import format_duration
from ..errors import UsageError
from ..options import OnLeak, Theme
from .build_report import Progress

if TYPE_CHECKING:
    from presidio_analyzer import EntityRecognizer

THEMES: Final = ("auto", "light", "dark")
PAGES: Final = (".html", ".htm")


class BuildOptions(TypedDict, total=False):
    """The keyword arguments of :func:`pagereel.build`, for type checkers and editors; :class:`BuildSettings` documents
    each.
    """

    title: str | None
    theme: Theme
    start: float | None
    end: float | None
    clip: bool
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
    """The options of :func:`pagereel.build`. Sizes in bytes, times in ms."""

    title: str | None = None
    """The window's title, masked like everything else."""
    theme: Theme = "auto"
    """The player's colours: ``auto`` (the reader's), ``light`` or ``dark``."""
    start: float | None = None
    """Begin of the part to build; None: the recording's begin."""
    end: float | None = None
    """End of the part; None: the recording's end."""
    clip: bool = False
    """Leave nothing in the file from before or after that part: see :func:`pagereel.sources.write_clip`."""
    max_size: int | None = None
    """Leave out resources until the file is within this size, in the order media, fonts, images, bodies; file and
    report say what is missing.
    """
    zip: bool = False
    """Write a ZIP archive with the replay, for places that refuse HTML."""
    compact: bool = False
    """Write bytes instead of base64, for a file a quarter smaller that works only where every byte is preserved.
    """
    stamp: str | None = None
    """Stored in the file unchanged, in a ZIP archive as its comment: see ``read_stamp()``."""
    vault: str | os.PathLike[str] | None = None
    """Write the originals of masked values into this separate file: see ``redact()``."""
    vault_key: Keys | None = None
    """The key for encrypting the vault."""
    check: bool = False
    """Open the file, compare it with the recording as ``verify_replay()`` does, and write the result into the file.
    Without this the file says that it was not checked.
    """
    launch: Mapping[str, Any] | None = None
    """Launch options of the browser for that check."""
    on_leak: OnLeak = "fail"
    """``drop`` leaves out events that still contain a known value; ``fail`` writes nothing."""
    recognizers: Sequence[EntityRecognizer] = ()
    """Your own Presidio recognizers: see ``redact()``."""
    progress: Progress | None = None
    """A callback for the progress of the build."""

    @classmethod
    def from_options(cls, given: Mapping[str, Any], *, masks: bool) -> BuildSettings:
        """Return the settings for keyword arguments, after checking their names and values.

        :param masks: whether the build masks; otherwise options of a redaction are refused.
        :raises UsageError: an unknown option, an invalid value, or options that exclude each other.
        """
        known = [field.name for field in fields(cls)]
        if unknown := sorted(set(given) - set(known)):
            names = ", ".join(repr(name) for name in unknown)
            raise UsageError(f"build() has no option {names}. It has: {', '.join(known)}.")
        chosen = cls(**given)
        if chosen.theme not in THEMES:
            raise UsageError(f"theme={chosen.theme!r} is not one of {', '.join(THEMES)}.")
        if chosen.start is not None and not 0 <= chosen.start < float("inf"):
            raise UsageError(f"start={chosen.start:g} is not a time of a recording; give 0 ms or more.")
        if chosen.end is not None and not chosen.end > (chosen.start or 0):
            raise UsageError(
                f"A part from {format_duration(chosen.start or 0)} to {format_duration(chosen.end)} is empty; give the start before the end."
            )
        if chosen.clip and chosen.start is None and chosen.end is None:
            raise UsageError("A clip needs start or end, in ms.")
        if chosen.vault is not None and not masks:
            raise UsageError("A vault undoes masking, and this build masks nothing; leave out one of them.")
        if chosen.recognizers and not masks:
            raise UsageError("Recognizers choose what is masked, and this build masks nothing; leave out one of them.")
        return chosen

    def raise_if_destination_unusable(self, destination: Path) -> None:
        """Raise UsageError if no file can be written at `destination`, or if its ending does not match the content."""
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
                f"{name} is the name of a page, but --zip writes an archive; name it {destination.stem}.zip."
            )
        if not self.zip and ending == ".zip":
            raise UsageError(
                f"{name} is the name of an archive, but a page is written; add --zip, or name it {destination.stem}.html."
            )
        if ending == ".reel":
            raise UsageError(
                f"{name} is the name of a recording, but a page is written; name it {destination.stem}.html."
            )
