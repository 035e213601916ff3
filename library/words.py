"""What a word is, the same in SQLite and in Postgres: letters and digits, compared without case and accents; in scripts that are written without spaces each letter is one.

Both databases index what :func:`folded` gives, so neither has ideas of its own of what a letter is.
"""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

_SPACELESS: Final = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Yi}\p{Line_Break=SA}ー]\p{M}*"
)
"""A letter of a script without spaces, with its marks. Korean has spaces, and joins its particles to the words: they are found by any piece too."""
_WORDS: Final = regex.compile(r"[\p{L}\p{N}\p{M}]+")
_ACCENTS: Final = regex.compile(
    r"[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]]--[\u3099\u309A]]+",
    regex.VERSION1,
)
"""Marks that a reader leaves out: accents, points of Hebrew, vowels of Arabic. Those of Indic and Thai letters are no less than letters, nor are the voicing marks of kana."""


def folded(text: str) -> str:
    """Return a text's words, each between single spaces."""
    if not text.isascii():
        plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
        text = _SPACELESS.sub(r" \g<0> ", unicodedata.normalize("NFC", plain))
    return f" {' '.join(_WORDS.findall(text.lower()))} "


def holds(text: str, words: str, longest: str) -> bool:
    """Return whether these words, folded, stand in a text one after the other. `longest`: of them, by which most texts are told at once."""
    if text.isascii() and longest not in text.lower():
        return False
    return words in folded(text)


def words_of(text: str) -> list[str]:
    """Return a text's words, folded, in their order."""
    return folded(text).split()
