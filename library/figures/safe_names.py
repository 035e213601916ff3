"""Makes names safe for a page or a chart."""

from __future__ import annotations

from typing import Final

from pagereel import invisible_characters

_UNSEEN: Final = invisible_characters.build_character_pattern(
    invisible_characters.CONTROLS, invisible_characters.TURNS, invisible_characters.FORMATS
)


def to_safe_line(text: object) -> str:
    """Return a text on one line, without invisible characters and without characters that change the writing direction."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(str(text).split()))
