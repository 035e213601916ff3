"""A place in a program as a link that a terminal opens (OSC 8)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_PLACE: Final = re.compile(r"(?P<path>[^\s:][^:\n]*?):(?P<line>\d{1,7})$")
_BEFORE: Final = " at "
"""What stands between code and its place (:func:`pagereel.reading.failure_lines`)."""


def linked(line: str) -> str:
    """Return a line for a terminal in which the place at its end, ``agents.py:37``, is a link, where such a file lies in this folder or below
    it. The line has no control characters.
    """
    head, before, place = line.rpartition(_BEFORE)
    match = _PLACE.match(place.strip())
    if match is None:
        return line
    path = Path(match["path"])
    if path.is_absolute() or ".." in path.parts or not path.is_file():
        return line
    indent = place[: len(place) - len(place.lstrip())]
    return f"{head}{before}{indent}\x1b]8;;{path.resolve().as_uri()}\x1b\\{place.strip()}\x1b]8;;\x1b\\"
