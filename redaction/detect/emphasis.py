"""Marks of emphasis within a word, as Markdown has them: ``_Oste_**nvik**`` is read as one word."""

from __future__ import annotations

import re
from typing import Final

from .unicode_tricks import Folded

_MARKS: Final = re.compile(r"(?<=[^\W\d_]{2})(?:_{0,3}\*{1,3}_{0,3}(?:\*{1,3}_{0,3})?|~~)(?=[^\W\d_]{2})")
"""What Markdown puts around a part of a word. An underscore alone joins the words of a name in a program."""
_AROUND: Final = re.compile(r"(?<![\w*~])(?:[*_]{1,3}|~~)(?=[^\W\d_])|(?<=[^\W\d_])(?:[*_]{1,3}|~~)(?![\w*~])")
"""The same around whole words. These are left out only of a text that has others within a word: by themselves they part nothing."""


def unmarked(text: str) -> Folded:
    """Return the text without marks within its words; the text itself where it has none."""
    if not ("*" in text or "~~" in text) or not _MARKS.search(text):
        return Folded(text)
    found = sorted(mark.span() for marks in (_MARKS, _AROUND) for mark in marks.finditer(text))
    out: list[str] = []
    starts: list[int] = []
    at = 0
    for begin, end in [*found, (len(text), len(text))]:
        out.append(text[at:begin])
        starts.extend(range(at, begin))
        at = end
    return Folded("".join(out), starts, [i + 1 for i in starts])
