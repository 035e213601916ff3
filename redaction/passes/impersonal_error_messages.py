"""Find the error messages in failed responses that need not be masked whole.

These are messages that the page also shows, and messages of common words. A program's *Your card was declined* is not
personal, and is needed to examine a failure. The rest of a failed response is masked like any body.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

from ..content.form_controls import is_impersonal_option
from ..detect.cues.listed_names import is_listed_name
from ..detect.filters.foreign_words import FAMILIES, is_listed_foreign_word
from ..words.english import is_no_name
from ..words.program_names import WORDS
from ..words.word_lists import HUMP_OR_NUMBER, NAMES_TOO, given_names, web_words
from .first_pass_knowledge import Findings, TextKey

_PAGES: Final = frozenset({"dom.text", "dom.title", "document.title", "dialog.message"})
"""Channels of text that pages show."""
_LONGEST: Final = 300
"""Most characters of an error message. A longer text is more than that."""
_MOST: Final = 1_000
"""Most messages that are searched for on the pages."""
_WORD: Final = re.compile(r"[^\W_]+")
_DIGITS: Final = 6
"""Most digits of a message. Account and telephone numbers have more, also in groups."""
_NUMBER: Final = 4
_LETTERS: Final = 2
"""Most letters that stand alone: more of them spell a word."""
_MIXED: Final = 4
"""Most characters of a word of letters and digits (``h264``). A longer one may be a personal code."""


def find_readable_messages(messages: Iterable[str], texts: Mapping[TextKey, str], findings: Findings) -> frozenset[str]:
    """Return the messages that may be shown, except for the findings in them.

    :param texts: each text of the recording, and its channel.
    """
    wanted = [message for message in islice(messages, _MOST) if len(message) <= _LONGEST and message.strip()]
    if not wanted:
        return frozenset()
    pages = [key for key, channel in texts.items() if channel in _PAGES and key[2] == "text"]
    return frozenset(
        message
        for message in wanted
        if (not findings.get((message, "", "text")) and is_common_text(message))
        or _is_shown_by_page(message, pages, findings)
    )


def _is_shown_by_page(message: str, pages: Iterable[TextKey], findings: Findings) -> bool:
    """Return whether a page shows a message: as a text of its own, or within a longer text that has no finding at
    that place.
    """
    core = message.strip()
    shown = False
    for key in pages:
        if core not in key[0]:
            continue
        if key[0].strip() == core and not key[1]:
            return True  # findings in it are made in both texts
        for place in re.finditer(rf"(?<!\w){re.escape(core)}(?!\w)", key[0]):
            if any(f.start < place.end() and place.start() < f.end for f in findings.get(key, ())):
                return False
            shown = True
    return shown


def is_common_text(text: str) -> bool:
    """Return whether a text consists of words that ordinary people or programmers use, identifiers made of them
    (``card_declined``), and short numbers.
    """
    if sum(map(str.isdigit, text)) > _DIGITS:
        return False
    words = _WORD.findall(text)
    if sum(len(word) == 1 and word.isalpha() for word in words) > _LETTERS:
        return False
    return all(_is_common_word(word, at == 0) for at, word in enumerate(words))


def _is_common_word(word: str, begins_sentence: bool) -> bool:
    mixed = not word.isalpha() and not word.isdigit()
    if mixed and len(word) > _MIXED:
        return False
    return all(
        _is_common_part(part, begins_sentence and at == 0) for at, part in enumerate(HUMP_OR_NUMBER.findall(word))
    )


def _is_common_part(part: str, begins_sentence: bool) -> bool:
    """Return whether a word, or a part of an identifier, is not personal.

    :param begins_sentence: the word begins a sentence, so its capital letter is no sign of a name.
    """
    small = part.lower()
    if part.isdigit():
        return len(part) <= _NUMBER
    if is_impersonal_option(small):
        return True
    if small in given_names() or small in NAMES_TOO or small in FAMILIES or is_listed_name(small):
        return False
    return (
        small in WORDS
        or small in web_words()
        or is_listed_foreign_word(small)
        or ((begins_sentence or part.islower()) and len(small) > _LETTERS and is_no_name(small))
    )
