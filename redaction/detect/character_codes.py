"""Decide whether a list of numbers is the character codes of a text, or data (the values of a chart) that spells letters by chance."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..normalise.encoded_text import decode_character_codes
from .shapes.secrets import find_secrets
from .shapes.shape_findings import find_by_shapes

_LETTERS: Final = re.compile(r"[^\W\d_][\w\s'’.,;:!?()@+-]*")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*")
_SMALL_LETTER: Final = re.compile(r"[a-zà-öø-ÿ]")
_SMALL: Final = 0.6
"""Least share of small letters in a text: few charts have mostly numbers from 97 to 122."""


def decode_readable_codes(codes: Sequence[int]) -> str | None:
    """Return the text with these character codes, or None if the numbers are data."""
    text = decode_character_codes(codes)
    return text if text and is_readable_text(text) else None


def is_readable_text(text: str) -> bool:
    """Return whether decoded letters make a text: mostly small letters, with spaces and punctuation between words, or
    personal data by its shape.
    """
    if sum(c.islower() for c in text) >= _SMALL * len(text) and _LETTERS.fullmatch(text):
        return all(_SMALL_LETTER.search(word[0], 1) for word in _WORD.finditer(text)) or _holds_personal_data(text)
    return _holds_personal_data(text)


def _holds_personal_data(text: str) -> bool:
    return bool(find_by_shapes(text) or find_secrets(text))
