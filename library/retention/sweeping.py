"""Finds what is left of deleted runs, deletes unused shared resources, and writes expiry times into masked copies."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from pagereel.errors import ReelError
from pagereel.reel import ReelWriter, SharedResources, header_fields, open_reel
from pagereel.sources import open_any

from ..catalogue import Entry
from ..places import IN_USE, INCOMING, RECORDINGS, pair_key
from .expiring import due_of
from .tiers import iso_of

if TYPE_CHECKING:
    from ..folder import LibraryFolder

_GRACE_S = 0.0


def leftovers(library: LibraryFolder) -> list[str]:
    """Return the names of files that belong to runs which, according to the log, were deleted or replaced."""
    told = library.book.state()
    wanted = {name for entry in told.entries.values() for name in (entry.place, entry.indexed)}
    second = {pair_key(id) for id in told.deleted}
    found = []
    for name in library.places.named():
        id = name.rpartition("/")[2].partition(".")[0]
        # The page of two runs is deleted with either run.
        other = ".".join(name.split(".")[2:4]) if name.startswith("served/") else ""
        if name not in wanted and (
            id in told.deleted or other in second or (id in told.entries and not name.startswith("served/"))
        ):
            found.append(name)
    facts = library.folder / "facts"
    found += [f"facts/{path.name}" for path in facts.glob("*.json") if path.stem in told.deleted]
    return found


def catalogued_although_deleted(library: LibraryFolder) -> list[str]:
    """Return the ids of runs that are in the catalogue although the log says that they are deleted: the process that
    deleted them was killed.
    """
    deleted = library.book.state().deleted
    return [id for id in library.catalogue.ids() if id in deleted]


def prune_shared(library: LibraryFolder) -> int:
    """Delete the shared resources that no recording of the library uses. Return their number."""
    shared = SharedResources(library.folder / RECORDINGS)
    if not shared.folder.is_dir():
        return 0
    used: set[str] = set()
    for listed in (library.folder / INCOMING).glob(f"*/*{IN_USE}"):
        used |= set(listed.read_text("utf-8").split())
    for entry in library.catalogue.entries():
        if entry.place and not library.places.outside(entry.place):
            try:
                with library.places.local(entry.place) as path, open_any(path) as reel:
                    used |= set(reel.shared_resources())
            except ReelError:
                return 0  # the resources of this recording are unknown, so nothing may be deleted
    gone = list(shared.unused(used, _GRACE_S))
    for path in gone:
        path.unlink(missing_ok=True)
    return len(gone)


def write_expiry(library: LibraryFolder, entry: Entry) -> None:
    """Write the expiry time of a run into its masked copy, so that copies of that file have it too. The original
    recording is not changed.
    """
    if entry.indexed == entry.place or library.places.outside(entry.indexed):
        return
    _, ends = due_of(library.catalogue, library.settings.retention, 0.0, [entry.id])[entry.id]
    if ends is None:
        return
    with library.scratch() as scratch:
        made = scratch / f"{secrets.token_hex(4)}.reel"
        with library.places.local(entry.indexed) as path, open_reel(path) as reel:
            header = header_fields(reel.header) | {"expires": iso_of(ends)}
            with ReelWriter(made, header, flush_ms=60_000) as writer:
                for event in reel.events():
                    if event["k"] not in ("reel", "end"):
                        writer.write(event)
                writer.close(reel.reason, at=float(str((reel.end or {}).get("t") or 0)))
        os.chmod(made, 0o600)
        library.places.put(made, entry.indexed)
