"""Fold Unicode tricks away, and map findings back to the text as it was.

``Pri<ZWSP>ya``, full-width digits, ligatures and Latin words with a Cyrillic letter among them read like the plain word, so
they are searched as the plain word. Each character of the folded text remembers the span of the original it came from.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from pagereel import unseen

_INVISIBLE = unseen.any_of(
    unseen.JOINERS,
    unseen.GRAPHEMES,
    unseen.TURNS,
    unseen.FORMATS,
    unseen.VARIATIONS,
    unseen.EMOJI,
    unseen.FILLERS,
    unseen.ANNOTATIONS,
    unseen.TAGS,
    unseen.RESERVED,
)
_SUSPECT = re.compile(
    "[\u00a0\u00ad\u0262\u026a\u0274\u0280\u028f\u0299\u029c\u029f\u0300-\u036f\u0370-\u03ff\u0400-\u04ff\u061c\u1680\u180e\u1d00-\u1d22\u2000-\u206f\u20d0-\u20f0\u2100-\u214f\u2460-\u24ff\u3000\ua730\ua731\ufb00-\ufb06\u034f\u3164\ufe00-\ufe0f\ufeff-\uffef\ufff9-\ufffb\U0001d400-\U0001d7ff\U0001f110-\U0001f14f\U000e0000-\U000e0fff]"
)
_BRACKETED = re.compile("[\u2474-\u247c\u249c-\u24b5\U0001f110-\U0001f129]")
"""A letter or digit in brackets, as one character: what it says stands between them."""
_LATIN = re.compile("[A-Za-z]")
_WORD = re.compile(r"[^\W\d_]{2,}")

_SIGNS = re.compile("[\u2474-\u24ff\U0001f110-\U0001f189]|[\U000e0021-\U000e007e]{8}")
"""Letters and digits in brackets, circles and squares, which Unicode counts as signs, and words of tags."""

LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТХУаеорсухіјѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαορνι",
    "ABESIJKMHOPCTXYaeopcyxijsdhqwABEZHIKMNOPTYXaopvi",
)
"""Cyrillic and Greek letters that look like a Latin one, folded only inside words that also hold Latin letters."""
_SMALL_CAPITALS = str.maketrans("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz")
"""Letters of phonetics that are drawn as small capitals; Unicode gives no plain letter for them."""
_ENCLOSING = re.compile("[\u20d0-\u20f0]")
"""What is drawn around or over the character before: the key of ``4\ufe0f\u20e3``."""
_NUMERALS = {c: str(value) for value, row in enumerate(("〇零", "一壹", "二贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")) for c in row}  # fmt: skip
_NUMERALS |= {c: unicodedata.normalize("NFKC", c) for c in "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"}
_NUMERAL = f"[{''.join(_NUMERALS)}]"
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
"""A digit of another script, one character: what looks for a number looks for these."""
_COUNTED = re.compile(rf"{_NUMERAL}(?:[ \u00a0()-]{{0,2}}{_NUMERAL}){{6,}}")
"""A number of a telephone's length in Chinese, raised or lowered digits: a shorter one is a year, a footnote or a power."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text. ``starts[i]``, ``ends[i]``: the span of the original that character ``i`` came from."""

    text: str
    starts: list[int] | None = None
    ends: list[int] | None = None

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original for a non-empty span of the folded text."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def chain(first: Folded, second: Folded) -> Folded:
    """Return the map of two foldings, one after the other: ``second`` was made of ``first.text``."""
    if first.starts is None or first.ends is None:
        return second
    if second.starts is None or second.ends is None:
        return first
    return Folded(second.text, [first.starts[i] for i in second.starts], [first.ends[i - 1] for i in second.ends])


def fold(text: str) -> Folded:
    """Return the text as a person reads it. Plain text comes back as it is, without a map."""
    if text.isascii():
        return Folded(text)
    text = _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
    text = _COUNTED.sub(lambda number: "".join(_NUMERALS.get(c, c) for c in number[0]), text)
    if not _SUSPECT.search(text):
        return Folded(text)
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for i, char in enumerate(text):
        if _INVISIBLE.match(char) or _ENCLOSING.match(char):
            continue
        if char < "\u0900" and unicodedata.combining(char) and out:  # signs of Devanagari or Thai are letters
            composed = unicodedata.normalize("NFC", out[-1] + char)
            if len(composed) == 1:
                out[-1] = composed
            ends[-1] = i + 1
            continue
        plain = unicodedata.normalize("NFKC", char).translate(_SMALL_CAPITALS) if _SUSPECT.match(char) else char
        for c in plain[1] if _BRACKETED.match(char) else plain:
            out.append(c)
            starts.append(i)
            ends.append(i + 1)
    folded = "".join(out)

    def unmix(match: re.Match[str]) -> str:
        word = match.group()
        return word.translate(LOOKALIKES) if not word.isascii() and _LATIN.search(word) else word

    return Folded(_WORD.sub(unmix, folded), starts, ends)


def says(text: str) -> bool:
    """Return whether a text says anything: it has a letter or a digit, though it be one that Unicode counts as a sign."""
    return any(c.isalnum() for c in text) or (not text.isascii() and _SIGNS.search(text) is not None)
