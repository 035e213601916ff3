"""Which of the player's scripts a recording asks for, beside those that every file has: what few pages have stands in few files."""

from __future__ import annotations

from typing import Final

RARE: Final = "rare"
"""Canvases, films, the top layer, highlights, messages beside fields, what is half typed, rings around areas."""

MOTION: Final = "motion"
"""Animations and transitions, each in its phase."""

_RARE: Final = tuple(
    f'{before}{name}"'.encode() for name in ("canvas", "video", "audio", "area") for before in ('["', "|")
) + tuple(f'["{op}",'.encode() for op in ("open", "bubble", "highlight", "typed"))
"""Elements, with and without a namespace, and ops, as JSON has them."""

_MOVES: Final = (b"anim", b"transition", rb"\\")
"""Ops, and what style sheets and attributes say, in small letters. A style sheet may spell any word with backslashes, each of which JSON has twice."""

_SHEET_MOVES: Final = (b"anim", b"transition", b"\\")


def needs_of(events: bytes) -> set[str]:
    """Return the scripts that page events ask for, which are JSON. One too many does no harm; one too few would show less than was recorded."""
    small = events.lower()
    return {name for name, words in ((RARE, _RARE), (MOTION, _MOVES)) if any(word in small for word in words)}


def sheet_moves(css: bytes) -> bool:
    """Return whether a style sheet may move something."""
    small = css.lower()
    return any(word in small for word in _SHEET_MOVES)
