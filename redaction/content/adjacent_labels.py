"""Decide whether a short text is the label of the value in the next box.

The markup ties many labels to their values (``<label for>``, a column's header); this module decides for the others.
Two texts side by side need not belong together: they may be two links of a menu. So the first text must look like a
label, and the second like a value of the kind that the label names.
"""

from __future__ import annotations

import re
from typing import Final

from ..contracts.entities import OF_NUMBERS, OF_SIGNS
from ..detect.cues.label_entities import NAME_LABEL, find_label_entity, is_english_person_label
from ..detect.cues.non_latin_names import looks_like_a_name
from ..detect.filters.name_like_words import is_in_no_list
from ..words.word_lists import UI_WORDS, common_words, web_words

_WORDS: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LONGEST: Final = 60
_LEAST: Final = 3
_MOST_IN_LABEL, _MOST_IN_VALUE = 4, 5
_BORN: Final = re.compile(r"birth|\bdob\b|\bborn\b|bday", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"\b(?:id|no|num|number|ref)\b|№", re.IGNORECASE)

_SAYS_MORE: Final = re.compile(r"[、。，；！？]|[\u3040-\u30ff\u3400-\u9fff],")
"""Punctuation of a sentence in a script without spaces. A value has none of it."""

_HALF = re.compile(r"\b(?:(?:family|last|first|given|middle|maiden)[ -]?name|surname|forename)\b", re.IGNORECASE)
"""Labels for one half of a name: their value is a single word."""


def is_label_of_value(label: str, text: str) -> bool:
    """Return whether `label` reads as a label, and `text` as a value of the kind that the label names."""
    value = text.strip()
    if not value or len(value) > _LONGEST or len(label.split()) > _MOST_IN_LABEL or any(map(str.isdigit, label)):
        return False
    entity = find_label_entity(label)
    if _NUMBERED.search(label) and any(map(str.isdigit, value)):
        return entity is not None
    if entity == "PERSON" or (entity is None and NAME_LABEL.search(label)):
        return _reads_as_labelled_name(label, value)
    if len(value.split()) > _MOST_IN_VALUE and entity not in ("ADDRESS", "SECRET"):
        return False
    numbered = any(map(str.isdigit, value))
    if entity in OF_NUMBERS:
        return numbered
    if entity == "DATE_TIME":
        return numbered and _BORN.search(label) is not None
    if not numbered and not value.isascii() and (_SAYS_MORE.search(value) or find_label_entity(value) is not None):
        return False
    if entity == "EMAIL_ADDRESS" and not value.isascii() and "@" not in value:
        return False
    return (
        entity in OF_SIGNS and len(value) >= _LEAST and (numbered or (" " not in value and not _is_common_word(value)))
    )


def _reads_as_labelled_name(label: str, value: str) -> bool:
    words = _WORDS.findall(value)
    if len(words) == 1 and value.isalpha() and value[0].isupper() and _HALF.search(label):
        return is_in_no_list(value)
    if not 1 < len(words) <= _MOST_IN_VALUE or any(map(str.isdigit, value)):
        return looks_like_a_name(value) and not value.isascii()
    if not is_english_person_label(label):
        return looks_like_a_name(value)
    return all(w[0].isupper() or not w.isascii() for w in words) and not any(map(_is_common_word, words))


def _is_common_word(word: str) -> bool:
    small = word.lower()
    return small in UI_WORDS or small in common_words() or small in web_words()
