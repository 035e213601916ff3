"""`pagereel prune`: deletes old recordings in a folder."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Final

from pagereel.cli.console import format_size, print_json, show_progress
from pagereel.errors import PagereelError, UsageError

_UNITS: Final = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
GRACE: Final = 86_400
"""Seconds for which an unused shared resource is kept, because a recording under way may be about to use it."""


def prune_folder(folder: Path, older_than: str | None, *, dry_run: bool, force: bool, json: bool) -> int:
    """Delete recordings that are older than `older_than`, then shared resources that no recording in the folder
    uses.
    """
    from pagereel.reel import SharedResourceFolder

    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; give the folder of the recordings.")
    age = None if older_than is None else parse_age(older_than)
    used: set[str] = set()
    old: list[Path] = []
    reels = sorted(folder.glob("*.reel"))
    with show_progress(f"Reading {folder}") as advance:
        for number, path in enumerate(reels, 1):
            if age is not None and path.lstat().st_mtime < time.time() - age:
                old.append(path)
            else:
                used |= _list_shared_resources(path, force)
            advance(number, len(reels))
    unused = list(SharedResourceFolder(folder).list_unused_files(used, GRACE))
    freed = sum(path.lstat().st_size for path in (*old, *unused))
    if not dry_run:
        for path in (*old, *unused):
            path.unlink(missing_ok=True)
    if json:
        print_json(
            {"recordings": [str(p) for p in old], "resources": len(unused), "bytes": freed, "removed": not dry_run}
        )
    else:
        for path in old:
            print(path)
        words = "would be removed" if dry_run else "removed"
        print(f"{len(old)} recordings and {len(unused)} shared resources {words}, {format_size(freed)}")
    return 0


def _list_shared_resources(path: Path, force: bool) -> set[str]:
    """Return the hashes of the shared resources that a recording uses.

    Raises UsageError for a damaged recording; with `force`, return the hashes that can be read.
    """
    from pagereel.reel import open_reel

    try:
        with open_reel(path) as reel:
            names = set(reel.list_shared_resources())
            damage = reel.damage
    except PagereelError as error:
        if force:
            return set()
        raise UsageError(f"{error} Nothing was removed; move that file away, or add --keep-going.") from None
    if damage is not None and not force:
        raise UsageError(
            f"{path} is damaged ({damage}), so the resources that it needs are unknown. "
            "Nothing was removed; move it away, or add --keep-going."
        )
    return names


def parse_age(text: str) -> float:
    """Parse an age such as `30d` into seconds; the units are m, h, d and w. Raises UsageError."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([mhdw])", text)
    if not found:
        raise UsageError(f"--older-than takes a number with m, h, d or w, for example 30d, not {text!r}.")
    return float(found[1]) * _UNITS[found[2]]
