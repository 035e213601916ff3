"""Finds remaining data of deleted runs, deletes unused shared resources, and writes expiry times into masked copies."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from pagereel.errors import ReelError
from pagereel.reel import ReelWriter, SharedResourceFolder, open_reel, pick_header_fields
from pagereel.sources import open_any

from ..catalogue import CatalogueEntry
from ..recording_store import IN_USE, INCOMING, RECORDINGS, build_pair_suffix
from .expiring import compute_due_tiers
from .tiers import format_iso_time

if TYPE_CHECKING:
    from ..library_folder import LibraryFolder

_GRACE_S = 0.0


def find_leftover_files(library: LibraryFolder) -> list[str]:
    """Return the names of files that belong to runs which, according to the log, were deleted or replaced."""
    told = library.book.read_state()
    wanted = {name for entry in told.entries.values() for name in (entry.place, entry.indexed)}
    second = {build_pair_suffix(id) for id in told.deleted}
    found = []
    for name in library.places.iter_file_names():
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


def find_deleted_in_catalogue(library: LibraryFolder) -> list[str]:
    """Return the ids of runs that are in the catalogue although the log says that they are deleted: the process that
    deleted them was killed.
    """
    deleted = library.book.read_state().deleted
    return [id for id in library.catalogue.list_ids() if id in deleted]


def delete_unused_resources(library: LibraryFolder) -> int:
    """Delete the shared resources that no recording of the library uses. Return their number."""
    shared = SharedResourceFolder(library.folder / RECORDINGS)
    if not shared.folder.is_dir():
        return 0
    used: set[str] = set()
    for listed in (library.folder / INCOMING).glob(f"*/*{IN_USE}"):
        used |= set(listed.read_text("utf-8").split())
    for entry in library.catalogue.list_entries():
        if entry.place and not library.places.is_linked_file_name(entry.place):
            try:
                with library.places.open_local_file(entry.place) as path, open_any(path) as reel:
                    used |= set(reel.list_shared_resources())
            except ReelError:
                return 0  # the resources of this recording are unknown, so nothing may be deleted
    gone = list(shared.list_unused_files(used, _GRACE_S))
    for path in gone:
        path.unlink(missing_ok=True)
    return len(gone)


def write_expiry_time(library: LibraryFolder, entry: CatalogueEntry) -> None:
    """Write the expiry time of a run into its masked copy, so that copies of that file have it too. The original
    recording is not changed.
    """
    if entry.indexed == entry.place or library.places.is_linked_file_name(entry.indexed):
        return
    _, ends = compute_due_tiers(library.catalogue, library.settings.retention, 0.0, [entry.id])[entry.id]
    if ends is None:
        return
    with library.temporary_folder() as scratch:
        made = scratch / f"{secrets.token_hex(4)}.reel"
        with library.places.open_local_file(entry.indexed) as path, open_reel(path) as reel:
            header = pick_header_fields(reel.header) | {"expires": format_iso_time(ends)}
            with ReelWriter(made, header, flush_ms=60_000) as writer:
                for event in reel.events():
                    if event["k"] not in ("reel", "end"):
                        writer.write(event)
                writer.close(reel.reason, at=float(str((reel.end or {}).get("t") or 0)))
        os.chmod(made, 0o600)
        library.places.move_into_place(made, entry.indexed)
