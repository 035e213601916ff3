"""Undo disguises of letters: ``Pri<ZWSP>ya``, full-width digits, ligatures, Latin words with a Cyrillic letter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from pagereel import invisible_characters

from .decoded_text import Span, UndoableNotation, build_notation

_INVISIBLE = invisible_characters.build_character_pattern(
    invisible_characters.JOINERS,
    invisible_characters.GRAPHEMES,
    invisible_characters.TURNS,
    invisible_characters.FORMATS,
    invisible_characters.VARIATIONS,
    invisible_characters.EMOJI,
    invisible_characters.FILLERS,
    invisible_characters.ANNOTATIONS,
    invisible_characters.TAGS,
    invisible_characters.RESERVED,
)
_SUSPECT = re.compile(
    "[\u00a0\u00ad\u0262\u026a\u0274\u0280\u028f\u0299\u029c\u029f\u0300-\u036f\u0370-\u03ff\u0400-\u04ff\u061c\u1680\u180e\u1d00-\u1d22\u2000-\u206f\u20d0-\u20f0\u2100-\u214f\u2460-\u24ff\u3000\ua730\ua731\ufb00-\ufb06\u034f\u3164\ufe00-\ufe0f\ufeff-\uffef\ufff9-\ufffb\U0001d400-\U0001d7ff\U0001f110-\U0001f189\U000e0000-\U000e0fff]"
)
_BRACKETED = re.compile("[\u2474-\u247c\u249c-\u24b5\U0001f110-\U0001f129]")
"""A letter or digit in brackets that is one character."""

_SAID = frozenset({"So", "Co", "Cn", "Mn", "Mc", "Me"})
"""Unicode categories of letters in circles, Braille, pictures, glyphs of icon fonts, unassigned characters, and
combining marks.
"""

LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТХУаеорсухіјѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαορνι", "ABESIJKMHOPCTXYaeopcyxijsdhqwABEZHIKMNOPTYXaopvi"
)
"""Cyrillic and Greek letters that look like a Latin one, folded only inside words that also hold Latin letters."""
_DRAWN = str.maketrans("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz") | {
    first + number: 65 + number for first in (0x1F150, 0x1F170) for number in range(26)
}
"""Phonetic letters that look like small capitals, and white letters in black circles and squares; Unicode defines no
plain letter for them.
"""
_BRAILLE = dict(zip("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵", "abcdefghijklmnopqrstuvwxyz", strict=True))
_ENCLOSING = re.compile("[\u20d0-\u20f0]")
"""Marks that are drawn around or over the character before them, such as the key in ``4️⃣``."""
_NUMERALS = {c: str(value) for value, row in enumerate(("〇零", "一壹", "二贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")) for c in row}  # fmt: skip
_NUMERALS |= {c: unicodedata.normalize("NFKC", c) for c in "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"}
_NUMERAL = f"[{''.join(_NUMERALS)}]"
_OTHER_DIGIT = re.compile(r"\d(?<![0-9])")
"""A single digit of another script: patterns for numbers need ASCII digits."""
_COUNTED = re.compile(rf"{_NUMERAL}(?:[ \u00a0()-]{{0,2}}{_NUMERAL}){{6,}}")
"""A number of the length of a telephone number in Chinese, superscript or subscript digits. A shorter one is a year, a
footnote or a power.
"""


_MARKS = "".join(chr(code) for code in range(0x300, 0x900) if unicodedata.combining(chr(code)))
"""Combining marks of the letter before them. Those of Devanagari or Thai count as letters."""


def _to_plain_character(match: re.Match[str]) -> str:
    """Return the plain text of one disguised character."""
    char = match[0]
    if _INVISIBLE.match(char) or _ENCLOSING.match(char):
        return ""
    said = unicodedata.normalize("NFKC", char).translate(_DRAWN)
    return said[1] if _BRACKETED.match(char) else said


def _iter_composed_letters(text: str) -> Iterator[Span]:
    """Yield each letter with its combining marks, as one composed letter. Only texts with a suspicious character are
    searched.
    """
    for match in _ACCENTED.finditer(text, 1) if _SUSPECT.search(text) else ():
        start = match.start() - 1
        letter = text[start]
        for mark in match[0]:
            composed = unicodedata.normalize("NFC", letter + mark)
            letter = composed if len(composed) == 1 else letter
        yield start, match.end(), letter


def _iter_mixed_script_words(text: str) -> Iterator[Span]:
    """Yield words that mix Latin letters with look-alikes of other scripts."""
    end = 0
    for match in _MIXED.finditer(text):
        if match.start() < end:
            continue
        start, end = match.span()
        while start and text[start - 1].isalpha():
            start -= 1
        while end < len(text) and text[end].isalpha():
            end += 1
        yield start, end, text[start:end].translate(LOOKALIKES)


_ACCENTED = re.compile(f"[{_MARKS}]+")
_ALIKE = f"[{''.join(map(chr, LOOKALIKES))}]"
_MIXED = re.compile(f"{_ALIKE}[A-Za-z]|[A-Za-z]{_ALIKE}")
LETTERS: Final[tuple[UndoableNotation, ...]] = (
    build_notation(_OTHER_DIGIT.pattern, lambda digit: str(unicodedata.decimal(digit[0])), None),
    build_notation(_COUNTED.pattern, lambda number: "".join(_NUMERALS.get(c, c) for c in number[0]), None),
    UndoableNotation(None, _iter_composed_letters, _ACCENTED),
    build_notation(_SUSPECT.pattern, _to_plain_character, None),
    UndoableNotation(None, _iter_mixed_script_words, _MIXED),
)
"""Disguises of letters that are always undone: digits of other scripts, separate accents, invisible characters,
characters drawn like others, look-alikes.
"""
SIGNS: Final = (build_notation("[\U0001f1e6-\U0001f1ff]", lambda m: chr(ord(m[0]) - 0x1F1E6 + 65), None), build_notation("[\u2801-\u283f]", lambda m: _BRAILLE.get(m[0], m[0]), None))  # fmt: skip
"""Letters that flags are made of, and Braille. Known values are searched for in them; adjacent flags are no word."""


def has_meaningful_character(text: str) -> bool:
    """Return whether a text has a letter, a digit, or a Unicode symbol that may be drawn as a letter."""
    return any(map(carries_meaning, text))


def carries_meaning(char: str) -> bool:
    """Return whether a character may carry meaning by itself. Punctuation, spaces and mathematical signs do not."""
    return char.isalnum() or (
        char > "\x7f" and (unicodedata.category(char) in _SAID or "\U000e0020" <= char < "\U000e007f")
    )
