"""Determines the player scripts that a recording needs in addition to those of every file, so that code for rare features is only in few files."""

from __future__ import annotations

from typing import Final

RARE: Final = "rare"
"""The script for canvases, videos, the top layer, highlights, forced colours, messages beside fields, input methods,
and rings around areas.
"""

MOTION: Final = "motion"
"""The script for animations and transitions, each at its exact phase."""

FORCED: Final = b"(forced-colors: active)"
"""The media query that holds where colours are forced: a document begins with it, or comes to it."""

_RARE: Final = (
    *(f'{before}{name}"'.encode() for name in ("canvas", "video", "audio", "area") for before in ('["', "|")),
    *(f'["{op}",'.encode() for op in ("open", "bubble", "highlight", "typed")),
    FORCED,
)
"""Elements, with and without a namespace, ops, and a media query, as JSON."""

_MOVES: Final = (b"anim", b"transition", rb"\\")
"""Ops, and words of style sheets and attributes, in lower case. A style sheet may spell any word with backslashes,
which JSON doubles.
"""

_SHEET_MOVES: Final = (b"anim", b"transition", b"\\")


def needs_of(events: bytes) -> set[str]:
    """Return the scripts that page events, given as JSON, need. An unneeded one does no harm; a missing one would show
    less than was recorded.
    """
    small = events.lower()
    return {name for name, words in ((RARE, _RARE), (MOTION, _MOVES)) if any(word in small for word in words)}


def sheet_moves(css: bytes) -> bool:
    """Return whether a style sheet may contain animations or transitions."""
    small = css.lower()
    return any(word in small for word in _SHEET_MOVES)
