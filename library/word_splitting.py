"""Splits texts into words for the search: letters and digits, without case and accents.

In scripts without spaces each letter is a word. SQLite and Postgres both index the result of :func:`normalize_words`, so
both find the same runs.
"""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

_SPACELESS: Final = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Yi}\p{Line_Break=SA}ー]\p{M}*"
)
"""A letter of a script without spaces, with its marks. Korean has spaces, but joins particles to words, so a part of a
word must be found too.
"""
_WORDS: Final = regex.compile(r"[\p{L}\p{N}\p{M}]+")
_ACCENTS: Final = regex.compile(
    r"[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]]--[\u3099\u309A]]+",
    regex.VERSION1,
)
"""Marks that are ignored: accents, points of Hebrew, vowels of Arabic. Marks of Indic and Thai letters are kept,
because they are as important as letters, and so are the voicing marks of kana.
"""


def normalize_words(text: str) -> str:
    """Return the words of a text in lower case and without accents, with a single space before and after each."""
    if not text.isascii():
        plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
        text = _SPACELESS.sub(r" \g<0> ", unicodedata.normalize("NFC", plain))
    return f" {' '.join(_WORDS.findall(text.lower()))} "


def contains_words(text: str, words: str, longest: str) -> bool:
    """Return whether a text contains these folded words one after the other.

    `longest`: the longest of them, which is looked for first, because few texts have it.
    """
    if text.isascii() and longest not in text.lower():
        return False
    return words in normalize_words(text)


def split_words(text: str) -> list[str]:
    """Return a text's folded words, in order."""
    return normalize_words(text).split()
