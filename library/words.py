"""What a word is: as SQLite's unicode61 has it, without case and accents; in scripts that are written without spaces each character is one."""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

BETWEEN: Final = " \ue000 "
"""Stands between two lines: a character for private use is a word to SQLite, and no query holds it."""
_SPACELESS: Final = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]"
)
_WORDS: Final = regex.compile(r"[\p{L}\p{N}]+")


def apart(text: str) -> str:
    """Return the text with spaces around the characters of scripts that have none, and without what stands between lines."""
    text = text.replace(BETWEEN.strip(), " ")
    return text if text.isascii() else _SPACELESS.sub(lambda match: f" {match.group()} ", text)


def phrase(text: str) -> str:
    """Return a text as a phrase of an FTS5 query."""
    return '"' + " ".join(apart(text).replace('"', " ").split()) + '"'


def folded(text: str) -> str:
    """Return a text's words, each between single spaces."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFD", apart(text)) if unicodedata.category(c) != "Mn")
    return f" {' '.join(_WORDS.findall(text.lower()))} "


def holds(text: str, words: str, longest: str) -> bool:
    """Return whether these words, folded, stand in a text one after the other. `longest`: of them, by which most texts are told at once."""
    if text.isascii() and longest not in text.lower():
        return False
    return words in folded(text)


def words_of(text: str) -> list[str]:
    """Return a text's words, folded, in their order."""
    return folded(text).split()
