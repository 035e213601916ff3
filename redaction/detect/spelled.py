"""Words that are written letter by letter: ``O s t e n v i k``, or each letter in a box of its own.

A person reads them as words. Rows of keys and letters of an alphabet are none.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ..contracts.luhn import luhn
from ..words.words import common_words
from .unicode_tricks import Folded

LEAST = 4
"""Letters from which on a row of them may be a word."""
_LETTER = r"(?:[^\W\d_][\u0300-\u036f]?)"
_BLANKS = "[ \u00a0\u2007\u2009\u200a\u202f·_-]"
_SPELLED = re.compile(
    rf"(?<![^\W_]){_LETTER}(?P<joint>{_BLANKS}){_LETTER}(?:(?P=joint){_LETTER}){{{LEAST - 2},}}(?![^\W_])"
)
_ROWS = (
    "abcdefghijklmnopqrstuvwxyz", "abcdefgabcdefg", "zyxwvutsrqponmlkjihgfedcba", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop",
    "azertyuiop", "qsdfghjklm", "yxcvbnm", "mtwtfss", "smtwtfs", "mdmdfss", "lmmjvsd",
    # Days of the week, from Sunday or Monday, and alphabets of other languages.
    "dlmmjvs", "lmxjvsd", "dlmxjvs", "smdmdfs", "dstqqss", "stqqssd", "lmmgvsd", "dlmmgvs", "mdwdvzz", "zmdwdvz", "pwścpsn", "mtotfls", "smtotfl", "mtktpls", "pspçpcc", "mtotflsm",
    "пвсчпсв", "впвсчпс", "пвсчптсн", "δττππσκ", "κδττππσ", "אבגדהוש", "חנתרחגס", "حنثرخجس", "سحنثرخج", "شیدسچپج", "日一二三四五六日", "日月火水木金土日", "일월화수목금토일",
    "אבגדהוזחטיכלמנסעפצקרשת", "αβγδεζηθικλμνξοπρστυφχψω", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "абвгдежзийклмнопрстуфхцчшщъыьэюя", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "йцукенгшщзхъ", "фывапролджэ",
)  # fmt: skip
_VOWELS = frozenset("aeiouyáàâäãåéèêëíìîïóòôöõøúùûü")


def squeeze(text: str) -> Folded:
    """Return the text with spelled words as words; the text itself where it has none."""
    found = list(_SPELLED.finditer(text)) if len(text) > 2 * LEAST - 2 else []
    if not found:
        return Folded(text)
    out: list[str] = []
    starts: list[int] = []
    skipped = {i for m in found for i in range(m.start(), m.end()) if text[i] == m["joint"]}
    for before, after in pairwise(found):  # two blanks between spelled words are one
        if 1 < after.start() - before.end() < 4 and not text[before.end() : after.start()].strip():
            skipped.update(range(before.end() + 1, after.start()))
    for i, c in enumerate(text):
        if i not in skipped:
            out.append(c)
            starts.append(i)
    return Folded("".join(out), starts, [i + 1 for i in starts])


def spelled_words(text: str) -> list[tuple[int, int]]:
    """Return where a text spells a word that nobody knows."""
    return [m.span() for m in _SPELLED.finditer(text) if tells("".join(c for c in m[0] if c != m["joint"]))]


def tells(letters: str) -> bool:
    """Return whether a row of letters may be somebody's name; of digits, whether it is the number of a card."""
    small = letters.lower()
    if small.isdigit():
        return 13 <= len(small) <= 19 and luhn(small)
    if not small.isalpha() or len(small) < LEAST + 1 or len(set(small)) < LEAST or small in common_words():
        return False
    return not any(small in row for row in _ROWS) and (
        not small.isascii() or 0 < sum(c in _VOWELS for c in small) < len(small)
    )
