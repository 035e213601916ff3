"""Mask names of programs and their parts (models, tools, functions, files, media types, status texts), except for common words.

Such a name may contain a customer's name (``ft:gpt-4o:acme``, ``notifyOstenvik``, ``/srv/acme/run.py``). Common words
stay, so that one can still read which model or function it was. Other words become stand-ins in their place, and are
not searched for elsewhere, because most are no names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus

from .english import is_no_name
from .phrase_lists import PhraseLists
from .word_lists import HUMP, NAMES_TOO, common_words, given_names, web_words

LISTS = PhraseLists("programs")

WORDS = LISTS.to_word_set("WORDS")
"""Words of programs, of models and of their makers that no list of common words has."""
_LEAST = 4
_FRAME = re.compile(
    r"^(?P<v8>\s*at (?:async |new )?)(?P<name>[^\s(][^(\n]{0,200}?)(?= \()|^(?P<gecko>)(?P<other>[^\s@\n/]{1,200})(?=@)",
    re.MULTILINE,
)
"""A line of a stack trace that names a function: ``at name (place)``, ``name@place``."""
_FILE = re.compile(r"(?P<stem>[\w-]{1,60})\.[a-z][a-z0-9]{1,5}")
_FEW = 5
"""Most digits of a number that is a program's count or duration. Personal numbers have more."""
_MOST_DIGITS = 4
"""Most digits of the version in a media type."""
_TYPE = re.compile(r"[\w.+-]{1,80}/[\w.+-]{1,120}\Z")
_PARTS = LISTS.to_word_set("PARTS")
_ABSOLUTE = re.compile(r"[/~\\]|[A-Za-z]:[/\\]|file:")
Replace = Callable[[str], str]


def is_common_program_word(word: str) -> bool:
    """Return whether a word without inner capitals is one that ordinary people or programmers use."""
    small = word.lower()
    return (
        len(small) < _LEAST
        or small in WORDS
        or small in common_words()
        or small in web_words()
        or _is_common_plural(small)
    )


def _is_common_plural(word: str) -> bool:
    return word.endswith("s") and (word[:-1] in WORDS or word[:-1] in common_words())


def replace_unknown_words(
    name: str, replace: Replace, known_words: Callable[[str], bool] = is_common_program_word
) -> str:
    """Return a name with each unknown word replaced by the result of `replace`. ``notifyOstenvik`` consists of two
    words.
    """
    return HUMP.sub(lambda m: m[0] if known_words(m[0]) else replace(m[0]), name)


def is_impersonal_word(word: str) -> bool:
    """Return whether a word in the name of a tool or a model identifies nobody: it is a word of programs, or a word of
    the language that is no name.

    ``get_weather`` and ``vault.read`` consist of such words. ``acme`` is no such word, although lists of nouns have it.
    """
    small = word.lower()
    return is_common_program_word(word) or (small not in given_names() and small not in NAMES_TOO and is_no_name(word))


def is_program_text(text: str) -> bool:
    """Return whether a text consists of impersonal words and short numbers, as settings and commands of programs do
    (``unsavedChanges``, ``10000``).
    """
    return (
        sum(map(str.isdigit, text)) <= _FEW
        and replace_unknown_words(text, lambda _: "", _is_impersonal_or_plural) == text
    )


def _is_impersonal_or_plural(word: str) -> bool:
    """Return whether a word is impersonal, or the plural of such a word in small letters. A capitalized plural may be
    a family name (*Rivers*).
    """
    return is_impersonal_word(word) or (word.islower() and word.endswith("s") and is_impersonal_word(word[:-1]))


def is_impersonal_file_name(text: str) -> bool:
    """Return whether a text is a file name with an impersonal stem: ``customers.ipynb``."""
    match = _FILE.fullmatch(text)
    return match is not None and is_program_text(match["stem"]) and sum(map(str.isalpha, match["stem"])) >= _LEAST


def keep_known_status_text(text: str) -> str:
    """Return a status text if HTTP defines it, else the empty string: a server may send anything there."""
    return text if text.strip().lower() in _PHRASES else ""


_PHRASES = frozenset(
    {s.phrase.lower() for s in HTTPStatus}
    | {"ok", "moved temporarily", "request timeout", "payload too large", "unprocessable content"}
)
ANSWERED = re.compile(
    rf"(?<![\w.])[1-5]\d\d[ :–-]{{1,3}}\(?(?:{'|'.join(sorted(map(re.escape, _PHRASES), key=len, reverse=True))})(?!\w)",
    re.IGNORECASE,
)
"""A status in the words of HTTP's standard: ``404 Not Found``, ``404 (Not Found)``."""


def keep_known_media_type(text: str) -> str:
    """Return a media type if it consists of known words, else ``application/octet-stream``."""
    kind = text.partition(";")[0].strip()
    few = sum(map(str.isdigit, kind)) <= _MOST_DIGITS
    known = kind in ("", "unknown") or (
        few and _TYPE.match(kind) and all(map(is_common_program_word, HUMP.findall(kind)))
    )
    return kind if known else "application/octet-stream"


def mask_stack(stack: str, replace: Replace) -> str:
    """Return a stack trace with the names of functions masked by :func:`replace_unknown_words`."""

    def mask_stack_frame(match: re.Match[str]) -> str:
        if match["other"] is not None:
            return replace_unknown_words(match["other"], replace)
        return match["v8"] + replace_unknown_words(match["name"], replace)

    return _FRAME.sub(mask_stack_frame, stack)


def strip_folders_above_project(file: str) -> str:
    """Return a path without the folders above its project, which are often named after persons, machines and
    customers.
    """
    if not _ABSOLUTE.match(file):
        return file
    parts = re.split(r"[/\\]+", file)
    at = next((i for i in range(len(parts) - 2, 0, -1) if parts[i].lower() in _PARTS), len(parts) - 1)
    return "/".join(parts[at:])
