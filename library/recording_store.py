"""The files of a library's recordings: below its folder, in a store that fsspec reaches, or linked at another place."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from pagereel.reel import remote_stores

from .catalogue import CatalogueEntry

RECORDINGS: Final = "recordings"
MASKED: Final = "masked"
INCOMING: Final = "incoming"
"""Folder for recordings under preparation, with a sub-folder for each process."""
IN_USE: Final = ".shared"
"""Ending of a list of shared resources that a recording under preparation needs: nobody deletes these meanwhile."""
SERVED: Final = "served"
"""Folder for replays and pages made of recordings. Each name begins with the run's id and a dot; the name of a page of
two runs has the :func:`build_pair_suffix` of the second.
"""


class RecordingStore:
    """The files of a library by name: ``recordings/ID.reel`` below the folder or the store, or an absolute path for a
    linked file.
    """

    def __init__(self, folder: Path, store: str | None = None) -> None:
        self.folder = folder
        self.store = store.rstrip("/") if store else None

    def get_recording_name(self, id: str, suffix: str, sha256: str) -> str:
        """Return the name for a recording's file. In a store the name contains a part of the hash, because files there
        are never overwritten.
        """
        return f"{RECORDINGS}/{id}{f'.{sha256[:16]}' if self.store else ''}{suffix}"

    def get_masked_name(self, id: str, sha256: str = "") -> str:
        """Return the name for the file of a run's masked copy."""
        return f"{MASKED}/{id}{f'.{sha256[:16]}' if self.store and sha256 else ''}.reel"

    def is_linked_file_name(self, name: str) -> bool:
        """Return whether a name is an absolute path or an address: that of a linked file, outside of the library."""
        return os.path.isabs(name) or remote_stores.is_url(name)

    def has_file(self, name: str) -> bool:
        """Return whether a file with this name exists."""
        if not name:
            return False
        place = self.get_file_address(name)
        return remote_stores.exists(place) if remote_stores.is_url(place) else Path(place).exists()

    @contextmanager
    def open_local_file(self, name: str) -> Iterator[Path]:
        """Yield the path of a file on this machine: the file itself, or a temporary copy. Raises ReelError."""
        with remote_stores.open_local_copy(self.get_file_address(name)) as path:
            yield path

    def get_lasting_path(self, entry: CatalogueEntry, name: str) -> Path:
        """Return a path on this machine that stays valid: the file's own, or that of a kept copy of a file in the
        store. Raises ReelError.
        """
        place = self.get_file_address(name)
        if not remote_stores.is_url(place):
            return Path(place)
        copy = self.folder / SERVED / f"{entry.id}.{name.replace('/', '.')}"
        if not copy.exists():
            copy.parent.mkdir(mode=0o700, exist_ok=True)
            with remote_stores.open_local_copy(place) as path:
                copy_file(path, copy)
        return copy

    def move_into_place(self, temporary: Path, name: str) -> str:
        """Move a finished file to its place, or copy it to the store, atomically. Return its SHA-256."""
        with temporary.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())
        place = self.get_file_address(name)
        if remote_stores.is_url(place):
            remote_stores.upload(temporary, place)
        else:
            temporary.chmod(0o600)
            os.replace(temporary, place)
        return sha256

    def remove_file(self, name: str) -> None:
        """Delete a file of the library; a linked one stays."""
        if not name or self.is_linked_file_name(name):
            return
        place = self.get_file_address(name)
        if remote_stores.is_url(place):
            remote_stores.remove(place)
        else:
            Path(place).unlink(missing_ok=True)

    def measure_run_size(self, entry: CatalogueEntry) -> int:
        """Return how many bytes the files of a run have in the library, without linked files."""
        found = 0
        for name in {entry.place, entry.indexed} - {""}:
            if not self.is_linked_file_name(name):
                with suppress(OSError):
                    place = self.get_file_address(name)
                    found += (
                        remote_stores.get_size(place) if remote_stores.is_url(place) else Path(place).stat().st_size
                    )
        return found

    def iter_file_names(self) -> Iterator[str]:
        """Yield the names of all recordings, masked copies, and files made of them."""
        for part in (RECORDINGS, MASKED):
            if self.store:
                yield from (f"{part}/{name}" for name in remote_stores.list_names(f"{self.store}/{part}"))
            else:
                yield from (f"{part}/{path.name}" for path in _iter_visible_files(self.folder / part))
        yield from (f"{SERVED}/{path.name}" for path in _iter_visible_files(self.folder / SERVED))

    def get_file_address(self, name: str) -> str:
        """Return where the file with this name is: a path, or an address that fsspec knows."""
        if self.is_linked_file_name(name):
            return name
        local = self.store is None or name.startswith(f"{SERVED}/")
        return str(self.folder / name) if local else f"{self.store}/{name}"


def build_pair_suffix(id: str) -> str:
    """Return the second run's part of the name for a file made of two runs.

    The file is found by this part when the second run is deleted.
    """
    return f"beside.{id}"


def copy_file(source: Path, target: Path) -> None:
    """Copy a file atomically. Only this user can read the copy."""
    meanwhile = target.with_name(f".{os.getpid()}.{target.name}")
    with (
        source.open("rb") as read,
        os.fdopen(os.open(meanwhile, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file,
    ):
        while block := read.read(1 << 20):
            file.write(block)
    os.replace(meanwhile, target)


def get_copy_suffix(path: str) -> str:
    """Return the file ending for the copy of a recording: the recording's own if it is a known one, else ``.reel``."""
    suffix = Path(path).suffix.lower()
    return suffix if re.fullmatch(r"\.(?:reel|html|zip|json)", suffix) else ".reel"


def _iter_visible_files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file())
