"""Recognize the writing system (Latin, Greek, Han, …) of a word, and define its letters."""

from __future__ import annotations

import re

_RANGES = {
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "cyrillic": "\u0400-\u052f",
    "hebrew": "\u05d0-\u05ea\ufb1d-\ufb4f",
    "arabic": "\u0620-\u064a\u0671-\u06d3\u0750-\u077f\u08a0-\u08c9\ufb50-\ufdff\ufe70-\ufefc",
    "devanagari": "\u0904-\u0939\u0958-\u0961\u0971-\u097f",
    "thai": "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46",
    "hiragana": "\u3041-\u3096\u309d\u309e",
    "katakana": "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "hangul": "\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e",
    "han": "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
}
"""Script → its letters. Letters of all other scripts are treated as Latin."""
_MARKS = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0955-\u0957\u0962\u0963\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d"
"""Characters that belong to the letter before them and that ``re`` does not count as letters: accents, vowel signs,
joiners.
"""
JOINED = ("han", "hiragana", "katakana", "hangul")
"""Scripts that are written without spaces and may be mixed in one name."""
_CJK = "".join(_RANGES[name] for name in JOINED)
DENSE = _CJK + "\u2e80-\u2fdf\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Letters, for a character class, of scripts that put no space between words or write a syllable as one letter:
Chinese, Japanese and Korean with their radicals, Thai, Lao, Burmese, Khmer.
"""
DENSE_LETTER = re.compile(f"[{DENSE}]")
WORD = re.compile(
    "|".join(f"[{_RANGES[name]}]+" for name in JOINED)
    + rf"|(?![{_CJK}])[^\W\d_](?:(?![{_CJK}])[^\W\d_]|[{_MARKS}])*|\d+"
)
"""A word of one script, with its marks, or a number."""
_OF = {name: re.compile(f"[{letters}]") for name, letters in _RANGES.items()}


def find_script(word: str) -> str:
    """Return the script of a word's first letter, ``latin`` for an unknown one."""
    return "latin" if word[:1] <= "\u024f" else next((n for n, letters in _OF.items() if letters.match(word)), "latin")
