"""Defines groups of characters that are invisible, or that change how other characters are shown.

Code that passes on a page's text treats some groups specially: a terminal must not obey such characters, a reader must
not be deceived by them, and a search must not fail because of them. Each group is a tuple of ranges of code points. The
groups' names follow the Unicode Standard, chapter 23.
"""

from __future__ import annotations

import re
from typing import Final

Group = tuple[tuple[int, int], ...]

CONTROLS: Final[Group] = ((0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F))
"""They move a terminal's cursor, set its title, write to its clipboard. Tab and line feed are not among them."""
TURNS: Final[Group] = ((0x061C, 0x061C), (0x202A, 0x202E))
"""Marks and embeddings that turn the order of letters round."""
FORMATS: Final[Group] = ((0x180E, 0x180E), (0x2060, 0x206F), (0xFEFF, 0xFEFF))
"""Joiners of words, invisible operators, isolates, the byte order mark."""
JOINERS: Final[Group] = ((0xAD, 0xAD), (0x200B, 0x200F))
"""The soft hyphen, spaces without width, joiners and marks of direction. Some have a use in emoji, in Persian and in Indic scripts."""
GRAPHEMES: Final[Group] = ((0x034F, 0x034F),)
SEPARATORS: Final[Group] = ((0x2028, 0x2029),)
FILLERS: Final[Group] = ((0x3164, 0x3164), (0xFFA0, 0xFFA0))
"""Letters of Hangul without a shape."""
VARIATIONS: Final[Group] = ((0xFE00, 0xFE0E),)
EMOJI: Final[Group] = ((0xFE0F, 0xFE0F),)
"""The variation selector that makes an emoji of a sign."""
ANNOTATIONS: Final[Group] = ((0xFFF9, 0xFFFB),)
HALVES: Final[Group] = ((0xD800, 0xDFFF),)
"""Halves of surrogate pairs."""
MUSIC: Final[Group] = ((0x1D173, 0x1D17A),)
"""Beams and slurs that begin and end."""
TAGS: Final[Group] = ((0xE0000, 0xE007F),)
"""A whole alphabet that shows nothing."""
RESERVED: Final[Group] = ((0xE0080, 0xE0FFF),)
"""More variation selectors, and what may become tags."""


def build_character_pattern(*groups: Group) -> re.Pattern[str]:
    """Return a regular expression that matches one character of any of the given groups."""
    ranges = (rf"\U{first:08x}-\U{last:08x}" for group in groups for first, last in group)
    return re.compile(f"[{''.join(ranges)}]")


def list_code_points(*groups: Group) -> list[int]:
    """Return all code points of the given groups."""
    return [code for group in groups for first, last in group for code in range(first, last + 1)]
