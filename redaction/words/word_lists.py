"""Read the word lists: common words of interfaces, technology and English, given names, products, words of the format.

`UI_WORDS` are the words that browsers and administration pages repeat most, without those that are also given names
or surnames, and words of shops, dashboards and developer tools. A short finding that consists of listed words alone
is no name. The lists are data, in lower case and sorted.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources

from .phrase_lists import PhraseLists

LISTS = PhraseLists("words")

UI_WORDS = LISTS.to_word_set("UI_WORDS")

_TECHNOLOGY = LISTS.to_word_set("TECHNOLOGY")

LANGUAGES = LISTS.to_word_set("LANGUAGES")
"""Names of languages. In a label they are a choice of language, in a sentence they may say where somebody comes from.
"""


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Return the words of interfaces and of technology, and the common words of English and five more languages. A
    model's finding of such words alone is wrong.
    """
    return english_words().union(*(lists["+:"] for lists in words_by_language().values()))


@lru_cache(maxsize=1)
def english_words() -> frozenset[str]:
    """Return the words of :func:`common_words` that are English, or of programs."""
    return UI_WORDS | TECHNOLOGY | _read_word_list("common_words.txt") | _read_word_list("interface_words.txt")


LONGEST_WORD = 64
"""Most letters of a word. A longer one is unknown, and is not taken apart as a compound."""

KINDS = ("-:", "=:", "+:", "*:", "")
"""Beginnings of the lines of `foreign_words.txt`: endings; function words; words that are not personal in any text;
words that count as common; stems.
"""


@lru_cache(maxsize=1)
def words_by_language() -> dict[str, dict[str, frozenset[str]]]:
    """Return the words of `foreign_words.txt`, by language and by kind of line."""
    found: dict[str, dict[str, set[str]]] = {}
    lists: dict[str, set[str]] = {}
    for line in (
        resources.files("pagereel.redaction.words").joinpath("foreign_words.txt").read_text("utf-8").splitlines()
    ):
        if line.startswith("["):
            lists = found.setdefault(line.strip("[]"), {kind: set() for kind in KINDS})
        elif not line.startswith("#"):
            kind = line[:2] if line[:2] in KINDS else ""
            lists[kind].update(line[len(kind) :].split())
    return {name: {kind: frozenset(words) for kind, words in kinds.items()} for name, kinds in found.items()}


@lru_cache(maxsize=2)
def foreign_function_words(languages: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the function words of other languages (``auf``, ``chez``), without those that are also given names.

    :param languages: only those of these languages; empty for all.
    """
    said = (lists["=:"] for name, lists in words_by_language().items() if not languages or name in languages)
    return frozenset().union(*said) - given_names()


@lru_cache(maxsize=8)
def function_words(use: str) -> frozenset[str]:
    """Return the English function words (``a``, ``the``, ``with``) that `function_words.txt` lists for one use.

    :param use: ``sentence`` (a text with one of them is running text), ``small`` (written small in a title),
        ``english`` (speaks against another language), ``company`` (no part of a company's name), ``prose`` (under a
        label, tells a sentence from a value), ``choice`` (common in an option of a control) or ``unset`` (stands after
        the word *password* and is no password).
    """
    found: set[str] = set()
    text = resources.files("pagereel.redaction.words").joinpath("function_words.txt").read_text("utf-8")
    for line in text.splitlines():
        uses, colon, words = line.partition(":")
        if colon and not line.startswith("#") and use in uses.split():
            found.update(words.split())
    return frozenset(found)


@lru_cache(maxsize=1)
def impersonal_words() -> frozenset[str]:
    """Return common words that are neither a given name nor the name of a family or a town."""
    return _read_word_list("common_words.txt") | _read_word_list("interface_words.txt")


NAMES_TOO = LISTS.to_word_set("NAMES_TOO")
"""Ordinary words that are also names of people."""


@lru_cache(maxsize=1)
def given_names() -> frozenset[str]:
    """Return common given names, without those that are also common words."""
    return names_without_capitals() | (_read_word_list("given_names_more.txt") - common_words())


@lru_cache(maxsize=1)
def names_without_capitals() -> frozenset[str]:
    """Return the given names that count as names in a text without capitals, too."""
    return _read_word_list("given_names.txt") - common_words()


@lru_cache(maxsize=1)
def product_names() -> frozenset[str]:
    """Return names of programs, services and formats. In a label they are not personal; in a sentence they may name a
    company.
    """
    return _read_word_list("products.txt")


@lru_cache(maxsize=1)
def format_words() -> frozenset[str]:
    """Return words of the recording's format, of Playwright and of Chromium that no other list has."""
    return _read_word_list("format_words.txt")


@lru_cache(maxsize=1)
def web_words() -> frozenset[str]:
    """Return names and keywords of the web's languages, such as HTML and CSS."""
    return _read_word_list("web_words.txt")


@cache
def read_lists_by_kind(name: str, between: str | None = None) -> dict[str, frozenset[str]]:
    """Return the words of a file by kind, from lines of the form ``kind: words``.

    :param between: the separator, for words that contain spaces.
    """
    found: dict[str, set[str]] = {}
    for line in resources.files("pagereel.redaction.words").joinpath(name).read_text("utf-8").splitlines():
        kind, colon, words = line.partition(": ")
        if colon and not line.startswith("#"):
            found.setdefault(kind, set()).update(map(str.strip, words.split(between)))
    return {kind: frozenset(words) for kind, words in found.items()}


def is_business_word(word: str) -> bool:
    """Return whether a word in lower case is one that businesses and institutions put behind their own name:
    *brewing*, *infirmary*.
    """
    called = read_lists_by_kind("businesses.txt")
    return any(word in called[kind] for kind in ("strong", "weak", "institution"))


def _read_word_list(name: str) -> frozenset[str]:
    text = resources.files("pagereel.redaction.words").joinpath(name).read_text("utf-8")
    return frozenset(" ".join(line for line in text.splitlines() if not line.startswith("#")).split())


TECHNOLOGY = _TECHNOLOGY | _read_word_list("software_words.txt")
"""Names of programs, formats, protocols and products. They are written with capitals, and name no person."""

HUMP = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+")
"""A word within a name that programmers joined of several: ``notify`` and ``Ostenvik`` in ``notifyOstenvik``."""
HUMP_OR_NUMBER = re.compile(rf"{HUMP.pattern}|\d+")


@lru_cache(maxsize=20_000)
def is_known_word(word: str) -> bool:
    """Return whether each part of a word in CamelCase is common, shorter than three letters, or a number below 1,000."""
    return all(
        (h.isdigit() and len(h) < 4) or len(h) < 3 or h.lower() in common_words() for h in HUMP_OR_NUMBER.findall(word)
    )
