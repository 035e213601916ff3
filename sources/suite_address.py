"""Parses the address of one test in a suite's file, ``suite.html#test=ID``, as a browser shows it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_ADDRESS: Final = re.compile(r"(.+)#test=([^&#]+)(?:&.*)?", re.DOTALL)


def split_suite_address(path: Path) -> tuple[Path, str | None]:
    """Return the file and the test's id in an address like ``suite.html#test=ID``; for any other path, the path and
    None.
    """
    found = _ADDRESS.fullmatch(str(path))
    if found is None or path.exists():
        return path, None
    return Path(found[1]), found[2]
