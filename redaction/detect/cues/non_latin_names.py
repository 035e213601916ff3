"""Find people in scripts other than Latin, and decide whether the value of a label is a name.

The models are trained on English: in Chinese, for example, they find names only by chance.
"""

from __future__ import annotations

import re

from ...contracts.findings import Finding
from ...words.names_by_script import OTHER_LETTERS, WORD
from ...words.phrase_lists import PhraseLists
from ...words.writing_systems import DENSE_LETTER
from . import korean, spaced_scripts
from .listed_names import may_be_uncapitalized_name

LISTS = PhraseLists("scripts")

PARTS_OF_NAMES = re.compile(rf"\W*(?:{LISTS.PARTS_OF_NAMES})\W*", re.IGNORECASE)
"""Labels of a part of a name. Their values are always people."""
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")


def blank_non_latin_letters(text: str, is_sentence: bool) -> str:
    """Return a text of equal length for models of English, with letters of other scripts than Latin replaced by spaces.

    An English `is_sentence` with a few such words stays as it is, because its other words tell the models the role of
    these.
    """
    if text.isascii():
        return text
    other = sum(len(m[0]) for m in OTHER_LETTERS.finditer(text))
    if not other or (is_sentence and other <= len(_LATIN.findall(text))):
        return text
    return OTHER_LETTERS.sub(lambda m: " " * len(m[0]), text)


def find_non_latin_people(text: str) -> list[Finding]:
    """Return the people in a text of another script than Latin."""
    if text.isascii() or not OTHER_LETTERS.search(text):
        return []
    return [*spaced_scripts.find_people(text), *korean.find_korean_people(text)]


_NOT_VALUES = LISTS.to_word_set("NOT_VALUES")


def looks_like_a_name(value: str, alone: bool = False) -> bool:
    """Return whether the value of a label for names may be a name: a few words, no digits, and capitals (if the
    script has them) or a listed name in small letters.

    :param alone: see :func:`may_be_uncapitalized_name`.
    """
    value = value.strip()
    words = re.findall(WORD, value)
    if not words or len(words) > 6 or any(c.isdigit() for c in value) or words[0].lower() in _NOT_VALUES:
        return False
    if DENSE_LETTER.search(value):
        return len(value) <= 40 and not re.search(
            r"[をはがにでしくるたません]{2}|[请請您的了吗]|입력|하세요|합니다|กรุณา|โปรด", value
        )
    if value.islower() and re.fullmatch(r"[^\u0370-\u1dff\u2e80-\U0010ffff]*", value):
        return may_be_uncapitalized_name(value, alone)
    return words[0][0].isupper() if words[0].lower() != words[0].upper() else len(value) <= 60
