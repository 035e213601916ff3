"""The folders of code that does not belong to the user's program: pagereel's own, the standard library, installed packages."""

from __future__ import annotations

import os
import site
import sysconfig
from functools import cache
from pathlib import Path


@cache
def list_own_folders() -> tuple[str, ...]:
    """Return the folders of pagereel's code that calls Playwright on behalf of the user's program."""
    room = Path(__file__).resolve().parents[1]
    return (f"{room}{os.sep}", f"{room.parent / 'integrations'}{os.sep}")


@cache
def list_package_folders() -> tuple[str, ...]:
    """Return the folders of the standard library and of installed packages."""
    paths = {sysconfig.get_paths().get(name) or "" for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    with_site = paths | set(getattr(site, "getsitepackages", list)())
    return tuple(sorted(path + os.sep for path in with_site if path))
