"""Determines which player scripts a recording needs in addition to those in every file, so that only few files hold the code for rare features."""

from __future__ import annotations

import re
from typing import Final

RARE: Final = "rare"
"""The script for canvases, videos, pictures that move, objects, the top layer, highlights, colours of selections and
those that are forced, messages beside fields, input methods, rings around areas, and the browser's own views.
"""

MOTION: Final = "motion"
"""The script for animations and transitions, each at its exact phase."""

FORCED: Final = b"(forced-colors: active)"
"""The media query that holds where colours are forced: a document begins with it, or comes to it."""

_VIEWS: Final = (
    b"json-formatter-container",
    b"xml-viewer-style",
    b"user-select: none",
    b"mhjfbmdgcfjbbpaeojofohoefgiehjai",
)
"""Words of what Chromium shows of JSON, of XML, of a picture that was opened by itself, and of a PDF."""

_SHEET_RARE: Final = (b"::selection", b"base-select")
"""Words of style sheets, in lower case."""

_RARE: Final = re.compile(
    rb'(?:\["|\|)(?:canvas|video|audio|area|object|embed)"|\["(?:open|bubble|highlight|typed)",'
    rb'|\["selection",(?:[^,\]]*,){4}[12]|pagereel:\d+@|' + b"|".join(map(re.escape, (*_VIEWS, *_SHEET_RARE, FORCED)))
)
"""Elements, with and without a namespace, ops, addresses of pictures that move, and words, in JSON in lower case."""

_MOVES: Final = (b"anim", b"transition", rb"\\")
"""Ops, and words of style sheets and attributes, in lower case. A style sheet may spell any word with backslashes,
which JSON doubles.
"""

_SHEET_MOVES: Final = (b"anim", b"transition", b"\\")


def find_needed_scripts(events: bytes) -> set[str]:
    """Return the names of the scripts that page events, given as JSON, need.

    An unneeded script does no harm; without a needed one the replay would show less than was recorded.
    """
    small = events.lower()
    return ({RARE} if _RARE.search(small) else set()) | ({MOTION} if any(word in small for word in _MOVES) else set())


def find_scripts_of_sheet(css: bytes) -> set[str]:
    """Return the names of the scripts that a style sheet needs, because it has animations, transitions or colours of
    selections.
    """
    small = css.lower()
    found = ((MOTION, _SHEET_MOVES), (RARE, _SHEET_RARE))
    return {name for name, words in found if any(word in small for word in words)}
