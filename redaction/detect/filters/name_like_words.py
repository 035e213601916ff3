"""Find words that are written like a name and are in no list of common words.

The models misread addresses, keys and lines of a log, where most words are a programmer's. In prose such a word is
rarely personal: it is a product, or a word of another language. In an identifier, or alone in a line of a log, it is
often the name of a customer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...words.program_names import is_common_program_word
from ...words.word_lists import TECHNOLOGY, given_names, product_names
from .foreign_words import is_in_no_word_list

_HUMP = re.compile(r"(?<!%\d)[^\W\d_][^\W\d_A-Z]{3,}")
"""A capitalized part of a word. A letter that ends an escape (``%2B``) begins none."""
_WHOLE = re.compile(r"(?:(?<![^\W\d_])|(?<=%[a-zA-Z]))(?<!%\d)[^\W\d_][^\W\d_A-Z]{3,}(?![^\W\d_])")
_ALONE = re.compile(r"(?:%[a-zA-Z]|[\W\d_])*[^\W\d_][^\W\d_A-Z]{3,}(?:['’]s)?[\W\d_]*\Z")

_OF_PAGES = ("dom.", "resource.", "document.", "step.title", "mark.", "screenshot.", "call.", "dialog.")
"""Channels of pages and titles, where a single word is a caption more often than a name. In all other channels it
belongs to a program or a file.
"""
_OF_KEYS = "dom.attribute.aria-keyshortcuts"
"""An attribute that only programs read, with names of keys as words."""
_OF_ERRORS = ("error.message", ".error")
"""Endings of the channels of error messages, which may name a person."""


def iter_name_like_words(text: str, *, in_camel_case: bool) -> Iterator[re.Match[str]]:
    """Yield given names, and capitalized words that are in no word list.

    :param in_camel_case: also yield the first part of a CamelCase word (``OstenvikPanel``). Otherwise such a word is skipped,
        because programmers join their words like that (``SubnetGroup``).
    """
    return (m for m in (_HUMP if in_camel_case else _WHOLE).finditer(text) if is_name_like(m[0]))


def is_single_word(text: str) -> bool:
    """Return whether a text is one word, with any punctuation around it (``%cOstenvik:``)."""
    return _ALONE.match(text) is not None


def is_name_like(word: str) -> bool:
    """Return whether a word is capitalized, and is a given name or in no word list."""
    small = word.lower()
    if not word[0].isupper() or is_program_word(small):
        return False
    return small in given_names() or is_in_no_word_list(small)


def is_program_word(lower_word: str) -> bool:
    """Return whether a word names a program, a technology or a product."""
    return is_common_program_word(lower_word) or lower_word in TECHNOLOGY or lower_word in product_names()


def is_in_no_list(word: str) -> bool:
    """Return whether a word, in any case of letters, is in no list of a language, of programs, or of products."""
    small = word.lower()
    return is_in_no_word_list(small) and not is_program_word(small)


def may_be_name_in_channel(text: str, channel: str) -> bool:
    """Return whether an unknown capitalized word in a text of this channel may be a name.

    It may if it stands alone in a program's message, in a path, or in an error.
    """
    if channel.startswith(_OF_PAGES) and channel != _OF_KEYS:
        return False
    return channel.endswith(_OF_ERRORS) or is_single_word(text) or (text[:1] == "/" and " " not in text)
