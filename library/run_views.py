"""The methods of a library that show its runs: readings, replays, and pages of two runs."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.errors import UsageError
from pagereel.reading import RecordedRun, open_recording

from .catalogue import CatalogueEntry
from .library_folder import LibraryFolder
from .recording_store import SERVED, build_pair_suffix

if TYPE_CHECKING:
    from pagereel.comparison import Comparison


@dataclass(frozen=True, slots=True)
class RunPair:
    """Two runs: their differences, and the file that shows both."""

    result: Comparison
    page: Path


class LibraryViews(LibraryFolder):
    """The methods of a library that show runs.

    Each returned file is made at the first call, in the library's folder, and deleted with its run. Each call is
    logged.
    """

    def reading(self, id: str) -> RecordedRun:
        """Return a run's indexed recording, opened for queries (``pagereel.reading``). Raises UsageError where only
        figures are kept; ReelError.
        """
        entry = self._resolve_showable_run(id)
        self.note({"did": "read", "run": entry.id})
        with self.places.open_local_file(entry.indexed) as path:
            return open_recording(path)

    def replay(self, id: str) -> Path:
        """Return the path of a run's replay, made of the indexed recording, usually the masked copy. Raises UsageError
        where only figures are kept; ReelError, BuildError.
        """
        from pagereel.player_build import build, hash_shell

        entry = self._resolve_showable_run(id)
        made = self._get_derived_file_path(f"{entry.id}.{entry.sha256[:16]}.{entry.tier}.own.{hash_shell()[:8]}.html")
        if not made.exists():
            with self.places.open_local_file(entry.indexed) as path:
                _write_atomically(made, lambda to: build(path, to, redaction=None))
        self.note({"did": "replay", "run": entry.id, "redaction": self.settings.index or "off"})
        return made

    def pair(self, a: str, b: str) -> RunPair:
        """Return a comparison of two runs, masked together under the policy of the index. Raises UsageError where only
        figures of one are kept; ReelError.
        """
        from pagereel.comparison import compare, write_comparison

        first, second = self._resolve_showable_run(a), self._resolve_showable_run(b)
        made = self._get_derived_file_path(f"{first.id}.{build_pair_suffix(second.id)}.{second.sha256[:16]}.own.html")
        with self.places.open_local_file(first.place) as one, self.places.open_local_file(second.place) as other:
            result = compare(one, other, redaction=self.settings.index)
            # This comes first, so that the differences have the same stand-ins as the page.
            _write_atomically(made, lambda to: write_comparison(result, to, first.id[:12], second.id[:12]))
        self.note({"did": "compare", "a": first.id, "b": second.id, "redaction": self.settings.index or "off"})
        return RunPair(result, made)

    def _resolve_showable_run(self, id: str) -> CatalogueEntry:
        entry = self.resolve(id)
        if not entry.indexed:
            raise UsageError(f"Only the figures of the run {entry.id} are kept; there is no replay to show.")
        return entry

    def _get_derived_file_path(self, name: str) -> Path:
        folder = self.folder / SERVED
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder / name


def _write_atomically(destination: Path, write: Callable[[Path], object]) -> None:
    """Write a file under a temporary name, readable by this user alone, and rename it to `destination` when it is complete."""
    meanwhile = destination.with_name(f".{secrets.token_hex(6)}.{destination.name}")
    try:
        write(meanwhile)
        meanwhile.chmod(0o600)
        os.replace(meanwhile, destination)
    finally:
        meanwhile.unlink(missing_ok=True)
