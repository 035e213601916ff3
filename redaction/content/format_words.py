"""Recognize words of the recording's format and ids of browsers, which are passed on unmasked.

A recording that was converted or made by hand may hold any text in a field for such words. A text that is neither a
word of the format nor an id is masked as an identifier is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from pagereel.reel import Json

from ..words.program_names import is_impersonal_word
from ..words.word_lists import format_words, web_words
from .identifiers import find_personal_data_in_identifier

_LONGEST: Final = 64
_ID: Final = re.compile(
    r"(?:[A-Za-z]{1,16}[@:_-])?(?:(?=[0-9]*[A-Fa-f])[0-9A-Fa-f]{1,64}|\d{1,10})(?:[._:-](?>[0-9A-Fa-f]{1,32}|\d{1,10}))*+"
)
_PIECE: Final = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+")
_MOST_DIGITS: Final = 6


def mask_format_field(value: Json, mask: Callable[[str], str]) -> Json:
    """Return a field of an event, with each string masked that is neither a word of the format nor an id. `value` may
    be nested.
    """
    if isinstance(value, str):
        return value if is_format_word(value) else mask(value)
    if isinstance(value, list):
        return [mask_format_field(v, mask) for v in value]
    if isinstance(value, dict):
        return {mask_field_name(key, mask): mask_format_field(v, mask) for key, v in value.items()}
    return value


def mask_field_name(name: str, mask: Callable[[str], str]) -> str:
    """Return the name of a field, masked if it is no word of the format."""
    return name if is_format_word(name) else mask(name)


@lru_cache(maxsize=20_000)
def is_format_word(value: str) -> bool:
    """Return whether a text is an id, or one or two words that are not personal."""
    if any(f.entity != "SECRET" for f in find_personal_data_in_identifier(value)):
        return False
    if len(value) > _LONGEST or sum(map(str.isdigit, value)) > _MOST_DIGITS or "@" in value:
        return len(value) <= 3 * _LONGEST and _ID.fullmatch(value) is not None
    pieces = _PIECE.findall(value)
    return _ID.fullmatch(value) is not None or all(_is_impersonal_word_part(piece) for piece in pieces)


def _is_impersonal_word_part(piece: str) -> bool:
    small = piece.lower()
    return len(piece) < 3 or is_impersonal_word(piece) or small in web_words() or small in format_words()
