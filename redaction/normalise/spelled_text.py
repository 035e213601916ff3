"""Join words that are spelled letter by letter, as in ``O s t e n v i k`` or with a letter in each box, or cut by marks of emphasis, as in ``_Oste_**nvik**``.

The keys of a keyboard and the letters of an alphabet are not joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from ..contracts.check_digits import is_iban_valid, is_luhn_valid
from ..words.english import is_english_word
from ..words.word_lists import common_words
from .decoded_text import Span, UndoableNotation

LEAST = 4
"""Least letters in a row that may spell a word."""
_LEAST_SIGNED = 7
"""Least letters in a row with signs between them. Shorter rows are lists of variables or choices (``w/h/d/x/y``)."""
LEAST_DIGITS, MOST_DIGITS, LEAST_DISTINCT = 9, 19, 4
_LETTER = r"(?:[^\W\d_][\u0300-\u036f]?)"
_BLANKS = "[ \u00a0\u2007\u2009\u200a\u202f·_-]"
_SPELLED = re.compile(
    rf"(?<![^\W_]){_LETTER}(?:(?P<joint>{_BLANKS}){_LETTER}(?:(?P=joint){_LETTER}){{{LEAST - 2},}}"
    rf"|(?P<sign>,[ ]|[/.,|]){_LETTER}(?:(?P=sign){_LETTER}){{{_LEAST_SIGNED - 2},}})(?![^\W_])"
)
_SPELLED_DIGITS = re.compile(
    rf"(?<![\w.,+-])[\d+(](?P<joint>{_BLANKS[:-2]}])(?:(?P=joint){{2}})?(?:[\d()+-](?P=joint)(?:(?P=joint){{2}})?){{{LEAST_DIGITS - 2},200}}\d(?![\w.,])"
)
"""Digits with a space after each; a space within the number shows as three."""
_GROUPED = re.compile(r"\d{2,}(?:-\d{2,})+")
_KEYS = (
    "12345678901234567890",
    "01234567890123456789",
    "98765432109876543210",
    "7894561230",
    "1472583690",
    "7418529630",
)
"""Rows of digits on keyboards and in page numbers."""
_ROWS = (
    "abcdefghijklmnopqrstuvwxyz", "abcdefgabcdefg", "zyxwvutsrqponmlkjihgfedcba", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop",
    "azertyuiop", "qsdfghjklm", "yxcvbnm", "mtwtfss", "smtwtfs", "mdmdfss", "lmmjvsd",
    # Days of the week, from Sunday or Monday, and alphabets of other languages.
    "dlmmjvs", "lmxjvsd", "dlmxjvs", "smdmdfs", "dstqqss", "stqqssd", "lmmgvsd", "dlmmgvs", "mdwdvzz", "zmdwdvz", "pwścpsn", "mtotfls", "smtotfl", "mtktpls", "pspçpcc", "mtotflsm",
    "пвсчпсв", "впвсчпс", "пвсчптсн", "δττππσκ", "κδττππσ", "אבגדהוש", "חנתרחגס", "حنثرخجس", "سحنثرخج", "شیدسچپج", "日一二三四五六日", "日月火水木金土日", "일월화수목금토일",
    "אבגדהוזחטיכלמנסעפצקרשת", "αβγδεζηθικλμνξοπρστυφχψω", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "абвгдежзийклмнопрстуфхцчшщъыьэюя", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "йцукенгшщзхъ", "фывапролджэ",
)  # fmt: skip
_VOWELS = frozenset("aeiouyáàâäãåéèêëíìîïóòôöõøúùûü")

_MARKS = re.compile(r"(?<=[^\W\d_]{2})(?:_{0,3}\*{1,3}_{0,3}(?:\*{1,3}_{0,3})?|~~)(?=[^\W\d_]{2})")
"""Emphasis of Markdown around a part of a word. A single underscore joins the words of an identifier, and is none."""
_AROUND = re.compile(r"(?<![\w*~])(?:[*_]{1,3}|~~)(?=[^\W\d_])|(?<=[^\W\d_])(?:[*_]{1,3}|~~)(?![\w*~])")
"""Emphasis around whole words. It is removed only in a text that also has emphasis within a word."""


def _iter_letter_separators(text: str) -> Iterator[Span]:
    """Yield the separators between the letters of spelled words, and between the digits of spelled numbers."""
    found = list(_SPELLED.finditer(text)) if len(text) > 2 * LEAST - 2 else []
    numbers = (
        [m for m in _SPELLED_DIGITS.finditer(text) if _is_personal_number(m[0])]
        if len(text) >= 2 * LEAST_DIGITS - 1
        else []
    )
    skipped = {i for m in found for i in range(m.start(), m.end()) if text[i] in (m["joint"] or m["sign"])}
    for m in numbers:  # of three spaces the middle one is part of the number
        blanks = [i for i in range(m.start(), m.end()) if text[i] == m["joint"]]
        skipped.update(i for i in blanks if text[i - 1] != m["joint"] or text[i + 1] != m["joint"])
    for before, after in pairwise(found):  # two blanks between spelled words are one
        if 1 < after.start() - before.end() < 4 and not text[before.end() : after.start()].strip():
            skipped.update(range(before.end() + 1, after.start()))
    yield from ((i, i + 1, "") for i in sorted(skipped))


def _iter_emphasis_marks(text: str) -> Iterator[Span]:
    """Yield marks of emphasis within words, and those around other words of the same text."""
    if ("*" in text or "~~" in text) and _MARKS.search(text):
        yield from sorted((*mark.span(), "") for marks in (_MARKS, _AROUND) for mark in marks.finditer(text))


_SQUEEZED = UndoableNotation("", _iter_letter_separators, _SPELLED)
SPELLED: Final = (UndoableNotation("", _iter_emphasis_marks, _MARKS), _SQUEEZED)
"""The notations for letters and digits written one by one, and for emphasis within a word."""


def join_spelled_words(text: str) -> str:
    """Return the text with spelled words joined."""
    return _SQUEEZED.undo_in_text(text)


def _is_personal_number(row: str) -> bool:
    """Return whether a row of digits may be a personal number: long and random enough, and neither the keys of a pad
    nor a line of a puzzle.

    Digits in groups with hyphens need not look random: the keys of a pad are not written like that.
    """
    digits = "".join(c for c in row if c.isdecimal())
    if not LEAST_DIGITS <= len(digits) <= MOST_DIGITS:
        return False
    if _GROUPED.fullmatch(re.sub(r"[^\d-]", "", row)):
        return True
    if len(set(digits)) < LEAST_DISTINCT:
        return False
    return sorted(digits) != list("123456789") and not any(digits in keys for keys in _KEYS)


def find_spelled_unknown_words(text: str) -> list[tuple[int, int]]:
    """Return the spans in which a text spells, letter by letter, a word that is in no word list."""
    return [
        m.span()
        for m in _SPELLED.finditer(text)
        if may_be_name_or_number("".join(c for c in m[0] if c not in (m["joint"] or m["sign"])))
    ]


def iter_boxed_unknown_words(pieces: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield (begin, end) for each run of one-letter texts that spells a word in no word list."""
    begin = 0
    for at in range(len(pieces) + 1):
        if at < len(pieces) and len(pieces[at]) == 1 and pieces[at].isalpha():
            continue
        word = "".join(pieces[begin:at])
        if at - begin > LEAST and may_be_name_or_number(word) and not is_english_word(word):
            yield begin, at
        begin = at + 1


def may_be_name_or_number(letters: str) -> bool:
    """Return whether a row of letters may be a name, or a row of digits a personal number."""
    small = letters.lower()
    if small.isdecimal():
        return (13 <= len(small) <= 19 and is_luhn_valid(small)) or _is_personal_number(small)
    if small[:2].isalpha() and small[2:4].isdigit():
        return is_iban_valid(small)
    if not small.isalpha() or len(small) < LEAST + 1 or len(set(small)) < LEAST or small in common_words():
        return False
    return not any(small in row for row in _ROWS) and (
        not small.isascii() or 0 < sum(c in _VOWELS for c in small) < len(small)
    )
