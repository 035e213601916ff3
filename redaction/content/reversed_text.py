"""Mask the text of elements that show their letters in reverse order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..contracts.sink import Sink, Slot
from ..detect.filters.foreign_words import is_in_no_word_list

_WORD = re.compile(r"[^\W\d_]{4,}")
_OVERRIDE = re.compile(r"unicode-bidi\s*:\s*(?:isolate-|bidi-)override", re.IGNORECASE)
_DIGITS = 6
"""Most digits of a number that is not masked."""


def reverses_letters(tag: str, attributes: Mapping[str, Any]) -> bool | None:
    """Return whether the attributes of an element show its letters in reverse order (``<bdo dir=rtl>``, or a style).
    None if no attribute sets a direction.
    """
    if tag == "bdo":
        return str(attributes.get("dir", "")).lower() == "rtl"
    style = str(attributes.get("style", ""))
    return _OVERRIDE.search(style) is not None and "rtl" in style.lower() if "bidi" in style else None


def mask_reversed_text(text: str, sink: Sink) -> str:
    """Return a text that is shown in reverse order, masked and in its recorded order. Numbers and unknown words are
    masked: no model reads it with its context.
    """
    read = text[::-1]
    shown = sink.visit_text(read, Slot("dom.text"))
    if shown == read and (
        sum(map(str.isdigit, read)) > _DIGITS or any(w.isascii() and is_in_no_word_list(w) for w in _WORD.findall(read))
    ):
        shown = sink.visit_private_value(read, Slot("dom.spelled"))
    return text if shown == read else shown[::-1]
