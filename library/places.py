"""Where the recordings of a library lie: below its folder, or in a store that fsspec reaches; linked ones where they stood before."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from pagereel.reel import stores

from .catalogue import Entry

RECORDINGS: Final = "recordings"
MASKED: Final = "masked"
INCOMING: Final = "incoming"
"""What is being made ready; a folder of its own for each who does."""
IN_USE: Final = ".shared"
"""The ending of a list there, of what a recording will share with others: nobody clears that away meanwhile."""
SERVED: Final = "served"
"""What was made of recordings for those who may see it; each name begins with the run's id and a dot; a page of two runs names the second as :func:`pair_key` says."""


class RecordingStore:
    """Files by their names: ``recordings/ID.reel`` below the folder or the store, or a path from the root for what was linked."""

    def __init__(self, folder: Path, store: str | None = None) -> None:
        self.folder = folder
        self.store = store.rstrip("/") if store else None

    def recording(self, id: str, suffix: str, sha256: str) -> str:
        """Return the name of a recording. In a store it has a part of the hash: there, nothing is replaced under its name."""
        return f"{RECORDINGS}/{id}{f'.{sha256[:16]}' if self.store else ''}{suffix}"

    def masked(self, id: str, sha256: str = "") -> str:
        """Return the name of the masked copy."""
        return f"{MASKED}/{id}{f'.{sha256[:16]}' if self.store and sha256 else ''}.reel"

    def outside(self, name: str) -> bool:
        """Return whether a file is none of the library's own."""
        return os.path.isabs(name) or stores.is_url(name)

    def exists(self, name: str) -> bool:
        """Return whether the file is there."""
        if not name:
            return False
        place = self.address(name)
        return stores.exists(place) if stores.is_url(place) else Path(place).exists()

    @contextmanager
    def local(self, name: str) -> Iterator[Path]:
        """Give a file of this machine: itself, or a copy that is gone afterwards. Raises ReelError."""
        with stores.local_copy(self.address(name)) as path:
            yield path

    def path_of(self, entry: Entry, name: str) -> Path:
        """Return a path that stays: the file's own, or that of a copy of what is in the store. Raises ReelError."""
        place = self.address(name)
        if not stores.is_url(place):
            return Path(place)
        copy = self.folder / SERVED / f"{entry.id}.{name.replace('/', '.')}"
        if not copy.exists():
            copy.parent.mkdir(mode=0o700, exist_ok=True)
            with stores.local_copy(place) as path:
                copy_file(path, copy)
        return copy

    def put(self, made: Path, name: str) -> str:
        """Give a finished file of this machine its place, whole or not at all, and return its SHA-256. It is moved, or copied to the store."""
        with made.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())
        place = self.address(name)
        if stores.is_url(place):
            stores.store(made, place)
        else:
            made.chmod(0o600)
            os.replace(made, place)
        return sha256

    def remove(self, name: str) -> None:
        """Remove a file of the library's own; one that was linked stays."""
        if not name or self.outside(name):
            return
        place = self.address(name)
        if stores.is_url(place):
            stores.remove(place)
        else:
            Path(place).unlink(missing_ok=True)

    def sizes(self, entry: Entry) -> int:
        """Return how many bytes of a run the library keeps."""
        found = 0
        for name in {entry.place, entry.indexed} - {""}:
            if not self.outside(name):
                with suppress(OSError):
                    place = self.address(name)
                    found += stores.size(place) if stores.is_url(place) else Path(place).stat().st_size
        return found

    def named(self) -> Iterator[str]:
        """Yield the names of all recordings and masked copies, and of what was made of them."""
        for part in (RECORDINGS, MASKED):
            if self.store:
                yield from (f"{part}/{name}" for name in stores.names(f"{self.store}/{part}"))
            else:
                yield from (f"{part}/{path.name}" for path in _files(self.folder / part))
        yield from (f"{SERVED}/{path.name}" for path in _files(self.folder / SERVED))

    def address(self, name: str) -> str:
        """Return where a file is: a path, or an address that fsspec knows."""
        if self.outside(name):
            return name
        local = self.store is None or name.startswith(f"{SERVED}/")
        return str(self.folder / name) if local else f"{self.store}/{name}"


def pair_key(id: str) -> str:
    """Return what the name of a page of two runs says of the second, by which it is found when that run goes."""
    return f"beside.{id}"


def copy_file(source: Path, target: Path) -> None:
    """Copy a file, whole or not at all, so that nobody else can read it."""
    meanwhile = target.with_name(f".{os.getpid()}.{target.name}")
    with (
        source.open("rb") as read,
        os.fdopen(os.open(meanwhile, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file,
    ):
        while block := read.read(1 << 20):
            file.write(block)
    os.replace(meanwhile, target)


def suffix_of(path: str) -> str:
    """Return the ending that a recording's copy has."""
    suffix = Path(path).suffix.lower()
    return suffix if re.fullmatch(r"\.(?:reel|html|zip|json)", suffix) else ".reel"


def _files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file())
