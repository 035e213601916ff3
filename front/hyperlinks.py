"""Turns source locations (``agents.py:37``) in printed lines into hyperlinks that a terminal can open (OSC 8)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_PLACE: Final = re.compile(r"(?P<path>[^\s:][^:\n]*?):(?P<line>\d{1,7})$")
_BEFORE: Final = " at "
"""What stands between code and its place (:func:`pagereel.reading.format_failure_chain`)."""


def link_source_location(line: str) -> str:
    """Return the line with the source location at its end, ``… at agents.py:37``, as a terminal hyperlink (OSC 8).

    A line without one, or whose file is not below the current folder, is returned unchanged. `line`: a text without
    control characters.
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
